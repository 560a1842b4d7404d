"""Builders for tests of the site: people, tables and matches, made through the real services."""

from allauth.account.models import EmailAddress

from accounts.models import User
from games.engine.contract import write
from games.models import Match, Move
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


def play(match: Match, seat: int, text: str) -> None:
    match_play(match_id=match.pk, seat=seat, token=token(match, seat), text=text)


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
