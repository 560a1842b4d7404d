"""Workers find their work in the database: a lost message, worker or broker costs only time."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games import tasks
from games.models import Match, Seat
from games.queries import differences
from games.services import Opponent, match_create
from tests.site.people import duel, market, person

pytestmark = pytest.mark.django_db


def bots(*levels: str, **settings) -> Match:
    return match_create(
        user=person("Anna"),
        game="obelisk",
        opponents=[Opponent("bot", level) for level in levels],
        options={"first_player": 1} | settings,
    )


def test_a_bot_plays_its_whole_turn_and_stops_at_the_person():
    match = bots("easy")
    tasks.think(match.pk)
    assert [seat.to_act for seat in match.seats.all()] == [True, False]
    assert {(move.seat, move.by) for move in match.moves.all()} == {(1, "bot")}
    match.refresh_from_db()
    assert differences(match) == []


def test_thinking_twice_changes_nothing():
    match = bots("easy")
    tasks.think(match.pk)
    before = list(match.moves.values())
    tasks.think(match.pk)
    assert list(match.moves.values()) == before


def test_a_bot_whose_worker_was_killed_is_thought_for_by_another_after_the_lease():
    match = bots("easy")
    Seat.objects.filter(match=match, index=1).update(
        thinking_until=timezone.now() + timedelta(seconds=30)
    )
    tasks.think(match.pk)
    assert match.moves.count() == 0
    with time_machine.travel(timezone.now() + timedelta(seconds=31)):
        tasks.think(match.pk)
    assert match.seats.get(to_act=True).index == 0


def test_bots_choose_their_markets_beside_a_person_who_still_thinks():
    match = bots("easy", "easy", "easy")
    tasks.think(match.pk)
    assert sorted(move.seat for move in match.moves.all()) == [1, 2, 3]
    assert [seat.index for seat in match.seats.filter(to_act=True)] == [0]


def test_the_tick_acts_where_time_is_up_and_closes_stale_tables_after_a_warning():
    match = market(person("Bob"), person("Cleo"), person("Eva"))
    table = match_create(user=person("Dirk"), game="obelisk", opponents=[Opponent("open")])
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        tasks.tick()
        assert {move.by for move in match.moves.all()} == {"clock"}
        table.refresh_from_db()
        assert (table.status, table.warned) == ("open", 1)
        tasks.tick()
    table.refresh_from_db()
    assert table.status == "cancelled"


def test_one_broken_match_does_not_keep_the_others_waiting():
    broken = duel(person("Bob"), person("Cleo"))
    sound = market(person("Dirk"), person("Eva"), person("Fien"))
    Match.objects.filter(pk=broken.pk).update(snapshot="{")
    with time_machine.travel(timezone.now() + timedelta(days=4)):
        tasks.tick()
        assert sound.moves.exists()
