"""Who may see what (docs/rules/valley.md §4.2), and the other worlds that look the same.

A view is built up from what its reader may know, never stripped down: a bid that is not confirmed
and an order that is not resolved appear in their owner's view only.
"""

from typing import TYPE_CHECKING, Any

from games.engine.contract import OPEN, View
from games.engine.session import ranks
from games.engine.table import Table
from games.valley import offers
from games.valley.components import (
    ATOM,
    COLOURS,
    KINDS,
    NONE,
    OVERSEERS,
    PER_WORKER,
    PHARAOH,
    ROWS,
    SHAPES,
    TABLETS,
)
from games.valley.scoring import is_finished, level_in_building, points, value

if TYPE_CHECKING:
    from games.valley.rules import ValleyState

RECENT = 3  # rounds by which the pace of the pharaoh pyramid is judged


def view(state: "ValleyState", seat: int | None) -> View:
    """Build what a seat, a spectator (None) or, after the end, everybody may know."""
    over = state.phase == "finished"
    return {
        "players": state.players,
        "you": seat if seat is not None and seat >= 0 else None,
        "advanced_unsold_to_pharaoh": state.unsold_to_pharaoh,
        "expert_chequered": state.chequered,
        "round": state.round,
        "start": state.start,
        "phase": state.phase,
        "to_act": state.to_act(),
        "queue": state.queue[:],
        "ask": None if over else f"ask_{state.phase}",
        "market": [[COLOURS[colour] for colour in group] for group in state.market],
        "bag": [state.bag.count(colour) for colour in range(len(COLOURS))],
        "pharaoh": [COLOURS[colour] for colour in state.pharaoh],
        "discard": [COLOURS[colour] for colour in state.discard],
        "sites": {str(site): _site(state, site) for site in state.sites()},
        "seats": _seats(state, seat),
        "revealed": [_values(bid) for bid in state.shown],
        "moved": state.moved[:] if state.phase == "workers" else [],
        "used": {str(site): count for site, count in enumerate(state.used) if count},
        "story": [_event(event) for event in state.story],
        "last_story": [_event(event) for event in state.last_story],
        "fed": state.fed[:],
        "rounds_left": rounds_left(state),
        "end_reason": state.end_reason or None,
    }


def _site(state: "ValleyState", site: int) -> dict[str, Any]:
    """Show a site, what it is worth (finished) or can become, and what it still needs."""
    shape, row = SHAPES[site], state.blocks[site]
    owner = state.owner[site]
    kind, worth = value(state, site)
    return {
        "owner": None if owner == NONE else owner,
        "levels": {
            str(level): [None if colour == NONE else COLOURS[colour] for colour in row[start:end]]
            for level, (start, end) in enumerate(ROWS[shape][1:-1], 1)
        },
        "finished": is_finished(state, site),
        "kind": KINDS[kind],
        "points": worth,
        "level": level_in_building(state, site),
        "missing": shape.blocks - state.built[site],
        "room": 0 if owner == NONE else _room(state, owner, site),
        "loot": _loot(state, site),
    }


def _room(state: "ValleyState", owner: int, site: int) -> int:
    """Count the blocks the owner can still lay there in this round with the workers there."""
    missing = SHAPES[site].blocks - state.built[site]
    used = state.used[site] if state.phase == "build" else 0
    return min(missing, PER_WORKER * state.workers_on(owner, site) - used)


def _loot(state: "ValleyState", site: int) -> int:
    """Count the blocks the seat whose turn it is can still steal there (§5.6)."""
    thief = state.queue[0] if state.phase == "steal" else NONE
    if thief == NONE or not offers.can_rob(state, thief, site):
        return 0
    return min(state.built[site], PER_WORKER * state.workers_on(thief, site) - state.used[site])


def _seats(state: "ValleyState", viewer: int | None) -> list[dict[str, Any]]:
    totals, over = points(state), state.phase == "finished"
    places = ranks(state.scores())
    open_hands = [over or viewer in (seat, OPEN) for seat in range(state.players)]
    return [
        {
            "score": totals[seat],
            "rank": places[seat] if over else None,
            "stock": state.stocks[seat][:],
            "scarabs": state.scarabs[seat],
            "overseers": _nodes(state.overseers[seat]),
            "workers": _nodes(state.workers[seat]),
            "tablets": _in_hand(state, seat, own),
            "laid": _laid(state, seat, own),
            "bid": _bid(state, seat) if own else {},
            "hand": _hand(state, seat) if own else [],
            "orders": _orders(state, seat) if own else {},
            "confirmed": state.phase == "overseers_secret" and state.has_ordered(seat),
            "points_left": _points_left(state, seat, own),
            "left": state.left[seat],
        }
        for seat, own in enumerate(open_hands)
    ]


def _nodes(nodes: list[int]) -> dict[str, Any]:
    """Name where figures stand, by their number."""
    return {str(figure): ATOM[node] for figure, node in enumerate(nodes)}


def _has_confirmed(state: "ValleyState", seat: int) -> bool:
    """Tell whether the bid of a seat is final: in the auction all before the head have gone."""
    return state.phase == "auction" and seat not in state.queue


def _in_hand(state: "ValleyState", seat: int, own: bool) -> int:
    """Count the tablets in hand; those of a draft count as in hand for the others."""
    return state.bids[seat].count(0) if own or _has_confirmed(state, seat) else len(TABLETS)


def _laid(state: "ValleyState", seat: int, own: bool) -> dict[str, int]:
    """Count the tablets on each group that the viewer sees lying."""
    if not own and not _has_confirmed(state, seat):
        return {}
    bid = state.bids[seat]
    return {str(group): bid.count(group) for group in sorted(set(bid) - {0})}


def _bid(state: "ValleyState", seat: int) -> dict[str, int]:
    return {tablet: at for tablet, at in zip(TABLETS, state.bids[seat], strict=True) if at}


def _hand(state: "ValleyState", seat: int) -> list[str]:
    return [tablet for tablet, at in zip(TABLETS, state.bids[seat], strict=True) if not at]


def _values(bid: list[int]) -> dict[str, list[str]]:
    """Name the tablets that lay on each group, the highest first."""
    by_group: dict[str, list[str]] = {}
    for tablet, group in sorted(zip(TABLETS, bid, strict=True), key=_highest_first):
        if group:
            by_group.setdefault(str(group), []).append(tablet)
    return by_group


def _highest_first(laid: tuple[str, int]) -> tuple[int, int, int]:
    tablet, group = laid
    place = TABLETS.index(tablet)
    return group, place >= len(TABLETS) // 2, -place if place < len(TABLETS) // 2 else place


def _orders(state: "ValleyState", seat: int) -> dict[str, Any]:
    return {
        f"o{figure}": ATOM[node] for figure, node in enumerate(state.orders[seat]) if node != NONE
    }


def _points_left(state: "ValleyState", seat: int, own: bool) -> int | None:
    match state.phase:
        case "workers" if seat == state.queue[0]:
            return state.points_left
        case "overseers_open" | "overseers_secret" if own:
            return state.order_points(seat)
    return None


# --- the summary of a round ---------------------------------------------------------------------


def _event(event: list[int]) -> dict[str, Any]:
    """Put an entry of the chronicle into words that a drawing understands."""
    kind, *rest = event
    match kind, rest:
        case 0, [group, seat, bid, *blocks]:
            return {
                "event": "sold" if seat != NONE else "unsold",
                "group": group,
                "seat": None if seat == NONE else seat,
                "bid": bid,
                "blocks": [COLOURS[colour] for colour in blocks],
            }
        case 1, [seat, site]:
            return {"event": "claimed", "seat": seat, "site": site}
        case 2, [seat, node]:
            return {"event": "bounced", "seat": seat, "place": ATOM[node]}
        case 3, [seat, other, site, colour]:
            block = COLOURS[colour]
            return {"event": "stolen", "seat": seat, "other": other, "site": site, "block": block}
        case 4, [seat, other, site]:
            return {"event": "taken_over", "seat": seat, "other": other, "site": site}
        case 5, [seat, site, which]:
            return {"event": "finished", "seat": seat, "site": site, "kind": KINDS[which]}
    seat, count = rest
    return {"event": "fed", "seat": None if seat == NONE else seat, "count": count}


def rounds_left(state: "ValleyState") -> int | None:
    """Guess in how many rounds the pharaoh pyramid is complete, by what it got of late."""
    recent = state.fed[:-1][-RECENT:]  # without the round in progress
    if not sum(recent):
        return None
    missing = PHARAOH - len(state.pharaoh)
    return -(-missing * len(recent) // sum(recent))


# --- other worlds -------------------------------------------------------------------------------


def deal_anew(state: "ValleyState", seat: int, table: Table) -> None:
    """Deal in place all that the seat cannot know: it may not tell the result from the truth."""
    if state.phase == "finished":
        return
    table.shuffle(state.bag)
    for other in range(state.players):
        if other != seat:
            _guess_bid(state, other, table)
            _guess_orders(state, other, table)


def _guess_bid(state: "ValleyState", other: int, table: Table) -> None:
    """Everybody sees how many tablets lie where once a bid is confirmed, and nothing before."""
    if _has_confirmed(state, other):
        table.shuffle(state.bids[other])
    else:
        state.bids[other] = [0] * len(TABLETS)


def _guess_orders(state: "ValleyState", other: int, table: Table) -> None:
    """Of secret orders nothing is known: each overseer stays or goes somewhere it may go."""
    state.orders[other] = [NONE] * OVERSEERS
    if state.phase == "overseers_secret" and state.ready[other]:
        state.ready[other] = False
        for figure in range(OVERSEERS):
            options = [move for move in offers.moves(state, other) if move[1:2] == (figure,)]
            if options and table.below(2):
                state._carry_out(other, table.pick(options), table)
        state.ready[other] = True
