"""What the bots know: rules of thumb, which moves are worth a thought, how a position stands.

Pure: sees a position only after it was dealt anew, so it cannot use what its seat cannot know.
"""

from math import exp
from typing import TYPE_CHECKING, Final

from games.engine.contract import Move
from games.engine.search import Mind, rewards
from games.engine.table import Table
from games.valley.prospects import standing
from games.valley.thumb import RANKED, blanks

if TYPE_CHECKING:
    from games.valley.rules import ValleyState

WIDTH: Final = 6  # moves of a kind that are worth a thought
SCALE: Final = 4.0  # points by which a lead is worth about three wins in four
NOISE: Final = 0.25  # what a rule of thumb may err by
BLUFF: Final = 8  # of a hundred times a blank tablet is laid


def policy(state: "ValleyState", seat: int, moves: list[Move], table: Table) -> Move:
    """Play the best-looking move, most of the time; bluff now and then."""
    if state.phase == "auction" and table.below(100) < BLUFF:
        bluffs = blanks(state, seat)
        if bluffs:
            return table.pick(bluffs)
    return _best(state, seat, moves, table)


def rollout(state: "ValleyState", seat: int, moves: list[Move], table: Table) -> Move:
    return _best(state, seat, moves, table)


def _best(state: "ValleyState", seat: int, moves: list[Move], table: Table) -> Move:
    """Choose by score and a little luck among the moves that are offered."""
    scored = RANKED[state.phase](state, seat)
    offered = set(moves) if len(moves) < len(scored) else None
    best, high = None, -1e9
    for score, move in scored:
        luck = score + NOISE * table.below(1000) / 1000
        if luck > high and (offered is None or move in offered):
            best, high = move, luck
    return moves[-1] if best is None else best


def candidates(state: "ValleyState", seat: int, moves: list[Move]) -> list[Move]:
    """Keep the best-looking moves, a bluff, and the one that closes the turn."""
    if len(moves) <= 2:
        return moves
    scored = sorted(RANKED[state.phase](state, seat), key=lambda pair: -pair[0])
    chosen = [move for _score, move in scored[:WIDTH]]
    bluffs = blanks(state, seat)[:1] if state.phase == "auction" else []
    return [*chosen, *bluffs] if moves[-1] in chosen else [*chosen, *bluffs, moves[-1]]


def evaluate(state: "ValleyState") -> list[float]:
    """Judge where everybody stands: the own total against the best of the others."""
    if state.end_reason:
        return rewards(state)
    totals = standing(state)
    found = []
    for seat, total in enumerate(totals):
        best = max(other for place, other in enumerate(totals) if place != seat)
        found.append(1 / (1 + exp((best - total) / SCALE)))
    return found


def settled(state: "ValleyState") -> bool:
    """Between rounds no blocks wait to be built: only then the sites tell how everybody stands."""
    return (
        state.phase == "auction"
        and len(state.queue) >= state.left.count(False)
        and not any(state.bids[state.queue[0]])
    )


def mixed(state: "ValleyState") -> bool:
    """Bids are laid face down, orders given in secret."""
    return state.phase in ("auction", "overseers_secret")


MIND: Final = Mind(
    policy=policy,
    rollout=rollout,
    evaluate=evaluate,
    candidates=candidates,
    settled=settled,
    mixed=mixed,
    depth=1,
    explore=0.5,
    widen=1.0,
)
