"""What every game must keep to, whatever its rules: it applies by itself to the whole catalogue.

Each rule below is checked in positions of recorded games for every number of seats and every
option, and in positions that Hypothesis looks for.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import permutations
from random import Random
from typing import Any

import orjson
import pytest
from django.utils.translation import override
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from games.catalogue import Game
from games.engine.contract import Move, Refused, read, write
from games.engine.search import choose, playout, think
from games.engine.session import Session, replay
from games.engine.table import Silent
from games.prose import refuse
from tests.walks import (
    GAMES,
    LONGEST,
    NAMES,
    Case,
    Step,
    cases,
    every_case,
    own,
    record,
    strings,
    take,
    viewers,
)

LANGUAGES = ("en", "nl")
BAD_MOVES: list[Move] = [("dance",), (0,), ("", ""), ("pass", "pass", "pass"), ("end", -1)]


def games() -> Any:
    return pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def everywhere() -> Any:
    return pytest.mark.parametrize("case", every_case(), ids=str)


# --- rules for one position ------------------------------------------------------------------


def whoever_must_act_has_distinct_moves(step: Step) -> None:
    called = step.state.to_act()
    assert called == sorted(set(called) & set(range(step.case.seats)))
    for seat in range(step.case.seats):
        moves = step.state.legal(seat)
        assert bool(moves) == (seat in called)
        assert len(set(moves)) == len(moves)


def moves_survive_as_text(step: Step) -> None:
    for move in step.state.legal(step.seat):
        assert read(write(move)) == move


def positions_and_views_survive_as_json(step: Step) -> None:
    for value in [step.state.dump(), *map(step.state.view, viewers(step.case))]:
        assert_json(value)
        assert json.loads(json.dumps(value)) == value
        assert orjson.loads(orjson.dumps(value)) == value
    assert type(step.state).load(step.state.dump()).dump() == step.state.dump()


def assert_json(value: Any) -> None:
    """Only int, str, bool, None, lists and dicts by str; containers and others never mixed."""
    if type(value) is dict:
        assert all(type(key) is str for key in value)
        value = list(value.values())
    elif type(value) is list:
        assert len({type(item) in (list, dict) for item in value if item is not None}) < 2, value
    else:
        assert value is None or type(value) in (int, str, bool), repr(value)
        return
    for item in value:
        assert_json(item)


def a_copy_is_independent(step: Step) -> None:
    before = step.state.dump()
    twin = step.state.clone()
    assert twin.dump() == before
    playout(twin, Silent(Random(1)))
    assert step.state.dump() == before


def looking_changes_nothing(step: Step) -> None:
    before = step.state.dump()
    for seat in range(step.case.seats):
        step.state.view(seat)
        step.state.legal(seat)
        step.state.determinize(seat, Silent(Random(1)))
        step.state.why_not(seat, ("dance",))
    for seat in step.state.to_act():
        step.state.idle(seat)
    step.state.scores()
    assert step.state.dump() == before


def every_seat_has_a_score(step: Step) -> None:
    scores = step.state.scores()
    assert len(scores) == step.case.seats
    assert len({len(score) for score in scores}) == 1
    assert all(type(part) is int for score in scores for part in score)


def an_idle_move_is_legal(step: Step) -> None:
    for seat in step.state.to_act():
        assert step.state.idle(seat) in step.state.legal(seat)


def a_draft_is_taken_back_exactly(step: Step) -> None:
    session = step.session()
    before, token = position(session), session.token(step.seat)
    lines = session.play(step.seat, step.move)
    assert lines == step.lines
    after = position(session)
    if step.sealed:
        return
    assert session.token(step.seat) != token
    session.undo(step.seat)
    assert (position(session), session.token(step.seat)) == (before, token)
    assert session.play(step.seat, step.move) == lines
    assert position(session) == after


def choices_of_different_seats_commute(step: Step) -> None:
    """In whatever order simultaneous choices come in, the outcome is the same."""
    called = step.state.to_act()
    if len(called) < 2:
        return
    choices = {seat: Random(seat).choice(step.state.legal(seat)) for seat in called}
    outcomes = []
    for order in list(permutations(called))[:6]:
        session = step.session()
        lines = {seat: session.play(seat, choices[seat]) for seat in order}
        # The last choice brings the result with it: how it is told may depend on nothing else.
        said = sorted(str(line) for heard in lines.values() for line in heard)
        outcomes.append((session.state.dump(), session.epoch, said))
    assert outcomes == outcomes[:1] * len(outcomes)


def a_bot_finds_a_legal_move(step: Step) -> None:
    mind, table = step.case.game.mind, Silent(Random(1))
    moves = step.state.legal(step.seat)
    assert choose(step.state, step.seat, table, mind, seconds=0) in moves
    assert think(step.state, step.seat, table, mind, seconds=60, iterations=2) in moves


def the_games_own_invariants_hold(step: Step) -> None:
    if module := own(step.case.game, "invariants"):
        module.invariants(step.state)


def other_worlds_keep_the_invariants_and_can_be_played(step: Step) -> None:
    before = step.state.dump()
    for seat in range(step.case.seats):
        twin = step.state.determinize(seat, Silent(Random(seat)))
        if module := own(step.case.game, "invariants"):
            module.invariants(twin)
        playout(twin, Silent(Random(seat)))
        assert twin.to_act() == []
    assert step.state.dump() == before


def position(session: Session) -> tuple[Any, ...]:
    return session.state.dump(), session.snapshot, session.epoch, session.drafts[:]


CHEAP: list[Callable[[Step], None]] = [
    whoever_must_act_has_distinct_moves,
    moves_survive_as_text,
    every_seat_has_a_score,
    an_idle_move_is_legal,
    the_games_own_invariants_hold,
]
DEAR: list[Callable[[Step], None]] = [
    positions_and_views_survive_as_json,
    a_copy_is_independent,
    looking_changes_nothing,
    a_draft_is_taken_back_exactly,
    choices_of_different_seats_commute,
]
SLOW: list[Callable[[Step], None]] = [
    a_bot_finds_a_legal_move,
    other_worlds_keep_the_invariants_and_can_be_played,
]


def named(rule: Callable[[Step], None]) -> str:
    return rule.__name__


@everywhere()
@pytest.mark.parametrize(
    ("rule", "count"),
    [
        *[pytest.param(rule, 200, id=named(rule)) for rule in CHEAP],
        *[pytest.param(rule, 12, id=named(rule)) for rule in DEAR],
        *[pytest.param(rule, 3, id=named(rule)) for rule in SLOW],
    ],
)
def test_in_every_position(rule: Callable[[Step], None], count: int, case: Case) -> None:
    """In nearly all positions of a usual match; of each combination of options, in some."""
    for step in record(case).sample(count if case.is_usual else max(2, count // 4)):
        rule(step)


@games()
@given(number=st.integers(0, 999), choices=st.lists(st.integers(0, 2**16), max_size=80))
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_in_positions_that_hypothesis_looks_for(
    game: Game, number: int, choices: list[int]
) -> None:
    case = cases(game)[number % len(cases(game))]
    session, _lines = case.start("hypothesis")
    made: list[str] = []
    step = None
    for choice in choices:
        called = session.state.to_act()
        if not called:
            break
        seat = called[choice % len(called)]
        moves = session.state.legal(seat)
        step = take(case, "hypothesis", session, seat, moves[choice % len(moves)])
        made.append(f"{seat}: {write(step.move)}")
        whoever_must_act_has_distinct_moves(step)
    note(f"{case}\n" + "\n".join(made))
    if step:
        for rule in CHEAP + DEAR:
            rule(step)


# --- rules for a whole match -----------------------------------------------------------------


@everywhere()
def test_a_match_ends_with_nobody_to_act_and_nothing_to_do(case: Case) -> None:
    end = record(case).end
    assert end.state.to_act() == []
    assert end.drafts == []
    assert end.snapshot == end.state.dump()
    for seat in range(case.seats):
        assert end.state.legal(seat) == []
        for move in (record(case).steps[-1].move, ("dance",)):
            with pytest.raises(Refused) as caught:
                end.play(seat, move)
            assert caught.value.key == "game_over"


@everywhere()
def test_when_a_match_is_over_everybody_sees_the_same(case: Case) -> None:
    """Nothing is left that one viewer may know and another may not."""
    end = record(case).end.state
    views = [strings(end.view(viewer)) for viewer in viewers(case)]
    assert views == views[:1] * len(views)


@everywhere()
def test_a_recorded_match_replays_to_its_snapshot(case: Case) -> None:
    record_ = record(case)
    moves = [(step.seat, step.move) for step in record_.steps]
    assert position(replay(case.game.state, record_.seed, case.seats, case.options, moves)) == (
        position(record_.end)
    )


@everywhere()
def test_a_match_left_to_the_clock_comes_to_its_end(case: Case) -> None:
    for step in record(case).sample(3):
        session = step.session()
        for _ in range(LONGEST):
            called = session.state.to_act()
            if not called:
                break
            session.play(called[0], session.state.idle(called[0]))
        assert session.state.to_act() == []


@everywhere()
def test_taking_a_turn_back_and_repeating_it_changes_nothing(case: Case) -> None:
    """The whole match again, with every draft taken back and made anew: the same draws fall."""
    record_ = record(case)
    session, _lines = case.start(record_.seed)
    for step in record_.steps:
        session.play(step.seat, step.move)
        if not step.sealed and len(session.drafts) < 20:
            own = [move for seat, move in session.drafts if seat == step.seat]
            session.restart(step.seat)
            for move in own:
                session.play(step.seat, move)
    assert session.snapshot == record_.end.snapshot


@pytest.mark.slow
@games()
def test_the_same_seed_and_moves_give_the_same_match_in_every_process(game: Game) -> None:
    """Python's hashes of texts differ from process to process; nothing may depend on them."""
    prints = {
        subprocess.run(
            [sys.executable, "-m", "tests.fingerprint", game.slug],
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(prints) == 1
    assert prints != {""}


# --- refusals --------------------------------------------------------------------------------


@pytest.mark.slow
@everywhere()
def test_what_is_not_legal_is_refused_in_words_and_changes_nothing(case: Case) -> None:
    steps = record(case).steps
    seen = sorted({step.move for step in steps}, key=write)
    for number, step in enumerate(record(case).sample(8)):
        session = step.session()
        before = position(session)
        pool = Random(number).sample(seen, min(25, len(seen)))
        for move in [*BAD_MOVES, *pool, *maimed(step.state.legal(step.seat))]:
            for seat in range(case.seats):
                if seat in step.state.to_act() and move in step.state.legal(seat):
                    continue
                with pytest.raises(Refused) as caught:
                    session.play(seat, move)
                assert_worded(case.game, caught.value)
        assert position(session) == before


def maimed(moves: list[Move]) -> Iterator[Move]:
    """Spoil legal moves: cut off, drawn out, atoms exchanged, of another kind or out of range."""
    for move in moves[:: max(1, len(moves) // 8)]:
        yield from (move[:cut] for cut in range(1, len(move)))
        yield (*move, 0)
        yield (*move, move[-1])
        yield move[::-1]
        for place in range(1, len(move)):
            for other in (99, -1, "nothing", "Z9z", move[0]):
                yield (*move[:place], other, *move[place + 1 :])


def assert_worded(game: Game, refused: Refused) -> None:
    for language in LANGUAGES:
        with override(language):
            assert_sentence(refuse(refused, game, NAMES))


def assert_sentence(text: str) -> None:
    assert text
    assert "%(" not in text
    assert "None" not in text


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in every_case() if case.is_usual], ids=str)
def test_a_match_calls_on_its_players_about_as_often_as_its_box_says(case: Case) -> None:
    """So that a table can say how long its match will take."""
    counted = sorted(_calls(case, str(number)) for number in range(5))
    assert 2 / 3 <= counted[2] / case.game.turns[case.seats] <= 3 / 2


def _calls(case: Case, seed: str) -> int:
    """Count in a match of rules of thumb how often somebody is called; at once counts once."""
    session, _lines = case.start(seed)
    table, calls = Silent(Random(seed)), 0
    while called := session.state.to_act():
        turn = session.state.turn()
        session.play(called[0], choose(session.state, called[0], table, case.game.mind, seconds=0))
        after = session.state.to_act()
        calls += session.state.turn() != turn or bool(set(after) - set(called))
    return calls
