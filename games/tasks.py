"""What workers do: thin wrappers that find work in the database and call the services.

Every task may run twice, or never: tick finds again whatever was left.
"""

import logging
from datetime import timedelta
from random import SystemRandom
from time import monotonic

from celery import shared_task
from django.utils import timezone

from games import notices, outbox, services
from games.engine.contract import Refused, write
from games.engine.search import choose
from games.engine.table import Silent
from games.models import Match, Move, Seat
from games.queries import bots_to_act, matches_to_look_at, seats_overdue, session_of

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)  # a worker killed while thinking is replaced after this
TURN_SECONDS = 9.0  # of thought for a whole turn, whatever a level may take for one decision
BATCH = 200


@shared_task
def tick() -> None:
    """Act where time is up, look after idle matches and tables, wake bots, send mail."""
    now = timezone.now()
    for match_id, seat in seats_overdue(now).values_list("match", "index")[:BATCH]:
        _guarded(services.match_expire, match_id=match_id, seat=seat, now=now)
    for match_id in matches_to_look_at(now).values_list("pk", flat=True)[:BATCH]:
        _guarded(services.match_look, match_id=match_id, now=now)
    for match_id in set(bots_to_act(now).values_list("match", flat=True)[:BATCH]):
        notices.wake(match_id)
    outbox.deliver(now)


@shared_task
def think(match_id: int) -> None:
    """Let the bots of a match move until it is a person's turn."""
    while seat := bots_to_act(timezone.now()).filter(match=match_id).first():
        if not services.thought_claim(seat=seat, now=timezone.now(), lease=LEASE):
            return
        try:
            _play_turn(seat)
        finally:
            services.thought_release(seat=seat)


def _play_turn(seat: Seat) -> None:
    """Decide and post move after move; a thought that came too late is refused like any click."""
    table = Silent(SystemRandom())
    began = monotonic()
    while True:
        match = Match.objects.get(pk=seat.match_id)
        session = session_of(match)
        if match.status != Match.Status.RUNNING or seat.index not in session.state.to_act():
            return
        left = max(0.0, TURN_SECONDS - (monotonic() - began))
        seconds = min(match.game.levels.get(seat.bot, 0.0), left / 2)
        move = choose(session.state, seat.index, table, match.game.mind, seconds=seconds)
        try:
            services.match_play(
                match_id=match.pk,
                seat=seat.index,
                token=session.token(seat.index),
                text=write(move),
                by=Move.By.BOT,
            )
        except Refused as refused:
            log.info("a thought for match %s came too late: %s", match.pk, refused.key)
            return


def _guarded(service: object, **arguments: object) -> None:
    """Let one broken match not keep the others waiting."""
    try:
        service(**arguments)  # type: ignore[operator]
    except Exception:
        log.exception("%s failed for %s", getattr(service, "__name__", service), arguments)
