"""What is done for a seat whose clock ran out (docs/rules/sakkara.md §10): one move per call.

It never spends, lays or builds a card of its own, and uses only what the seat itself may know.
"""

from typing import TYPE_CHECKING

from games.engine.contract import Move
from games.sakkara import offers
from games.sakkara.components import FIELDS, NAMES, TALLEST, WAYS

if TYPE_CHECKING:
    from games.sakkara.rules import SakkaraState


def automatic(state: "SakkaraState", seat: int) -> Move:
    """Choose the default action; always legal."""
    match state.phase:
        case "main":
            return _turn(state, seat)
        case "place_returns":
            size = min(TALLEST, len(state.returns))
            return ("place_stack", size, FIELDS[offers.open_fields(state, seat)[0]])
        case "snake_pick":
            return ("snake_take", NAMES[state.hands[1 - seat][0]])
        case "horse_step":
            return ("horse_stop",)
        case "discard":
            return ("discard", NAMES[state.hands[seat][-1]])
    return next(
        ("place_worker", name) for spot, name in enumerate(FIELDS) if not state.occupied(spot)
    )


def _turn(state: "SakkaraState", seat: int) -> Move:
    """The first step that needs no stair, if the move is still due and there is one; then end."""
    if not state.moved:
        for worker, origin in enumerate(state.workers[seat]):
            for way, name in enumerate(WAYS):
                if not offers.step_bar(state, origin, way):
                    return ("move", worker, name)
    return ("end_turn",)
