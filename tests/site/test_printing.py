"""Parts of a page that are printed once, and the log that is read once: never out of date."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils import timezone
from django.utils.translation import override

from games.models import Match
from games.queries import log_of
from games.services import match_undo
from games.story import Sentence, Turn
from tests.site.people import duel, legal, person, play, play_turn, token

NIGHT = datetime(2026, 1, 2, 23, 30, tzinfo=UTC)


def turn(**changes: object) -> Turn:
    said = (Sentence("Anna takes 2.5 <b>", False, 7),)
    plain = Turn("Anna", is_site=False, is_mine=False, by_clock=False, at=NIGHT, sentences=said)
    return plain._replace(**changes)


def printed(one: Turn) -> str:
    page = Template('{% load printing %}{% printed "games/_log_turn.html" turn=turn %}')
    return page.render(Context({"turn": one}))


def test_a_part_is_printed_from_its_values_and_escaped():
    with override("en"):
        html = printed(turn())
    assert '<li data-line="7">Anna takes 2.5 &lt;b&gt;</li>' in html
    assert "Fri 23:30" in html


def test_equal_values_give_the_same_part_and_others_another():
    with override("en"):
        assert printed(turn()) == printed(turn())
        assert "Bob" in printed(turn(name="Bob"))
        assert "Bob" not in printed(turn())


def test_a_part_speaks_the_language_and_the_time_zone_of_its_reader():
    laid = turn(name="")
    with override("en"):
        assert "The table is laid" in printed(laid)
        with timezone.override(ZoneInfo("Europe/Amsterdam")):
            assert "Sat 00:30" in printed(laid)
        assert "Fri 23:30" in printed(laid)
    with override("nl"):
        assert "Het spel ligt klaar" in printed(laid)


def said(match: Match, seat: int | None = None) -> list[str]:
    match.refresh_from_db()
    return [told.line.key for told in log_of(match, seat)]


@pytest.mark.django_db
def test_the_log_grows_with_the_match_and_forgets_what_was_taken_back():
    match = duel(person("Anna"), person("Bob"))
    begun = said(match)
    play(match, 0, next(move for move in legal(match, 0) if move.startswith("lay_f")))
    assert said(match) == [*begun, "laid_open_foundation"]
    match_undo(match_id=match.pk, seat=0, token=token(match, 0))
    assert said(match) == begun
    play_turn(match, 0)
    after = said(match)
    assert after[: len(begun)] == begun
    assert after == [line.key for line in match.lines.filter(to=None).order_by("pk")]
