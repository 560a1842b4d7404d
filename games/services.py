"""Every write of a match. `changing()` is the one transaction through which all changes go.

Player, bot, clock and host come through the same door: lock, load, change, save, call on whoever
is next. Services raise Refused with a key that prose.py words; a refused change leaves nothing.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

import orjson
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games import clock, notices
from games.catalogue import Game, shelf
from games.engine.contract import Atom, Options, Refused, read, write
from games.engine.contract import Move as Decision
from games.engine.session import Session, ranks
from games.engine.table import Line as Saying
from games.models import Line, Match, Move, Notice, Seat
from games.queries import SEATS, drafts_of, is_kept_for, player_called, session_of

MOST_OPEN_TABLES = 20
# What a change may touch of a match; the rest is settled when its table is opened.
CHANGING = (
    *("options", "snapshot", "epoch", "revision", "status", "expires", "started", "finished"),
    *("once", "rematch_of"),
)
LONGEST_TURN = 200  # moves the clock makes for a seat at most: no rule needs nearly as many


class Opponent(NamedTuple):
    """Who shall sit on a seat of a new table: nobody yet, a bot, or an invited person."""

    kind: str  # open, bot, person
    who: str = ""  # a bot's level; a user name or e-mail address
    user: User | None = None  # somebody met before: a guest can be invited by this alone


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
        _changing(
            Match.objects.select_for_update().prefetch_related(SEATS).get(pk=match_id)
        ) as change,
    ):
        yield change


@contextmanager
def _changing(match: Match) -> Iterator[Change]:
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
                seat.called = now
                notices.call_on(seat, change.match.epoch, now)
        if before != (seat.to_act, seat.called, seat.acted, seat.reserve):
            seat.deadline = clock.deadline(seat.called, seat.reserve) if seat.to_act else None
            # Not `thinking_until`: a worker claims and releases it without this lock.
            seat.save(update_fields=["to_act", "called", "acted", "reserve", "deadline"])


def _finish(change: Change, session: Session) -> None:
    match = change.match
    match.status, match.finished = Match.Status.FINISHED, timezone.now()
    scores = session.state.scores()
    for seat, score, rank in zip(change.seats, scores, ranks(scores), strict=True):
        seat.score, seat.rank = list(score), rank
        seat.save(update_fields=["score", "rank"])
        notices.post(seat, Notice.Kind.FINISHED, match.epoch)


# --- moves -----------------------------------------------------------------------------------


def match_play(
    *, match_id: int, seat: int, token: str, text: str, by: str = Move.By.PLAYER
) -> Change:
    """Make one move. A stale token or an illegal move is refused and changes nothing."""
    decision = read(text)
    with changing(match_id) as change:
        session = change.running
        if token != session.token(seat):
            raise Refused("stale")
        change.play(seat, decision, by)
    return change


def match_undo(*, match_id: int, seat: int, token: str, whole_turn: bool = False) -> Change:
    """Take back the seat's last draft, or all of them."""
    with changing(match_id) as change:
        session = change.running
        if token != session.token(seat):
            raise Refused("stale")
        drafts = Move.objects.filter(match=change.match, seat=seat, epoch=session.epoch)
        if whole_turn:
            session.restart(seat)
            drafts.delete()
        else:
            session.undo(seat)
            drafts.filter(pk=drafts.order_by("-pk").values("pk")[:1]).delete()
    return change


def match_expire(*, match_id: int, seat: int, now: datetime) -> bool:
    """Let the clock play out the turn of a seat whose time is up; False if it was not."""
    with changing(match_id) as change:
        late = change.seats[seat] if seat < len(change.seats) else None
        if late is None or not late.to_act or late.deadline is None or late.deadline > now:
            return False
        session = change.running
        for _ in range(LONGEST_TURN):
            change.play(seat, session.state.idle(seat), Move.By.CLOCK)
            if seat in change.done or seat not in session.state.to_act():
                break
        return True


def match_resign(*, match_id: int, user: User) -> None:
    """Hand the seat to a bot; a match that no other person plays is cancelled."""
    with changing(match_id) as change:
        seat = _seat_of(change, user)
        assert change.running  # noqa: S101 - refuses before the start and after the end
        seat.user, seat.bot = None, "easy"
        seat.save()
        if not any(other.user_id for other in change.seats):
            _cancel(change)


# --- tables ----------------------------------------------------------------------------------


def match_create(
    *,
    user: User,
    game: str,
    opponents: Sequence[Opponent],
    options: Options | None = None,
    pace: str = clock.DEFAULT_PACE,
    rated: bool = False,
    private: bool = False,
    once: str | None = None,
    rematch_of: Match | None = None,
) -> Match:
    """Open a table with the host on its first seat; it starts at once when nobody is missing.

    `once` names the form it came from: the same form posted again gives the same table.
    """
    box = _box(game)
    chosen = box.chosen(options or {}, len(opponents) + 1)
    if pace not in clock.PACES:
        raise Refused("bad_pace")
    if once and (made := Match.objects.filter(once=once).first()):
        return made
    if Match.objects.filter(host=user, status=Match.Status.OPEN).count() >= MOST_OPEN_TABLES:
        raise Refused("too_many_tables")
    try:
        with transaction.atomic(durable=True):
            match = Match.objects.create(
                game_slug=game,
                version=box.version,
                options=chosen,
                seats_wanted=len(opponents) + 1,
                pace_slug=pace,
                rated=rated and clock.PACES[pace].start is not None and _people_only(opponents),
                private=private,
                link=secrets.token_urlsafe(18),
                host=user,
                once=once,
                rematch_of=rematch_of,
                # No small number: a poll that guesses it must not find a private match.
                revision=secrets.randbelow(2**30),
                seed=secrets.token_hex(32),
                expires=timezone.now() + clock.TABLE_LIFETIME,
            )
            seats = [Seat(match=match, index=0, user=user)]
            seats += [_seat(box, match, index, who) for index, who in enumerate(opponents, 1)]
            for seat in Seat.objects.bulk_create(seats):
                if seat.invitee_id or seat.invitee_email:
                    notices.post(seat, Notice.Kind.INVITED, 0)
            if all(seat.is_taken for seat in seats):
                with _changing(match) as change:
                    _start(change)
    except IntegrityError:  # the same form at the same moment, or two who want the same rematch
        return Match.objects.get(once=once)
    return match


def match_join(*, match_id: int, user: User, link: str = "") -> Seat:
    """Take a free seat: one kept for this user first, else an open one."""
    with changing(match_id) as change:
        match = change.match
        _must_be_open(match)
        if any(seat.user_id == user.pk for seat in change.seats):
            raise Refused("already_seated")
        free = [seat for seat in change.seats if not seat.is_taken]
        if not free:
            raise Refused("table_full")
        seat = next((seat for seat in free if is_kept_for(seat, user)), None) or next(
            (seat for seat in free if not seat.invitee_id and not seat.invitee_email), None
        )
        if seat is None and link and link == match.link:
            seat = next((seat for seat in free if not seat.invitee_id), None)
        if seat is None or (match.private and link != match.link and not is_kept_for(seat, user)):
            raise Refused("not_invited")
        seat.user, seat.invitee, seat.invitee_email = user, None, ""
        seat.save()
        if all(seat.is_taken for seat in change.seats):
            _start(change)
        return seat


def match_leave(*, match_id: int, user: User) -> None:
    """Give up a seat, or decline an invitation, before the match has started."""
    with changing(match_id) as change:
        _must_be_open(change.match)
        if change.match.host_id == user.pk:
            raise Refused("host_stays")
        mine = [seat for seat in change.seats if seat.user_id == user.pk or is_kept_for(seat, user)]
        if not mine:
            raise Refused("not_seated")
        for seat in mine:
            seat.user, seat.invitee, seat.invitee_email = None, None, ""
            seat.save()


def match_start(*, match_id: int, user: User | None = None) -> None:
    """Begin to play. The host may do so early: seats nobody took are removed."""
    with changing(match_id) as change:
        _must_be_open(change.match)
        if user and change.match.host_id != user.pk:
            raise Refused("not_host")
        _start(change)


def match_cancel(*, match_id: int, user: User) -> None:
    """Close a table that has not started."""
    with changing(match_id) as change:
        _must_be_open(change.match)
        if change.match.host_id != user.pk:
            raise Refused("not_host")
        _cancel(change)


def table_expire(*, match_id: int, now: datetime) -> bool:
    """Close a table nobody completed in time, and tell those who wait at it."""
    with changing(match_id) as change:
        match = change.match
        if match.status != Match.Status.OPEN or match.expires is None or match.expires > now:
            return False
        _cancel(change)
        for seat in change.seats:
            if seat.user_id:
                notices.post(seat, Notice.Kind.EXPIRED, 0)
        return True


def match_rematch(*, match_id: int, user: User) -> Match:
    """Open a table with the same settings and people; the second to ask gets the first's table."""
    old = Match.objects.get(pk=match_id)
    seats = list(old.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is None:
        raise Refused("not_seated")
    if again := Match.objects.filter(rematch_of=old).first():
        return again
    others = seats[mine.index + 1 :] + seats[: mine.index]
    opponents = [
        Opponent("bot", seat.bot)
        if seat.bot
        else Opponent("person", user=seat.user)
        if seat.user
        else Opponent("open")
        for seat in others
    ]
    return match_create(
        user=user,
        game=old.game_slug,
        opponents=opponents,
        options=old.options,
        pace=old.pace_slug,
        rated=old.rated,
        private=old.private,
        once=f"rematch-{old.pk}",
        rematch_of=old,
    )


def seats_move(*, from_user: User, to_user: User) -> None:
    """Give all matches of a guest to the member the guest turned out to be."""
    with transaction.atomic():
        both = Seat.objects.filter(user=to_user).values("match")
        Seat.objects.filter(user=from_user).exclude(match__in=both).update(user=to_user)
        Match.objects.filter(host=from_user).update(host=to_user)


def thought_claim(*, seat: Seat, now: datetime, lease: timedelta) -> bool:
    """Reserve the thinking for a bot's seat, so that two workers do not think the same thought."""
    free = Q(thinking_until=None) | Q(thinking_until__lt=now)
    claimed = Seat.objects.filter(free, pk=seat.pk, to_act=True).update(thinking_until=now + lease)
    return bool(claimed)


def thought_release(*, seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(thinking_until=None)


# --- parts -----------------------------------------------------------------------------------


def _box(slug: str) -> Game:
    if slug not in shelf():
        raise Refused("no_such_game")
    return shelf()[slug]


def _people_only(opponents: Sequence[Opponent]) -> bool:
    return all(opponent.kind != "bot" for opponent in opponents)


def _seat(box: Game, match: Match, index: int, opponent: Opponent) -> Seat:
    seat = Seat(match=match, index=index)
    if opponent.kind == "bot":
        if opponent.who not in box.levels:
            raise Refused("bad_level")
        seat.bot = opponent.who
    elif opponent.user:
        seat.invitee = opponent.user
    elif opponent.kind == "person" and "@" in opponent.who:
        seat.invitee_email = opponent.who  # not looked up: an address must not tell a name
    elif opponent.kind == "person":
        person = player_called(opponent.who)
        if person is None or person.pk == match.host_id:
            raise Refused("no_such_player", name=opponent.who[:60])
        seat.invitee = person
    return seat


def _seat_of(change: Change, user: User) -> Seat:
    for seat in change.seats:
        if seat.user_id == user.pk:
            return seat
    raise Refused("not_seated")


def _must_be_open(match: Match) -> None:
    closed = match.expires is not None and match.expires <= timezone.now()
    if match.status != Match.Status.OPEN or closed:
        raise Refused("not_open")


def _start(change: Change) -> None:
    """Seat those who came, lay the game out and call on whoever begins."""
    match, box = change.match, change.match.game
    taken = [seat for seat in change.seats if seat.is_taken]
    if len(taken) not in box.seats:
        raise Refused("seats_empty")
    for seat in change.seats:
        if not seat.is_taken:
            seat.delete()
    options: dict[str, Atom] = {
        key: value for key, value in match.options.items() if _still_allowed(box, key, value, taken)
    }
    match.options = box.chosen(options, len(taken))
    change.seats = taken
    for index, seat in enumerate(taken):
        seat.index, seat.reserve = index, match.pace.reserve()
        seat.save()
    match.status, match.started, match.expires = Match.Status.RUNNING, timezone.now(), None
    change.session, said = Session.start(box.state, match.seed, len(taken), match.options)
    change.log(said)
    for seat in taken:
        notices.post(seat, Notice.Kind.STARTED, 0)


def _still_allowed(box: Game, key: str, value: Atom, taken: Sequence[Seat]) -> bool:
    """An option may name a seat that was removed when the host started early."""
    return any(option.key == key and option.allows(value, len(taken)) for option in box.options)


def _cancel(change: Change) -> None:
    """Close a table for good; its form, or its rematch, may be asked for again."""
    match = change.match
    match.status, match.finished = Match.Status.CANCELLED, timezone.now()
    match.once = match.rematch_of = None
    for seat in change.seats:
        seat.to_act, seat.deadline = False, None
        seat.save()
