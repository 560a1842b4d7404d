"""Every read that is more than a get(). Reads never lock.

The functions say what they return. Whatever a page shows of a match comes from here, already
narrowed to what its viewer may know.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

import orjson
from allauth.account.models import EmailAddress
from django.db.models import (
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from accounts.names import LONGEST
from accounts.ties import kept_from
from games.clock import GRACE
from games.engine.contract import Refused, read
from games.engine.session import Session, ranks, replay
from games.engine.table import Line as Saying
from games.models import Holder, Line, Match, Move, Notice, Seat, Vacation

SEATS = Prefetch("seats", queryset=Seat.objects.select_related("user", "invitee"))
SEATED = Prefetch("seats", queryset=Seat.objects.select_related("user"))
HELD = Prefetch("seats__holders", queryset=Holder.objects.select_related("user"))
# What is read of a line, as _told takes it.
TOLD = (
    *("pk", "move__epoch", "key", "args", "to", "move__seat", "move", "move__by"),
    Coalesce("at", "move__at"),
)
LOG_LENGTH = 120  # lines the match page shows: several rounds; the replay shows them all


def drafts_of(match: Match) -> list[Move]:
    """List the moves since the last seal."""
    return list(Move.objects.filter(match=match, epoch=match.epoch).order_by("pk"))


def session_of(match: Match, drafts: Sequence[Move] | None = None) -> Session:
    """Take the match up where it stands: its snapshot and the drafts since."""
    drafts = drafts_of(match) if drafts is None else drafts
    return Session.resume(
        match.game.state,
        match.seed,
        orjson.loads(match.snapshot),
        match.epoch,
        [(draft.seat, read(draft.text)) for draft in drafts],
    )


def seats_at(now: datetime) -> "Prefetch[Any]":
    """Read the seats of a match with who is on vacation at that moment, and until when."""
    away = Vacation.objects.filter(user=OuterRef("user"), begins__lte=now, ends__gt=now)
    here = away.filter(Q(match=None) | Q(match=OuterRef("match"))).order_by("-ends")
    seats = Seat.objects.select_related("user", "invitee")
    seats = seats.annotate(vacation_until=here.values("ends")[:1])  # type: ignore[no-redef]
    return Prefetch("seats", queryset=seats)


def match_with_seats(match_id: int) -> Match | None:
    seats = seats_at(timezone.now())
    return Match.objects.prefetch_related(seats).select_related("host").filter(pk=match_id).first()


def seats_with_holders(match: Match) -> list[Seat]:
    """Give the seats of a match; read who held those that have changed hands, if any has."""
    seats = list(match.seats.all())
    if any(seat.changed_hands for seat in seats):
        prefetch_related_objects([match], HELD)
    return seats


def revision_of(match_id: int) -> int | None:
    """Read the one number a poll asks for; None: there is no such match."""
    return Match.objects.filter(pk=match_id).values_list("revision", flat=True).first()


def seat_of(match: Match, user: object) -> Seat | None:
    """Find the seat of a user among the (prefetched) seats of a match."""
    if not isinstance(user, User):
        return None
    return next((seat for seat in match.seats.all() if seat.user_id == user.pk), None)


def may_watch(match: Match, user: object, link: str = "") -> bool:
    """A private match is reached by its host, players and invited people, and by its link."""
    if not match.private or (link and link == match.link):
        return True
    if not isinstance(user, User):
        return False
    if match.host_id == user.pk or seat_of(match, user) or is_invited(match, user):
        return True
    # Who was replaced still sees what became of it.
    return Holder.objects.filter(seat__match=match, user=user).exists()


def is_invited(match: Match, user: object) -> bool:
    """Tell whether a seat of an open table is kept for this user."""
    return isinstance(user, User) and any(is_kept_for(seat, user) for seat in match.seats.all())


def is_kept_for(seat: Seat, user: User) -> bool:
    """An address counts only once it is verified; before that the link in the mail proves it."""
    if seat.is_taken:
        return False
    if seat.invitee_email:
        return seat.invitee_email.lower() in verified_addresses(user)
    return seat.invitee_id == user.pk


def verified_addresses(user: User) -> set[str]:
    verified = EmailAddress.objects.filter(user=user, verified=True)
    return {address.lower() for address in verified.values_list("email", flat=True)}


def turns_waiting_for(user: User) -> int:
    """Count the matches in which it is this user's turn; every page shows it."""
    mine = Seat.objects.filter(user=user, bot="", to_act=True)
    return mine.filter(match__status=Match.Status.RUNNING).count()


def matches_waiting_for(user: User) -> QuerySet[Match]:
    """List the running matches in which it is this user's turn, least time left first."""
    mine = Seat.objects.filter(match=OuterRef("pk"), user=user, bot="", to_act=True)
    return (
        Match.objects.filter(Exists(mine), status=Match.Status.RUNNING)
        .annotate(due=mine.values("deadline")[:1], called=mine.values("called")[:1])
        .order_by(F("due").asc(nulls_last=True), "called", "pk")
        .prefetch_related(SEATS)
    )


def matches_running_elsewhere(user: User) -> QuerySet[Match]:
    """List the running matches of a user in which somebody else must move."""
    return (
        Match.objects.filter(seats__user=user, status=Match.Status.RUNNING)
        .exclude(pk__in=Seat.objects.filter(user=user, bot="", to_act=True).values("match"))
        .order_by("-started", "-pk")
        .prefetch_related(SEATS)
    )


def matches_over(user: User) -> QuerySet[Match]:
    """List the finished and cancelled matches of a user, the last to end first."""
    over = (Match.Status.FINISHED, Match.Status.CANCELLED)
    here = Q(seats__user=user) | Q(seats__holders__user=user)
    return (
        Match.objects.filter(here, status__in=over)
        .distinct()
        .order_by("-finished", "-pk")
        .prefetch_related(SEATS)
    )


def matches_held_by(user: User) -> QuerySet[Match]:
    """List the finished matches in which a user held a seat, with their moves, oldest first."""
    held = Holder.objects.filter(user=user).values("seat__match")
    moves = Prefetch("moves", queryset=Move.objects.order_by("pk"))
    finished = Match.objects.filter(pk__in=held, status=Match.Status.FINISHED)
    return finished.order_by("pk").prefetch_related(SEATS, HELD, moves)


def newest_match(user: User, slug: str) -> Match | None:
    """Find the running match of a game that a user began or joined last."""
    running = Match.objects.filter(seats__user=user, status=Match.Status.RUNNING, game_slug=slug)
    return running.order_by("-pk").first()


def seats_held_by(user: User) -> QuerySet[Seat]:
    """List the seats of a user with their matches, the newest match first."""
    return Seat.objects.filter(user=user).select_related("match").order_by("-match")


def tables_of(user: User) -> QuerySet[Match]:
    """List the open tables at which a user sits or is expected; nobody is who a block bars."""
    expected = Q(seats__invitee=user)
    for address in verified_addresses(user):
        expected |= Q(seats__invitee_email__iexact=address)
    here = Q(seats__user=user) | (expected & ~kept_from(user, "host"))
    return (
        Match.objects.filter(here, status=Match.Status.OPEN)
        .distinct()
        .order_by("-created")
        .prefetch_related(SEATS)
    )


def tables_to_join(now: datetime, user: object = None) -> QuerySet[Match]:
    """List the open public tables with a free seat, newest first; not those a block bars."""
    free = Seat.objects.filter(
        match=OuterRef("pk"), user=None, bot="", invitee=None, invitee_email=""
    )
    barred = Match.objects.none()
    if isinstance(user, User):
        barred = Match.objects.filter(kept_from(user, "seats__user"))
    return (
        Match.objects.filter(Exists(free), status=Match.Status.OPEN, private=False)
        .filter(expires__gt=now)
        .exclude(pk__in=barred.values("pk"))
        .annotate(taken=Count("seats", filter=~Q(seats__user=None, seats__bot="")))
        .order_by("-created")
        .select_related("host")
        .prefetch_related(SEATS)
    )


def seats_offered(user: object = None) -> QuerySet[Match]:
    """List the public running matches of others in which a substitute may take a seat."""
    offered = _running_publicly(user).filter(Exists(FREE_TO_TAKE))
    if isinstance(user, User):
        barred = Match.objects.filter(kept_from(user, "seats__user"))
        offered = offered.exclude(pk__in=barred.values("pk"))
    return offered


def matches_to_watch(user: object = None) -> QuerySet[Match]:
    """List public running matches between other people, the latest begun first."""
    people = Count("seats", filter=Q(seats__user__isnull=False, seats__bot=""))
    watched = _running_publicly(user).exclude(Exists(FREE_TO_TAKE))
    return watched.annotate(people=people).filter(people__gte=2)


FREE_TO_TAKE = Seat.objects.filter(match=OuterRef("pk"), offered__isnull=False)


def _running_publicly(user: object) -> QuerySet[Match]:
    """List public running matches in which the user has no seat, the latest begun first."""
    matches = Match.objects.filter(status=Match.Status.RUNNING, private=False)
    if isinstance(user, User):
        mine = Seat.objects.filter(match=OuterRef("pk"), user=user)
        matches = matches.exclude(Exists(mine))
    return matches.order_by("-started").prefetch_related(SEATS)


def member_called(name: str) -> User | None:
    """Find a member by name, in any case of letters; not guests, and nobody who is gone."""
    somebody = somebody_called(name)
    return somebody if somebody and not somebody.is_guest else None


def somebody_called(name: str) -> User | None:
    """Find a member or a guest by name, in any case of letters; nobody who is gone."""
    if len(name) > LONGEST:  # SQLite compares no text with one that does not end
        return None
    return User.objects.filter(is_active=True, username__iexact=name).first()


def last_lines(matches: Iterable[Match]) -> dict[int, "Told"]:
    """Give the last public line of each match's log: two queries, however many matches."""
    public = Line.objects.filter(match__in=[match.pk for match in matches], to=None)
    last = public.order_by().values("match").annotate(last=Max("pk")).values_list("last", flat=True)
    rows = Line.objects.filter(pk__in=list(last)).values_list("match", *TOLD)
    return {match: _told(*row) for match, *row in rows}


class Told(NamedTuple):
    """A line of the log with the move it belongs to."""

    line: Saying
    seat: int | None  # who moved; None: the set-up, or the site itself
    move: int | None
    by: str
    at: datetime | None  # None: the set-up
    number: int = 0  # of the line


def log_of(match: Match, seat: int | None) -> list[Told]:
    """Give the latest lines of the log as one seat (None: a spectator) may read it, oldest first.

    What was said before the last seal never changes: this process reads it once.
    """
    kept = _kept_log(match.seed, seat)
    rows = _lines(match, seat, pk__gt=kept[-1][0] if kept else 0).order_by("-pk")[:LOG_LENGTH]
    log = kept + [(row[0], row[1], _told(*row)) for row in reversed(rows)]
    # Up to the first draft, for what the site has said after one must not hide it.
    sealed = takewhile(lambda entry: entry[1] is None or entry[1] < match.epoch, log)
    kept[:] = list(sealed)[-LOG_LENGTH:]
    return [told for _line, _epoch, told in log[-LOG_LENGTH:]]


@lru_cache(300)
def _kept_log(seed: str, seat: int | None) -> list[tuple[int, int | None, Told]]:
    """Keep lines by (their number, the epoch of their move) for log_of, which fills this list."""
    return []


def whole_log_of(match: Match, seat: int | None) -> list[Told]:
    """Give the log from the first line on."""
    return [_told(*row) for row in _lines(match, seat).order_by("pk")]


def lines_of(match: Match, move: int | None, seat: int | None) -> list[Told]:
    """Give what was said at one recorded move (None: when the table was laid) to one seat."""
    return [_told(*row) for row in _lines(match, seat, move=move, at=None).order_by("pk")]


def _lines(match: Match, seat: int | None, **narrowed: object) -> QuerySet[Line, Any]:
    heard = Q(to=None) if seat is None else Q(to=None) | Q(to=seat)
    return Line.objects.filter(heard, match=match, **narrowed).values_list(*TOLD)


def _told(
    number: int,
    _epoch: int | None,
    key: str,
    args: dict[str, Any],
    to: int | None,
    seat: int | None,
    move: int | None,
    by: str | None,
    at: datetime | None,
) -> Told:
    return Told(Saying(key, args, to), seat, move, by or "", at, number)


def record_of(match: Match) -> list[Move]:
    """List the moves of a match as they were made, drafts of the running turn included."""
    return list(match.moves.all())  # by their number, and read already where there are many


def steps_of(match: Match, moves: Sequence[Move], seat: int | None) -> list[int]:
    """Say after how many moves each step of the record lies, as one seat may count them.

    What others have laid out and nobody is told of is no step of its own before it is revealed.
    """
    drafts = {one.pk for one in moves if one.epoch == match.epoch and one.seat != seat}
    if match.status == Match.Status.FINISHED or not drafts:
        return list(range(1, len(moves) + 1))
    hidden = drafts.difference(_lines(match, seat, move__in=drafts).values_list("move", flat=True))
    return [number for number, move in enumerate(moves, 1) if move.pk not in hidden]


def position_after(match: Match, moves: Iterable[Move]) -> Session:
    """Play the first moves of a match again from its seed."""
    kept = [(move.seat, read(move.text)) for move in moves]
    return replay(match.game.state, match.seed, len(match.seats.all()), match.options, kept)


class Difference(NamedTuple):
    """What comes out otherwise when a match is played again: a key, and the particulars."""

    key: str  # moves, position, result
    detail: str


def differences(match: Match) -> list[Difference]:
    """Play a whole match again from its seed and compare it with what is stored."""
    seats = list(match.seats.all())
    session, _said = Session.start(match.game.state, match.seed, len(seats), match.options)
    for number, move in enumerate(record_of(match), 1):
        try:
            session.play(move.seat, read(move.text))
        except Refused as refused:
            return [Difference("moves", f"move {number} ({move}): {refused.key}")]
    stored = (match.epoch, orjson.loads(match.snapshot))
    found = []
    if (session.epoch, session.snapshot) != stored:
        found.append(Difference("position", f"epoch {session.epoch}, stored {match.epoch}"))
    scores = session.state.scores()
    # Who left early is last, whatever the score: then only the scores follow from the moves.
    ranking = [seat.rank for seat in seats] if match.ending else ranks(scores)
    result = list(zip(map(list, scores), ranking, strict=True))
    recorded = [(seat.score, seat.rank) for seat in seats]
    if match.status == Match.Status.FINISHED and result != recorded:
        found.append(Difference("result", f"{result}, stored {recorded}"))
    return found


def seats_overdue(now: datetime) -> QuerySet[Seat]:
    """List the seats whose time is up, the silent grace included."""
    return Seat.objects.filter(to_act=True, deadline__lte=now - GRACE).order_by("deadline")


def is_overdue(seat: Seat, now: datetime) -> bool:
    """Tell of a seat at hand what `seats_overdue` looks for."""
    return seat.to_act and seat.deadline is not None and seat.deadline <= now - GRACE


def bots_to_act(now: datetime) -> QuerySet[Seat]:
    """List the bots' seats that must move and for which nobody is thinking."""
    return (
        Seat.objects.filter(to_act=True, match__status=Match.Status.RUNNING, match__asleep=None)
        .exclude(bot="")
        .filter(Q(thinking_until=None) | Q(thinking_until__lt=now))
        .order_by("called")
    )


def matches_to_look_at(now: datetime) -> QuerySet[Match]:
    """List the tables and matches in which something is due though nobody does anything."""
    return Match.objects.filter(look_again__lte=now).order_by("look_again")


def matches_with_clock(user: User) -> QuerySet[Match]:
    """List the running matches in which a clock of this user runs, or may."""
    return Match.objects.filter(
        seats__user=user, status=Match.Status.RUNNING, start__isnull=False
    ).order_by("pk")


def vacation_days(user: User, year: int) -> int:
    """Count the days of vacation a user has taken, or announced, in a year of their own zone."""
    first, following = (datetime(one, 1, 1, tzinfo=user.zone) for one in (year, year + 1))
    return sum(one.days for one in user.vacations.filter(begins__gte=first, begins__lt=following))


def vacations_ahead(user: User, now: datetime) -> QuerySet[Vacation]:
    """List a user's present and coming vacations."""
    return user.vacations.filter(match=None, ends__gt=now)


def readers_due(now: datetime) -> QuerySet[Notice, Any]:
    """List to whom something is due: a person, or an address of nobody we know."""
    due = Notice.objects.filter(due__lte=now).order_by("due")
    return due.values_list("reader", "seat__invitee_email")


def notices_due(now: datetime) -> QuerySet[Notice]:
    return (
        Notice.objects.filter(due__lte=now)
        .select_related("seat__user", "seat__match", "seat__invitee", "who")
        .order_by("due")
    )


def seats_waiting_for(user: User) -> QuerySet[Seat]:
    """List a user's seats whose turn it is, least time left first."""
    return (
        Seat.objects.filter(user=user, bot="", to_act=True, match__status=Match.Status.RUNNING)
        .order_by(F("deadline").asc(nulls_last=True), "pk")
        .select_related("match")
    )
