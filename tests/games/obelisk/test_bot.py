"""Bots of Obelisk: legal, repeatable, blind to hidden cards, better than chance, no fools."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from games.engine.contract import Move
from games.engine.search import choose, think, uniform
from games.engine.session import ranks
from games.engine.table import Silent, Table
from games.obelisk.appraisal import judge, prospects
from games.obelisk.bot import MIND, candidates
from games.obelisk.rules import ObeliskState
from games.obelisk.thumb import thumb
from tests.games.obelisk.positions import position

LONG = 60.0  # seconds: so many that only the iterations end a thought
SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5])
EXPERT = pytest.mark.parametrize("expert", [0, 1])

Decide = Callable[[ObeliskState, int], Move]


def silent(seed: int = 1) -> Silent:
    return Silent(Random(seed))


def easy(state: ObeliskState, seat: int) -> Move:
    return choose(state, seat, silent(), MIND, seconds=0)


def thinking(iterations: int) -> Decide:
    return lambda state, seat: think(
        state, seat, silent(), MIND, seconds=LONG, iterations=iterations
    )


def chance(seed: int) -> Decide:
    table = silent(seed)
    return lambda state, seat: uniform(state, seat, state.legal(seat), table)


def positions(seats: int, seed: int = 1, expert: int = 0) -> Iterator[ObeliskState]:
    """Walk through a match of which half the moves are random."""
    table = silent(seed)
    state = ObeliskState.setup(seats, {"expert": expert}, table)
    players = [chance(seed), easy]
    while called := state.to_act():
        yield state
        seat = called[0]
        state.apply(seat, players[table.below(2)](state, seat), table)


def victories(hero: Decide, other: Callable[[int], Decide], games: int, seats: int) -> float:
    """Count the hero's victories, each seat in turn; a shared one counts in part."""
    won = 0.0
    for game in range(games):
        table, rival = silent(game // seats), other(game)
        state = ObeliskState.setup(seats, {}, table)
        while called := state.to_act():
            decide = hero if called[0] == game % seats else rival
            state.apply(called[0], decide(state, called[0]), table)
        places = ranks(state.scores())
        won += (places[game % seats] == 1) / places.count(1)
    return won


# --- what holds in every position ------------------------------------------------------------


@SEATS
@EXPERT
def test_candidates_are_some_of_the_legal_moves_and_never_none(seats: int, expert: int) -> None:
    narrowed = 0
    for state in positions(seats, seed=seats, expert=expert):
        for seat in state.to_act():
            moves = state.legal(seat)
            chosen = candidates(state, seat, moves)
            assert chosen
            assert set(chosen) <= set(moves)
            assert len(set(chosen)) == len(chosen)
            narrowed += len(chosen) < len(moves)
    assert narrowed > 20


@pytest.mark.slow
@SEATS
@EXPERT
def test_every_level_plays_legal_moves(seats: int, expert: int) -> None:
    for state in positions(seats, seed=2, expert=expert):
        seat = state.to_act()[0]
        assert easy(state, seat) in state.legal(seat)
        assert thinking(4)(state, seat) in state.legal(seat)


@pytest.mark.slow
@SEATS
def test_a_thought_repeats_with_its_seed_and_iterations(seats: int) -> None:
    for number, state in enumerate(positions(seats, seed=3)):
        if number % 9 == 0:
            seat = state.to_act()[-1]
            assert len({thinking(25)(state, seat) for _ in range(2)}) == 1


@SEATS
@EXPERT
def test_a_judgement_shares_one_victory_among_the_seats(seats: int, expert: int) -> None:
    for state in positions(seats, seed=4, expert=expert):
        verdict = judge(state)
        assert len(verdict) == seats
        assert sum(verdict) == pytest.approx(1)
        assert min(verdict) >= 0


@SEATS
def test_at_the_end_the_expectation_is_the_score(seats: int) -> None:
    for state in positions(seats, seed=5):
        end = state
    assert end.phase == "over"
    assert [int(expected) for expected in prospects(end)] == [points for points, _ in end.scores()]
    best = max(end.scores())
    assert end.scores()[judge(end).index(max(judge(end)))] == best


# --- blindness -------------------------------------------------------------------------------


class Poisoned(ObeliskState):
    """The true position: whoever reads it other than through `determinize` is caught."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name not in ("determinize", "__class__"):
            raise AssertionError(f"read {name} of the true position")
        return super().__getattribute__(name)

    def determinize(self, seat: int, table: Table) -> ObeliskState:  # type: ignore[override]
        look = super().__getattribute__
        truth = ObeliskState(**{name: look(name) for name in ObeliskState.__match_args__})
        return truth.determinize(seat, table)


@SEATS
def test_no_level_looks_at_the_true_position(seats: int) -> None:
    for number, state in enumerate(positions(seats, seed=6)):
        seat = state.to_act()[-1]
        poisoned = Poisoned(**state.dump())
        with pytest.raises(AssertionError, match="read hands of the true position"):
            _ = poisoned.hands
        assert easy(poisoned, seat)
        if number % 9 == 0:
            assert thinking(5)(poisoned, seat)


@SEATS
def test_the_rule_of_thumb_does_not_depend_on_hidden_cards(seats: int) -> None:
    differing = 0
    for number, state in enumerate(positions(seats, seed=7)):
        seat = state.to_act()[0]
        other = state.determinize(seat, silent(number))
        differing += other.dump() != state.dump()
        table = silent()
        assert thumb(other, seat, other.legal(seat), table) == thumb(
            state, seat, state.legal(seat), table
        )
        assert candidates(other, seat, other.legal(seat)) == candidates(
            state, seat, state.legal(seat)
        )
    assert differing > 20


# --- strength --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
def test_easy_beats_chance(seats: int) -> None:
    assert victories(easy, chance, 20, seats) >= 17


@pytest.mark.slow
def test_thinking_beats_the_rule_of_thumb() -> None:
    assert victories(thinking(40), lambda game: easy, 12, 2) >= 8


# --- small positions -------------------------------------------------------------------------


def duel(**given: Any) -> ObeliskState:
    names = {name for text in _texts(given) for name in text.split()}
    return position({"players": 2, **given}, names)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


LEVELS = pytest.mark.parametrize("decide", [easy, thinking(60)], ids=["easy", "search"])


@LEVELS
def test_the_card_an_obelisk_needs_is_taken(decide: Decide) -> None:
    state = duel(
        overseer=0,
        piles={1: [4, "R2a"], 6: [4, "B3a"], 2: [4, "G1a"], 5: [4, "Y1a"]},
        seats={
            0: {
                "hand": ["Y3a", "G4a", "B1a"],
                "camels": 0,
                "obelisks": [{"base": "down", "cards": ["R5a", "R4a", "R3a"]}],
            },
            1: {"hand": ["Y2a", "Y4a", "G5a"]},
        },
    )
    assert decide(state, 0) == ("take", 1, "cw")


@LEVELS
def test_a_card_that_fits_is_built(decide: Decide) -> None:
    state = duel(
        seats={
            0: {
                "hand": ["Y3a", "G4a", "B1a", "R2a"],
                "obelisks": [{"base": "down", "cards": ["R5a", "R4a", "R3a"]}],
            },
            1: {"hand": ["Y2a", "Y4a", "G5a"]},
        },
        turn={"takes_left": 0},
    )
    assert decide(state, 0) == ("build", "R2a", 0, "top")


@LEVELS
def test_a_decisive_card_is_traded_for_in_the_last_turn(decide: Decide) -> None:
    state = duel(
        last_round="full",
        piles={0: 0, 1: 0},
        overseer=2,
        seats={
            0: {
                "hand": ["Y3a", "G4a", "B1a", "B3a"],
                "camels": 1,
                "obelisks": [{"base": "down", "cards": ["R5a", "R4a", "R3a", "R2a"]}],
            },
            1: {
                "hand": ["R1a", "Y4a", "G5a"],
                "obelisks": [{"base": "down", "cards": ["B5a", "B4a", "B3b", "B2a"]}],
            },
        },
        turn={"takes_left": 0},
    )
    move = decide(state, 0)
    assert (move[0], move[2]) == ("trade", "R1a")


@LEVELS
def test_in_a_limited_turn_everything_is_built(decide: Decide) -> None:
    named = ["R3a", "R2a", "R1a", "G1a"]
    state = position(
        {
            "players": 3,
            "last_round": "limited",
            "active": 1,
            "seats": {1: {"hand": named, "obelisks": []}},
            "display": [None, None, None],
            "draw": [],
        },
        named,
    )
    while state.active == 1 and state.to_act():
        state.apply(1, decide(state, 1), silent())
    assert state.scores()[1][0] == 4  # G1 below, 3-2-1 on it
