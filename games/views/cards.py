"""A match as a card on one's own page: opponents, time left, the last event, the result.

Cards are made from rows already read, so that a page of many matches costs no more queries than
a page of one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from accounts.models import User
from games import prose
from games.affairs import awaits_answer
from games.catalogue import Game
from games.chairs import URGENT
from games.lengths import length_words, lengths_of
from games.models import Match, Seat
from games.queries import Told, seat_of
from games.sitters import named, sitter_now


@dataclass(frozen=True, kw_only=True)
class Card:
    match: Match
    game: Game
    opponents: str
    event: str = ""  # the last thing that happened, in words
    waiting_for: str = ""  # empty: for the reader
    deadline: datetime | None = None
    share: int = 100  # of the thinking time that is left, in per cent
    is_urgent: bool = False
    has_caretaker: bool = False  # a bot plays for the reader
    is_asked: bool = False  # the reader is to decide something beside the moves
    result: str = ""
    points: int | None = None


class TableCard(NamedTuple):
    """A table that has not started."""

    match: Match
    seat: Seat | None  # the viewer's
    length: str  # of the match, as far as one can tell


def table_cards(tables: Iterable[Match], viewer: object) -> list[TableCard]:
    tables = list(tables)
    lengths = lengths_of(tables)
    return [
        TableCard(table, seat_of(table, viewer), length_words(lengths[table.pk]))
        for table in tables
    ]


def running_card(match: Match, user: User, said: Mapping[int, Told], now: datetime) -> Card:
    mine, others = _mine_and_others(match, user)
    is_mine = mine is not None and mine.has_person and mine.to_act
    acting = [] if is_mine else [seat.name for seat in match.seats.all() if seat.to_act]
    return Card(
        match=match,
        game=match.game,
        opponents=_listed([seat.name for seat in others]),
        event=_event(match, said[match.pk]) if match.pk in said else "",
        waiting_for=_listed(acting),
        deadline=mine.deadline if mine else None,
        share=share_left(mine, now) if mine else 100,
        is_urgent=bool(mine and mine.deadline and mine.deadline - now < URGENT),
        has_caretaker=bool(mine and mine.has_caretaker),
        is_asked=bool(mine and awaits_answer(match, mine)),
    )


def _event(match: Match, told: Told) -> str:
    """Word the last line of a log: nobody has taken a seat since, for that would be told too."""
    names = named([sitter_now(seat) for seat in match.seats.all()], told)
    return prose.say(match.game, told.line, names)


def finished_card(match: Match, user: User) -> Card:
    mine, others = _mine_and_others(match, user)
    points = mine.score[0] if mine and mine.score else None
    return Card(
        match=match,
        game=match.game,
        opponents=_listed([seat.name or _("nobody") for seat in others]),
        result=_result(match, mine),
        points=points,
    )


def share_left(seat: Seat, now: datetime) -> int:
    """Say how much of a turn's thinking time is left, in per cent; all of it without a clock."""
    if seat.deadline is None or not seat.reserve:
        return 100
    return max(0, min(100, round(100 * ((seat.deadline - now) / seat.reserve))))


def _mine_and_others(match: Match, user: User) -> tuple[Seat | None, list[Seat]]:
    seats = list(match.seats.all())
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    return mine, [seat for seat in seats if seat is not mine]


def _result(match: Match, mine: Seat | None) -> str:
    if match.status == Match.Status.CANCELLED or mine is None or mine.rank is None:
        return _("Cancelled")
    place = {"rank": mine.rank, "seats": len(match.seats.all())}
    if mine.has_caretaker:
        return _("You left; the bot came in at place %(rank)s of %(seats)s") % place
    winners = [seat for seat in match.seats.all() if seat.rank == 1]
    if mine.rank == 1:
        return _("You won") if len(winners) == 1 else _("Shared victory")
    return _("Place %(rank)s of %(seats)s") % place


def _listed(names: list[str]) -> str:
    return get_text_list(names, _("and"))
