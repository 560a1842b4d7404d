"""Tables before a match: opening, joining, leaving, starting, closing, and playing again."""

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple, TypedDict, Unpack, cast

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.addresses import is_mailable
from accounts.models import User
from accounts.ties import apart_from, are_apart
from config.limits import DAY, spent
from games import clock, notices
from games.catalogue import Game, shelf
from games.clock import Pace
from games.engine.contract import Atom, Options, Refused
from games.engine.session import Session
from games.models import Holder, Match, Notice, Seat
from games.profiles import in_time_of
from games.queries import is_kept_for, member_called
from games.services.change import Change, cancel
from games.services.transaction import changed, changing

MOST_OPEN_TABLES = 20
NEWCOMER = 10  # turns under a clock; before that nobody is called unreliable
INVITATIONS = 30  # a day, from one host: nobody sends mail to strangers through us


class Opponent(NamedTuple):
    """Who shall sit on a seat of a new table: nobody yet, a bot, or an invited person."""

    kind: str  # open, bot, person
    who: str = ""  # a bot's level; a user name or e-mail address
    user: User | None = None  # somebody met before: a guest can be invited by this alone


class Terms(TypedDict, total=False):
    """On what terms a match is played; each is an attribute of the match as well."""

    pace: str | Pace
    weekends: bool
    vacations: bool
    courtesy: bool
    rated: bool
    least_in_time: int | None
    private: bool


USUAL = Terms(
    pace=clock.DEFAULT_PACE,
    weekends=False,
    vacations=True,
    courtesy=False,
    rated=False,
    least_in_time=None,
    private=False,
)


def match_create(
    *,
    user: User,
    game: str,
    opponents: Sequence[Opponent],
    options: Options | None = None,
    once: str | None = None,
    rematch_of: Match | None = None,
    **terms: Unpack[Terms],
) -> Match:
    """Open a table with the host on its first seat; it starts at once when nobody is missing.

    `once` names the form it came from: the same form posted again gives the same table.
    """
    table = _table(user, game, opponents, options or {}, USUAL | terms)
    if once and (made := Match.objects.filter(once=once).first()):
        return made
    _must_be_modest(user, opponents)
    table.once, table.rematch_of = once, rematch_of
    try:
        with transaction.atomic(durable=True):
            _lay_table(table, opponents)
    except IntegrityError:  # the same form at the same moment, or two who want the same rematch
        return Match.objects.get(once=once)
    return table


def match_join(*, match_id: int, user: User, link: str = "") -> Seat:
    """Take a free seat: one kept for this user first, else an open one."""
    with changing(match_id) as change:
        match = change.match
        _must_be_open(match)
        if any(seat.user_id == user.pk for seat in change.seats):
            raise Refused("already_seated")
        seat = _seat_for(user, change, link)
        _may_join(user, change, seat)
        seat.user, seat.invitee, seat.invitee_email = user, None, ""
        seat.save()
        if all(seat.is_taken for seat in change.seats):
            _start(change)
        else:
            host = [other for other in change.seats if other.user_id == match.host_id]
            change.tell(Notice.Kind.JOINED, seat, host)
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
        _free(mine)


def tables_part(*, user: User) -> None:
    """Let a user share no open table with anybody kept apart from them.

    From one's own table the others go; at the table of somebody else one gets up oneself.
    """
    apart = apart_from(user)
    shared = Match.objects.filter(status=Match.Status.OPEN, seats__user=user).filter(
        Q(seats__user__in=apart) | Q(seats__invitee__in=apart, host=user)
    )
    for match_id in set(shared.values_list("pk", flat=True)):
        with suppress(Refused), changing(match_id) as change:
            _must_be_open(change.match)  # else it has begun meanwhile
            gone = apart if change.match.host_id == user.pk else {user.pk}
            _free([seat for seat in change.seats if {seat.user_id, seat.invitee_id} & gone])


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
        cancel(change, Match.Ending.WITHDRAWN)


def match_rematch(*, match_id: int, user: User) -> Match:
    """Open a table with the same settings and people; the second to ask gets the first's table."""
    old = Match.objects.get(pk=match_id)
    seats = list(old.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is None:
        raise Refused("not_seated")
    if old.status != Match.Status.FINISHED:
        raise Refused("not_finished")
    if again := Match.objects.filter(rematch_of=old).first():
        return again
    others = seats[mine.index + 1 :] + seats[: mine.index]
    return match_create(
        user=user,
        game=old.game_slug,
        opponents=[_asked_again(seat) for seat in others],
        options=old.options,
        once=f"rematch-{old.pk}",
        rematch_of=old,
        **_terms_of(old),
    )


def must_be_reliable(match: Match, user: User) -> None:
    """Refuse who has let too many turns run out for this table; who is new may show it here."""
    if match.least_in_time is None:
        return
    made = in_time_of(user)
    if made.turns >= NEWCOMER and made.share < match.least_in_time:
        raise Refused("not_reliable", least=match.least_in_time, share=made.share)


# --- parts -----------------------------------------------------------------------------------


def _free(seats: Iterable[Seat]) -> None:
    """Let whoever comes have these seats of an open table."""
    for seat in seats:
        seat.user, seat.invitee, seat.invitee_email = None, None, ""
        seat.save()


def _box(slug: str) -> Game:
    if slug not in shelf():
        raise Refused("no_such_game")
    return shelf()[slug]


def _pace(asked: str | Pace) -> Pace:
    """Take a preset by its name, or a pace of one's own if it is fair."""
    pace = clock.PACES.get(asked) if isinstance(asked, str) else asked
    if pace is None or not pace.is_fair:
        raise Refused("bad_pace")
    return pace


def _table(
    host: User, game: str, opponents: Sequence[Opponent], options: Options, terms: Terms
) -> Match:
    """Write down what the host asks for; refuses what cannot be."""
    box, pace, least = _box(game), _pace(terms["pace"]), terms["least_in_time"]
    chosen = box.chosen(options, len(opponents) + 1)
    if least is not None and not 1 <= least <= 100:
        raise Refused("malformed")
    has_bots = any(opponent.kind == "bot" for opponent in opponents)
    return Match(
        game_slug=game,
        version=box.version,
        options=chosen,
        seats_wanted=len(opponents) + 1,
        host=host,
        pace_slug=pace.slug,
        **{name: getattr(pace, name) for name in ("start", "increment", "cap")},
        **{name: value for name, value in terms.items() if name not in ("pace", "rated")},
        rated=terms["rated"] and pace.start is not None and not (has_bots or host.is_guest),
        link=secrets.token_urlsafe(18),
        # No small number: a poll that guesses it must not find a private match.
        revision=secrets.randbelow(2**30),
        seed=secrets.token_hex(32),
        expires=timezone.now() + clock.TABLE_LIFETIME,
    )


def _terms_of(match: Match) -> Terms:
    return cast("Terms", {name: getattr(match, name) for name in USUAL})


def _asked_again(seat: Seat) -> Opponent:
    """Say who shall sit there in a rematch: the same, or whoever comes if they are gone."""
    if seat.bot:
        return Opponent("bot", seat.bot)
    if seat.user and seat.user.is_active:
        return Opponent("person", user=seat.user)
    return Opponent("open")


def _seat_for(user: User, change: Change, link: str) -> Seat:
    """Find a place: one kept for this user, an open one, or by the link one kept for an address."""
    match, free = change.match, [seat for seat in change.seats if not seat.is_taken]
    if not free:
        raise Refused("table_full")
    kept = [seat for seat in free if is_kept_for(seat, user)]
    if kept:
        return kept[0]
    has_link = bool(link) and link == match.link
    nobodys = [seat for seat in free if not seat.invitee_id]
    nobodys.sort(key=lambda seat: bool(seat.invitee_email))  # those kept for an address last
    if not nobodys or (not has_link and (match.private or nobodys[0].invitee_email)):
        raise Refused("not_invited")
    return nobodys[0]


def _may_join(user: User, change: Change, seat: Seat) -> None:
    if change.match.rated and user.is_guest:
        raise Refused("members_only")
    if are_apart(user, [other.user_id for other in change.seats]):
        raise Refused("not_together")
    if not is_kept_for(seat, user):  # whom the host asked is welcome
        must_be_reliable(change.match, user)


def _must_be_modest(host: User, opponents: Sequence[Opponent]) -> None:
    """Refuse a table too many, or invitations too many.

    These are counted in the cache, for a seat and its notice go when a match starts early.
    """
    if Match.objects.filter(host=host, status=Match.Status.OPEN).count() >= MOST_OPEN_TABLES:
        raise Refused("too_many_tables")
    invited = [opponent for opponent in opponents if opponent.kind == "person"]
    counted = [spent("invited", host.pk, most=INVITATIONS, seconds=DAY) for _ in invited]
    if any(counted):
        raise Refused("too_many_invitations")


def _lay_table(match: Match, opponents: Sequence[Opponent]) -> None:
    """Put up a new table with its seats, invite, and start if nobody is missing."""
    match.save()
    box = match.game
    seats = [Seat(match=match, index=0, user=match.host)]
    seats += [_seat(box, match, index, who) for index, who in enumerate(opponents, 1)]
    for seat in Seat.objects.bulk_create(seats):
        if seat.invitee_id or seat.invitee_email:
            notices.post(seat, Notice.Kind.INVITED, 0)
    with changed(match) as change:
        if all(seat.is_taken for seat in seats):
            _start(change)


def _seat(box: Game, match: Match, index: int, opponent: Opponent) -> Seat:
    seat = Seat(match=match, index=index)
    if opponent.kind == "bot":
        if opponent.who not in box.levels:
            raise Refused("bad_level")
        seat.bot = opponent.who
    elif opponent.user:
        seat.invitee = opponent.user
    elif opponent.kind == "person" and "@" in opponent.who:
        if not is_mailable(opponent.who):
            raise Refused("bad_address")
        seat.invitee_email = opponent.who  # not looked up: an address must not tell a name
    elif opponent.kind == "person":
        person = member_called(opponent.who)
        if person is None or person.pk == match.host_id:
            raise Refused("no_such_player", name=opponent.who[:60])
        seat.invitee = person
    if match.host and are_apart(match.host, [seat.invitee_id]):
        raise Refused("not_together")
    return seat


def _must_be_open(match: Match) -> None:
    closed = match.expires is not None and match.expires <= timezone.now()
    if match.status != Match.Status.OPEN or closed:
        raise Refused("not_open")


def _start(change: Change) -> None:
    """Lay the game out for those who came and call on whoever begins."""
    _draw_up(change)
    match = change.match
    if len(change.people) < 2:  # nobody waits for the only person
        match.pace_slug, match.start = "friends", None
    for index, seat in enumerate(change.seats):
        seat.index, seat.reserve = index, match.start
        seat.save()
    Holder.objects.bulk_create(
        Holder(seat=seat, user=seat.user, since=change.now) for seat in change.people
    )
    match.status, match.started, match.expires = Match.Status.RUNNING, change.now, None
    change.session, said = Session.start(
        match.game.state, match.seed, len(change.seats), match.options
    )
    change.log(said)
    for seat in change.seats:
        notices.post(seat, Notice.Kind.STARTED, 0)


def _draw_up(change: Change) -> None:
    """Remove the seats nobody took, and the options that name one of them."""
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


def _still_allowed(box: Game, key: str, value: Atom, taken: Sequence[Seat]) -> bool:
    """An option may name a seat that was removed when the host started early."""
    return any(option.key == key and option.allows(value, len(taken)) for option in box.options)
