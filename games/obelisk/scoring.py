"""Points of obelisks (docs/rules/obelisk.md §6). Knows one stack at a time, nothing of a match."""

from collections.abc import Sequence
from typing import Final

from games.obelisk.components import BUILDING, COLOR, POINTS

# An obelisk is one flat list: [foundation, colour, top value, card, card, ...], cards bottom to
# top. Values fall one by one, so the top value tells them all; a bare foundation has colour
# NONE and top value 0.
FOUNDATION: Final = 0
HUE: Final = 1
TOP: Final = 2
CARDS: Final = 3
NONE: Final = -1

Obelisk = list[int]


def bare(foundation: int) -> Obelisk:
    """Lay a foundation with nothing on it."""
    return [foundation, NONE, 0]


def values(obelisk: Obelisk) -> range:
    """List the values of the cards, bottom to top."""
    top = obelisk[TOP]
    return range(top + len(obelisk) - CARDS - 1, top - 1, -1)


def points(obelisk: Sequence[int], *, expert: bool) -> int:
    """Score one obelisk: a matching coloured foundation counts as one more card (A18)."""
    count = len(obelisk) - CARDS
    if count == 0 or (expert and obelisk[TOP] != 1):
        return 0
    foundation = obelisk[FOUNDATION]
    if foundation >= BUILDING and COLOR[foundation] == obelisk[HUE]:
        return POINTS[min(5, count + 1)]
    return POINTS[count]
