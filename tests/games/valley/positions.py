"""The positions that the vectors of Valley of the Kings start from (docs/rules/valley.md §9.0).

`given` lists only what matters. Whatever a vector says that is not understood is Wrong, never
ignored.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import cycle, islice
from typing import Any

from games.valley.components import (
    COLOURS,
    COPIES,
    IN_PLAY,
    LETTERS,
    NODE,
    NONE,
    OVERSEERS,
    PHASES,
    ROWS,
    SCARABS,
    SHAPES,
    SITES,
    START,
    TABLETS,
    WORKERS,
)
from games.valley.rules import ValleyState
from tests.vectors import Wrong

OPTIONS = ("advanced_unsold_to_pharaoh", "expert_chequered")


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


def number_key(value: Any) -> Any:
    """In JSON the keys of a map are texts."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


def number_of(value: Any, known: range, where: str) -> int:
    found = one_of(number_key(value), known, where)
    assert isinstance(found, int)
    return found


def seat_of(value: Any, players: int, where: str) -> int:
    return number_of(value, range(players), f"{where}: seat")


def site_of(value: Any, where: str) -> int:
    return number_of(value, range(SITES[0], SITES[-1] + 1), f"{where}: site")


def node_of(value: Any, where: str) -> int:
    if number_key(value) not in NODE:
        raise Wrong(f"{where}: {value!r} is no place")
    return NODE[number_key(value)]


def pile_of(value: Any, where: str) -> list[int]:
    """Read blocks: letters, or the first n of an endless row of all colours."""
    if type(value) is int and value >= 0:
        return list(islice(cycle(range(len(COLOURS))), value))
    if not isinstance(value, str):
        raise Wrong(f"{where}: {value!r} is no pile")
    return [colour_of(letter, where) for letter in value]


def colour_of(letter: str, where: str) -> int:
    if letter not in LETTERS:
        raise Wrong(f"{where}: there is no colour {letter!r}")
    return LETTERS.index(letter)


def row_of(site: int, value: Any, where: str) -> list[int]:
    """Read the levels of a site, bottom first; upper levels that are left out are empty."""
    shape, levels = SHAPES[site], listed(value, where)
    row = [NONE] * shape.blocks
    if len(levels) > len(shape.levels):
        raise Wrong(f"{where}: {len(levels)} levels on site {site}")
    for level, cells in enumerate(levels, 1):
        start, end = ROWS[shape][level]
        if not isinstance(cells, str) or len(cells) != end - start:
            raise Wrong(f"{where}: {cells!r} is not level {level} of site {site}")
        for place, letter in enumerate(cells, start):
            row[place] = NONE if letter == "." else colour_of(letter, where)
    return row


# --- the position -------------------------------------------------------------------------------


def position(given: dict[str, Any]) -> ValleyState:
    """Build the position a vector starts from."""
    left = dict(given)
    state = ValleyState.laid_out(one_of(left.pop("players", 4), IN_PLAY, "given: players"))
    state.round = 2
    if "phase" not in left:
        raise Wrong("given: phase is missing")
    state.start = seat_of(left.pop("start", 0), state.players, "given: start")
    state.phase = one_of(left.pop("phase"), PHASES, "given: phase")
    if state.phase not in ("overseers_secret", "finished"):
        state.queue = state.turn_order()
    if state.phase == "auction":
        state.market = [[colour] * 5 for colour in range(state.players + 1)]
    bag = left.pop("bag", None)
    for key, value in left.items():
        if key not in SETTERS:
            raise Wrong(f"given: unknown key {key!r}")
        SETTERS[key](state, value, f"given: {key}")
    if any(group > len(state.market) for laid in state.bids for group in laid):
        raise Wrong("given: bids: a tablet lies on a group that is not on the market")
    state.fed = [0] * state.round
    state.survey()
    state.bag = _rest(state) if bag is None else pile_of(bag, "given: bag")
    return state


def _rest(state: ValleyState) -> list[int]:
    """All blocks that lie nowhere else."""
    used = Counter(state.pharaoh + state.discard)
    for row in (*state.market, *state.blocks):
        used.update(colour for colour in row if colour != NONE)
    for stock in state.stocks:
        used.update(dict(enumerate(stock)))
    over = [COLOURS[colour] for colour, count in used.items() if count > COPIES]
    if over:
        raise Wrong(f"given: more than {COPIES} blocks are {over[0]}")
    return [colour for colour in range(len(COLOURS)) for _ in range(COPIES - used[colour])]


# --- what may be given --------------------------------------------------------------------------

Setter = Callable[[ValleyState, Any, str], None]


def _options(state: ValleyState, value: Any, where: str) -> None:
    chosen = [one_of(option, OPTIONS, where) for option in listed(value, where)]
    state.unsold_to_pharaoh = OPTIONS[0] in chosen
    state.chequered = OPTIONS[1] in chosen


def _round(state: ValleyState, value: Any, where: str) -> None:
    state.round = number_of(value, range(1, 26), where)


def _queue(state: ValleyState, value: Any, where: str) -> None:
    state.queue = [seat_of(seat, state.players, where) for seat in listed(value, where)]


def _market(state: ValleyState, value: Any, where: str) -> None:
    state.market = [sorted(pile_of(group, where)) for group in listed(value, where)]


def _pharaoh(state: ValleyState, value: Any, where: str) -> None:
    state.pharaoh = pile_of(value, where)


def _discard(state: ValleyState, value: Any, where: str) -> None:
    state.discard = pile_of(value, where)


def _owner(state: ValleyState, value: Any, where: str) -> None:
    for site, owner in mapping(value, where).items():
        seat = NONE if owner is None else seat_of(owner, state.players, where)
        state.owner[site_of(site, where)] = seat
    state.scarabs = [SCARABS - state.owner.count(seat) for seat in range(state.players)]


def _blocks(state: ValleyState, value: Any, where: str) -> None:
    for key, levels in mapping(value, where).items():
        site = site_of(key, where)
        state.blocks[site] = row_of(site, levels, where)


def _stock(state: ValleyState, value: Any, where: str) -> None:
    for owner, pile in mapping(value, where).items():
        blocks = pile_of(pile, where)
        state.stocks[seat_of(owner, state.players, where)] = [
            blocks.count(colour) for colour in range(len(COLOURS))
        ]


def figures_of(value: Any, count: int, where: str) -> list[int]:
    """Read where figures stand; those left out at the end stand in the centre."""
    nodes = [node_of(node, where) for node in listed(value, where)]
    if len(nodes) > count:
        raise Wrong(f"{where}: {len(nodes)} figures")
    return nodes + [START] * (count - len(nodes))


def _overseers(state: ValleyState, value: Any, where: str) -> None:
    for owner, nodes in mapping(value, where).items():
        seat = seat_of(owner, state.players, where)
        state.overseers[seat] = figures_of(nodes, OVERSEERS, where)


def _workers(state: ValleyState, value: Any, where: str) -> None:
    for owner, nodes in mapping(value, where).items():
        seat = seat_of(owner, state.players, where)
        state.workers[seat] = figures_of(nodes, WORKERS, where)


def _bids(state: ValleyState, value: Any, where: str) -> None:
    for owner, bid in mapping(value, where).items():
        laid = state.bids[seat_of(owner, state.players, where)]
        for tablet, group in mapping(bid, where).items():
            laid[TABLETS.index(one_of(tablet, TABLETS, where))] = number_of(
                group, range(1, 7), where
            )


def _orders(state: ValleyState, value: Any, where: str) -> None:
    for owner, orders in mapping(value, where).items():
        drafted = state.orders[seat_of(owner, state.players, where)]
        for overseer, node in mapping(orders, where).items():
            drafted[("o0", "o1").index(one_of(overseer, ("o0", "o1"), where))] = node_of(
                node, where
            )


def _confirmed(state: ValleyState, value: Any, where: str) -> None:
    if state.phase != "overseers_secret" and value:
        raise Wrong(f"{where}: nobody confirms in {state.phase}")
    for seat in listed(value, where):
        state.ready[seat_of(seat, state.players, where)] = True


def _left(state: ValleyState, value: Any, where: str) -> None:
    for seat in listed(value, where):
        state.left[seat_of(seat, state.players, where)] = True


SETTERS: Mapping[str, Setter] = {
    "options": _options,
    "round": _round,
    "queue": _queue,
    "market": _market,
    "pharaoh": _pharaoh,
    "discard": _discard,
    "owner": _owner,
    "blocks": _blocks,
    "stock": _stock,
    "overseers": _overseers,
    "workers": _workers,
    "bids": _bids,
    "orders": _orders,
    "confirmed": _confirmed,
    "left": _left,
}
