"""Rules of thumb: which moves look good, phase by phase, without looking ahead.

Each phase has a function that lists the moves worth a thought with a score; the closing move is
always among them. Mixed on purpose: equal things are chosen by lot, tablets and orders vary.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from games.engine.contract import Move
from games.valley.auction import bids_on
from games.valley.components import (
    BID,
    BUILD,
    COLOURS,
    COST,
    FIRST_OF,
    LEVEL,
    NONE,
    OVERSEER_TO,
    OVERSEERS,
    PER_WORKER,
    PLACE,
    ROWS,
    SHAPES,
    SITES,
    SMALL,
    STEAL,
    WORKER_TO,
    WORKERS,
    WORTH,
)
from games.valley.offers import can_build, can_rob, takeovers, top_level
from games.valley.prospects import (
    FRESH,
    MIXED,
    gaps,
    is_last_round,
    open_levels,
    promise,
    rounds_after,
    usefulness,
)

if TYPE_CHECKING:
    from games.valley.rules import ValleyState

Scored = list[tuple[float, Move]]

UNKNOWN_BID: Final = 2.6  # what a seat that has not bid yet may lay on a group
PER_TABLET: Final = 10 / 8  # what a tablet counts on average
ROOM: Final = PER_WORKER * WORKERS
END: Final = 0.0  # the score of stopping
ENOUGH: Final = 9.0  # rounds, for anything


# --- auction --------------------------------------------------------------------------------------


def bids(state: "ValleyState", seat: int) -> Scored:
    """Lay the highest tablet in hand where it raises the chance of a useful group most."""
    hand = [place for place in range(4) if not state.bids[seat][place]]
    found: Scored = [(END, ("bid_confirm",))]
    if not hand:
        return found
    tablet = hand[-1]
    levels = _building_grounds(state, seat)
    sums = [bids_on(state.bids, group + 1)[seat] for group in range(len(state.market))]
    for group, blocks in enumerate(state.market):
        rival = _rival_bid(state, seat, group + 1)
        now = sums[group] / (sums[group] + rival) if sums[group] else 0.0
        then = (sums[group] + WORTH[tablet]) / (sums[group] + WORTH[tablet] + rival)
        gain = usefulness(levels, blocks, ROOM) * (then - now)
        found.append((gain - 0.02, BID[tablet][group]))
    return found


def blanks(state: "ValleyState", seat: int) -> list[Move]:
    """List a blank tablet for every group, first for those bid on already: it looks like more."""
    place = next((place for place in range(4, len(WORTH)) if not state.bids[seat][place]), 0)
    if not place:
        return []
    laid = [state.bids[seat].count(group + 1) for group in range(len(state.market))]
    groups = sorted(range(len(state.market)), key=lambda group: -laid[group])
    return [BID[place][group] for group in groups]


def _building_grounds(state: "ValleyState", seat: int) -> list[tuple[int, int, int, int]]:
    """What a seat builds on now, and the sites it is going to claim while it has few."""
    levels = open_levels(state, seat)
    if is_last_round(state):  # any pyramid is better than none
        return [(site, MIXED, seen, hidden) for site, _look, seen, hidden in levels]
    for _ in range(2 - len(levels)):
        levels.append((0, FRESH, 8, 1))
    return levels


def _rival_bid(state: "ValleyState", seat: int, group: int) -> float:
    """Guess the highest bid of the others on a group: their tablets are seen, not their values."""
    highest = 0.0
    for other in range(state.players):
        if other == seat or state.left[other]:
            continue
        seen = state.bids[other].count(group) * PER_TABLET
        highest = max(highest, UNKNOWN_BID if other in state.queue else seen)
    return highest + 0.25


# --- overseers ------------------------------------------------------------------------------------


def orders(state: "ValleyState", seat: int) -> Scored:
    """Claim near sites while few are being built on, guard what is built, go where it pays."""
    found: Scored = [(END, ("overseers_confirm",))]
    left = state.order_points(seat)
    planned = _planned(state, seat)
    for figure in range(OVERSEERS):
        if state.orders[seat][figure] != NONE:
            continue
        here = PLACE[planned[figure]]
        stay = _post(state, seat, here, planned, figure)
        for site in state.sites():
            price = COST[here][site]
            if (
                site == here
                or price > left
                or (state.round == 1 and _is_foreign(state, seat, site))
            ):
                continue
            gain = _post(state, seat, site, planned, figure) - stay - 0.04 * price
            node = _door(state, seat, site, figure)
            if gain > -1.0 and node:
                found.append((gain, OVERSEER_TO[figure][node]))
    return found


def _planned(state: "ValleyState", seat: int) -> list[int]:
    pairs = zip(state.overseers[seat], state.orders[seat], strict=True)
    return [here if order == NONE else order for here, order in pairs]


def _is_foreign(state: "ValleyState", seat: int, site: int) -> bool:
    return state.owner[site] not in (NONE, seat)


def _post(state: "ValleyState", seat: int, place: int, planned: list[int], figure: int) -> float:
    """Guess what an overseer is worth at a place, with its colleague where that is planned."""
    if place > SITES[-1]:
        return 0.0
    colleague = int(PLACE[planned[1 - figure]] == place)
    owner = state.owner[place]
    if owner == NONE:
        return 0.0 if colleague or not state.scarabs[seat] else _claim_value(state, seat, place)
    if state.built[place] == SHAPES[place].blocks:
        return 0.0
    stake = promise(state, place)
    if owner == seat:
        return stake * (0.28 if not colleague else 0.12)
    guards = state.overseers_on(owner, place)
    if colleague + 1 > guards:
        return stake * 0.55
    return 0.25 * stake if colleague == 0 and guards == 1 else 0.0


def _claim_value(state: "ValleyState", seat: int, site: int) -> float:
    """More ground is worth most to who has little left to build on."""
    ground = sum(
        SHAPES[own].blocks - state.built[own] for own in state.sites() if state.owner[own] == seat
    )
    small = SHAPES[site].blocks == SMALL.blocks
    if ground < 6:
        return 2.4 if small else 2.2
    return 1.4 if ground < 15 else 0.5


def _door(state: "ValleyState", seat: int, site: int, figure: int) -> int:
    """Choose a build space: not the same for everybody, so that orders seldom meet."""
    taken = state.worker_marks[site] | state.overseer_marks[site]
    spaces, first = SHAPES[site].spaces, FIRST_OF[site]
    colleague = state.orders[seat][1 - figure]
    salt = 5 * seat + 3 * state.round + 7 * figure
    for step in range(spaces):
        place = (salt + step) % spaces
        if not taken >> place & 1 and first + place != colleague:
            return first + place
    return 0


# --- workers --------------------------------------------------------------------------------------


def walks(state: "ValleyState", seat: int) -> Scored:
    """Bring the nearest workers to where blocks can be laid, stolen or a site be won."""
    found: Scored = [(END, ("workers_end",))]
    idle = [place for place in range(WORKERS) if place not in state.moved]
    stock = sum(state.stocks[seat])
    for site in state.sites():
        wish = _hands_wanted(state, seat, site, stock)
        if wish <= 0:
            continue
        ways = [
            (
                COST[PLACE[state.workers[seat][figure]]][site] - _idleness(state, seat, figure),
                figure,
            )
            for figure in idle
            if PLACE[state.workers[seat][figure]] != site
        ]
        if not ways:
            continue
        _way, figure = min(ways)
        price = COST[PLACE[state.workers[seat][figure]]][site]
        node = _free_space(state, site)
        if price <= state.points_left and node:
            loss = _leaving(state, seat, figure, stock)
            found.append((wish - loss - 0.1 * price, WORKER_TO[figure][node]))
    return found


def _free_space(state: "ValleyState", site: int) -> int:
    taken = state.worker_marks[site] | state.overseer_marks[site]
    for place in range(SHAPES[site].spaces):
        if not taken >> place & 1:
            return FIRST_OF[site] + place
    return 0


def _idleness(state: "ValleyState", seat: int, figure: int) -> float:
    """Workers that do nothing where they stand go first."""
    site = PLACE[state.workers[seat][figure]]
    useless = site > SITES[-1] or state.owner[site] != seat or _is_finished(state, site)
    return 0.5 if useless else 0.0


def _is_finished(state: "ValleyState", site: int) -> bool:
    return state.built[site] == SHAPES[site].blocks


def _hands_wanted(state: "ValleyState", seat: int, site: int, stock: int) -> float:
    """Guess what one more worker on a site is worth."""
    owner = state.owner[site]
    if owner == NONE or _is_finished(state, site):
        return 0.0
    present = state.workers_on(seat, site)
    if owner == seat:
        lay = _useful_blocks(state, seat, site) - PER_WORKER * present
        return 0.6 * min(lay, PER_WORKER) if lay > 0 else 0.0
    if state.round == 1 or state.overseers_on(seat, site) <= state.overseers_on(owner, site):
        return 0.0
    rivals = state.workers_on(owner, site)
    if present <= rivals:
        return (0.3 + 0.5 * promise(state, site)) / (rivals - present + 1)
    return 0.2 if state.built[site] > PER_WORKER * present else 0.0


def _leaving(state: "ValleyState", seat: int, figure: int, stock: int) -> float:
    """What is lost where the worker comes from."""
    site = PLACE[state.workers[seat][figure]]
    if site > SITES[-1] or state.owner[site] != seat or _is_finished(state, site):
        return 0.0
    present = state.workers_on(seat, site)
    lay = _useful_blocks(state, seat, site) - PER_WORKER * (present - 1)
    return 0.6 * min(lay, PER_WORKER) + 0.15 if lay > 0 else 0.05


def _useful_blocks(state: "ValleyState", seat: int, site: int) -> int:
    """Count the blocks in stock that a site could take this round without being spoilt."""
    stock = state.stocks[seat]
    missing = SHAPES[site].blocks - state.built[site]
    if is_last_round(state):  # what cannot be finished any more counts nothing
        return missing if missing <= sum(stock) else 0
    look, visible, hidden = gaps(state, site)
    if look == MIXED:
        return min(sum(stock), visible + hidden)
    fit = min(max(stock) if look == FRESH else stock[look], visible)
    rest = sum(stock) - fit
    useful = fit + min(rest, hidden)
    if fit == visible and rest > hidden:  # the next level may be begun
        useful += min(max(stock), rest - hidden)
    return min(useful, missing)


# --- stealing, taking over, building --------------------------------------------------------------


def thefts(state: "ValleyState", seat: int) -> Scored:
    """Take what can be used; from a rival even what cannot."""
    found: Scored = [(END, ("steal_end",))]
    levels = open_levels(state, seat)
    wanted = [look for _site, look, _visible, _hidden in levels]
    taking = {move[1] for move in takeovers(state, seat)}
    for site in state.sites():
        if not state.overseers_on(seat, site) or not can_rob(state, seat, site):
            continue
        for place in range(*ROWS[SHAPES[site]][top_level(state, site)]):
            colour = state.blocks[site][place]
            if colour != NONE:
                gain = 0.5 + (0.6 if colour in wanted else 0.0) - (0.8 if site in taking else 0.0)
                found.append((gain, STEAL[site][place]))
    return found


def seizures(state: "ValleyState", seat: int) -> Scored:
    """Take every site over that has something on it."""
    scored = [(promise(state, int(move[1])), move) for move in takeovers(state, seat)]
    return [(END, ("takeover_end",)), *scored]


def buildings(state: "ValleyState", seat: int) -> Scored:
    """Lay what makes a pyramid promise more; leave what would spoil it to the pharaoh."""
    found: Scored = [(END, ("build_end",))]
    stock, rounds = state.stocks[seat], rounds_after(state)
    for site in state.sites():
        if state.owner[site] != seat or not can_build(state, seat, site):
            continue
        before = promise(state, site, rounds)
        time = ENOUGH if _can_finish(state, seat, site) else rounds
        for place in _cells(state, site):
            for colour in range(len(COLOURS)):
                if stock[colour]:
                    gain = _gain(state, seat, site, place, colour, time) - before
                    found.append((gain, BUILD[site][place][colour]))
    return found


def _can_finish(state: "ValleyState", seat: int, site: int) -> bool:
    """Tell whether a seat can lay all blocks that a pyramid lacks in this turn."""
    hands = PER_WORKER * state.workers_on(seat, site) - state.used[site]
    return SHAPES[site].blocks - state.built[site] <= min(hands, sum(state.stocks[seat]))


def _cells(state: "ValleyState", site: int) -> list[int]:
    """The first visible gap of the level, and the hidden one: all others are like these."""
    shape, row = SHAPES[site], state.blocks[site]
    start, end = ROWS[shape][LEVEL[shape][state.built[site]]]
    free = [place for place in range(start, end) if row[place] == NONE]
    visible = [place for place in free if place != shape.hidden]
    hidden = [place for place in free if place == shape.hidden]
    if state.chequered:
        return visible + hidden
    return visible[:1] + hidden


def _gain(
    state: "ValleyState", seat: int, site: int, place: int, colour: int, rounds: float
) -> float:
    """Guess what the site would promise with the block; plenty of a colour is a better start."""
    row, hidden = state.blocks[site], place == SHAPES[site].hidden
    row[place] = colour
    state.built[site] += 1
    after = promise(state, site, rounds)
    row[place] = NONE
    state.built[site] -= 1
    if hidden:  # best kept for a block that fits nowhere
        return after - 0.1 * state.stocks[seat][colour]
    return after + 0.05 * state.stocks[seat][colour]


RANKED: Final[dict[str, Callable[["ValleyState", int], Scored]]] = {
    "auction": bids,
    "overseers_open": orders,
    "overseers_secret": orders,
    "workers": walks,
    "steal": thefts,
    "takeover": seizures,
    "build": buildings,
}
