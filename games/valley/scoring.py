"""What pyramids are worth (docs/rules/valley.md §6), finished ones and those in building."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from games.valley.components import KINDS, LARGE, LEVEL, NONE, ROWS, SHAPES, SMALL, Shape

if TYPE_CHECKING:
    from games.valley.rules import ValleyState

MONO, LAYERED, CHEQUERED, MOTLEY = range(len(KINDS))
BEHIND: Final = 1000  # a seat that has left ranks behind all others, whatever its points

# By shape: the levels as lists of the places of their visible cells (A28), and for the pattern of
# the experts (A27) the two halves of every level that must differ: corners against middles.
_VISIBLE: Final = {
    shape: tuple(
        tuple(place for place in range(*ROWS[shape][level]) if place != shape.hidden)
        for level in range(1, len(shape.levels) + 1)
    )
    for shape in (SMALL, LARGE)
}
_HALVES: Final = {
    SMALL: (((0, 3), (1, 2)),),
    LARGE: (((0, 2, 6, 8), (1, 3, 5, 7)), ((9, 12), (10, 11))),
}


class Outlook(NamedTuple):
    """The best a pyramid can still become, and what it is worth then."""

    kind: int
    points: int


def outlook(shape: Shape, row: Sequence[int], chequered: bool) -> Outlook:
    """Judge a pyramid by its visible blocks; of a finished one this is its kind."""
    levels = [{row[place] for place in places} - {NONE} for places in _VISIBLE[shape]]
    colours = set().union(*levels)
    if len(colours) <= 1:
        kind = MONO
    elif all(len(level) <= 1 for level in levels):
        kind = LAYERED
    elif chequered and len(colours) == 2 and _alternates(shape, row):
        kind = CHEQUERED
    else:
        kind = MOTLEY
    return Outlook(kind, shape.points[kind])


def _alternates(shape: Shape, row: Sequence[int]) -> bool:
    """Tell whether blocks that touch differ, or can still come to differ (A27)."""
    for one, other in _HALVES[shape]:
        ones, others = ({row[place] for place in half} - {NONE} for half in (one, other))
        if len(ones) > 1 or len(others) > 1 or ones & others:
            return False
    return True


def is_finished(state: "ValleyState", site: int) -> bool:
    return state.built[site] == SHAPES[site].blocks


def level_in_building(state: "ValleyState", site: int) -> int:
    """Give the lowest level that is not complete; one above the top if all are."""
    return LEVEL[SHAPES[site]][state.built[site]]


def value(state: "ValleyState", site: int) -> Outlook:
    return _judged(tuple(state.blocks[site]), state.chequered)


@lru_cache(maxsize=1 << 14)  # bots look at the same few pyramids again and again
def _judged(row: tuple[int, ...], chequered: bool) -> Outlook:
    return outlook(SMALL if len(row) == SMALL.blocks else LARGE, row, chequered)


def points(state: "ValleyState") -> list[int]:
    """Add up the finished pyramids of each seat."""
    totals = [0] * state.players
    for site in state.sites():
        if state.owner[site] != NONE and is_finished(state, site):
            totals[state.owner[site]] += value(state, site).points
    return totals
