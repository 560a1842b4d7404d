"""Who sat where when something was said or done: a substitute re-writes no history.

A seat knows who sits there now, its holders who did before. Whoever words the past asks here.
"""

from collections.abc import Sequence
from sys import maxsize
from typing import NamedTuple

from games import prose
from games.models import Holder, Move, Seat
from games.queries import Told

EVER = (0, maxsize)  # from the first to the last


class Sitter(NamedTuple):
    """Who answered for a seat, and during which lines of the log and which moves."""

    name: str
    is_person: bool = True  # then a bot that moves is a caretaker
    lines: tuple[int, int] = EVER
    moves: tuple[int, int] = EVER


def sitter_now(seat: Seat) -> Sitter:
    return Sitter(seat.name, is_person=seat.user_id is not None)


def sitters_of(seat: Seat) -> tuple[Sitter, ...]:
    """List who has sat on a seat; while nobody held it a bot did, and comes last."""
    if not seat.changed_hands:
        return (sitter_now(seat),)
    return (*map(_sitter, seat.holders.all()), Sitter(seat.bot_name, is_person=False))


def _sitter(holder: Holder) -> Sitter:
    return Sitter(
        holder.name,
        lines=(holder.first_line, _or_ever(holder.last_line)),
        moves=(holder.first_move, _or_ever(holder.last_move)),
    )


def _or_ever(last: int | None) -> int:
    return maxsize if last is None else last


def at_line(sitters: Sequence[Sitter], number: int) -> Sitter:
    return next(one for one in sitters if one.lines[0] <= number <= one.lines[1])


def at_move(sitters: Sequence[Sitter], number: int) -> Sitter:
    return next(one for one in sitters if one.moves[0] <= number <= one.moves[1])


def named(sitters: Sequence[Sitter], told: Told) -> tuple[str, ...]:
    """Name those who sat at the table when a line was said; a caretaker is named as one."""
    names = [sitter.name for sitter in sitters]
    if told.by == Move.By.BOT and told.seat is not None and sitters[told.seat].is_person:
        names[told.seat] = prose.caretaker(names[told.seat])
    return tuple(names)
