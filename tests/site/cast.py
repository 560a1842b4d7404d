"""Somebody of every kind, and matches of every kind for them to be kept from or let into."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from accounts.apikeys import key_create
from accounts.models import Mail, Tie, User
from accounts.services import guest_create
from accounts.ties import tie_set
from games.models import Match
from games.services import (
    Opponent,
    match_create,
    match_join,
    match_leave,
    match_look,
    match_resign,
    seat_take,
    vacation_start,
)
from tests.site.people import person


class Cast:
    """Somebody of every kind; `seat` hosts whatever match is asked for, and blocks `blocked`."""

    def __init__(self) -> None:
        self.seat = person("Seth")
        self.partner = person("Pepi")
        self.substitute = person("Sutu")
        self.people: dict[str, User | None] = {
            "stranger": None,
            "guest": guest_create(),
            "member": person("Mina"),
            "seat": self.seat,
            "ex-seat": person("Xois"),
            "staff": person("Root", is_staff=True, is_superuser=True),
            "blocked": person("Boqi"),
        }
        tie_set(user=self.seat, other=self.people["blocked"], kind=Tie.Kind.BLOCKED)
        key_create(self.seat, "a program")
        vacation_start(user=self.seat, begins=timezone.now() + timedelta(days=100), days=2)
        Mail.objects.create(to=self.seat.email, subject="Your turn", text="…", html="<p>…</p>")


def table(cast: Cast, private: bool = False, **settings: object) -> Match:
    """An open table at which one more has sat."""
    former = cast.people["ex-seat"]
    match = match_create(
        user=cast.seat,
        game="obelisk",
        opponents=[Opponent("open"), Opponent("open")],
        options={"first_player": 0},
        private=private,
        **settings,
    )
    match_join(match_id=match.pk, user=former, link=match.link)
    match_leave(match_id=match.pk, user=former)
    return match


def offered(cast: Cast, private: bool = False) -> Match:
    """A match of three that one has left: anybody may take that seat."""
    match = table(cast, private)
    for other in (cast.partner, cast.people["ex-seat"]):
        match_join(match_id=match.pk, user=other, link=match.link)
    match_resign(match_id=match.pk, user=cast.people["ex-seat"])
    match_look(match_id=match.pk, now=timezone.now() + timedelta(days=3))
    return match


def running(cast: Cast, private: bool = False) -> Match:
    """A match of three; one has left it, and another has taken over that seat."""
    match = offered(cast, private)
    seat_take(match_id=match.pk, user=cast.substitute, link=match.link)
    return match


def over(cast: Cast) -> Match:
    match = running(cast)
    Match.objects.filter(pk=match.pk).update(status="finished", finished=timezone.now())
    return match


MATCHES: dict[str, Callable[[Cast], Match | None]] = {
    "-": lambda cast: None,
    "table": table,
    "hidden": lambda cast: table(cast, private=True),
    "offered": offered,
    "public": running,
    "private": lambda cast: running(cast, private=True),
    "over": over,
}
