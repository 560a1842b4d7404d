"""What is done for a seat whose clock ran out (docs/rules/cheops.md §10): one move per call."""

from typing import TYPE_CHECKING

from games.cheops.components import (
    ACTION_LAWS,
    COLOURS,
    ENTRIES,
    FIELD,
    JOKER,
    KINDS,
    LAW,
    LAWS,
    NEW_NUMBER,
    NONE,
    REPEAL,
    SLOT_LAWS,
    THREE_BOARDS,
)
from games.cheops.offers import can_draw, front_stack, laws_in_play
from games.cheops.scoring import totals
from games.engine.contract import Move

if TYPE_CHECKING:
    from games.cheops.rules import CheopsState


def automatic(state: "CheopsState", seat: int) -> Move:
    """Choose the default action; always legal."""
    match state.phase:
        case "act":
            return _placement(state, seat)
        case "resolve_treasure":
            moves = state.legal(seat)
            return ("keep_treasure",) if ("keep_treasure",) in moves else moves[0]
        case "resolve_law":
            return _execution(state, seat)
        case "wrap_up" if can_draw(state, seat):
            return ("draw_family", front_stack(state) + 1)
        case "wrap_up":
            return ("end_turn",)
    return ("declare_joker", _best_colour(state, seat))


def _placement(state: "CheopsState", seat: int) -> Move:
    """Lay low and left, a kind one has most of, on a law last; never hire, never use tiles."""
    moves = [move for move in state.legal(seat) if move[0] == "place_family"]

    def modesty(move: Move) -> tuple[bool, int, int, int]:
        kind, spot = KINDS.index(str(move[1])), FIELD[str(move[2])]
        return state.pyramid[spot] >= LAW, spot, -state.hands[seat][kind], kind

    return min(moves, key=modesty) if moves else ("pass_turn",)


def _execution(state: "CheopsState", seat: int) -> Move:
    law = state.pending_law
    if law in SLOT_LAWS:
        free = [colour for colour, tile in enumerate(state.under) if tile == NONE]
        return ("place_law", COLOURS[min(free, key=state.pyramid.count)])
    if law == NEW_NUMBER:
        return min(state.legal(seat), key=lambda move: _distance(state, move))
    if law == REPEAL:
        return ("repeal_law", LAWS[_dispensable(state, seat)])
    if law == JOKER:
        return ("decline_joker",)
    return ("keep_law",)


def _distance(state: "CheopsState", move: Move) -> int:
    """Measure how far from 20 the printed number is; pairs and multipliers are farthest."""
    number = ENTRIES[state.boards[COLOURS.index(str(move[1]))]][int(move[2]) - 1]
    return abs(number.low - 20) if number.low == number.high and not number.times else 1000


def _dispensable(state: "CheopsState", seat: int) -> int:
    """Choose what to repeal: the others' tiles before the own, the end of the match last."""
    order = [state.market_tile]
    ending = state.sold.count(4) >= 2
    order += [] if ending else [THREE_BOARDS]
    order += [*state.under, NEW_NUMBER]
    for step in range(1, state.players + 1):
        other = (seat + step) % state.players
        held = zip(ACTION_LAWS, state.held[other], strict=True)
        order += [law for law, taken in held if taken != NONE]
        order += [JOKER] if state.joker_owner == other else []
    targets = laws_in_play(state)
    return next(law for law in [*order, THREE_BOARDS] if law in targets)


def _best_colour(state: "CheopsState", seat: int) -> str:
    """Name the colour that gives the joker's owner the highest total."""

    def promise(colour: int) -> int:
        twin = state.clone()
        twin.joker_colour = colour
        return totals(twin)[seat]

    return COLOURS[max(range(len(COLOURS)), key=promise)]
