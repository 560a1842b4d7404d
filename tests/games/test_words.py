"""Every game has words for everything, in both languages, and a complete box.

Applies by itself to the whole catalogue. That the Dutch is complete, tests/test_messages.py shows.
"""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.utils.translation import override

from games.catalogue import Game
from games.engine.contract import Refused
from games.prose import label, say
from tests.games.test_conformance import (
    LANGUAGES,
    assert_json,
    assert_sentence,
    everywhere,
    games,
)
from tests.walks import NAMES, Case, cases, record, strings, viewers


@everywhere()
def test_every_line_has_words_for_those_who_may_read_it(case: Case) -> None:
    _session, setup = case.start("1")
    for line in [*setup, *(line for step in record(case).steps for line in step.lines)]:
        assert line.to is None or line.to in range(case.seats)
        assert_json(line.args)
        assert orjson.loads(orjson.dumps(line.args)) == line.args
        for language in LANGUAGES:
            with override(language):
                assert_sentence(say(case.game, line, NAMES))


@everywhere()
def test_every_move_and_every_beginning_of_one_has_words(case: Case) -> None:
    begun = {
        move[:length]
        for step in record(case).sample(40)
        for seat in step.state.to_act()
        for move in step.state.legal(seat)
        for length in range(1, len(move) + 1)
    }
    for language in LANGUAGES:
        with override(language):
            for move in begun:
                assert_sentence(label(case.game, move, NAMES))


@everywhere()
def test_different_moves_have_different_words(case: Case) -> None:
    """A player who reads the list of moves must be able to tell them apart, but for twins."""
    for step in record(case).sample(12):
        moves = step.state.legal(step.seat)
        with override("en"):
            words = {label(case.game, move, NAMES) for move in moves}
        kinds = {tuple(worded(case.game, atom) for atom in move) for move in moves}
        assert len(words) == len(kinds)


def worded(game: Game, atom: Any) -> Any:
    return str(game.texts.names.get(atom, atom)) if isinstance(atom, str) else atom


@games()
def test_every_component_has_a_name_and_an_explanation(game: Game) -> None:
    """A component is what lies in a list of a view and can be played with or read about."""
    seen: set[str] = set()
    used: set[str] = set()
    for case in cases(game):
        for step in record(case).sample(12):
            for viewer in viewers(case):
                seen |= set(listed(step.state.view(viewer)))
            used |= {atom for atom in step.move[1:] if isinstance(atom, str)}
            used |= {text for line in step.lines for text in strings(line.args)}
    assert seen - set(game.texts.names) == set()
    assert (seen & used) - set(game.texts.explanations) == set()
    assert seen & used
    for texts in (game.texts.names, game.texts.explanations):
        for language in LANGUAGES:
            with override(language):
                assert all(str(words) for words in texts.values())


def listed(value: Any, in_list: bool = False) -> Iterator[str]:
    """List the texts that stand in lists of a JSON value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from listed(item)
    elif isinstance(value, list):
        for item in value:
            yield from listed(item, True)
    elif in_list and isinstance(value, str) and value:
        yield value


# --- the box ---------------------------------------------------------------------------------


@games()
def test_the_box_is_complete(game: Game) -> None:
    assert 2 <= game.seats[0] <= game.seats[-1] <= 6
    assert list(game.levels) == ["easy", "medium", "hard"]
    assert list(game.levels.values()) == sorted(game.levels.values())
    for language in LANGUAGES:
        with override(language):
            texts = [game.title, game.summary]
            for option in game.options:
                texts += [option.label, option.explanation, *(c.label for c in option.choices)]
            assert all(str(text) for text in texts)


@games()
def test_options_have_defaults_and_refuse_what_they_do_not_know(game: Game) -> None:
    for seats in game.seats:
        default = game.chosen({}, seats)
        assert default == {option.key: option.default for option in game.options}
        for row in (case.options for case in cases(game) if case.seats == seats):
            assert game.chosen(row, seats) == row
        for option in game.options:
            for bad in ("nonsense", 99, -1, seats):
                if bad not in [choice.value for choice in option.choices]:
                    with pytest.raises(Refused, match="bad_option"):
                        game.chosen({option.key: bad}, seats)
        with pytest.raises(Refused, match="bad_option"):
            game.chosen({"nonsense": 1}, seats)
    for seats in (game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(Refused, match="bad_seats"):
            game.chosen({}, seats)
