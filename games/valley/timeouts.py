"""What is done for a seat whose clock ran out (docs/rules/valley.md §10): one move per call."""

from typing import TYPE_CHECKING

from games.engine.contract import Move
from games.valley.components import COLOURS, NONE, ROWS, SHAPES, cell_at
from games.valley.offers import moves

if TYPE_CHECKING:
    from games.valley.rules import ValleyState

SAME, HIDDEN, MIXED, SPOILS = range(4)  # what a block does to its level, best first


def automatic(state: "ValleyState", seat: int) -> Move:
    """Close the turn with what is drafted; in building, lay first what does no harm."""
    options = moves(state, seat)
    if state.phase != "build":
        return options[-1]
    harmless = [ranked for ranked in (_rank(state, seat, move) for move in options[:-1]) if ranked]
    return min(harmless)[1] if harmless else options[-1]


def _rank(
    state: "ValleyState", seat: int, move: Move
) -> tuple[tuple[int, int, int, int, int], Move] | None:
    _verb, site, level, cell, name = move
    colour = COLOURS.index(str(name))
    effect = effect_on_level(state, int(site), int(level), int(cell), colour)
    if effect == SPOILS:
        return None
    return (effect, int(site), -state.stocks[seat][colour], colour, int(cell)), move


def effect_on_level(state: "ValleyState", site: int, level: int, cell: int, colour: int) -> int:
    """Tell what a block would do to the look of its level."""
    shape, row = SHAPES[site], state.blocks[site]
    if cell_at(site, level, cell) == shape.hidden:
        return HIDDEN
    seen = {row[place] for place in range(*ROWS[shape][level]) if place != shape.hidden} - {NONE}
    if seen <= {colour}:
        return SAME
    return MIXED if len(seen) > 1 else SPOILS
