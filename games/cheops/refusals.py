"""Why a move is refused, in the order of docs/rules/cheops.md §5.7. Never judges legality itself.

Also words unfinished moves, as far as they go: a family member without a field, or a field
without one, is checked for what is there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from games.cheops.components import (
    ACTION_LAWS,
    COLOURS,
    FIELD,
    FULL,
    HAND,
    HIRE,
    JOKER,
    JOKER_PRICE,
    KINDS,
    LAW,
    LAWS,
    MUST_KEEP,
    MUST_SELL,
    NEIGHBOUR,
    NEW_NUMBER,
    NONE,
    POSITIONS,
    REPEAL,
    SLOT_LAWS,
    STACKS,
    TILE,
)
from games.cheops.offers import USED_BY, can_lay, front_stack, kinds_in_hand, laws_in_play
from games.engine.contract import Atom, Move

if TYPE_CHECKING:
    from games.cheops.rules import CheopsState

Known = Mapping[Atom, int]  # the words a parameter may be, and their numbers
Given = int | None  # None: not said yet

_KIND: Final[Known] = {name: kind for kind, name in enumerate(KINDS)}
_FIELD: Final[Known] = {name: spot for name, spot in FIELD.items()}  # noqa: C416
_COLOUR: Final[Known] = {name: colour for colour, name in enumerate(COLOURS)}
_LAW: Final[Known] = {name: law for law, name in enumerate(LAWS)}
_POSITION: Final[Known] = {position + 1: position for position in range(POSITIONS)}
_STACK: Final[Known] = {stack + 1: stack for stack in range(STACKS)}

_PARAMETERS: Final[Mapping[str, tuple[Known, ...]]] = {
    "place_family": (_KIND, _FIELD),
    "hire_neighbour": (_FIELD,),
    "place_law": (_COLOUR,),
    "place_number": (_COLOUR, _POSITION),
    "repeal_law": (_LAW,),
    "play_late_sale": (_COLOUR,),
    "play_secret_passage": (_KIND, _FIELD),
    "play_exchange_pyramid": (_FIELD, _FIELD),
    "play_exchange_stock": (_COLOUR, _FIELD),
    "draw_family": (_STACK,),
    "declare_joker": (_COLOUR,),
}
_OFFERED: Final = {  # the verbs of each phase
    "act": {"place_family", "hire_neighbour", "pass_turn", *USED_BY},
    "resolve_treasure": {"sell_treasure", "keep_treasure"},
    "wrap_up": {"draw_family", "end_turn", *USED_BY},
    "declare_joker": {"declare_joker"},
}
_EXECUTED: Final = {  # the verbs of each law, once turned up
    **{law: {"place_law"} for law in SLOT_LAWS},
    NEW_NUMBER: {"place_number"},
    REPEAL: {"repeal_law"},
    JOKER: {"buy_joker", "decline_joker"},
    **{law: {"keep_law", *(v for v in USED_BY if USED_BY[v] == law)} for law in ACTION_LAWS},
}


def refusal(state: "CheopsState", seat: int, move: Move) -> str:
    """Name the first thing that is wrong with a move."""
    if state.phase == "finished":
        return "game_over"
    if seat != state.current:
        return "not_your_turn"
    verb, *atoms = move or ("",)
    if verb not in _OFFERED.get(state.phase, _EXECUTED.get(state.pending_law, set())):
        return "wrong_phase"
    given = _read(_PARAMETERS.get(str(verb), ()), atoms)
    if given is None:
        return "bad_parameter"
    return _CHECKS[str(verb)](state, seat, *given) or "bad_parameter"


def _read(parameters: Sequence[Known], atoms: list[Atom]) -> list[Given] | None:
    """Find the number of each parameter; one that was left out is None, a strange one is bad."""
    missing = len(parameters) - len(atoms)
    rest = list(atoms)
    given: list[Given] = []
    for known in parameters:
        if rest and rest[0] in known:
            given.append(known[rest.pop(0)])
        elif missing > 0:
            given.append(None)
            missing -= 1
        else:
            return None
    return None if rest else given


def _lay(state: "CheopsState", kinds: int, spot: Given) -> str:
    """§5.1, in its order, for a set of kinds: a bit for each."""
    if spot is None:
        return ""
    if state.pyramid[spot] >= TILE:
        return "field_occupied"
    if spot not in state.reachable:
        return "not_supported"
    return "" if kinds & ~state.touching[spot] else "identical_adjacent"


def _place_family(state: "CheopsState", seat: int, kind: Given, spot: Given) -> str:
    if kind is None:
        return _lay(state, kinds_in_hand(state, seat), spot)
    if not state.hands[seat][kind]:
        return "kind_not_in_hand"
    return _lay(state, 1 << kind, spot)


def _hire_neighbour(state: "CheopsState", seat: int, spot: Given) -> str:
    if state.hired_this_turn:
        return "neighbour_already_hired"
    if not state.neighbours_left:
        return "no_neighbours_left"
    if state.money[seat] < HIRE:
        return "cannot_afford"
    return _lay(state, 1 << NEIGHBOUR, spot)


def _pass_turn(state: "CheopsState", seat: int) -> str:
    return "must_place" if can_lay(state, seat) else ""


def _sale(state: "CheopsState", colour: Given) -> str:
    if colour is None:
        return ""
    if state.sold[colour] >= FULL:
        return "board_full"
    return "sale_forbidden" if state.under[colour] == MUST_KEEP else ""


def _sell_treasure(state: "CheopsState", seat: int) -> str:
    return _sale(state, state.pending_treasure)


def _keep_treasure(state: "CheopsState", seat: int) -> str:
    return "keep_forbidden" if state.under[state.pending_treasure] == MUST_SELL else ""


def _place_law(state: "CheopsState", seat: int, colour: Given) -> str:
    return "slot_taken" if colour is not None and state.under[colour] != NONE else ""


def _place_number(state: "CheopsState", seat: int, colour: Given, position: Given) -> str:
    if colour is None or position is None:
        return ""
    return "number_covered" if position < state.sold[colour] else ""


def _repeal_law(state: "CheopsState", seat: int, law: Given) -> str:
    return "law_not_in_play" if law is not None and law not in laws_in_play(state) else ""


def _buy_joker(state: "CheopsState", seat: int) -> str:
    return "cannot_afford" if state.money[seat] < JOKER_PRICE else ""


def _allowed(state: "CheopsState", seat: int, *given: Given) -> str:
    return ""


def _tile(verb: str, check: Callable[..., str]) -> Callable[..., str]:
    """§5.4: before anything else, the action tile itself must be usable."""
    held_as = ACTION_LAWS.index(USED_BY[verb])

    def checked(state: "CheopsState", seat: int, *given: Given) -> str:
        if state.phase != "resolve_law":
            taken = state.held[seat][held_as]
            if taken == NONE:
                return "tile_not_held"
            if taken >= state.turn_number:
                return "tile_taken_this_turn"
            if state.drawn_this_turn:
                return "already_drawn"
        return check(state, seat, *given)

    return checked


def _late_sale(state: "CheopsState", seat: int, colour: Given) -> str:
    if colour is not None and not state.stocks[seat][colour]:
        return "not_in_stock"
    return _sale(state, colour)


def _treasure(state: "CheopsState", spot: Given) -> str:
    """A treasure must lie on the field."""
    if spot is None:
        return ""
    if state.pyramid[spot] >= TILE:
        return "field_occupied"
    return "not_a_treasure" if state.pyramid[spot] >= LAW else ""


def _secret_passage(state: "CheopsState", seat: int, kind: Given, spot: Given) -> str:
    if kind is not None and not state.hands[seat][kind]:
        return "kind_not_in_hand"
    wrong = _treasure(state, spot)
    if wrong or spot is None:
        return wrong
    kinds = kinds_in_hand(state, seat) if kind is None else 1 << kind
    return "" if kinds & ~state.touching[spot] else "identical_adjacent"


def _exchange_pyramid(state: "CheopsState", seat: int, one: Given, other: Given) -> str:
    wrong = _treasure(state, one) or _treasure(state, other)
    if wrong or one is None or other is None:
        return wrong
    return "same_colour" if state.pyramid[one] == state.pyramid[other] else ""


def _exchange_stock(state: "CheopsState", seat: int, colour: Given, spot: Given) -> str:
    if colour is not None and not state.stocks[seat][colour]:
        return "not_in_stock"
    wrong = _treasure(state, spot)
    if wrong or spot is None:
        return wrong
    if state.pyramid[spot] == colour:
        return "same_colour"
    return "keep_forbidden" if state.under[state.pyramid[spot]] == MUST_SELL else ""


def _draw_family(state: "CheopsState", seat: int, stack: Given) -> str:
    if sum(state.hands[seat]) >= HAND:
        return "hand_full"
    front = front_stack(state)
    if front == NONE or (stack is not None and not state.stacks[stack]):
        return "stack_empty"
    if stack not in (None, front) and state.family_draw == "front_stack":
        return "not_front_stack"
    return ""


def _end_turn(state: "CheopsState", seat: int) -> str:
    return "must_draw" if not sum(state.hands[seat]) and front_stack(state) != NONE else ""


_CHECKS: Final[Mapping[str, Callable[..., Any]]] = {
    "place_family": _place_family,
    "hire_neighbour": _hire_neighbour,
    "pass_turn": _pass_turn,
    "sell_treasure": _sell_treasure,
    "keep_treasure": _keep_treasure,
    "place_law": _place_law,
    "place_number": _place_number,
    "repeal_law": _repeal_law,
    "buy_joker": _buy_joker,
    "decline_joker": _allowed,
    "keep_law": _allowed,
    "play_late_sale": _tile("play_late_sale", _late_sale),
    "play_secret_passage": _tile("play_secret_passage", _secret_passage),
    "play_exchange_pyramid": _tile("play_exchange_pyramid", _exchange_pyramid),
    "play_exchange_stock": _tile("play_exchange_stock", _exchange_stock),
    "draw_family": _draw_family,
    "end_turn": _end_turn,
    "declare_joker": _allowed,
}
