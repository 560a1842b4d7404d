"""Builders for tests of the site: people, tables and matches, made through the real services."""

from datetime import datetime

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from games import services
from games.clock import GRACE
from games.engine.contract import Refused, write
from games.models import Match, Move, Notice, Seat
from games.queries import session_of
from games.services import Opponent, changing, match_create, match_join, match_play


def person(name: str, *, verified: bool = True, **fields: object) -> User:
    """A member who, unless told, never sleeps and takes no vacation: plain clocks to count with."""
    usual = {"email": f"{name.lower()}@example.org", "quiet": False, "vacation_by_itself": False}
    user = User.objects.create_user(name, password="pyramid-22", **(usual | fields))
    if user.email and verified:
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def duel(host: User, guest: User, **settings: object) -> Match:
    """A running Obelisk match of two people; the host begins."""
    match = match_create(
        user=host,
        game="obelisk",
        opponents=[Opponent("open")],
        options={"first_player": 0},
        **settings,
    )
    match_join(match_id=match.pk, user=guest)
    match.refresh_from_db()
    return match


def market(*people: User, **settings: object) -> Match:
    """A running Obelisk match of three to five people: secret market choices come first."""
    host, *others = people
    match = match_create(
        user=host,
        game="obelisk",
        opponents=[Opponent("open") for _ in others],
        options={"first_player": 0},
        **settings,
    )
    for other in others:
        match_join(match_id=match.pk, user=other)
    match.refresh_from_db()
    return match


def token(match: Match, seat: int) -> str:
    match.refresh_from_db()
    return session_of(match).token(seat)


def play(match: Match, seat: int, text: str, by: str = "player") -> None:
    match_play(match_id=match.pk, seat=seat, token=token(match, seat), text=text, by=by)


def legal(match: Match, seat: int) -> list[str]:
    match.refresh_from_db()
    return [write(move) for move in session_of(match).state.legal(seat)]


def play_turn(match: Match, seat: int) -> None:
    """Let a seat make the neutral turn of the rules, through the same door as a player."""
    while True:
        match.refresh_from_db()
        state = session_of(match).state
        if seat not in state.to_act():
            return
        play(match, seat, write(state.idle(seat)))


def finish(match: Match) -> None:
    """Play a match to its end by neutral moves, all in one change: that is quicker."""
    with changing(match.pk) as change:
        state = change.running.state
        while called := state.to_act():
            change.play(called[0], state.idle(called[0]), Move.By.PLAYER)
            state = change.running.state
    match.refresh_from_db()


def chosen(*people: User, **settings: object) -> Match:
    """A match of three or more whose markets are chosen: seat 0 is to move."""
    match = market(*people, **settings)
    for seat in range(len(people)):
        play_turn(match, seat)
    return match


def begun(one: User, other: User, **settings: object) -> Match:
    """A match of two in which both have made two turns: seat 0 is to move."""
    match = duel(one, other, **settings)
    for seat in (0, 1, 0, 1):
        play_turn(match, seat)
    return match


def awaited(match: Match) -> Seat:
    return match.seats.get(to_act=True)


def sweep(match: Match, now: datetime | None = None) -> datetime:
    """Let the time of whom the match waits for run out; tell when it was noticed."""
    late = awaited(match)
    now = now or late.deadline + GRACE
    assert services.match_expire(match_id=match.pk, seat=late.index, now=now)
    match.refresh_from_db()
    return now


def told(match: Match) -> list[str]:
    """What the site wrote into the log."""
    keys = match.lines.exclude(at=None).values_list("key", flat=True)
    return [key.removeprefix("site_") for key in keys]


def noticed(match: Match, kind: str) -> list[str]:
    """Who was told of it."""
    notices = Notice.objects.filter(seat__match=match, kind=kind).order_by("seat__index")
    return [notice.seat.name for notice in notices]


def refused(service, **arguments) -> str:
    with pytest.raises(Refused) as caught:
        service(**arguments)
    return caught.value.key


def away(match: Match, *people: User) -> None:
    """Let people give up their seats, so that caretakers play them."""
    for user in people:
        services.match_resign(match_id=match.pk, user=user)
    match.refresh_from_db()
