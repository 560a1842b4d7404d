"""Why a move is refused, in the order of docs/rules/valley.md §5.1. Never judges legality itself.

Also words unfinished moves, as far as they go: an overseer without a destination, or a
destination without an overseer, is checked for what is there.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from games.engine.contract import Atom, Move, Refused
from games.valley.components import (
    BIT,
    COLOURS,
    COST,
    FIRST_SPACE,
    NODE,
    NONE,
    OVERSEERS,
    PER_WORKER,
    PLACE,
    SHAPES,
    SITES,
    TABLETS,
    WORKERS,
    cell_at,
    cost,
)
from games.valley.offers import top_level
from games.valley.scoring import is_finished, level_in_building

if TYPE_CHECKING:
    from games.valley.rules import ValleyState

Fits = Callable[[Any], bool]  # tells whether an atom has the form of a parameter
Found = Iterator[Refused]


def _one_of(known: tuple[Any, ...]) -> Fits:
    return lambda atom: type(atom) in (int, str) and atom in known


def _whole(atom: Any) -> bool:
    return type(atom) is int


def _node(atom: Any) -> bool:
    return type(atom) in (int, str)


_SITE: Final = _one_of(SITES)
_PARAMETERS: Final[Mapping[str, tuple[Fits, ...]]] = {
    "bid_place": (_one_of(TABLETS), _whole),
    "bid_confirm": (),
    "overseer_move": (_one_of(tuple(range(OVERSEERS))), _node),
    "overseers_confirm": (),
    "overseers_reopen": (),
    "worker_move": (_one_of(tuple(range(WORKERS))), _node),
    "workers_end": (),
    "steal_block": (_SITE, _whole, _whole),
    "steal_end": (),
    "take_over": (_SITE,),
    "takeover_end": (),
    "build_block": (_SITE, _whole, _whole, _one_of(COLOURS)),
    "build_end": (),
}
_PHASE: Final[Mapping[str, tuple[str, ...]]] = {
    "bid_place": ("auction",),
    "bid_confirm": ("auction",),
    "overseer_move": ("overseers_open", "overseers_secret"),
    "overseers_confirm": ("overseers_open", "overseers_secret"),
    "overseers_reopen": ("overseers_secret",),
    "worker_move": ("workers",),
    "workers_end": ("workers",),
    "steal_block": ("steal",),
    "steal_end": ("steal",),
    "take_over": ("takeover",),
    "takeover_end": ("takeover",),
    "build_block": ("build",),
    "build_end": ("build",),
}


def refusal(state: "ValleyState", seat: int, move: Move) -> Refused:
    """Find the first thing that is wrong with a move."""
    verb, *atoms = move or ("",)
    over = state.phase == "finished"
    if verb not in _PARAMETERS:  # not even an action of this game
        return Refused("game_over" if over else "bad_move")
    given = _read(str(verb), atoms)
    if given is None:
        return Refused("bad_move")
    if over:
        return Refused("game_over")
    if state.phase not in _PHASE[str(verb)]:
        return Refused("wrong_phase")
    if verb == "overseers_reopen" and not state.ready[seat]:
        return Refused("nothing_to_reopen")
    if seat not in state.to_act():
        return Refused("not_your_turn")
    return next(_CHECKS[str(verb)](state, seat, *given), Refused("bad_move"))


def _read(verb: str, atoms: list[Atom]) -> list[Any] | None:
    """Sort the atoms by parameter; one that was left out is None; None: the form is wrong."""
    parameters = _PARAMETERS[verb]
    missing = len(parameters) - len(atoms)
    rest = list(atoms)
    given: list[Any] = []
    for fits in parameters:
        if rest and fits(rest[0]):
            given.append(rest.pop(0))
        elif missing > 0:
            given.append(None)
            missing -= 1
        else:
            return None
    return None if rest or not _exists(verb, given) else given


def _exists(verb: str, given: list[Any]) -> bool:
    """Tell whether there is such a level and cell on a site of that size (§2.2)."""
    if verb not in ("steal_block", "build_block"):
        return True
    site, level, cell = given[:3]
    if site is None or level is None:
        return True
    levels = SHAPES[site].levels
    return 1 <= level <= len(levels) and (cell is None or 0 <= cell < levels[level - 1])


def _nothing(state: "ValleyState", seat: int) -> Found:
    """A closing move is always legal for whoever is called."""
    yield from ()


def _bid_place(state: "ValleyState", seat: int, tablet: str | None, group: int | None) -> Found:
    if tablet is not None and state.bids[seat][TABLETS.index(tablet)]:
        yield Refused("tablet_used")
    if group is not None and not 1 <= group <= len(state.market):
        yield Refused("no_such_group")


# --- figures (§5.4, §5.5) -----------------------------------------------------------------------


def _place(state: "ValleyState", to: Atom | None) -> Found:
    if to is None:
        return
    if to not in NODE:
        yield Refused("no_such_node")
    elif (site := PLACE[NODE[to]]) in SITES and site not in state.sites():
        yield Refused("site_inactive")


def _way(here: int, to: Atom | None, left: int) -> Found:
    """Whether a figure is there already, and whether it can get there."""
    if to is None:
        return
    if NODE[to] == here:
        yield Refused("already_there")
    if (need := cost(here, NODE[to])) > left:
        yield Refused("budget", need=need, left=left)


def _foreign(state: "ValleyState", seat: int, node: int) -> Found:
    if state.round == 1 and state.owner[PLACE[node]] not in (NONE, seat):
        yield Refused("foreign_round1")


def _overseer_move(state: "ValleyState", seat: int, figure: int | None, to: Atom | None) -> Found:
    yield from _place(state, to)
    orders, stands = state.orders[seat], state.overseers[seat]
    if figure is None:
        if NONE not in orders:
            yield Refused("already_moved")
    else:
        if orders[figure] != NONE:
            yield Refused("already_moved")
        yield from _way(stands[figure], to, state.order_points(seat))
        colleague = stands[1 - figure] if orders[1 - figure] == NONE else orders[1 - figure]
        if to is not None and NODE[to] == colleague >= FIRST_SPACE:
            yield Refused("own_overseer_there")
    if to is not None and (node := NODE[to]) >= FIRST_SPACE:
        if BIT[node] & state.worker_marks[PLACE[node]]:
            yield Refused("worker_there")
        yield from _foreign(state, seat, node)
        others = BIT[node] & state.overseer_marks[PLACE[node]] and node not in stands
        if state.round == 1 and others:
            yield Refused("space_occupied")


def _worker_move(state: "ValleyState", seat: int, figure: int | None, to: Atom | None) -> Found:
    yield from _place(state, to)
    if figure in state.moved or (figure is None and len(state.moved) == WORKERS):
        yield Refused("already_moved")
    if figure is not None:
        yield from _way(state.workers[seat][figure], to, state.points_left)
    elif to is not None:
        yield from _nearest(state, seat, NODE[to])
    if to is not None and (node := NODE[to]) >= FIRST_SPACE:
        if BIT[node] & (state.worker_marks[PLACE[node]] | state.overseer_marks[PLACE[node]]):
            yield Refused("space_occupied")
        yield from _foreign(state, seat, node)


def _nearest(state: "ValleyState", seat: int, node: int) -> Found:
    """A destination without a worker: is it out of reach for all of them?"""
    waiting = [here for figure, here in enumerate(state.workers[seat]) if figure not in state.moved]
    need = min(COST[PLACE[here]][PLACE[node]] for here in waiting)
    if need > state.points_left:
        yield Refused("budget", need=need, left=state.points_left)


# --- sites (§5.6 - §5.8) ------------------------------------------------------------------------


def _foreign_site(state: "ValleyState", seat: int, site: int) -> Found:
    """What robbing and taking over both need."""
    if site not in state.sites():
        yield Refused("site_inactive")
    if state.owner[site] == NONE:
        yield Refused("unclaimed")
    if state.owner[site] == seat:
        yield Refused("own_site")
    if is_finished(state, site):
        yield Refused("finished")


def _is_empty(state: "ValleyState", site: int, level: int | None, cell: int | None) -> bool | None:
    if level is None or cell is None:
        return None
    return state.blocks[site][cell_at(site, level, cell)] == NONE


def _majority(state: "ValleyState", seat: int, site: int) -> Found:
    if state.overseers_on(seat, site) <= state.overseers_on(state.owner[site], site):
        yield Refused("need_more_overseers")


def _steal_block(
    state: "ValleyState", seat: int, site: int | None, level: int | None, cell: int | None
) -> Found:
    if site is None:
        return
    yield from _foreign_site(state, seat, site)
    if not state.built[site]:
        yield Refused("empty_cell")
    yield from _majority(state, seat, site)
    workers = state.workers_on(seat, site)
    if not workers:
        yield Refused("need_worker")
    if state.used[site] >= PER_WORKER * workers:
        yield Refused("steal_quota")
    if level is not None and level != top_level(state, site):
        yield Refused("top_level_first")
    if _is_empty(state, site, level, cell) is True:
        yield Refused("empty_cell")


def _take_over(state: "ValleyState", seat: int, site: int | None) -> Found:
    if site is None:
        return
    yield from _foreign_site(state, seat, site)
    yield from _majority(state, seat, site)
    if state.workers_on(seat, site) <= state.workers_on(state.owner[site], site):
        yield Refused("need_more_workers")
    if not state.scarabs[seat]:
        yield Refused("no_scarab")


def _build_block(
    state: "ValleyState",
    seat: int,
    site: int | None,
    level: int | None,
    cell: int | None,
    colour: str | None,
) -> Found:
    if site is not None:
        yield from _ground(state, seat, site)
        if level is not None and level != level_in_building(state, site):
            yield Refused("level_order")
        if _is_empty(state, site, level, cell) is False:
            yield Refused("cell_filled")
    if colour is not None and not state.stocks[seat][COLOURS.index(colour)]:
        yield Refused("no_such_block")
    if site is None:  # a block in hand and nowhere to lay it
        yield from (why for own in state.sites() for why in _ground(state, seat, own))


def _ground(state: "ValleyState", seat: int, site: int) -> Found:
    """Whether a seat may build on a site at all."""
    if site not in state.sites():
        yield Refused("site_inactive")
    if state.owner[site] != seat:
        yield Refused("not_your_site")
    if is_finished(state, site):
        yield Refused("finished")
    workers = state.workers_on(seat, site)
    if not workers:
        yield Refused("need_worker")
    if state.used[site] >= PER_WORKER * workers:
        yield Refused("build_quota")


_CHECKS: Final[Mapping[str, Callable[..., Found]]] = {
    "bid_place": _bid_place,
    "overseer_move": _overseer_move,
    "worker_move": _worker_move,
    "steal_block": _steal_block,
    "take_over": _take_over,
    "build_block": _build_block,
    **dict.fromkeys((verb for verb, needs in _PARAMETERS.items() if not needs), _nothing),
}
