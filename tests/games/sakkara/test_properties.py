"""Sakkara in positions nobody thought of: random games, and games that Hypothesis looks for."""

from itertools import permutations, product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.contract import Move
from games.engine.session import Session, replay
from games.engine.table import Silent
from games.sakkara.components import AXES, FIELDS, NAMES, SPELLS, WAYS
from games.sakkara.rules import SakkaraState
from tests.games.sakkara.invariants import invariants, step_invariants

TABLES = list(product((0, 1), (0, 1)))
BUILDING = ("build", "lay_ship", "lay_grain")


def all_moves() -> list[Move]:
    """Every move that can be written (§5), whatever the position."""
    workers = (0, 1)
    orders = {spell: list(permutations(recipe)) for spell, recipe in SPELLS.items()}
    rides = [(), ("take",), ("leave",), ("stair", "take"), ("stair", "leave")]
    moves: list[Move] = [("lay_ship",), ("lay_grain",), ("end_turn",), ("play_snake",)]
    moves += [
        ("horse_stop",),
        *((verb, *how) for verb in ("play_horse", "horse_step") for how in rides),
    ]
    moves += [
        ("move", *step, *stair) for step in product(workers, WAYS) for stair in ((), ("stair",))
    ]
    moves += [("place_worker", field) for field in FIELDS]
    moves += [("place_stack", size, field) for size in range(1, 12) for field in FIELDS]
    moves += [("play_bird", worker, field) for worker in workers for field in FIELDS]
    moves += [("play_ox", *pair, n) for pair in product(FIELDS[::5], FIELDS) for n in (1, 2, 3)]
    moves += [(verb, name) for verb in ("build", "discard", "snake_take") for name in NAMES]
    moves += [("cast_drought", *order) for order in orders["drought"]]
    moves += [("cast_shipwreck", *order) for order in orders["shipwreck"]]
    moves += [("cast_whirlwind", w, *order) for w in workers for order in orders["whirlwind"]]
    return moves + [
        ("cast_fire_storm", w, axis, *order)
        for w in workers
        for axis in AXES
        for order in orders["fire_storm"]
    ]


MOVES = all_moves()


class Watched:
    """A match whose every step is watched."""

    def __init__(self, holders: int, memory: int, seed: str) -> None:
        self.options = {"open_holders": holders, "memory_stacks": memory}
        self.seed = seed
        self.session, _ = Session.start(SakkaraState, seed, 2, self.options)
        self.played: list[tuple[int, Move]] = []

    @property
    def state(self) -> SakkaraState:
        assert isinstance(self.session.state, SakkaraState)
        return self.session.state

    def step(self, choice: int) -> None:
        """Make a move; building is preferred, or random games would all end in a stall."""
        seat = self.state.active
        moves = self.state.legal(seat)
        good = [move for move in moves if move[0] in BUILDING] or moves
        move = good[choice % len(good)]
        before = self.state.clone()
        self.session.play(seat, move)
        self.played.append((seat, move))
        invariants(self.state)
        step_invariants(before, move, self.state)


def words_and_verdict_agree(state: SakkaraState) -> None:
    """What is not legal has a reason of its own, and what has none is legal."""
    if not state.to_act():
        return
    legal = set(state.legal(state.active))
    take_or_leave = {move[:-1] for move in legal if move[-1] == "take"}
    for move in MOVES:
        bare = move[:-1] if move[-1] in ("take", "leave") else move
        meaningless = move in take_or_leave or bare in legal  # nothing said, nothing to take
        reason = state.why_not(state.active, move).key
        assert (reason == "illegal") == (move in legal or meaningless), (move, reason)


@pytest.mark.parametrize(("holders", "memory"), TABLES)
@pytest.mark.parametrize("seed", range(2))
def test_random_games_keep_every_invariant(holders: int, memory: int, seed: int) -> None:
    random = Random(seed)
    game = Watched(holders, memory, f"game {seed}")
    while game.state.to_act():
        game.step(random.randrange(2**20))
    again = replay(SakkaraState, game.seed, 2, game.options, game.played)
    assert again.state.dump() == game.state.dump()


@pytest.mark.parametrize("seed", range(3))
def test_every_refusal_has_its_reason(seed: int) -> None:
    random = Random(seed)
    game = Watched(0, 0, f"reasons {seed}")
    for number in range(500):
        if not game.state.to_act():
            break
        if number % 12 == 0:
            words_and_verdict_agree(game.state)
        game.step(random.randrange(2**20))


@given(
    table=st.sampled_from(TABLES),
    seed=st.integers(0, 3),
    choices=st.lists(st.integers(0, 2**20), max_size=150),
)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_games_that_hypothesis_looks_for(
    table: tuple[int, int], seed: int, choices: list[int]
) -> None:
    game = Watched(*table, f"hypothesis {seed}")
    for choice in choices:
        if game.state.to_act():
            game.step(choice)
    words_and_verdict_agree(game.state)
    twin = game.state.determinize(game.state.active, Silent(Random(seed)))
    assert twin.legal(twin.active) == game.state.legal(game.state.active)


@pytest.mark.parametrize("seed", range(3))
def test_a_clock_brings_every_turn_to_its_end(seed: int) -> None:
    """§10: without spending, laying or building anything."""
    random = Random(seed)
    game = Watched(0, 0, f"clock {seed}")
    for _ in range(300):
        if not game.state.to_act():
            break
        game.step(random.randrange(2**20))
        world, table = game.state.clone(), Silent(random)
        for _ in range(80):
            if world.turn() != game.state.turn() or not world.to_act():
                break
            move = world.idle(world.active)
            assert move in world.legal(world.active)
            world.apply(world.active, move, table)
        else:
            raise AssertionError("the turn did not end")
        assert world.pyramids == game.state.pyramids
        assert (world.ships, world.grain) == (game.state.ships, game.state.grain)
