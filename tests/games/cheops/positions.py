"""The positions that the vectors of Cheops start from (docs/rules/cheops.md §9.0).

A fixture is a fixed legal start; `given` overrides parts of it. Whatever a vector says that is
not understood is Wrong, never ignored.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import cycle, islice
from typing import Any

from games.cheops.components import (
    ACTION_LAWS,
    BOARDS,
    COLOURS,
    CONTENTS,
    END_REASONS,
    EYES,
    FIELD,
    FIELDS,
    FULL,
    KINDS,
    LAW,
    LAWS,
    NONE,
    PLACES,
    POSITIONS,
    STACKS,
    TILE,
    stack_sizes,
)
from games.cheops.rules import CheopsState
from tests.vectors import Wrong

PHASES = ("act", "resolve_treasure", "resolve_law", "wrap_up", "declare_joker", "finished")
BOARDS_OF_THE_FIXTURE = ("I-1", "III-1", "II-1", "I-6", "III-3", "II-4")
LAWS_OF_THE_FIXTURE = (
    "market_high",
    "must_sell",
    "new_number",
    "repeal",
    "joker",
    "secret_passage",
)
OPTIONS = {
    "pair_rule": ("majority_low", "majority_high"),
    "family_draw": ("front_stack", "any_stack"),
    "open_money": (False, True),
    "first_player": ("random", "seat_0"),
}


# --- reading what a vector says -----------------------------------------------------------------


def mapping(value: Any, where: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise Wrong(f"{where}: a map is needed, not {value!r}")
    return value


def listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Wrong(f"{where}: a list is needed, not {value!r}")
    return value


def one_of(value: Any, known: Iterable[Any], where: str) -> Any:
    for item in known:
        if item == value and type(item) is type(value):
            return item
    raise Wrong(f"{where}: {value!r} is not known")


def number(value: Any, where: str) -> int:
    if type(value) is not int:
        raise Wrong(f"{where}: a number is needed, not {value!r}")
    return value


def index(value: Any, known: tuple[str, ...], where: str) -> int:
    return known.index(one_of(value, known, where))


def seat_of(value: Any, players: int, where: str) -> int:
    """Read a seat; in JSON the keys of a map are texts."""
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    return number(one_of(value, range(players), f"{where}: seat"), where)


def by_seat(value: Any, players: int, where: str) -> dict[int, Any]:
    """Read what belongs to seats; a list names all of them in order."""
    if isinstance(value, list) and len(value) == players:
        return dict(enumerate(value))
    return {seat_of(seat, players, where): own for seat, own in mapping(value, where).items()}


def number_key(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


# --- the fixture --------------------------------------------------------------------------------


def fixture(players: int) -> CheopsState:
    state = CheopsState.laid_out(players)
    state.boards = [BOARDS.index(board) for board in BOARDS_OF_THE_FIXTURE]
    colours = cycle(range(len(COLOURS)))
    laws = iter(LAWS_OF_THE_FIXTURE)
    state.pyramid = [
        LAW + LAWS.index(next(laws)) if spot in EYES else next(colours)
        for spot in range(len(FIELDS))
    ]
    state.out_of_game = [law for law, name in enumerate(LAWS) if name not in LAWS_OF_THE_FIXTURE]
    kinds = cycle(range(len(KINDS)))
    state.stacks = [list(islice(kinds, size))[::-1] for size in stack_sizes(players)]
    state.survey()
    return state


def position(given: dict[str, Any]) -> CheopsState:
    """Build the position a vector starts from."""
    left = dict(given)
    named = left.pop("fixture", left.get("players"))
    written = number_key(named.removeprefix("FX")) if isinstance(named, str) else named
    players = one_of(written, range(2, 6), "given: fixture")
    state = fixture(players)
    if "fill_except" in left:
        _fill(state, listed(left.pop("fill_except"), "given: fill_except"))
    for key, value in left.items():
        if key not in SETTERS:
            raise Wrong(f"given: unknown key {key!r}")
        SETTERS[key](state, value, f"given: {key}")
    state.survey()
    return state


def _fill(state: CheopsState, spared: list[Any]) -> None:
    kept = {one_of(name, FIELDS, "given: fill_except") for name in spared}
    for spot, (row, col) in enumerate(PLACES):
        if FIELDS[spot] not in kept:
            state.pyramid[spot] = TILE + (col - row) % 3


# --- what may be given --------------------------------------------------------------------------

Setter = Callable[[CheopsState, Any, str], None]


def _plain(name: str, kind: type) -> Setter:
    def put(state: CheopsState, value: Any, where: str) -> None:
        if type(value) is not kind:
            raise Wrong(f"{where}: {value!r} will not do")
        setattr(state, name, value)

    return put


def _named(name: str, known: tuple[str, ...]) -> Setter:
    """A component that may be absent: null."""

    def put(state: CheopsState, value: Any, where: str) -> None:
        setattr(state, name, NONE if value is None else index(value, known, where))

    return put


def _by_colour(name: str, read: Callable[[Any, str], int]) -> Setter:
    def put(state: CheopsState, value: Any, where: str) -> None:
        for colour, item in mapping(value, where).items():
            getattr(state, name)[index(colour, COLOURS, where)] = read(item, where)

    return put


def _sold(value: Any, where: str) -> int:
    return number(one_of(value, range(FULL + 1), where), where)


def _law_or_none(value: Any, where: str) -> int:
    return NONE if value is None else index(value, LAWS, where)


def _board(value: Any, where: str) -> int:
    return index(value, BOARDS, where)


def _laws(name: str) -> Setter:
    def put(state: CheopsState, value: Any, where: str) -> None:
        setattr(state, name, [index(law, LAWS, where) for law in listed(value, where)])

    return put


def _phase(state: CheopsState, value: Any, where: str) -> None:
    state.phase = one_of(value, PHASES, where)


def _end_reason(state: CheopsState, value: Any, where: str) -> None:
    state.end_reason = "" if value is None else one_of(value, END_REASONS, where)


def _current(state: CheopsState, value: Any, where: str) -> None:
    state.current = seat_of(value, state.players, where)


def _players(state: CheopsState, value: Any, where: str) -> None:
    one_of(value, (state.players,), where)


def _options(state: CheopsState, value: Any, where: str) -> None:
    for key, item in mapping(value, where).items():
        if key not in OPTIONS:
            raise Wrong(f"{where}: unknown option {key!r}")
        chosen = one_of(item, OPTIONS[key], f"{where}: {key}")
        if key != "first_player":  # says who begins; the fixture has begun
            setattr(state, key, chosen)


def _pyramid(state: CheopsState, value: Any, where: str) -> None:
    for name, content in mapping(value, where).items():
        spot = FIELD[one_of(name, FIELDS, where)]
        state.pyramid[spot] = index(content, CONTENTS, where)


def _new_number(state: CheopsState, value: Any, where: str) -> None:
    if value is None:
        state.number_at = NONE
        return
    place = mapping(value, where)
    if set(place) != {"colour", "position"}:
        raise Wrong(f"{where}: colour and position are needed")
    at = one_of(place["position"], range(1, POSITIONS + 1), where)
    state.number_at = index(place["colour"], COLOURS, where) * POSITIONS + at - 1


def _hands(state: CheopsState, value: Any, where: str) -> None:
    for owner, hand in by_seat(value, state.players, where).items():
        counts = [0] * len(KINDS)
        for kind, count in mapping(hand, where).items():
            counts[index(kind, KINDS, where)] = number(count, where)
        state.hands[owner] = counts


def _stacks(state: CheopsState, value: Any, where: str) -> None:
    for stack, tiles in mapping(value, where).items():
        place = one_of(number_key(stack), range(1, STACKS + 1), where)
        kinds = [index(kind, KINDS, where) for kind in listed(tiles, where)]
        state.stacks[place - 1] = kinds[::-1]


def _stocks(state: CheopsState, value: Any, where: str) -> None:
    for owner, stock in by_seat(value, state.players, where).items():
        own = state.stocks[owner]
        for colour, count in mapping(stock, where).items():
            own[index(colour, COLOURS, where)] = number(count, where)


def _money(state: CheopsState, value: Any, where: str) -> None:
    for owner, cash in by_seat(value, state.players, where).items():
        state.money[owner] = number(cash, where)


def _held(state: CheopsState, value: Any, where: str) -> None:
    action_tiles = tuple(LAWS[law] for law in ACTION_LAWS)
    for owner, tiles in by_seat(value, state.players, where).items():
        own = state.held[owner]
        for law, taken in mapping(tiles, where).items():
            own[index(law, action_tiles, where)] = number(taken, where)


def _joker_owner(state: CheopsState, value: Any, where: str) -> None:
    state.joker_owner = NONE if value is None else seat_of(value, state.players, where)


SETTERS: Mapping[str, Setter] = {
    "players": _players,
    "options": _options,
    "current": _current,
    "turn": _plain("turn_number", int),
    "phase": _phase,
    "hired_this_turn": _plain("hired_this_turn", bool),
    "main_done": _plain("main_done", bool),
    "drawn_this_turn": _plain("drawn_this_turn", int),
    "laid_this_turn": _plain("laid_this_turn", bool),
    "idle_turns": _plain("idle_turns", int),
    "pending_treasure": _named("pending_treasure", COLOURS),
    "pending_law": _named("pending_law", LAWS),
    "pyramid": _pyramid,
    "boards": _by_colour("boards", _board),
    "sold": _by_colour("sold", _sold),
    "under": _by_colour("under", _law_or_none),
    "new_number": _new_number,
    "market_tile": _named("market_tile", LAWS),
    "three_boards": _plain("three_boards", bool),
    "hands": _hands,
    "stacks": _stacks,
    "stocks": _stocks,
    "money": _money,
    "held": _held,
    "joker_owner": _joker_owner,
    "joker_colour": _named("joker_colour", COLOURS),
    "neighbours_left": _plain("neighbours_left", int),
    "box": _laws("box"),
    "out_of_game": _laws("out_of_game"),
    "discarded": _by_colour("discarded", number),
    "end_reason": _end_reason,
}
