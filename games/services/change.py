"""A match under change: what is known of it, and what may happen to it.

Made and saved by the transaction only; the services work on it in between.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import Any

from accounts.models import User
from accounts.services import lessons_settle
from games import notices
from games.engine.contract import Move as Decision
from games.engine.contract import Refused, write
from games.engine.session import Session
from games.engine.table import Line as Saying
from games.models import Holder, Line, Match, Move, Notice, Rating, Seat, Vacation
from games.queries import drafts_of, session_of
from games.services.ratings import match_rate

# What a change may touch of a match; the rest is settled when its table is opened.
MATCH_COLUMNS = (
    *("options", "snapshot", "epoch", "revision", "status", "ending", "started", "finished"),
    *("pace_slug", "start", "increment", "cap", "expires", "warned", "asleep", "look_again"),
    *("pauses", "proposal", "once", "rematch_of_id", "rated_with_caretaker"),
)
# And of a seat. Not `thinking_until`: a worker claims and releases it without this lock.
SEAT_COLUMNS = (
    *("user_id", "bot", "to_act", "called", "acted", "reserve", "rest", "deadline", "asked"),
    *("nudged", "caretaker_since", "offered", "score", "rank", "changed_hands"),
)


class Kept:
    """A row as it was read. What differs is saved, so a value must be replaced, never altered."""

    def __init__(self, row: Match | Seat, columns: tuple[str, ...]) -> None:
        self.row, self.columns = row, columns
        self.values = attrgetter(*columns)(row)

    def save(self) -> None:
        now = zip(self.columns, self.values, attrgetter(*self.columns)(self.row), strict=True)
        if differ := [column for column, before, after in now if before != after]:
            self.row.save(update_fields=differ)


class Change:
    """A match under the lock, its session, and what has been said since."""

    def __init__(self, match: Match, now: datetime) -> None:
        self.match = match
        self.now = now
        self.seats: list[Seat] = list(match.seats.all())
        self.stored = [Kept(seat, SEAT_COLUMNS) for seat in self.seats]
        self.stored.append(Kept(match, MATCH_COLUMNS))
        self.session: Session | None = None
        self.done: set[int] = set()  # seats whose turn is over though they may act again
        self.movers: dict[int, str] = {}  # who moved for a seat: player, bot or clock
        self.deadlines_moved = False  # by a vacation, a pause, somebody who left or came back
        self.is_sweep = False  # nobody did anything: the site looked after the match
        self.is_unheard = False  # a draft that is told to nobody else: not even that it was made
        self.dropped = False
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

    def drop(self) -> None:
        """Leave everything as it is: there was nothing to do."""
        self.dropped = True

    # --- who is there ------------------------------------------------------------------------

    @property
    def people(self) -> list[Seat]:
        """List the seats on which somebody plays: no bots, and nobody who is away."""
        return [seat for seat in self.seats if seat.has_person]

    @cached_property
    def holders(self) -> dict[int, Holder]:
        """Give the present holder of each seat that has one, by the number of the seat."""
        held = Holder.objects.filter(seat__in=self.seats, until=None).select_related("seat")
        return {holder.seat.index: holder for holder in held}

    @cached_property
    def vacations(self) -> list[Vacation]:
        """List the vacations of those who sit here, as far as the present turns reach back."""
        users = [seat.user_id for seat in self.seats if seat.user_id]
        begin = min((seat.called for seat in self.seats if seat.called), default=self.now)
        kept = Vacation.objects.filter(user__in=users, ends__gt=min(begin, self.now))
        return [one for one in kept if one.match_id in (None, self.match.pk)]

    def mark_absent(self) -> None:
        """Note on each seat until when its player is on vacation, as a page shows it."""
        begun = [one for one in self.vacations if one.begins <= self.now < one.ends]
        for seat in self.seats:
            ends = [one.ends for one in begun if one.user_id == seat.user_id]
            seat.vacation_until = max(ends, default=None)

    def number_of(self, who: int | User) -> int:
        """Give the number of a seat, or of that on which somebody sits."""
        return who if isinstance(who, int) else self.seat_of(who).index

    def seat_of(self, user: User) -> Seat:
        for seat in self.seats:
            if seat.user_id == user.pk:
                return seat
        raise Refused("not_seated")

    def person(self, user: User) -> Seat:
        """Give the seat of somebody who plays, in a running match."""
        seat = self.seat_of(user)
        assert self.running  # noqa: S101 - refuses before the start and after the end
        if seat.has_caretaker:
            raise Refused("caretaker")
        return seat

    # --- what happens ------------------------------------------------------------------------

    def play(self, seat: int, decision: Decision, by: str) -> bool:
        """Make a move and write it down with its lines; tell whether others hear of it."""
        session = self.running
        epoch, turn, called = session.epoch, session.state.turn(), session.state.to_act()
        said = session.play(seat, decision)
        self.movers[seat] = by
        if session.state.turn() != turn or set(session.state.to_act()) - set(called):
            self.done.add(seat)
        move = Move.objects.create(
            match=self.match, seat=seat, epoch=epoch, text=write(decision), by=by
        )
        self.log(said, move)
        return session.epoch != epoch or any(line.to != seat for line in said)

    def log(self, said: Iterable[Saying], move: Move | None = None) -> None:
        Line.objects.bulk_create(
            Line(match=self.match, move=move, key=line.key, args=line.args, to=line.to)
            for line in said
        )

    def announce(self, key: str, **args: Any) -> None:
        """Write a line of the site's own into the log."""
        Line.objects.create(match=self.match, key=f"site_{key}", args=args, at=self.now)

    def tell(
        self, kind: Notice.Kind, about: Seat | None = None, to: Iterable[Seat] | None = None
    ) -> None:
        """Write a notice for everybody who holds a seat, or for some of them."""
        for seat in self.seats if to is None else to:
            # What is told has a revision of its own: nothing is told twice, nothing is left out.
            notices.post(seat, kind, self.match.revision, about=about)


# --- the end ---------------------------------------------------------------------------------


def finish(change: Change, ranking: list[int], ending: str = "") -> None:
    """End a match with a result, and tell everybody."""
    match, session = change.match, change.running
    match.status, match.finished, match.ending = Match.Status.FINISHED, change.now, ending
    for seat, score, rank in zip(change.seats, session.state.scores(), ranking, strict=True):
        seat.score, seat.rank = list(score), rank
        notices.post(seat, Notice.Kind.FINISHED, match.epoch)
    for holder in change.holders.values():
        holder.ended = holder.ended or Holder.Ended.PLAYED
    # Who has played a game to its end needs no first lesson.
    lessons_settle([seat.user for seat in change.seats if seat.user], [match.game_slug])
    _stop(change)
    _tell_rating(change, match_rate(match, change.seats))


def _tell_rating(change: Change, ratings: Sequence[Rating]) -> None:
    """Say in the log why a match does not count as its order says."""
    notes = {rating.user_id: rating.note for rating in ratings}
    for seat in change.seats:
        if notes.get(seat.user_id or 0) == Rating.Note.ABSENT:
            change.announce("absent", seat=seat.index)
    if Rating.Note.CARETAKER in notes.values():
        change.announce("unrated")
    for rating in ratings:
        _tell_where_given_back(change, rating)


def _tell_where_given_back(change: Change, rating: Rating) -> None:
    """Say it in the matches too whose loss a rating gives back: nothing is undone in silence."""
    if not rating.returned:
        return
    held = Holder.objects.filter(user=rating.user_id, seat__match__in=rating.returned)
    Line.objects.bulk_create(
        Line(match_id=match, key="site_given_back", args={"seat": seat}, at=change.now)
        for match, seat in held.order_by("pk").values_list("seat__match", "seat__index")
    )


def cancel(change: Change, ending: str) -> None:
    """Close a table or a match without a result; its form or rematch may be asked for again."""
    match = change.match
    match.status, match.finished, match.ending = Match.Status.CANCELLED, change.now, ending
    match.once = match.rematch_of = None
    _stop(change)


def _stop(change: Change) -> None:
    """Stop every clock and let go of every seat, but for its name."""
    change.match.proposal = change.match.asleep = None
    for seat in change.seats:
        seat.to_act, seat.deadline, seat.offered, seat.asked = False, None, None, None
    for holder in change.holders.values():
        holder.until = change.now
        holder.save()
