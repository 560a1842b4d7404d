"""Every game can be learned by playing: the rules of its first lesson."""

from typing import Any

import pytest
from django.utils.translation import override

from games.catalogue import Game, shelf
from games.engine.contract import Refused
from games.lessons import PUPIL, Trail, course_of
from tests.walks import GAMES

MOST_PATHS = 200  # through one lesson


def lessons() -> Any:
    return pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@lessons()
def test_a_lesson_is_short_and_ends_with_a_move(game: Game) -> None:
    steps = game.lesson.steps
    assert 4 <= len(steps) <= 7
    assert not steps[-1].refusal
    assert any(step.refusal for step in steps)
    assert all(not step.refusal or step.refusal in game.texts.refusals for step in steps)


@lessons()
def test_every_way_through_a_lesson_leads_to_its_end(game: Game) -> None:
    trails = [Trail()]
    for number, _step in enumerate(game.lesson.steps, start=1):
        done = []
        for trail in trails:
            course = course_of(game, trail)
            assert PUPIL in course.session.state.to_act()
            assert course.wanted
            done += [trail.trying(move) for move in course.wanted]
        assert all(course_of(game, trail).number == number for trail in done)
        assert len(done) < MOST_PATHS
        trails = [trail.next() for trail in done]


@lessons()
def test_a_move_that_is_not_asked_for_is_not_made(game: Game) -> None:
    course = course_of(game, Trail())
    others = [move for move in course.session.state.legal(PUPIL) if move not in course.wanted]
    for move in others[:20]:
        with pytest.raises(Refused, match="other_move"):
            course_of(game, Trail().trying(move))


@lessons()
def test_a_trail_is_read_as_it_was_written(game: Game) -> None:
    trail = Trail()
    for _step in game.lesson.steps:
        trail = trail.trying(course_of(game, trail).wanted[0])
        assert Trail.read(str(trail)) == trail
        trail = trail.next()


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.slug)
def test_a_lesson_speaks_both_languages(game: Game) -> None:
    for step in game.lesson.steps:
        for words in (step.ask, step.told):
            with override("en"):
                english = str(words)
            with override("nl"):
                assert str(words) != english


def test_the_lesson_of_valley_says_as_the_rules_do_how_secret_orders_are_carried_out() -> None:
    told = " ".join(str(step.told) for step in shelf()["valley"].lesson.steps)
    assert "carried out in turn order" in told
    assert "six points" in told
    assert "steps" not in told  # what figures pay are points
