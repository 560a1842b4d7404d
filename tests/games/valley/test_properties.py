"""Valley of the Kings in positions nobody thought of: random games, and those Hypothesis finds."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.contract import Atom, Move
from games.engine.session import Session, replay
from games.engine.table import Silent, Table
from games.valley.components import (
    ATOM,
    CELLS,
    COLOURS,
    COPIES,
    FIRST_SPACE,
    GROUP,
    NONE,
    PER_WORKER,
    PHASES,
    PLACE,
    POINTS,
    SCARABS,
    SHAPES,
    SITES,
    START,
    TABLETS,
    cost,
)
from games.valley.rules import CLOSING, ValleyState
from games.valley.scoring import is_finished, points
from tests.games.valley.invariants import invariants

TABLES = list(product((2, 3, 4), (0, 1), (0, 1)))


class Game:
    """A match whose every step is watched."""

    def __init__(self, seats: int, advanced: int, expert: int, seed: str) -> None:
        self.seats, self.seed = seats, seed
        self.options = {"advanced_unsold_to_pharaoh": advanced, "expert_chequered": expert}
        self.session, _ = Session.start(ValleyState, seed, seats, self.options)
        self.played: list[tuple[int, Move]] = []
        self.first = self.state.start

    @property
    def state(self) -> ValleyState:
        assert isinstance(self.session.state, ValleyState)
        return self.session.state

    def step(self, choice: int) -> None:
        called = self.state.to_act()
        seat = called[choice % len(called)]
        moves = self.state.legal(seat)
        place = choice // len(called)
        # Closing moves are one of hundreds: they get their share.
        move = moves[-1] if place % 7 == 0 else moves[place % len(moves)]
        before = self.state.clone()
        self.session.play(seat, move)
        self.played.append((seat, move))
        invariants(self.state)
        check_step(before, seat, move, self.state)
        turns = self.state.round - (self.state.phase != "finished")
        assert self.state.start == (self.first + turns) % self.seats  # 16


def check_step(before: ValleyState, seat: int, move: Move, after: ValleyState) -> None:
    """6, 10, 12, 14 and 15: what no step does."""
    for site in SITES:
        if is_finished(before, site):
            assert after.owner[site] == before.owner[site]
            assert after.blocks[site] == before.blocks[site]
    assert all(new >= old for new, old in zip(points(after), points(before), strict=True))
    assert len(after.pharaoh) >= len(before.pharaoh)
    match move:
        case ("worker_move", int(worker), _):
            paid = cost(before.workers[seat][worker], after.workers[seat][worker])
            assert after.points_left == before.points_left - paid >= 0
        case ("overseer_move", int(overseer), _):
            paid = cost(before.overseers[seat][overseer], after.orders[seat][overseer])
            assert after.order_points(seat) == before.order_points(seat) - paid >= 0
            assert after.order_points(seat) <= POINTS
        case ("build_block" | "steal_block", int(site), *_):
            assert after.used[site] == before.used[site] + 1
            assert after.used[site] <= PER_WORKER * after.workers_on(seat, site)


@pytest.mark.parametrize(("seats", "advanced", "expert"), TABLES)
def test_random_games_keep_every_invariant(seats: int, advanced: int, expert: int) -> None:
    random = Random(seats)
    game = Game(seats, advanced, expert, f"game {advanced}{expert}")
    while game.state.to_act():
        game.step(random.randrange(2**20))
    again = replay(ValleyState, game.seed, seats, game.options, game.played)
    assert again.state.dump() == game.state.dump()


@given(
    table=st.sampled_from(TABLES),
    seed=st.integers(0, 3),
    choices=st.lists(st.integers(0, 2**20), max_size=150),
)
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_chosen_games_keep_every_invariant(
    table: tuple[int, int, int], seed: int, choices: list[int]
) -> None:
    game = Game(*table, f"game {seed}")
    for choice in choices:
        if not game.state.to_act():
            break
        game.step(choice)


def test_seats_that_leave_are_never_waited_for() -> None:
    """17, at any moment of a match, and nothing else breaks."""
    for seed in range(5):
        random = Random(seed)
        game = Game(4, seed % 2, 0, f"leavers {seed}")
        state, table = game.state, Table("leavers", 1)
        while state.to_act():
            before = state.round, state.left[:]
            staying = [seat for seat in range(4) if not state.left[seat]]
            if random.random() < 0.03 and len(staying) > 1:
                state.leave(random.choice(staying), table)
            else:
                seat = random.choice(state.to_act())
                moves = state.legal(seat)
                state.apply(seat, random.choice([*moves, moves[-1]]), table)
            invariants(state)
            assert not any(state.left[seat] for seat in state.to_act())
            if state.round > before[0]:
                gone = [seat for seat in range(4) if before[1][seat]]
                assert {node for seat in gone for node in state.workers[seat]} <= {START}
                assert {node for seat in gone for node in state.overseers[seat]} <= {START}
        assert state.end_reason


# --- legal and why_not agree ------------------------------------------------------------------


def imaginable() -> list[Move]:
    """Every action of the game, with all its parameters."""
    moves: list[Move] = [(verb,) for verb in sorted(CLOSING)]
    moves += [("bid_place", tablet, group) for tablet in TABLETS for group in range(8)]
    moves += [("overseer_move", figure, node) for figure in (0, 1) for node in ATOM]
    moves += [("worker_move", figure, node) for figure in range(5) for node in ATOM]
    for site in SITES:
        moves.append(("take_over", site))
        for cell in CELLS[SHAPES[site]]:
            moves.append(("steal_block", site, *cell))
            moves += [("build_block", site, *cell, colour) for colour in COLOURS]
    return moves


def scene(random: Random) -> ValleyState:
    """A position in which everything has happened: figures, owners and blocks everywhere."""
    state = ValleyState.laid_out(random.choice((2, 3, 4)))
    state.round, state.start = random.choice((1, 2)), random.randrange(state.players)
    state.phase = random.choice(PHASES[:-1])
    state.queue = [] if state.phase == "overseers_secret" else state.turn_order()
    state.bag = [colour for colour in range(len(COLOURS)) for _ in range(COPIES)]
    random.shuffle(state.bag)
    for site in random.sample(state.sites(), 6):  # so few that figures meet
        state.owner[site] = random.randrange(state.players)
        for place in range(random.randint(0, SHAPES[site].blocks)):
            state.blocks[site][place] = state.bag.pop()
    claimed = [site for site in state.sites() if state.owner[site] != NONE]
    spaces = [node for node in range(FIRST_SPACE, len(ATOM)) if PLACE[node] in claimed[:2]]
    random.shuffle(spaces)
    for figures in (*state.overseers, *state.workers):
        figures[:] = [
            spaces.pop() if spaces and random.random() < 0.5 else here for here in figures
        ]
    state.scarabs = [SCARABS - state.owner.count(seat) for seat in range(state.players)]
    if random.random() < 0.2:
        state.scarabs[state.start] = 0
    if state.phase == "auction":
        state.market = [[state.bag.pop() for _ in range(GROUP)] for _ in range(3)]
    for stock in state.stocks:
        stock[random.randrange(5)] = 3
    state.survey()
    return state


def drafted(state: ValleyState, random: Random) -> ValleyState:
    """The same with some steps taken, so that quotas and points run low."""
    for _ in range(random.randrange(6)):
        seat = state.to_act()[0]
        moves = state.legal(seat)[:-1]
        if moves:
            state.apply(seat, random.choice(moves), Silent(random))
    return state


def test_what_is_not_legal_is_refused_for_a_reason_and_what_is_legal_for_none() -> None:
    """The two halves of the rules, what is offered and what is refused, never disagree."""
    every = imaginable()
    reasons: Counter[str] = Counter()
    offered: set[Atom] = set()
    for number in range(100):
        random = Random(number)
        state = drafted(scene(random), random)
        seat = state.to_act()[0]
        legal = set(state.legal(seat))
        assert legal <= set(every)
        offered |= {move[0] for move in legal}
        verbs = {move[0] for move in legal} | {"take_over", "steal_block", "worker_move"}
        for move in every:
            if move[0] in verbs:
                reason = state.why_not(seat, move).key
                assert (reason == "bad_move") == (move in legal), (number, seat, move)
                reasons[reason] += 1
    assert offered == {move[0] for move in every}
    assert {"need_more_overseers", "need_more_workers", "top_level_first"} <= set(reasons)


# --- other worlds -----------------------------------------------------------------------------


def test_other_worlds_differ_in_what_is_hidden_and_in_nothing_else() -> None:
    hidden = {"bag", "bids", "orders"}
    game, random = Game(3, 0, 0, "worlds"), Random(3)
    while game.state.to_act():
        state = game.state
        for seat in range(3):
            twin = state.determinize(seat, Silent(Random(seat)))
            invariants(twin)
            ours, theirs = state.dump(), twin.dump()
            assert {key for key in ours if ours[key] != theirs[key]} <= hidden
            assert sorted(ours["bag"]) == sorted(theirs["bag"])
            assert (ours["bids"][seat], ours["orders"][seat]) == (
                theirs["bids"][seat],
                theirs["orders"][seat],
            )
        game.step(random.randrange(2**20))
    assert game.state.determinize(0, Silent(random)).dump() == game.state.dump()
