"""Who sits at a match and how they stand: names, clocks, public scores and the final table.

Made from rows and from what a viewer may know; the words are the reader's.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from games import prose
from games.catalogue import Game, Part
from games.engine.contract import View
from games.models import Match, Seat
from games.profiles import has_profile
from games.queries import seats_with_holders
from games.sitters import Sitter, at_line, at_move, sitters_of

URGENT = timedelta(hours=12)


class Player(NamedTuple):
    """Who sits on a seat, and how that seat's clock and result stand."""

    name: str
    level: str = ""  # of a bot
    is_away: bool = False  # then the bot is a caretaker
    vacation: datetime | None = None  # until when
    deadline: datetime | None = None
    score: tuple[int, ...] = ()  # points and tie-breaks, once the match is finished
    rank: int | None = None
    profile: str = ""  # its address
    sitters: tuple[Sitter, ...] = ()  # who has sat there; empty: only this one

    def at_line(self, number: int) -> Sitter:
        return at_line(self.sitters or (Sitter(self.name),), number)

    def at_move(self, number: int) -> Sitter:
        return at_move(self.sitters or (Sitter(self.name),), number)


class Clock(NamedTuple):
    left: str
    until: str
    urgent: bool


class Chair(NamedTuple):
    """A seat in the strip above the board."""

    seat: int
    name: str
    level: str
    score: Any  # None: not public
    is_mine: bool
    is_called: bool
    clock: Clock | None
    vacation: str  # until when; empty: is there
    profile: str


class Place(NamedTuple):
    """A line of the final table."""

    rank: int
    name: str
    level: str
    points: int
    tie_break: str  # what parted seats of equal points, if any were
    parts: tuple[Part, ...]
    is_mine: bool
    profile: str


def players_of(match: Match) -> tuple[Player, ...]:
    return tuple(
        Player(
            name=seat.name,
            level=seat.bot,
            is_away=seat.has_caretaker,
            vacation=seat.vacation_until,
            deadline=seat.deadline,
            score=tuple(seat.score or ()),
            rank=seat.rank,
            profile=_profile(seat),
            sitters=sitters_of(seat),
        )
        for seat in seats_with_holders(match)
    )


def _profile(seat: Seat) -> str:
    """Give the address of a profile that everybody may see: a board is drawn once for many."""
    user = seat.user
    if user is None or not has_profile(user) or user.shown_to != user.ShownTo.EVERYBODY:
        return ""
    return reverse("person", args=[user.username])


def chairs(
    players: Sequence[Player], view: View, mine: int | None, called: Sequence[int], now: datetime
) -> tuple[Chair, ...]:
    """Line the seats up in turn order."""
    public = view.get("seats", ())
    return tuple(
        Chair(
            seat=seat,
            name=player.name,
            level=_level(player),
            score=public[seat].get("score") if seat < len(public) else None,
            is_mine=seat == mine,
            is_called=seat in called,
            clock=clock_of(player.deadline, now) if seat in called else None,
            vacation=prose.moment(player.vacation) if player.vacation else "",
            profile=player.profile,
        )
        for seat, player in enumerate(players)
    )


def _level(player: Player) -> str:
    if player.is_away:
        return _("caretaker bot")
    return _("bot, %(level)s") % {"level": prose.level(player.level)} if player.level else ""


def clock_of_the_match(
    players: Sequence[Player], mine: int | None, called: Sequence[int], now: datetime
) -> Clock | None:
    """Say how long the match waits: for the viewer if it does, else for whoever is due first."""
    awaited = [mine] if mine is not None and mine in called else called
    deadlines = [players[seat].deadline for seat in awaited]
    return clock_of(min((time for time in deadlines if time), default=None), now)


def clock_of(deadline: datetime | None, now: datetime) -> Clock | None:
    """Say how long until a deadline, and when that is in the reader's time zone."""
    if deadline is None:
        return None
    left = deadline - now
    local = timezone.localtime(deadline)
    form = "l H:i" if left < timedelta(days=6) else "l j F H:i"
    until = f"{date_format(local, form)} {local.tzname()}"
    return Clock(_left(left), _("until %(time)s") % {"time": until}, left < URGENT)


def _left(left: timedelta) -> str:
    """Word a duration, never rounded up."""
    minutes = int(left.total_seconds()) // 60
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if left <= timedelta():
        return _("time is up")
    if days:
        return _("%(days)s d %(hours)s h left") % {"days": days, "hours": hours}
    if hours:
        return _("%(hours)s h %(minutes)s min left") % {"hours": hours, "minutes": minutes}
    return _("%(minutes)s min left") % {"minutes": minutes}


def places(
    game: Game, players: Sequence[Player], view: View, mine: int | None
) -> tuple[Place, ...]:
    """Make the final table, the winner first."""
    parts = game.tally(view) if game.tally else [[] for _ in players]
    points = [player.score[:1] for player in players]
    breaker = game.texts.names.get("tie_break", _("tie-break"))
    found = []
    for seat, player in enumerate(players):
        first, *tie_breaks = player.score or (0,)
        is_tied = points.count(player.score[:1]) > 1
        found.append(
            Place(
                rank=player.rank or 0,
                name=player.name,
                level=_level(player),
                points=first,
                tie_break=f"{breaker} {tie_breaks[0]}" if is_tied and tie_breaks else "",
                parts=tuple(parts[seat]),
                is_mine=seat == mine,
                profile=player.profile,
            )
        )
    return tuple(sorted(found, key=lambda place: place.rank))


def outcome(table: Sequence[Place]) -> str:
    """Say in a sentence who has won."""
    winners = [place for place in table if place.rank == 1]
    names = get_text_list([place.name for place in winners], _("and"))
    if len(winners) > 1:
        return _("%(names)s share the victory.") % {"names": names}
    if winners and winners[0].is_mine:
        return _("The bot in your place has won.") if winners[0].level else _("You have won.")
    return _("%(name)s has won.") % {"name": names}
