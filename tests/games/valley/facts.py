"""What a position is, in the words of the vectors (docs/rules/valley.md §9.0)."""

from collections.abc import Callable, Mapping
from typing import Any

from games.engine.session import ranks
from games.valley.components import (
    ATOM,
    COLOURS,
    KINDS,
    LETTERS,
    NONE,
    OVERSEERS,
    SITES,
    TABLETS,
    WORKERS,
    WORTH,
)
from games.valley.rules import ValleyState
from games.valley.scoring import is_finished, points, value
from tests.games.valley.positions import (
    figures_of,
    listed,
    mapping,
    number_key,
    number_of,
    one_of,
    pile_of,
    row_of,
    seat_of,
    site_of,
)
from tests.vectors import Wrong


def expect(state: ValleyState, expected: dict[str, Any], where: str) -> None:
    """Compare what the vector says of the position itself; legality is the runner's."""
    for key, item in expected.items():
        if key not in FACTS:
            raise Wrong(f"{where}: unknown key {key!r}")
        FACTS[key](state, item, f"{where}: {key}")


def same(found: Any, expected: Any, where: str) -> None:
    if found != expected or type(found) is not type(expected):
        raise Wrong(f"{where} is {found!r}, not {expected!r}")


def letters(blocks: list[int]) -> str:
    return "".join(LETTERS[colour] for colour in sorted(blocks))


def same_pile(blocks: list[int], expected: Any, where: str) -> None:
    """Compare blocks in any order; a number says only how many."""
    if type(expected) is int:
        same(len(blocks), expected, where)
    else:
        same(letters(blocks), letters(pile_of(expected, where)), where)


def seats_in(state: ValleyState, value: Any, where: str) -> list[int]:
    return sorted(seat_of(seat, state.players, where) for seat in listed(value, where))


Fact = Callable[[ValleyState, Any, str], None]


def _plain(name: str) -> Fact:
    def check(state: ValleyState, expected: Any, where: str) -> None:
        same(getattr(state, name), expected, where)

    return check


def _pile(name: str) -> Fact:
    def check(state: ValleyState, expected: Any, where: str) -> None:
        same_pile(getattr(state, name), expected, where)

    return check


def _by_seat(check: Callable[[ValleyState, int, Any, str], None]) -> Fact:
    def check_all(state: ValleyState, expected: Any, where: str) -> None:
        for key, item in mapping(expected, where).items():
            seat = seat_of(key, state.players, where)
            check(state, seat, item, f"{where}[{seat}]")

    return check_all


def _by_site(check: Callable[[ValleyState, int, Any, str], None]) -> Fact:
    def check_all(state: ValleyState, expected: Any, where: str) -> None:
        for key, item in mapping(expected, where).items():
            site = site_of(key, where)
            check(state, site, item, f"{where}[{site}]")

    return check_all


def _market(state: ValleyState, expected: Any, where: str) -> None:
    groups = listed(expected, where)
    same(len(state.market), len(groups), f"{where}: number of groups")
    for number, (found, pile) in enumerate(zip(state.market, groups, strict=True), 1):
        same_pile(found, pile, f"{where}[{number}]")


def _owner(state: ValleyState, site: int, expected: Any, where: str) -> None:
    owner = state.owner[site]
    same(None if owner == NONE else owner, expected, where)


def _blocks(state: ValleyState, site: int, expected: Any, where: str) -> None:
    def text(row: list[int]) -> str:
        return "".join("." if colour == NONE else LETTERS[colour] for colour in row)

    same(text(state.blocks[site]), text(row_of(site, expected, where)), where)


def _stock(state: ValleyState, seat: int, expected: Any, where: str) -> None:
    stock = state.stocks[seat]
    blocks = [colour for colour in range(len(COLOURS)) for _ in range(stock[colour])]
    same_pile(blocks, expected, where)


def _figures(name: str, count: int) -> Fact:
    def check(state: ValleyState, seat: int, expected: Any, where: str) -> None:
        found = [ATOM[node] for node in getattr(state, name)[seat]]
        same(found, [ATOM[node] for node in figures_of(expected, count, where)], where)

    return _by_seat(check)


def bid_of(state: ValleyState, seat: int) -> dict[str, int]:
    return {tablet: at for tablet, at in zip(TABLETS, state.bids[seat], strict=True) if at}


def read_bid(expected: Any, where: str) -> dict[str, int]:
    return {
        one_of(tablet, TABLETS, where): number_of(group, range(1, 7), where)
        for tablet, group in mapping(expected, where).items()
    }


def _bids(state: ValleyState, seat: int, expected: Any, where: str) -> None:
    same(bid_of(state, seat), read_bid(expected, where), where)


def read_orders(expected: Any, where: str) -> dict[str, Any]:
    return {
        one_of(overseer, ("o0", "o1"), where): number_key(node)
        for overseer, node in mapping(expected, where).items()
    }


def _orders(state: ValleyState, seat: int, expected: Any, where: str) -> None:
    drafts = enumerate(state.orders[seat])
    found = {f"o{figure}": ATOM[node] for figure, node in drafts if node != NONE}
    same(found, read_orders(expected, where), where)


def _confirmed(state: ValleyState, expected: Any, where: str) -> None:
    secret = state.phase == "overseers_secret"
    found = [seat for seat in range(state.players) if secret and state.has_ordered(seat)]
    same(found, seats_in(state, expected, where), where)


def _to_act(state: ValleyState, expected: Any, where: str) -> None:
    same(state.to_act(), seats_in(state, expected, where), where)


def _active_sites(state: ValleyState, expected: Any, where: str) -> None:
    same(list(state.sites()), expected, where)


def _scarabs(state: ValleyState, seat: int, expected: Any, where: str) -> None:
    same(state.scarabs[seat], expected, where)


def _tablets(state: ValleyState, seat: int, expected: Any, where: str) -> None:
    same(state.bids[seat].count(0), expected, where)


def _finished(state: ValleyState, expected: Any, where: str) -> None:
    found = [site for site in SITES if is_finished(state, site)]
    same(found, sorted(site_of(site, where) for site in listed(expected, where)), where)


def _kind(state: ValleyState, site: int, expected: Any, where: str) -> None:
    kind = KINDS[value(state, site).kind] if is_finished(state, site) else None
    same(kind, expected, where)


def _points_left(state: ValleyState, seat: int, expected: Any, where: str) -> None:
    if state.phase == "workers" and state.to_act() == [seat]:
        same(state.points_left, expected, where)
    elif state.phase in ("overseers_open", "overseers_secret"):
        same(state.order_points(seat), expected, where)
    else:
        raise Wrong(f"{where}: there are none in {state.phase}")


def _scores(state: ValleyState, expected: Any, where: str) -> None:
    same(points(state), expected, where)


def _ranks(state: ValleyState, expected: Any, where: str) -> None:
    same(ranks(state.scores()), expected, where)


def _winners(state: ValleyState, expected: Any, where: str) -> None:
    places = ranks(state.scores())
    winners = [seat for seat, place in enumerate(places) if place == 1]
    same(winners, seats_in(state, expected, where), where)


def _end_reason(state: ValleyState, expected: Any, where: str) -> None:
    same(state.end_reason or None, expected, where)


def _revealed(state: ValleyState, seat: int, expected: Any, where: str) -> None:
    """Read from what everybody sees."""
    shown = state.view(None)["revealed"][seat]
    found = {
        int(group): [WORTH[TABLETS.index(tablet)] for tablet in tablets]
        for group, tablets in shown.items()
    }
    wanted = {number_key(group): item for group, item in mapping(expected, where).items()}
    same(found, wanted, where)


# --- what a viewer sees -------------------------------------------------------------------------


def viewer_of(state: ValleyState, value: Any, where: str) -> int | None:
    return None if value == "spectator" else seat_of(value, state.players, where)


def _views(state: ValleyState, expected: Any, where: str) -> None:
    for key, item in mapping(expected, where).items():
        view = state.view(viewer_of(state, key, where))
        for name, wanted in mapping(item, where).items():
            if name not in SEEN:
                raise Wrong(f"{where}[{key}]: unknown key {name!r}")
            SEEN[name](view["seats"], wanted, f"{where}[{key}]: {name}")


Seats = list[dict[str, Any]]


def _seen_by_seat(name: str, read: Callable[[Any, str], dict[Any, Any]]) -> Any:
    def check(seats: Seats, expected: Any, where: str) -> None:
        for key, item in mapping(expected, where).items():
            seat = seat_of(key, len(seats), where)
            found = {number_key(inner): found for inner, found in seats[seat][name].items()}
            same(found, read(item, where), f"{where}[{seat}]")

    return check


def _read_counts(expected: Any, where: str) -> dict[int, Any]:
    return {number_key(group): count for group, count in mapping(expected, where).items()}


def _seen_confirmed(seats: Seats, expected: Any, where: str) -> None:
    found = [seat for seat, shown in enumerate(seats) if shown["confirmed"]]
    wanted = sorted(seat_of(seat, len(seats), where) for seat in listed(expected, where))
    same(found, wanted, where)


SEEN: Mapping[str, Callable[[Seats, Any, str], None]] = {
    "bid_counts": _seen_by_seat("laid", _read_counts),
    "bids": _seen_by_seat("bid", read_bid),
    "orders": _seen_by_seat("orders", read_orders),
    "confirmed": _seen_confirmed,
}
FACTS: Mapping[str, Fact] = {
    "phase": _plain("phase"),
    "round": _plain("round"),
    "start": _plain("start"),
    "market": _market,
    "bag": _pile("bag"),
    "pharaoh": _pile("pharaoh"),
    "discard": _pile("discard"),
    "owner": _by_site(_owner),
    "blocks": _by_site(_blocks),
    "stock": _by_seat(_stock),
    "overseers": _figures("overseers", OVERSEERS),
    "workers": _figures("workers", WORKERS),
    "bids": _by_seat(_bids),
    "orders": _by_seat(_orders),
    "confirmed": _confirmed,
    "to_act": _to_act,
    "active_sites": _active_sites,
    "scarabs": _by_seat(_scarabs),
    "tablets": _by_seat(_tablets),
    "finished": _finished,
    "kind": _by_site(_kind),
    "points_left": _by_seat(_points_left),
    "scores": _scores,
    "ranks": _ranks,
    "winners": _winners,
    "end_reason": _end_reason,
    "revealed": _by_seat(_revealed),
    "views": _views,
}
