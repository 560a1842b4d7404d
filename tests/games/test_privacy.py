"""Nobody learns what he may not know: shown by exchanging all that a seat cannot know.

`determinize` deals the unknown anew; whatever reaches the seat (views, moves, refusals, lines,
pages) must not change by it. Applies by itself to every game of the catalogue.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from django.utils.translation import override

from games.catalogue import Game
from games.chairs import Player
from games.engine.contract import OPEN, Move, State, write
from games.engine.table import Line, Silent, Table
from games.pages import Sight, fragment
from games.queries import Told
from tests.games.test_conformance import BAD_MOVES, everywhere, maimed
from tests.walks import NAMES, Case, Record, Step, record, strings

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def other_world(state: State, seat: int, salt: int = 0) -> State:
    """Deal everything anew that the seat cannot know."""
    return state.determinize(seat, Silent(Random(f"{seat}:{salt}")))


def looks(case: Case) -> Iterator[tuple[int, int | None]]:
    """Pairs of who determinizes and who looks: a spectator knows no more than any seat."""
    yield from ((seat, seat) for seat in range(case.seats))
    yield 0, None
    yield case.seats - 1, None


def heard(lines: list[Line], viewer: int | None) -> list[Line]:
    return [line for line in lines if line.to is None or line.to == viewer]


# --- views -----------------------------------------------------------------------------------


@everywhere()
def test_a_view_depends_on_nothing_its_viewer_may_not_know(case: Case) -> None:
    for step in record(case).sample(25):
        for seat, viewer in looks(case):
            twin = other_world(step.state, seat)
            assert json.dumps(twin.view(viewer)) == json.dumps(step.state.view(viewer))


@everywhere()
def test_moves_and_refusals_depend_on_nothing_their_seat_may_not_know(case: Case) -> None:
    for step in record(case).sample(10):
        tried = [*BAD_MOVES, *maimed(step.state.legal(step.seat))][::3]
        for seat in range(case.seats):
            twin = other_world(step.state, seat)
            assert twin.to_act() == step.state.to_act()
            assert twin.legal(seat) == step.state.legal(seat)
            if seat in step.state.to_act():
                assert twin.idle(seat) == step.state.idle(seat)
            for move in tried:
                assert refusal(twin, seat, move) == refusal(step.state, seat, move)


def refusal(state: State, seat: int, move: Move) -> tuple[str, dict[str, Any]] | None:
    if move in state.legal(seat):
        return None
    refused = state.why_not(seat, move)
    return refused.key, refused.params


# --- drafts and lines ------------------------------------------------------------------------


@everywhere()
def test_a_move_that_can_be_taken_back_teaches_nobody_anything(case: Case) -> None:
    """This checks the seal rule: a forgotten reveal() fails here.

    A move that names a card of a hidden hand is impossible in most other worlds: its seat shows
    that card of its own will, and what else could be learned from it the tests of views find.
    """
    checked = 0
    drafts = [step for step in record(case).steps if not step.sealed]
    for step in drafts[:: 1 + len(drafts) // 20]:
        for seat, viewer in looks(case):
            twin = other_world(step.state, seat)
            if step.move in twin.legal(step.seat):
                checked += 1
                assert outcome(twin, step, viewer) == outcome(step.state, step, viewer)
    assert checked


def outcome(state: State, step: Step, viewer: int | None) -> tuple[Any, ...]:
    after, table = state.clone(), Table(step.seed, step.epoch)
    after.apply(step.seat, step.move, table)
    return table.sealed, json.dumps(after.view(viewer)), heard(table.lines, viewer)


@everywhere()
def test_others_hear_of_a_draft_if_and_only_if_they_see_it(case: Case) -> None:
    """So a draft without a line for somebody can be kept from them altogether."""
    for step in [step for step in record(case).steps if not step.sealed]:
        after = step.state.clone()
        after.apply(step.seat, step.move, Table(step.seed, step.epoch))
        for viewer in (*range(case.seats), None):
            if viewer != step.seat:
                is_seen = json.dumps(after.view(viewer)) != json.dumps(step.state.view(viewer))
                assert bool(heard(step.lines, viewer)) == is_seen


@everywhere()
def test_a_line_names_only_what_its_reader_can_see(case: Case) -> None:
    """Components in a line lie open to its reader before or after the move."""
    ids = set(case.game.texts.explanations)
    positions = [*(step.state for step in record(case).steps), record(case).end.state]
    for number, step in list(enumerate(record(case).steps))[:: 1 + len(positions) // 40]:
        for viewer in (*range(case.seats), None):
            named = {text for line in heard(step.lines, viewer) for text in strings(line.args)}
            if named & ids:
                before, after = (positions[number + later].view(viewer) for later in (0, 1))
                assert named & ids <= {*strings(before), *strings(after)}


# --- there is something to leak --------------------------------------------------------------


@everywhere()
def test_other_worlds_differ_so_there_is_something_to_leak(case: Case) -> None:
    pairs = [(step, seat) for step in record(case).sample(25) for seat in range(case.seats)]
    differ = [other_world(step.state, seat).dump() != step.state.dump() for step, seat in pairs]
    assert sum(differ) > len(differ) / 2


@everywhere()
def test_what_others_hide_is_dealt_anew(case: Case) -> None:
    """A determinize that shuffles a deck but leaves the hands alone would let bots see them."""
    hidden, changed = Counter[int](), Counter[int]()
    for number, step in enumerate(record(case).sample(12)):
        for seat in range(case.seats):
            twin = other_world(step.state, seat, number)
            known = Counter(strings(step.state.view(seat)))
            for other in (*range(case.seats), OPEN):
                if other != seat and Counter(strings(step.state.view(other))) - known:
                    hidden[other] += 1
                    changed[other] += twin.view(other) != step.state.view(other)
    for other, count in hidden.items():
        assert changed[other] or count < 5, f"what {other} hides never changes"


# --- pages -----------------------------------------------------------------------------------


def page(record_: Record, number: int, state: State, viewer: int | None, hold: str) -> str:
    told = [
        Told(line, step.seat, at, "player", NOW)
        for at, step in enumerate(record_.steps[:number])
        for line in heard(step.lines, viewer)
    ]
    sight = Sight(
        game=record_.case.game,
        state=state,
        seat=viewer,
        players=tuple(map(Player, NAMES[: record_.case.seats])),
        log=told[-50:],
        token="1.0",
        hold=hold,
        now=NOW,
    )
    return fragment(sight)


def holds(game: Game, state: State, seat: int) -> list[str]:
    """Nothing, something forbidden, a component, the beginning of a move."""
    moves = state.legal(seat)
    if not moves:
        return ["", "dance"]
    begun = [write(moves[len(moves) // 2][:length]) for length in (1, 2)]
    return ["", "dance", next(iter(game.texts.explanations)), *begun]


@pytest.mark.slow
@everywhere()
def test_a_page_depends_on_nothing_its_viewer_may_not_know(case: Case) -> None:
    """Board, buttons, log, titles and attributes: the HTML is the same to the byte."""
    record_ = record(case)
    stride = len(record_.steps) // (3 if case.is_usual else 1)
    for number in range(stride - 1, len(record_.steps), stride):
        state = record_.steps[number].state
        for seat, viewer in looks(case):
            twin = other_world(state, seat)
            for hold in holds(case.game, state, seat) if viewer is not None else [""]:
                with override("nl" if number % 2 else "en"):
                    assert page(record_, number, twin, viewer, hold) == (
                        page(record_, number, state, viewer, hold)
                    )


@everywhere()
def test_pages_of_different_viewers_differ(case: Case) -> None:
    """The test above compares something: a page shows its viewer's own things."""
    record_ = record(case)
    number = len(record_.steps) // 2
    state = record_.steps[number].state
    with override("en"):
        pages = {page(record_, number, state, viewer, "") for viewer in (*range(case.seats), None)}
    assert len(pages) == case.seats + 1
