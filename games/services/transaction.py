"""The one transaction through which every change of a match goes.

Lock, load, let the caller change it, save, call on whoever is next. Player, bot, clock and host all
come through this door; a refused change leaves nothing.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial

import orjson
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import clock, notices
from games.engine.contract import Move as Decision
from games.engine.contract import Refused, write
from games.engine.session import Session, ranks
from games.engine.table import Line as Saying
from games.models import Line, Match, Move, Notice, Seat
from games.queries import SEATS, drafts_of, session_of

# What a change may touch of a match; the rest is settled when its table is opened.
CHANGING = (
    *("options", "snapshot", "epoch", "revision", "status", "expires", "started", "finished"),
    *("once", "rematch_of"),
)


class Change:
    """A match under the lock, its session, and what has been said since."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seats: list[Seat] = list(match.seats.all())
        self.session: Session | None = None
        self.done: set[int] = set()  # seats whose turn is over though they may act again
        if match.snapshot:
            self._take_up(drafts_of(match))

    @property
    def running(self) -> Session:
        if self.match.status == Match.Status.OPEN:
            raise Refused("not_started")
        if self.session is None or self.match.status != Match.Status.RUNNING:
            raise Refused("game_over")
        return self.session

    def _take_up(self, drafts: list[Move]) -> None:
        """Load the session; drafts that changed rules forbid must not come back as moves."""
        self.session = session_of(self.match, drafts)
        if broken := [draft.pk for draft in drafts[len(self.session.drafts) :]]:
            Move.objects.filter(pk__in=broken).delete()

    def play(self, seat: int, decision: Decision, by: str) -> None:
        """Make a move and write it down with its lines."""
        session = self.running
        epoch, turn, called = session.epoch, session.state.turn(), session.state.to_act()
        said = session.play(seat, decision)
        if session.state.turn() != turn or set(session.state.to_act()) - set(called):
            self.done.add(seat)
        move = Move.objects.create(
            match=self.match, seat=seat, epoch=epoch, text=write(decision), by=by
        )
        self.log(said, move)

    def seat_of(self, user: User) -> Seat:
        for seat in self.seats:
            if seat.user_id == user.pk:
                return seat
        raise Refused("not_seated")

    def log(self, said: Iterable[Saying], move: Move | None = None) -> None:
        Line.objects.bulk_create(
            Line(match=self.match, move=move, key=line.key, args=line.args, to=line.to)
            for line in said
        )


@contextmanager
def changing(match_id: int) -> Iterator[Change]:
    """Lock a match, let the caller change it, save it, and call on whoever is next."""
    with (
        transaction.atomic(durable=True),
        changed(
            Match.objects.select_for_update().prefetch_related(SEATS).get(pk=match_id)
        ) as change,
    ):
        yield change


@contextmanager
def changed(match: Match) -> Iterator[Change]:
    change = Change(match)
    yield change
    _save(change)
    if any(seat.bot and seat.to_act for seat in change.seats):
        transaction.on_commit(partial(notices.wake, match.pk), robust=True)


def _save(change: Change) -> None:
    match, session = change.match, change.session
    match.revision += 1
    if session and match.status == Match.Status.RUNNING:
        sealed = session.epoch != match.epoch
        if sealed:
            match.snapshot = orjson.dumps(session.snapshot).decode()
            match.epoch = session.epoch
        called = session.state.to_act()
        _set_clocks(change, called, sealed)
        if not called:
            _finish(change, session)
    match.save(update_fields=CHANGING)


def _set_clocks(change: Change, called: list[int], sealed: bool) -> None:
    """Start the clock of each newly called seat; pay the increment for each completed turn.

    A turn is completed when it is sealed: a choice that can still be recalled stops the clock but
    earns nothing, so taking back and choosing again cannot farm time.
    """
    now = timezone.now()
    for seat in change.seats:
        before = (seat.to_act, seat.called, seat.acted, seat.reserve)
        newly = False
        seat.to_act = seat.index in called
        if seat.called and not seat.to_act:
            seat.acted = seat.acted or now
        if seat.called and sealed and (seat.acted or seat.index in change.done):
            used = (seat.acted or now) - seat.called
            seat.reserve = change.match.pace.after_turn(seat.reserve, used)
            seat.called = seat.acted = None
        if seat.to_act:
            seat.acted = None
            if seat.called is None:
                seat.called, newly = now, True
        if before != (seat.to_act, seat.called, seat.acted, seat.reserve):
            seat.deadline = clock.deadline(seat.called, seat.reserve) if seat.to_act else None
            # Not `thinking_until`: a worker claims and releases it without this lock.
            seat.save(update_fields=["to_act", "called", "acted", "reserve", "deadline"])
        if newly:
            notices.call_on(seat, change.match.epoch, now)


def _finish(change: Change, session: Session) -> None:
    match = change.match
    match.status, match.finished = Match.Status.FINISHED, timezone.now()
    scores = session.state.scores()
    for seat, score, rank in zip(change.seats, scores, ranks(scores), strict=True):
        seat.score, seat.rank = list(score), rank
        seat.save(update_fields=["score", "rank"])
        notices.post(seat, Notice.Kind.FINISHED, match.epoch)


def cancel(change: Change) -> None:
    """Close a table for good; its form, or its rematch, may be asked for again."""
    match = change.match
    match.status, match.finished = Match.Status.CANCELLED, timezone.now()
    match.once = match.rematch_of = None
    for seat in change.seats:
        seat.to_act, seat.deadline = False, None
        seat.save()
