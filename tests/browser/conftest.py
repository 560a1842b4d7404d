"""A site with bots that play, for tests that click in a real browser."""

import os
import threading
from collections.abc import Iterator
from random import Random

import pytest
from django.db import connection
from django.utils import timezone

from games import tasks
from games.catalogue import shelf
from games.queries import bots_to_act


@pytest.fixture(autouse=True)
def deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate deals each test the same cards in every run; at a desk each run deals new ones."""
    if os.environ.get("CI"):
        chance = Random(request.node.nodeid)
        monkeypatch.setattr("secrets.token_hex", lambda size: chance.randbytes(size).hex())


@pytest.fixture
def bots(live_server: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker that lets the bots move, quickly: rules of thumb whatever their level."""
    for game in shelf().values():
        for level in game.levels:
            monkeypatch.setitem(game.levels, level, 0.0)
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(0.05):
            for match in set(bots_to_act(timezone.now()).values_list("match", flat=True)):
                tasks.think(match)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    yield
    ended.set()
    worker.join()
