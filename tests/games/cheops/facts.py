"""What a position is, in the words of the vectors of Cheops (docs/rules/cheops.md §4.1, §9.0)."""

from typing import Any

from games.cheops.components import (
    ACTION_LAWS,
    BOARDS,
    COLOURS,
    CONTENTS,
    FIELDS,
    FULL,
    KINDS,
    LAWS,
    NONE,
    POSITIONS,
    TILE,
)
from games.cheops.rules import CheopsState
from games.cheops.scoring import holdings, top, totals, unit_values
from games.engine.contract import Move
from games.engine.session import ranks
from tests.games.cheops.positions import number_key
from tests.vectors import Wrong

PARAMETERS = {  # of every action, in the order of the engine's atoms
    "place_family": ("kind", "field"),
    "hire_neighbour": ("field",),
    "pass_turn": (),
    "sell_treasure": (),
    "keep_treasure": (),
    "place_law": ("colour",),
    "place_number": ("colour", "position"),
    "repeal_law": ("law",),
    "buy_joker": (),
    "decline_joker": (),
    "keep_law": (),
    "play_late_sale": ("colour",),
    "play_secret_passage": ("kind", "field"),
    "play_exchange_pyramid": ("field_a", "field_b"),
    "play_exchange_stock": ("colour", "field"),
    "draw_family": ("stack",),
    "end_turn": (),
    "declare_joker": ("colour",),
}
IDS = {  # a misspelt one is never legal, so it would prove nothing
    "colour": COLOURS,
    "kind": KINDS,
    "law": LAWS,
    "field": FIELDS,
    "field_a": FIELDS,
    "field_b": FIELDS,
}


def named(number: int, names: tuple[str, ...]) -> str | None:
    return None if number == NONE else names[number]


def by_colour(values: list[Any]) -> dict[str, Any]:
    return dict(zip(COLOURS, values, strict=True))


def by_seat(values: list[Any]) -> dict[int, Any]:
    return dict(enumerate(values))


def described(move: Move) -> dict[str, Any]:
    """Write a move as an action of the vectors."""
    verb = str(move[0])
    return {"type": verb, **dict(zip(PARAMETERS[verb], move[1:], strict=True))}


def facts(state: CheopsState) -> dict[str, Any]:
    """What can be read from a position at rest."""
    return _fields(state) | {
        "market_price": state.market_price(),
        "threshold": state.threshold(),
        "full": by_colour([sold == FULL for sold in state.sold]),
        "top": by_colour([top(state, colour).text for colour in range(len(COLOURS))]),
        "unit_value": by_colour(
            [
                unit_values(state, top(state, colour), holdings(state, colour))
                for colour in range(len(COLOURS))
            ]
        ),
        "totals": totals(state),
        "ranks": ranks(state.scores()),
        "winners": [seat for seat, place in enumerate(ranks(state.scores())) if place == 1],
        "occupied": {FIELDS[spot]: content >= TILE for spot, content in enumerate(state.pyramid)},
        "hand_size": by_seat([sum(hand) for hand in state.hands]),
        "stack_size": {stack + 1: len(tiles) for stack, tiles in enumerate(state.stacks)},
    }


def _fields(state: CheopsState) -> dict[str, Any]:
    """§4.1, field by field."""
    return {
        "players": state.players,
        "options": {
            "pair_rule": state.pair_rule,
            "family_draw": state.family_draw,
            "open_money": state.open_money,
        },
        "current": state.current,
        "turn": state.turn(),
        "phase": state.phase,
        "hired_this_turn": state.hired_this_turn,
        "main_done": state.main_done,
        "drawn_this_turn": state.drawn_this_turn,
        "laid_this_turn": state.laid_this_turn,
        "idle_turns": state.idle_turns,
        "pending_treasure": named(state.pending_treasure, COLOURS),
        "pending_law": named(state.pending_law, LAWS),
        "pyramid": dict(zip(FIELDS, (CONTENTS[content] for content in state.pyramid), strict=True)),
        "boards": by_colour([BOARDS[board] for board in state.boards]),
        "sold": by_colour(state.sold),
        "under": by_colour([named(law, LAWS) for law in state.under]),
        "new_number": _new_number(state),
        "market_tile": named(state.market_tile, LAWS),
        "three_boards": state.three_boards,
        "hands": by_seat([dict(zip(KINDS, hand, strict=True)) for hand in state.hands]),
        "stacks": {
            stack + 1: [KINDS[kind] for kind in reversed(tiles)]
            for stack, tiles in enumerate(state.stacks)
        },
        "stocks": by_seat([by_colour(stock) for stock in state.stocks]),
        "money": by_seat(state.money),
        "held": by_seat([_held(held) for held in state.held]),
        "joker_owner": None if state.joker_owner == NONE else state.joker_owner,
        "joker_colour": named(state.joker_colour, COLOURS),
        "neighbours_left": state.neighbours_left,
        "box": {LAWS[law] for law in state.box},
        "out_of_game": {LAWS[law] for law in state.out_of_game},
        "discarded": by_colour(state.discarded),
        "end_reason": state.end_reason or None,
    }


def _held(held: list[int]) -> dict[str, int]:
    return {LAWS[law]: taken for law, taken in zip(ACTION_LAWS, held, strict=True) if taken != NONE}


def _new_number(state: CheopsState) -> dict[str, Any] | None:
    if state.number_at == NONE:
        return None
    colour, position = divmod(state.number_at, POSITIONS)
    return {"colour": COLOURS[colour], "position": position + 1}


# --- comparing ----------------------------------------------------------------------------------


def expect_facts(state: CheopsState, expect: dict[str, Any]) -> None:
    """Compare a position with what a vector says of it; raise Wrong at the first difference."""
    known = facts(state)
    for key, expected in expect.items():
        if key == "legal_types":
            _compare(key, {move[0] for move in state.legal(state.current)}, expected)
        elif key in ("legal_has", "legal_lacks"):
            _legal(state, key, expected)
        elif key == "default_action":
            _default(state, expected)
        elif key in known:
            _compare(key, known[key], expected)
        else:
            raise Wrong(f"expect: unknown key {key!r}")


def _compare(where: str, found: Any, expected: Any) -> None:
    """Compare in part what has parts; but an empty map says that nothing is there."""
    if isinstance(found, dict) and isinstance(expected, list) and len(expected) == len(found):
        expected = dict(zip(found, expected, strict=True))  # by seat or stack, in order
    if isinstance(found, dict) and isinstance(expected, dict) and expected:
        for key, item in expected.items():
            name = number_key(key) if key not in found else key
            if name not in found:
                raise Wrong(f"{where}: {key!r} is not known")
            _compare(f"{where}[{name}]", found[name], item)
        return None
    if isinstance(found, dict) and expected == {} and not any(found.values()):
        return None
    if isinstance(found, set) and isinstance(expected, list):
        if len(set(expected)) == len(expected):
            expected = set(expected)
    elif isinstance(found, list) and isinstance(expected, dict):
        return _compare(where, dict(enumerate(found)), expected)
    elif isinstance(found, str) and type(expected) is int:  # a number of a board, unquoted
        expected = str(expected)
    if found != expected or type(found) is not type(expected):
        shown = sorted(found) if isinstance(found, set) else found
        wanted = sorted(expected) if isinstance(expected, set) else expected
        raise Wrong(f"{where} is {shown!r}, not {wanted!r}")
    return None


def _action(action: Any, where: str) -> dict[str, Any]:
    if not isinstance(action, dict) or action.get("type") not in PARAMETERS:
        raise Wrong(f"{where}: {action!r} is no action")
    strange = set(action) - {"type", "seat", *PARAMETERS[action["type"]]}
    if strange:
        raise Wrong(f"{where}: unknown parameter {sorted(strange)[0]!r}")
    for key, value in action.items():
        if value not in IDS.get(key, [value]):
            raise Wrong(f"{where}: there is no {key} {value!r}")
    return dict(action)


def _fits(move: dict[str, Any], action: dict[str, Any]) -> bool:
    """A move fits an action if it has all that the action names; a pair has no order."""
    if action["type"] == "play_exchange_pyramid" and move["type"] == action["type"]:
        pairs = [move["field_a"], move["field_b"]]
        asked = [action[key] for key in ("field_a", "field_b") if key in action]
        return sorted(pairs) == sorted(asked) if len(asked) == 2 else set(asked) <= set(pairs)
    return all(move.get(key) == value for key, value in action.items())


def _legal(state: CheopsState, key: str, expected: Any) -> None:
    for item in expected if isinstance(expected, list) else [expected]:
        action = _action(item, key)
        seat = number_key(action.pop("seat", state.current))
        found = any(_fits(described(move), action) for move in state.legal(seat))
        if found != (key == "legal_has"):
            raise Wrong(f"{key}: {item!r} is {'legal' if found else 'not legal'}")


def _default(state: CheopsState, expected: Any) -> None:
    called = state.to_act()
    found = {**described(state.idle(called[0])), "seat": called[0]} if called else None
    if expected is None or found is None:
        fits = found == expected
    else:
        fits = _fits(found, _action(expected, "default_action"))
    if not fits:
        raise Wrong(f"default_action is {found!r}, not {expected!r}")
