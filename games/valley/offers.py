"""What a seat may do now (docs/rules/valley.md §5): the only judge of legality.

Costs depend on places only, never on letters (A7), so the spaces of a site are offered together:
each table below maps the set of taken spaces of a site to the moves onto the others.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from games.engine.contract import Move
from games.valley.components import (
    AREAS,
    BID,
    BIT,
    BUILD,
    COLOURS,
    COST,
    FIRST_OF,
    FIRST_SPACE,
    IN_PLAY,
    NONE,
    OVERSEER_TO,
    OVERSEERS,
    PER_WORKER,
    PLACE,
    POINTS,
    ROWS,
    SHAPES,
    STEAL,
    WORKER_TO,
)
from games.valley.scoring import is_finished, level_in_building

if TYPE_CHECKING:
    from games.valley.rules import ValleyState


class _Free(dict[int, list[Move]]):
    """The moves of a figure onto a site, by the set of spaces that are taken."""

    def __init__(self, to: tuple[Move, ...], site: int) -> None:
        super().__init__()
        first = FIRST_OF[site]
        self.every = to[first : first + SHAPES[site].spaces]

    def __missing__(self, taken: int) -> list[Move]:
        free = [move for place, move in enumerate(self.every) if not taken >> place & 1]
        self[taken] = free
        return free


_OVERSEER: Final = [[_Free(to, site) for site in range(AREAS[0])] for to in OVERSEER_TO]
_WORKER: Final = [[_Free(to, site) for site in range(AREAS[0])] for to in WORKER_TO]
# By players, place and points: the other areas and the sites within reach.
_REACH: Final = {
    players: [
        [
            (
                [area for area in AREAS if area != place and COST[place][area] <= points],
                [site for site in sites if COST[place][site] <= points],
            )
            for points in range(POINTS + 1)
        ]
        for place in range(FIRST_SPACE)
    ]
    for players, sites in IN_PLAY.items()
}


def moves(state: "ValleyState", seat: int) -> list[Move]:
    """List what a seat that is called may do; its closing move is always the last."""
    offer, closing = _OFFERS[state.phase]
    found = offer(state, seat)
    found.append(closing)
    return found


def is_asked(state: "ValleyState", seat: int) -> bool:
    """Tell whether a seat at the head of the queue has anything to decide (§5.1)."""
    match state.phase:
        case "steal":
            return any(can_rob(state, seat, site) for site in _entered(state, seat))
        case "takeover":
            return bool(takeovers(state, seat))
        case "build":
            return any(state.stocks[seat]) and any(
                can_build(state, seat, site) for site in _worked(state, seat)
            )
    return True


def _bids(state: "ValleyState", seat: int) -> list[Move]:
    groups = len(state.market)
    return [
        move
        for laid, to in zip(state.bids[seat], BID, strict=True)
        if not laid
        for move in to[:groups]
    ]


# --- figures (§5.4, §5.5) -----------------------------------------------------------------------


def _orders(state: "ValleyState", seat: int) -> list[Move]:
    """§5.4: where each overseer without an order may be sent."""
    left = state.order_points(seat)
    found: list[Move] = []
    for figure in range(OVERSEERS):
        if state.orders[seat][figure] != NONE:
            continue
        here, barred = state.overseers[seat][figure], _barred(state, seat, figure)
        areas, sites = _REACH[state.players][PLACE[here]][left]
        to, free = OVERSEER_TO[figure], _OVERSEER[figure]
        found += [to[area] for area in areas]
        for site in sites:
            if state.round > 1 or state.owner[site] in (NONE, seat):
                found += free[site][barred[site]]
    return found


def _barred(state: "ValleyState", seat: int, figure: int) -> list[int]:
    """Mark the spaces an overseer cannot be sent to: workers, itself and its colleague stand
    there, and in round 1 everybody else.
    """
    barred = state.worker_marks[:]
    colleague = 1 - figure
    planned = state.orders[seat][colleague]
    nodes = [state.overseers[seat][figure]]
    nodes.append(state.overseers[seat][colleague] if planned == NONE else planned)
    if state.round == 1:
        for other, figures in enumerate(state.overseers):
            nodes += figures if other != seat else []
    for node in nodes:
        barred[PLACE[node]] |= BIT[node]
    return barred


def _walks(state: "ValleyState", seat: int) -> list[Move]:
    """§5.5: where each worker that has not moved yet may go."""
    reach, points, open_sites = _REACH[state.players], state.points_left, _open_sites(state, seat)
    taken = [one | two for one, two in zip(state.overseer_marks, state.worker_marks, strict=True)]
    found: list[Move] = []
    for figure, here in enumerate(state.workers[seat]):
        if figure in state.moved:
            continue
        areas, sites = reach[PLACE[here]][points]
        to, free = WORKER_TO[figure], _WORKER[figure]
        found += [to[area] for area in areas]
        for site in sites:
            if open_sites[site]:
                found += free[site][taken[site]]
    return found


def _open_sites(state: "ValleyState", seat: int) -> list[bool]:
    """By site: nobody enters another's site in round 1 (A13)."""
    return [state.round > 1 or owner in (NONE, seat) for owner in state.owner]


# --- stealing and taking over (§5.6, §5.7) ------------------------------------------------------


def _entered(state: "ValleyState", seat: int) -> list[int]:
    """List the sites on which a seat has an overseer."""
    return sorted({PLACE[node] for node in state.overseers[seat] if node >= FIRST_SPACE})


def outnumbers(state: "ValleyState", seat: int, site: int) -> bool:
    """Tell whether a seat has more overseers on an unfinished foreign site than its owner."""
    other = state.owner[site]
    return (
        other not in (NONE, seat)
        and not is_finished(state, site)
        and state.overseers_on(seat, site) > state.overseers_on(other, site)
    )


def can_rob(state: "ValleyState", seat: int, site: int) -> bool:
    return (
        state.built[site] > 0
        and outnumbers(state, seat, site)
        and state.used[site] < PER_WORKER * state.workers_on(seat, site)
    )


def _thefts(state: "ValleyState", seat: int) -> list[Move]:
    """§5.6: any block of the topmost level."""
    return [
        STEAL[site][place]
        for site in _entered(state, seat)
        if can_rob(state, seat, site)
        for place in range(*ROWS[SHAPES[site]][top_level(state, site)])
        if state.blocks[site][place] != NONE
    ]


def top_level(state: "ValleyState", site: int) -> int:
    """Find the highest level with a block; the site has one."""
    level = level_in_building(state, site)
    start, _end = ROWS[SHAPES[site]][level]
    return level if state.built[site] > start else level - 1


def takeovers(state: "ValleyState", seat: int) -> list[Move]:
    """§5.7: both majorities against the owner of the moment (A20)."""
    if not state.scarabs[seat]:
        return []
    return [
        ("take_over", site)
        for site in _entered(state, seat)
        if outnumbers(state, seat, site)
        and state.workers_on(seat, site) > state.workers_on(state.owner[site], site)
    ]


# --- building (§5.8) ----------------------------------------------------------------------------


def _worked(state: "ValleyState", seat: int) -> list[int]:
    """List the sites on which a seat has a worker."""
    return sorted({PLACE[node] for node in state.workers[seat] if node >= FIRST_SPACE})


def can_build(state: "ValleyState", seat: int, site: int) -> bool:
    return (
        state.owner[site] == seat
        and not is_finished(state, site)
        and state.used[site] < PER_WORKER * state.workers_on(seat, site)
    )


def _buildings(state: "ValleyState", seat: int) -> list[Move]:
    """§5.8: any free cell of the lowest incomplete level, any colour of the stock."""
    stock = state.stocks[seat]
    colours = [colour for colour in range(len(COLOURS)) if stock[colour]]
    found: list[Move] = []
    for site in _worked(state, seat) if colours else ():
        if can_build(state, seat, site):
            row, cells = state.blocks[site], BUILD[site]
            for place in range(*ROWS[SHAPES[site]][level_in_building(state, site)]):
                if row[place] == NONE:
                    found += [cells[place][colour] for colour in colours]
    return found


_OFFERS: Final[dict[str, tuple[Callable[["ValleyState", int], list[Move]], Move]]] = {
    "auction": (_bids, ("bid_confirm",)),
    "overseers_open": (_orders, ("overseers_confirm",)),
    "overseers_secret": (_orders, ("overseers_confirm",)),
    "workers": (_walks, ("workers_end",)),
    "steal": (_thefts, ("steal_end",)),
    "takeover": (takeovers, ("takeover_end",)),
    "build": (_buildings, ("build_end",)),
}
