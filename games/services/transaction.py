"""The one transaction through which every change of a match goes.

Lock, load, let the caller change it, save, call on whoever is next. Player, bot, clock and host all
come through this door; a refused change leaves nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial

import orjson
from django.db import transaction
from django.utils import timezone

from games import notices
from games.engine.session import ranks
from games.models import Match
from games.queries import SEATED
from games.services.change import Change, finish
from games.services.clocks import set_clocks
from games.services.lifetimes import set_lifetime


@contextmanager
def changing(match_id: int, now: datetime | None = None) -> Iterator[Change]:
    """Lock a match, let the caller change it, save it, and call on whoever is next."""
    now = now or timezone.now()
    locked = Match.objects.select_for_update().prefetch_related(SEATED)
    with transaction.atomic(durable=True), changed(locked.get(pk=match_id), now) as change:
        yield change


@contextmanager
def changed(match: Match, now: datetime | None = None) -> Iterator[Change]:
    change = Change(match, now or timezone.now())
    yield change
    if change.dropped:
        return
    _save(change)
    if any(seat.bot and seat.to_act for seat in change.seats) and not match.asleep:
        transaction.on_commit(partial(notices.wake, match.pk), robust=True)


def _save(change: Change) -> None:
    match, session = change.match, change.session
    match.revision += not change.is_unheard
    if session and match.status == Match.Status.RUNNING:
        sealed = session.epoch != match.epoch
        if sealed:
            match.snapshot = orjson.dumps(session.snapshot).decode()
            match.epoch = session.epoch
        called = session.state.to_act()
        set_clocks(change, called, sealed)
        if not called:
            finish(change, ranks(session.state.scores()))
    set_lifetime(change)
    for kept in change.stored:
        kept.save()
