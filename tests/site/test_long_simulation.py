"""Weeks of correspondence, real but for the time, while workers and broker are killed.

A few days of a few matches with the other tests; `make simulation` takes four weeks of two hundred.
"""

import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from celery import Celery
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from config.celery import app as site_app
from games.models import Match, Notice
from games.queries import differences
from tests.simulation.clock import Gate, SharedClock
from tests.simulation.crowd import Crowd
from tests.simulation.ends import claimed, disagreements, stuck
from tests.simulation.office import office
from tests.simulation.people import populace
from tests.simulation.plant import Plant
from tests.simulation.tables import opened
from tests.simulation.world import World

pytestmark = [
    pytest.mark.services,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

SEED = os.environ.get("SIMULATION_SEED", "nile")
MATCHES = int(os.environ.get("SIMULATED_MATCHES", "24"))
DAYS = int(os.environ.get("SIMULATED_DAYS", "5"))
BEGIN = datetime(2026, 3, 2, 6, tzinfo=UTC)  # clocks change within these weeks


def database_url() -> str:
    where = connection.settings_dict
    password = f":{where['PASSWORD']}" if where["PASSWORD"] else ""
    return "postgresql://{USER}{0}@{HOST}:{PORT}/{NAME}".format(password, **where)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    print(f"SIMULATION_SEED={SEED}")  # noqa: T201 - shown if it fails
    clock = SharedClock(tmp_path / "now")
    clock.set(BEGIN)
    monkeypatch.setattr(timezone, "now", clock.now)
    seeds = Random(f"{SEED} shuffles")
    monkeypatch.setattr("secrets.token_hex", lambda size: seeds.randbytes(size).hex())
    with office(clock.now) as server:
        gate = Gate(tmp_path)
        gate.try_to_close()
        plant = Plant(
            tmp_path,
            {
                "DATABASE_URL": database_url(),
                "EMAIL_URL": f"smtp://127.0.0.1:{server.port}",
                "SECRET_KEY": settings.SECRET_KEY,
            },
        )
        try:
            Celery("people", broker=plant.redis_url, task_publish_retry=False).set_current()
            people = populace(max(8, MATCHES // 8), Random(f"{SEED} people"))
            opened(MATCHES, people, Random(f"{SEED} tables"))
            crowd = Crowd(people, Random(f"{SEED} crowd"))
            yield World(clock=clock, gate=gate, plant=plant, office=server, crowd=crowd, seed=SEED)
        finally:
            site_app.set_current()
            plant.end()


def test_every_event_has_exactly_its_mails_whatever_is_killed(world: World) -> None:
    """And no deadline is missed by more than one sweep (each sweep waits for that), none is stuck.

    Each sweep is judged by the observer; what follows is the sum of it.
    """
    world.live(timedelta(days=DAYS))
    now, observer = world.clock.now(), world.observer
    print(world.summary())  # noqa: T201
    assert observer.unexplained() == []
    assert disagreements(observer) == []
    assert claimed() == []
    assert stuck(now) == []
    begun = Match.objects.exclude(snapshot="")
    assert [str(match) for match in begun if differences(match)] == []
    assert rating_differences() == "0 differences"
    assert world.crowd.who_cannot_move() == []
    if MATCHES >= 200:
        assert_it_was_worth_the_while(world)


def rating_differences() -> str:
    """Compute all ratings again: what workers wrote side by side is what the matches say."""
    told = StringIO()
    call_command("ratings", stdout=told)
    return told.getvalue().splitlines()[-1].split(", ")[1]


def assert_it_was_worth_the_while(world: World) -> None:
    """Everything happened that may happen: else the silence of the observer means nothing."""
    # Rare here; their mails have tests of their own.
    rare = {"invited", "joined", "asleep", "paused", "granted"}
    assert set(Notice.Kind.values) - rare - set(world.observer.tallies) == set()
    ends = Counter(Match.objects.values_list("ending", flat=True))
    assert {"on_time", "resigned", "too_soon", "unfilled"} <= set(ends)
    assert Match.objects.filter(status="finished", ending="").count() >= 5
    assert world.done["killed"] >= 20
    assert world.done["restart_broker"] >= 2
    assert world.done["replace_worker"] >= 2
    assert 0 < world.observer.lost < len(world.observer.gaps) < world.done["killed"]
