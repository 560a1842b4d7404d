"""Positions of Sakkara from the `given` of a vector (docs/rules/sakkara.md §4, §9; defaults there).

Whatever is not understood is reported as Wrong, never passed over.
"""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from games.sakkara.components import (
    BUILDINGS,
    DECK,
    FIELD,
    FIELDS,
    GRAIN,
    NAMES,
    NUMBER,
    SHIP,
    SLOTS,
    TIER,
    TIERS,
    UNKNOWN,
    WAY,
    WORKERS,
)
from games.sakkara.rules import SakkaraState
from tests.vectors import Wrong

T = TypeVar("T")

SEATS = ("W", "B")  # the start player is seat 0
PHASES = (
    "setup_place",
    "place_returns",
    "main",
    "snake_pick",
    "horse_step",
    "discard",
    "game_over",
)
REASONS = ("pyramid", "resign", "timeout", "stall", "turn_limit")
OPTIONS = {
    "start_player": ("random", "host", "guest"),
    "open_holders": (False, True),
    "memory_stacks": (False, True),
}
AT_THE_START = [["a1", "g1"], ["a7", "g7"]]


def known(value: Any, keys: Collection[Any], where: str) -> dict[Any, Any]:
    """Check that something is a mapping with these keys only."""
    if not isinstance(value, dict):
        raise Wrong(f"{where}: not a mapping but {value!r}")
    for key in value:
        if key not in keys:
            raise Wrong(f"{where}: unknown key {key!r}")
    return value


def one_of(value: Any, values: Collection[T], where: str) -> T:
    """Check a value; a truth is no number."""
    for one in values:
        if type(value) is type(one) and value == one:
            return one
    raise Wrong(f"{where}: cannot be {value!r}")


def listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Wrong(f"{where}: not a list but {value!r}")
    return value


def seat_of(value: Any, where: str) -> int:
    """Read a seat by its colour, or by its number."""
    if type(value) is int and value in (0, 1):
        return value
    return SEATS.index(one_of(value, SEATS, where))


def by_seat(value: Any, where: str) -> dict[int, Any]:
    """Read something that is given for one seat or both."""
    if isinstance(value, list):
        if len(value) != len(SEATS):
            raise Wrong(f"{where}: needs {len(SEATS)} entries")
        return dict(enumerate(value))
    if not isinstance(value, dict):
        raise Wrong(f"{where}: not a mapping but {value!r}")
    return {seat_of(_number(key), where): own for key, own in value.items()}


def _number(key: Any) -> Any:
    """Numbers are texts where they are keys of JSON."""
    return int(key) if key in ("0", "1") else key


def count(value: Any, most: int, where: str) -> int:
    return one_of(value, range(most + 1), where)


def spot(name: Any, where: str) -> int:
    return FIELD[one_of(name, FIELDS, where)]


def card(name: Any, where: str) -> int:
    return NUMBER[one_of(name, tuple(NUMBER), where)]


def cards(names: Any, where: str) -> list[int]:
    return [card(name, where) for name in listed(names, where)]


def stack(names: Any, where: str) -> list[int]:
    """Read a stack bottom to top; a leading ? is not yet known, but a top card always is."""
    found = []
    for name in listed(names, where):
        hidden = isinstance(name, str) and name.startswith("?")
        number = card(name[1:] if hidden else name, where)
        found.append(number + UNKNOWN * hidden)
    if found:
        found[-1] %= UNKNOWN
    return found


def course(value: Any, where: str) -> list[int]:
    """Read where a worker went: null, or a worker and a direction."""
    if value is None:
        return []
    known(value, ("worker", "dir"), where)
    worker = one_of(value.get("worker"), range(WORKERS), f"{where}: worker")
    return [worker, WAY[one_of(value.get("dir"), tuple(WAY), f"{where}: dir")]]


def position(given: dict[str, Any]) -> SakkaraState:
    """Build the position that a vector begins with."""
    given = dict(given)
    given.update(known(_switched(given.pop("options", {})), OPTIONS, "options"))
    known(given, READERS, "given")
    state = SakkaraState(phase="main")
    state.workers = [[FIELD[name] for name in own] for own in AT_THE_START]
    for key, value in given.items():
        READERS[key](state, value)
    if "moved" in given and "line" not in given:
        state.line = state.moved[:]
    _set_tiers(state, given)
    if one_of(given.get("fill", False), (False, True), "fill"):
        _fill(state, given.get("board", {}))
    _check(state, given)
    return state


def _switched(options: Any) -> Any:
    """Options may be listed: those are on."""
    return dict.fromkeys(options, True) if isinstance(options, list) else options


def _check(state: SakkaraState, given: dict[str, Any]) -> None:
    """Report what cannot be."""
    standing = [own for workers in state.workers for own in workers]
    if len(set(standing)) < len(standing):
        raise Wrong("workers: two on one field")
    if state.phase != "setup_place" and len(standing) < WORKERS * len(SEATS):
        raise Wrong("workers: each seat has two")
    if given.get("horse_left", int(state.phase == "horse_step")) != (state.phase == "horse_step"):
        raise Wrong("horse_left: the second step is open in phase horse_step only")
    if state.phase == "horse_step" and not state.line:
        raise Wrong("line: a horse needs one")
    if bool(state.returns) != (state.phase == "place_returns") and state.phase != "game_over":
        raise Wrong("returns: there are some in phase place_returns only")
    if given.get("winner") is not None:
        _check_winner(state, given["winner"])


def _check_winner(state: SakkaraState, value: Any) -> None:
    """Who has won is seen from the pyramids, unless somebody left the match."""
    winner = -1 if value == "draw" else seat_of(value, "winner")
    if state.phase != "game_over":
        raise Wrong("winner: there is one in phase game_over only")
    if state.end_reason in ("resign", "timeout"):
        state.loser = 1 - winner
    if state.winner() != winner:
        raise Wrong(f"winner: the pyramids do not say {value!r}")


def _set_tiers(state: SakkaraState, given: dict[str, Any]) -> None:
    """A tier is complete or not as the pyramid says; a stated one stands on complete tiers."""
    stated = by_seat(given.get("tier", {}), "tier")
    for seat, tier in stated.items():
        _complete_below(state, seat, one_of(tier, range(1, 5), "tier"), given)
    for seat, pyramid in enumerate(state.pyramids):
        full = [
            all(pyramid[number] == SLOTS[number] for number in BUILDINGS if TIER[number] == tier)
            for tier in range(1, len(TIERS) + 1)
        ]
        state.tier[seat] = [*full, False].index(False) + 1
        if any(pyramid[number] and TIER[number] > state.tier[seat] for number in BUILDINGS):
            raise Wrong(f"pyramid[{SEATS[seat]}]: a tier stands on an unfinished one")
    for seat, tier in stated.items():
        if tier != state.tier[seat]:
            raise Wrong(f"tier[{SEATS[seat]}]: the pyramid says {state.tier[seat]}, not {tier!r}")


def _complete_below(state: SakkaraState, seat: int, tier: int, given: dict[str, Any]) -> None:
    """What lies under a stated tier is built, as far as the fixture does not mention it."""
    mentioned = by_seat(given.get("pyramid", {}), "pyramid").get(seat, {})
    for number in BUILDINGS:
        if TIER[number] < tier and NAMES[number] not in mentioned:
            state.pyramids[seat][number] = SLOTS[number]


def _fill(state: SakkaraState, board: dict[str, Any]) -> None:
    """Give every unlisted field one of the cards that the fixture does not mention."""
    rest = list((Counter(DECK) - Counter(_mentioned(state))).elements())
    rest.sort()
    for number, name in enumerate(FIELDS):
        if name not in board:
            if not rest:
                raise Wrong("fill: there are not so many cards")
            state.board[number] = [rest.pop(0)]


def _mentioned(state: SakkaraState) -> list[int]:
    found = [number % UNKNOWN for lying in state.board for number in lying]
    for own in (*state.hands, state.pile, state.returns, state.destroyed, state.stolen):
        found += own
    for pyramid in state.pyramids:
        found += Counter(dict(enumerate(pyramid))).elements()
    return found + [SHIP] * sum(state.ships) + [GRAIN] * sum(state.grain)


# --- fields of a position (§4) -------------------------------------------------------------------

Reader = Callable[[SakkaraState, Any], None]


def _board(state: SakkaraState, value: Any) -> None:
    for name, names in known(value, FIELDS, "board").items():
        state.board[FIELD[name]] = stack(names, f"board[{name}]")


def _workers(state: SakkaraState, value: Any) -> None:
    for seat, names in by_seat(value, "workers").items():
        own = [spot(name, "workers") for name in listed(names, "workers")]
        if len(own) > WORKERS:
            raise Wrong("workers: each seat has two")
        state.workers[seat] = own


def _hand(state: SakkaraState, value: Any) -> None:
    for seat, names in by_seat(value, "hand").items():
        state.hands[seat] = cards(names, "hand")


def _laid(state: SakkaraState, value: Any) -> None:
    for seat, own in by_seat(value, "laid").items():
        known(own, ("ship", "grain"), "laid")
        state.ships[seat] = count(own.get("ship", 0), 1, "laid: ship")
        state.grain[seat] = count(own.get("grain", 0), 3, "laid: grain")


def _pyramid(state: SakkaraState, value: Any) -> None:
    for seat, own in by_seat(value, "pyramid").items():
        for name, built in known(own, NUMBER, "pyramid").items():
            number = NUMBER[name]
            if number not in BUILDINGS:
                raise Wrong(f"pyramid: {name} is no building card")
            state.pyramids[seat][number] = count(built, SLOTS[number], f"pyramid: {name}")


def _destroyed(state: SakkaraState, value: Any) -> None:
    known(value, ("grain", "ship"), "destroyed")
    state.destroyed = [GRAIN] * count(value.get("grain", 0), 3, "destroyed: grain")
    state.destroyed += [SHIP] * count(value.get("ship", 0), 1, "destroyed: ship")


def _used_fields(state: SakkaraState, value: Any) -> None:
    state.used_fields = [spot(name, "used_fields") for name in listed(value, "used_fields")]


def _active(state: SakkaraState, value: Any) -> None:
    state.active = seat_of(value, "active")


def _pass_over(state: SakkaraState, value: Any) -> None:
    """Checked elsewhere."""


def _field(key: str, read: Callable[[Any, str], Any]) -> Reader:
    def reader(state: SakkaraState, value: Any) -> None:
        setattr(state, {"reason": "end_reason"}.get(key, key), read(value, key))

    return reader


def _choice(*values: Any) -> Callable[[Any, str], Any]:
    return lambda value, where: one_of(value, values, where)


READERS: dict[str, Reader] = {
    "board": _board,
    "workers": _workers,
    "hand": _hand,
    "laid": _laid,
    "pyramid": _pyramid,
    "destroyed": _destroyed,
    "used_fields": _used_fields,
    "active": _active,
    "tier": _pass_over,
    "fill": _pass_over,
    "horse_left": _pass_over,
    "winner": _pass_over,
    "start_player": _pass_over,
    "phase": _field("phase", _choice(*PHASES)),
    "moved": _field("moved", course),
    "line": _field("line", course),
    "pile": _field("pile", cards),
    "returns": _field("returns", cards),
    "tier_done": _field("tier_done", _choice(False, True)),
    "built_this_turn": _field("built_this_turn", _choice(False, True)),
    "open_holders": _field("open_holders", _choice(False, True)),
    "memory_stacks": _field("memory_stacks", _choice(False, True)),
    "turn_number": _field("turn_number", lambda value, where: count(value, 240, where)),
    "stall": _field("stall", lambda value, where: count(value, 240, where)),
    "reason": _field("reason", _choice(*REASONS)),
}
