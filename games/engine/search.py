"""Thinking for any game: random playouts and information-set Monte Carlo tree search.

A mind never sees the true position: `choose` determinizes before anything else looks at it, so
a bot cannot use what its seat cannot know. What a game adds is a Mind: rules of thumb, a way to
judge an unfinished position, and which moves are worth a thought.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log, sqrt
from time import thread_time
from typing import Any

from games.engine.contract import Move, State
from games.engine.session import ranks
from games.engine.table import Table

# The state is Any so that a game may name its own State in these signatures.
Policy = Callable[[Any, int, list[Move], Table], Move]
Evaluate = Callable[[Any], list[float]]  # a reward from 0 to 1 for each seat
Candidates = Callable[[Any, int, list[Move]], list[Move]]  # never leaves none
Question = Callable[[Any], bool]  # about a position

CLOSE = 0.02  # rewards that differ by less are as good as equal


def uniform(state: State, seat: int, moves: list[Move], table: Table) -> Move:
    return moves[table.below(len(moves))]


def rewards(state: State) -> list[float]:
    """Share 1 for the first place to 0 for the last; equal places share their sum."""
    places = ranks(state.scores())
    last = max(len(places) - 1, 1)
    return [1 - (place - 1 + (places.count(place) - 1) / 2) / last for place in places]


def everything(state: State, seat: int, moves: list[Move]) -> list[Move]:
    return moves


def always(state: State) -> bool:
    return True


def never(state: State) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Mind:
    """What a game teaches its bots. `depth` cuts a playout off after so many moves, as soon as the
    position is `settled` enough to be judged.

    `policy` is the rule of thumb a bot plays by without thinking, `rollout` the (quicker) one it
    imagines everybody to play by; `evaluate` judges where a playout ended or was cut off. With
    `widen` a node looks at about widen * sqrt(visits) moves, those first that `rollout` prefers:
    where moves are many and the rule of thumb is good, that is worth more than trying them all.
    Where choices are `mixed`, moves that look about as good are drawn by lot: nobody can tell what
    is bid or ordered in secret.
    """

    policy: Policy = uniform
    rollout: Policy = uniform
    evaluate: Evaluate = rewards
    candidates: Candidates = everything
    settled: Question = always
    mixed: Question = never
    depth: int = 1000
    explore: float = 0.7
    widen: float = 1000.0  # all moves


@dataclass(slots=True)
class Node:
    """A move in the tree, with the reward of the seat that made it.

    The next moves are kept by mover: after the same moves, chance may call another seat.
    """

    visits: int = 0
    reward: float = 0.0
    available: int = 0  # how often it could have been chosen: worlds differ
    children: dict[int, dict[Move, "Node"]] = field(default_factory=dict)


def playout(state: State, table: Table, policy: Policy = uniform) -> int:
    """Play a position to its end in place; return how many moves it took."""
    count = 0
    while called := state.to_act():
        seat = called[0]
        state.apply(seat, policy(state, seat, state.legal(seat), table), table)
        count += 1
    return count


def choose(state: State, seat: int, table: Table, mind: Mind, *, seconds: float) -> Move:
    """Pick a move for the seat: by rule of thumb with no time to think, else by search."""
    if seconds > 0:
        return think(state, seat, table, mind, seconds=seconds)
    world = state.determinize(seat, table)
    return mind.policy(world, seat, world.legal(seat), table)


def think(
    state: State,
    seat: int,
    table: Table,
    mind: Mind,
    *,
    seconds: float = 1.0,
    iterations: int = 1_000_000,
) -> Move:
    """Search until the CPU seconds or the iterations are used up; the table should be Silent."""
    world = state.determinize(seat, table)
    moves = mind.candidates(world, seat, world.legal(seat))
    if len(moves) == 1:
        return moves[0]
    mixed, root = mind.mixed(world), Node()
    deadline = thread_time() + seconds
    for _ in range(iterations):
        _iterate(root, world, seat, table, mind)
        if thread_time() >= deadline:
            break
        world = state.determinize(seat, table)
    tried = root.children[seat]
    if mixed:
        return _drawn(tried, table)
    return max(tried, key=lambda move: (tried[move].visits, tried[move].reward))


def _drawn(tried: dict[Move, Node], table: Table) -> Move:
    """Draw by visits among the moves often looked at that did about as well as the best."""
    most = max(node.visits for node in tried.values())
    often = {move: node for move, node in tried.items() if 2 * node.visits >= most}
    best = max(node.reward / node.visits for node in often.values())
    good = [move for move, node in often.items() if node.reward / node.visits >= best - CLOSE]
    return table.pick([move for move in good for _ in range(often[move].visits)])


def _iterate(root: Node, world: State, seat: int, table: Table, mind: Mind) -> None:
    """Descend through the moves of this world to a new node, roll out, reward the path."""
    node, path = root, [(seat, root)]
    while called := world.to_act():
        # The thinking seat goes first, so it cannot condition on others' secret choices.
        mover = seat if seat in called else called[0]
        moves = mind.candidates(world, mover, world.legal(mover))
        move, node = _descend(node, moves, world, mover, table, mind)
        path.append((mover, node))
        world.apply(mover, move, table)
        if not node.visits and len(moves) > 1:  # a forced move is nothing to stop and judge at
            break
    _roll_out(world, table, mind)
    result = mind.evaluate(world)
    for mover, node in path:
        node.visits += 1
        node.reward += result[mover]


def _descend(
    node: Node, moves: list[Move], world: State, mover: int, table: Table, mind: Mind
) -> tuple[Move, Node]:
    """Choose a move to go on with: one that was not tried yet, or the most promising."""
    tried = node.children.setdefault(mover, {})
    known = [move for move in moves if move in tried]
    if len(known) < len(moves) and len(known) <= mind.widen * sqrt(node.visits):
        unseen = [move for move in moves if move not in tried]
        move = mind.rollout(world, mover, unseen, table)
        tried[move] = Node()
        known.append(move)
    else:
        move = _best(tried, known, mind.explore)
    for option in known:
        tried[option].available += 1
    return move, tried[move]


def _best(tried: dict[Move, Node], known: list[Move], explore: float) -> Move:
    """Choose by UCB, counting for each move only the worlds in which it was available."""

    def promise(move: Move) -> float:
        node = tried[move]
        return node.reward / node.visits + explore * sqrt(log(node.available) / node.visits)

    return max(known, key=promise)


def _roll_out(world: State, table: Table, mind: Mind) -> None:
    left = mind.depth
    while (called := world.to_act()) and (left > 0 or not mind.settled(world)):
        mover = called[0]
        world.apply(mover, mind.rollout(world, mover, world.legal(mover), table), table)
        left -= 1
