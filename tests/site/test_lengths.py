"""Before anybody joins, a table says how long its match will take with these players."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from accounts.models import User
from games.catalogue import shelf
from games.clock import Pace
from games.lengths import USUAL, length_words, lengths_of
from games.models import Holder, Match
from games.services import Opponent, match_create
from tests.site.people import duel, person

pytestmark = pytest.mark.django_db

TURNS = shelf()["obelisk"].turns[2]
HOUR = timedelta(hours=1)


def table(host: User, opponent: Opponent = Opponent("open"), **settings: object) -> Match:  # noqa: B008 - a constant
    return match_create(user=host, game="obelisk", opponents=[opponent], **settings)


def length(match: Match) -> timedelta:
    return lengths_of([match])[match.pk]


def answers_in(user: User, other: User, *hours: int) -> None:
    """Let somebody have answered as fast as this in a match before."""
    match = duel(user, other)
    held = Holder.objects.filter(seat__match=match, user=user)
    held.update(responses=[hour * 3600 for hour in hours])


def test_each_seat_makes_its_share_of_the_turns_as_fast_as_its_player_usually_does(anna, bob):
    answers_in(anna, bob, 1, 2, 12)
    assert length(table(anna)) == TURNS * (2 * HOUR + USUAL) / 2
    answers_in(bob, anna, 4)
    match = table(anna, Opponent("open"))
    match.seats.filter(index=1).update(user=bob)
    assert length(Match.objects.get(pk=match.pk)) == TURNS * (2 * HOUR + 4 * HOUR) / 2


def test_of_whom_nothing_is_known_the_usual_is_expected(anna):
    assert length(table(anna)) == TURNS * USUAL


def test_nobody_can_be_slower_for_long_than_the_clock_gives_back(anna, bob):
    answers_in(anna, bob, 100)
    own = Pace(slug="custom", start=timedelta(days=3), increment=20 * HOUR, cap=timedelta(days=3))
    assert length(table(anna, pace=own)) == TURNS * (20 * HOUR + USUAL) / 2
    assert length(table(anna, pace="friends")) == TURNS * (100 * HOUR + USUAL) / 2


def test_a_bot_takes_no_time(anna):
    match = match_create(
        user=anna, game="obelisk", opponents=[Opponent("bot", "easy"), Opponent("open")]
    )
    assert length(match) == shelf()["obelisk"].turns[3] * 2 * USUAL / 3


def test_only_the_latest_matches_tell_how_fast_somebody_is(anna, bob):
    answers_in(anna, bob, 90)
    Holder.objects.filter(user=anna).update(marks=[1], marked="2026-01-01T00:00Z")
    for day in range(1, 11):
        answers_in(anna, bob, 1)
        latest = Holder.objects.filter(user=anna).latest("pk")
        Holder.objects.filter(pk=latest.pk).update(marked=f"2026-02-{day:02}T00:00Z")
    assert length(table(anna)) == TURNS * (1 * HOUR + USUAL) / 2


@pytest.mark.parametrize(
    ("hours", "english", "dutch"),
    [
        (20, "a day or less", "hooguit een dag"),
        (60, "about 2 days", "ongeveer 2 dagen"),
        (13 * 24, "about 13 days", "ongeveer 13 dagen"),
        (14 * 24, "about 2 weeks", "ongeveer 2 weken"),
        (60 * 24, "about 9 weeks", "ongeveer 9 weken"),
    ],
)
def test_a_guess_is_told_roughly(hours, english, dutch):
    for language, words in (("en", english), ("nl", dutch)):
        with override(language):
            assert length_words(hours * HOUR) == words


def test_the_lobby_and_the_table_say_it_before_one_joins(client, anna):
    match = table(anna)
    for path in ("/lobby/", f"/matches/{match.pk}/"):
        assert "about 2 weeks" in client.get(path).content.decode(), path
    client.force_login(anna)
    assert "about 2 weeks" in client.get("/matches/").content.decode()


def test_however_many_tables_and_players_it_costs_one_query(anna, bob):
    for name in ("Cleo", "Dirk", "Emma"):
        answers_in(person(name), bob, 3)
        table(User.objects.get(username=name))
    tables = list(Match.objects.filter(status="open").prefetch_related("seats"))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert set(lengths_of(tables).values()) == {TURNS * (3 * HOUR + USUAL) / 2}
    assert len(asked) == 1
