"""Bots of Sakkara: legal, repeatable, better than chance, no fools."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from games.engine.contract import Move, write
from games.engine.search import choose, think, uniform
from games.engine.table import Silent
from games.sakkara.bot import MIND, evaluate, thumb, worth_a_thought
from games.sakkara.rules import SakkaraState
from tests.games.sakkara.positions import position

LONG = 60.0  # seconds: so many that only the iterations end a thought
READY = {"hewn_stone": 4, "stair": 2, "braid": 2, "double_stripe": 1}
SUMMIT = {**READY, "cross": 1, "circle": 1, "moon": 1, "eye": 1}

Decide = Callable[[SakkaraState, int], Move]


def silent(seed: int = 1) -> Silent:
    return Silent(Random(seed))


def easy(state: SakkaraState, seat: int) -> Move:
    return choose(state, seat, silent(), MIND, seconds=0)


def thinking(iterations: int) -> Decide:
    return lambda state, seat: think(
        state, seat, silent(), MIND, seconds=LONG, iterations=iterations
    )


def chance(seed: int) -> Decide:
    table = silent(seed)
    return lambda state, seat: uniform(state, seat, state.legal(seat), table)


def positions(seed: int = 1) -> Iterator[SakkaraState]:
    """Walk through a match of which half the moves are random."""
    table = silent(seed)
    state = SakkaraState.setup(2, {}, table)
    players = [chance(seed), easy]
    while called := state.to_act():
        yield state
        state.apply(called[0], players[table.below(2)](state, called[0]), table)


def victories(hero: Decide, other: Callable[[int], Decide], games: int) -> float:
    won = 0.0
    for game in range(games):
        table, rival = silent(game // 2), other(game)
        state = SakkaraState.setup(2, {"start_player": "host"}, table)
        while called := state.to_act():
            decide = hero if called[0] == game % 2 else rival
            state.apply(called[0], decide(state, called[0]), table)
        won += {game % 2: 1.0, -1: 0.5}.get(state.winner(), 0.0)
    return won


def test_candidates_are_some_of_the_legal_moves_and_never_none() -> None:
    narrowed = 0
    for state in positions():
        seat = state.active
        moves = state.legal(seat)
        chosen = worth_a_thought(state, seat, moves)
        assert chosen
        assert set(chosen) <= set(moves)
        assert len(set(chosen)) == len(chosen)
        narrowed += len(chosen) < len(moves)
    assert narrowed > 20


def test_every_level_plays_legal_moves() -> None:
    for number, state in enumerate(positions(2)):
        if number % 4 == 0:
            legal = state.legal(state.active)
            assert easy(state, state.active) in legal
            assert thinking(4)(state, state.active) in legal


def test_a_thought_repeats_with_its_seed_and_iterations() -> None:
    for number, state in enumerate(positions(3)):
        if number % 25 == 0:
            assert len({thinking(25)(state, state.active) for _ in range(2)}) == 1


def test_a_judgement_shares_one_victory() -> None:
    for state in positions(4):
        verdict = evaluate(state)
        assert sum(verdict) == pytest.approx(1)
        assert min(verdict) >= 0
    assert state.winner() >= 0


def test_rules_of_thumb_beat_chance() -> None:
    assert victories(easy, chance, 24) >= 22


@pytest.mark.slow
def test_thinking_beats_rules_of_thumb() -> None:
    assert victories(thinking(24), lambda game: easy, 8) >= 5


# --- single positions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "best"),
    [
        (
            {
                "hand": {"W": ["pyramid_tip", "helping_hand", "helping_hand"]},
                "laid": {"W": {"ship": 1, "grain": 3}},
                "pyramid": {"W": SUMMIT},
            },
            "build pyramid_tip",
        ),
        ({"hand": {"W": ["stair"]}, "laid": {"W": {"ship": 1, "grain": 1}}}, "build stair"),
        ({"hand": {"W": ["ship", "grain", "stair"]}}, "lay_ship"),
        ({"hand": {"W": ["ship"]}, "board": {"b1": ["grain"]}}, "move 0 E"),
        (
            {
                "moved": {"worker": 0, "dir": "E"},
                "hand": {
                    "W": ["double_stripe", "circle", "moon"],
                    "B": ["pyramid_tip", "helping_hand", "helping_hand"],
                },
                "laid": {"W": {"ship": 1, "grain": 1}, "B": {"ship": 1, "grain": 3}},
                "pyramid": {"B": SUMMIT, "W": {"double_stripe": 1}},
            },
            "cast_shipwreck",
        ),
        ({"phase": "snake_pick", "hand": {"B": ["ox", "ship"]}}, "snake_take ship"),
        (
            {
                "phase": "discard",
                "moved": {"worker": 0, "dir": "E"},
                "hand": {"W": ["ship", "grain", *["stair"] * 2, *["hewn_stone"] * 7]},
            },
            "discard hewn_stone",
        ),
        ({"hand": {"W": ["ship"]}, "moved": {"worker": 0, "dir": "E"}}, "end_turn"),
        (
            {"phase": "place_returns", "returns": ["helping_hand"], "active": "B"},
            "place_stack 1",
        ),
    ],
)
def test_a_rule_of_thumb_does_the_obvious(given: dict[str, Any], best: str) -> None:
    state = position(given)
    move = thumb(state, state.active, state.legal(state.active), silent())
    assert write(move).startswith(best)


def test_a_bird_is_worth_playing_for_a_card_that_is_needed() -> None:
    given = {"moved": {"worker": 0, "dir": "E"}, "hand": {"W": ["bird"]}}
    state = position({**given, "board": {"d4": ["ship"], "d5": ["grain"]}})
    assert thumb(state, 0, state.legal(0), silent())[0] == "play_bird"


def test_a_horse_rides_for_a_card_and_stops_for_none() -> None:
    given = {"workers": {"W": ["c4", "g1"]}, "moved": {"worker": 0, "dir": "E"}}
    good = position({**given, "hand": {"W": ["horse"]}, "board": {"d4": ["ship"]}})
    assert thumb(good, 0, good.legal(0), silent()) == ("play_horse", "take")
    poor = position({**given, "phase": "horse_step", "board": {"d4": ["ox"]}})
    assert thumb(poor, 0, poor.legal(0), silent()) == ("horse_stop",)


def test_an_ox_uncovers_what_is_needed() -> None:
    given = {"workers": {"W": ["c4", "g1"]}, "moved": {"worker": 0, "dir": "N"}}
    state = position({**given, "hand": {"W": ["ox"]}, "board": {"d4": ["ship", "ox"]}})
    assert thumb(state, 0, state.legal(0), silent())[0] == "play_ox"


def test_one_order_of_a_spell_is_worth_a_thought() -> None:
    state = position(
        {
            "hand": {"W": ["pyramid_tip", "eye", "moon", "cross", "double_stripe"]},
            "laid": {"B": {"ship": 1, "grain": 1}},
            "board": {"b1": ["ship"], "b2": ["grain"]},
        }
    )
    chosen = [move for move in worth_a_thought(state, 0, state.legal(0)) if len(move) > 3]
    assert sorted(str(move[0]) for move in chosen) == ["cast_drought", "cast_whirlwind"]
