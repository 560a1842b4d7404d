"""Obelisk in positions nobody thought of: random games, and games that Hypothesis looks for."""

from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.contract import Move
from games.engine.session import Session, replay
from games.engine.table import Silent
from games.obelisk.components import BUILDING, KIND, NAMES, NO_CARD
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import FOUNDATION, TOP
from tests.games.obelisk.invariants import invariants, odd_cards, step_invariants

TABLES = list(product((2, 3, 4, 5), (0, 1)))


class Game:
    """A match whose every step is watched."""

    def __init__(self, seats: int, expert: int, seed: str) -> None:
        self.seats, self.options, self.seed = seats, {"expert": expert}, seed
        self.session, _ = Session.start(ObeliskState, seed, seats, self.options)
        self.played: list[tuple[int, Move]] = []
        self.off_color = [0] * seats

    @property
    def state(self) -> ObeliskState:
        assert isinstance(self.session.state, ObeliskState)
        return self.session.state

    def step(self, choice: int) -> None:
        called = self.state.to_act()
        seat = called[choice % len(called)]
        moves = self.state.legal(seat)
        move = moves[choice // len(called) % len(moves)]
        before = self.state.clone()
        self.session.play(seat, move)
        self.played.append((seat, move))
        self.off_color[seat] += str(move[-1]).startswith("off_color") and move[0] == "play_action"
        invariants(self.state)
        step_invariants(before, move, self.state)
        for owner, own in enumerate(self.state.obelisks):  # 5
            assert all(odd_cards(obelisk) <= self.off_color[owner] for obelisk in own)


def turn_can_be_ended(state: ObeliskState) -> bool:
    """Tell whether the automatic turn reaches its end from here (10)."""
    world, table = state.clone(), Silent(Random(1))
    seat = world.active
    for _ in range(40):
        if world.phase == "over" or world.active != seat:
            return True
        move = world.idle(seat)
        assert move in world.legal(seat)
        world.apply(seat, move, table)
    return False


@pytest.mark.parametrize(("seats", "expert"), TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_keep_every_invariant(seats: int, expert: int, seed: int) -> None:
    random = Random(seed)
    game = Game(seats, expert, f"game {seed}")
    while game.state.to_act():
        game.step(random.randrange(2**20))
        if game.state.phase == "turn" and random.random() < 0.2:
            assert turn_can_be_ended(game.state)
    again = replay(ObeliskState, game.seed, seats, game.options, game.played)  # 14
    assert again.state.dump() == game.state.dump()


@given(
    table=st.sampled_from(TABLES),
    seed=st.integers(0, 3),
    choices=st.lists(st.integers(0, 2**20), max_size=120),
)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_chosen_games_keep_every_invariant(
    table: tuple[int, int], seed: int, choices: list[int]
) -> None:
    game = Game(*table, f"game {seed}")
    for choice in choices:
        if not game.state.to_act():
            break
        game.step(choice)
    if game.state.phase == "turn":
        assert turn_can_be_ended(game.state)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_seat_with_all_camels_is_never_stuck(seats: int) -> None:
    """A start as in §5.7: one seat with every camel and both cards that empty markets."""
    for seed in range(4):
        random = Random(seed)
        game = Game(seats, 0, f"camels {seed}")
        while game.state.phase == "setup_market":
            game.step(random.randrange(2**20))
        state = game.state
        picks = [card for card, kind in enumerate(KIND) if kind == "market_pick"]
        for zone in (state.draw, state.display):
            zone[:] = [card for card in zone if card not in picks]
        while len(state.display) < 3:
            state.display.append(state.draw.pop())
        state.camels = [0] * seats
        state.camels[state.active] = seats
        state.actions[state.active] = picks
        state.begin_turn(state.active)
        assert state.must_buy
        while game.state.to_act():
            game.step(random.randrange(2**20))


# --- legal and why_not agree ------------------------------------------------------------------


def imaginable(state: ObeliskState, seat: int) -> list[Move]:
    """List well-formed moves, legal or not, of every kind but the long ones."""
    random = Random(len(state.hands[seat]))
    names = [NAMES[card] for card in state.hands[seat]] + random.sample(NAMES, 6)
    names += [NAMES[card] for card in state.actions[seat]]
    obelisks = range(len(state.obelisks[seat]) + 1)
    bare = [not obelisk[TOP] for obelisk in state.obelisks[seat]]
    moves: list[Move] = [("end_turn",), ("decline_action",)]
    moves += [("pick_action", slot) for slot in range(4)]
    moves += [("buy_market", other) for other in range(state.players)]
    for name, verb in product(names, ("lay_foundation", "place_market", "play_action")):
        moves.append((verb, name))
    for pile in range(8):
        if state.players == 2 and not state.free_move:
            moves += [("take", pile, way) for way in ("cw", "ccw")]
        else:
            moves.append(("take", pile))
    for name, number, end in product(names, obelisks, ("top", "bottom")):
        if end == "bottom" and number < len(bare) and bare[number]:
            continue  # accepted by the rules, but listed as top
        values = range(7) if name.endswith("J") else ()
        moves += [("build", name, number, end, value) for value in values]
        if not values:
            moves.append(("build", name, number, end))
    moves += [("trade", *random.sample(names, 2)) for _ in range(5)]
    return moves


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_move_is_legal_exactly_when_no_reason_speaks_against_it(seats: int) -> None:
    random = Random(seats)
    for seed in range(2):
        game = Game(seats, 0, f"reasons {seed}")
        while game.state.to_act():
            state = game.state
            for seat in range(seats):
                legal = set(state.legal(seat))
                for move in legal:
                    assert state.why_not(seat, move).key == "illegal"
                for move in imaginable(state, seat) if random.random() < 0.3 else []:
                    assert (move in legal) == (state.why_not(seat, move).key == "illegal"), move
            game.step(random.randrange(2**20))


# --- what a seat cannot know ------------------------------------------------------------------


def identifiers(value: object) -> set[str]:
    """Collect every text in a view."""
    if isinstance(value, dict):
        return set().union(*map(identifiers, value.values()))
    if isinstance(value, list):
        return set().union(*map(identifiers, value))
    return {value} if isinstance(value, str) else set()


def hidden_from(state: ObeliskState, seat: int | None) -> set[str]:
    """Name every card that this viewer may not see (13)."""
    cards = [*state.draw, *(card for pile in state.piles for card in pile[:-1])]
    if state.players > 2:
        for other in set(range(state.players)) - {seat}:
            below = [one[FOUNDATION] for one in state.obelisks[other]]
            cards += state.hands[other] + [card for card in below if card < BUILDING]
    return {NAMES[card] for card in cards}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_view_holds_what_its_reader_may_not_see(seats: int) -> None:
    random = Random(seats)
    game = Game(seats, 0, "views")
    while game.state.to_act():
        for viewer in (*range(seats), None):
            assert not identifiers(game.state.view(viewer)) & hidden_from(game.state, viewer)
        game.step(random.randrange(2**20))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_another_world_looks_the_same_to_the_seat_and_to_nobody_else(seats: int) -> None:
    random = Random(seats)
    table = Silent(random)
    changed = 0
    game = Game(seats, 0, "worlds")
    while game.state.to_act():
        state = game.state
        seat = random.randrange(seats)
        world = state.determinize(seat, table)
        assert world.view(seat) == state.view(seat)
        assert world.legal(seat) == state.legal(seat)
        assert world.seen == state.seen
        invariants(world)
        changed += world.dump() != state.dump()
        game.step(random.randrange(2**20))
    assert changed > 50
    over = game.state.determinize(0, table)
    assert over.view(0) == game.state.view(0)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_cards_seen_going_into_a_hand_stay_with_that_seat(seats: int) -> None:
    random = Random(5)
    game = Game(seats, 0, "memory")
    remembered = 0
    while game.state.to_act():
        state = game.state
        world = state.determinize(0, Silent(random))
        for seat in range(1, seats):
            area = set(world.hands[seat]) | {one[FOUNDATION] for one in world.obelisks[seat]}
            assert set(state.seen[seat]) - {NO_CARD} <= area
            remembered += len(state.seen[seat])
        game.step(random.randrange(2**20))
    assert remembered > 100


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_what_came_after_a_foundation_lies_under_it_in_no_other_world(seats: int) -> None:
    random = Random(seats)
    game = Game(seats, 0, "order")
    came: list[list[set[int]]] = [[] for _ in range(seats)]  # by seat and foundation: what came
    compared = 0
    while game.state.to_act():
        before = [set(hand) for hand in game.state.hands]
        game.step(random.randrange(2**20))
        seat, move = game.played[-1]
        for since in came[seat]:
            since |= set(game.state.hands[seat]) - before[seat]
        if move[0] == "lay_foundation":
            came[seat].append(set())
        world = game.state.determinize(0, Silent(random))
        for other in range(1, seats) if world.phase == "turn" else ():
            under = [one[FOUNDATION] for one in world.obelisks[other] if one[FOUNDATION] < BUILDING]
            for card, since in zip(under, came[other], strict=True):
                assert card not in since
                compared += len(since)
    assert compared > 1000


def test_a_match_from_before_foundations_were_noted_is_dealt_anew_all_the_same() -> None:
    random = Random(7)
    game = Game(4, 0, "old")
    while game.state.to_act():
        game.step(random.randrange(2**20))
        old = game.state.clone()
        old.seen = [[card for card in seen if card != NO_CARD] for seen in old.seen]
        world = old.determinize(0, Silent(random))
        assert world.view(0) == game.state.view(0)
        invariants(world)


def test_a_secret_choice_stays_made_in_another_world() -> None:
    session, _ = Session.start(ObeliskState, "choices", 4, {})
    session.play(2, session.state.legal(2)[0])
    worlds = [session.state.determinize(0, Silent(Random(seed))) for seed in range(20)]
    assert {tuple(world.to_act()) for world in worlds} == {(0, 1, 3)}
    chosen = {tuple(choice) for world in worlds for choice in world.dump()["choices"][2:3]}
    assert len(chosen) > 10
