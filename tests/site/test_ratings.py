"""Ratings in real matches: written with the end, once, and the same when computed again."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from accounts.services import guest_create
from games.clock import GRACE
from games.engine.contract import Refused
from games.models import Holder, Match, Rating, Standing
from games.ratings import Part, Strength, verdicts
from games.services import Opponent, match_create, match_expire, match_join, match_resign, seat_take
from games.services.ratings import recomputed
from games.services.seats import offer
from games.services.transaction import changing
from tests.site.people import duel, finish, market, person, play_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return person("Anna")


@pytest.fixture
def bob() -> User:
    return person("Bob")


@pytest.fixture
def cleo() -> User:
    return person("Cleo")


def begun(one: User, other: User) -> Match:
    """A rated match of two in which both have made two turns: seat 0 is to move."""
    match = duel(one, other, rated=True)
    for seat in (0, 1, 0, 1):
        play_turn(match, seat)
    return match


def timed_out(match: Match) -> None:
    """Let the time of whom the match waits for run out."""
    late = match.seats.get(to_act=True)
    now = late.deadline + GRACE
    assert match_expire(match_id=match.pk, seat=late.index, now=now)


def points(match: Match) -> dict[str, tuple[int, str]]:
    rows = Rating.objects.filter(match=match).select_related("user")
    return {row.user.username: (row.after.points, row.note) for row in rows}


def standings() -> dict[str, tuple[int, int]]:
    rows = Standing.objects.select_related("user")
    return {row.user.username: (row.strength.points, row.matches) for row in rows}


def command(*options: str) -> list[str]:
    out = StringIO()
    call_command("ratings", *options, stdout=out)
    return out.getvalue().splitlines()


def test_a_rated_match_of_two_moves_both_in_opposite_directions(anna, bob):
    match = begun(anna, bob)
    match_resign(match_id=match.pk, user=anna)
    assert points(match) == {"Anna": (1395, "left"), "Bob": (1605, "")}
    assert standings() == {"Anna": (1395, 1), "Bob": (1605, 1)}


def test_a_match_played_to_its_end_is_rated_by_its_places(anna, bob, cleo):
    match = market(anna, bob, cleo, rated=True)
    finish(match)
    ranks = {seat.user.pk: seat.rank for seat in match.seats.select_related("user")}
    before = {user: Strength() for user in ranks}
    parts = [Part(user, rank) for user, rank in ranks.items()]
    found = verdicts(parts, before, is_duel=False)
    assert {row.user_id: row.after for row in Rating.objects.all()} == {
        user: verdict.strength for user, verdict in found.items()
    }


def test_an_unrated_match_moves_nobody(anna, bob):
    match = duel(anna, bob)
    match_resign(match_id=match.pk, user=anna)
    assert (points(match), standings()) == ({}, {})


def test_a_cancelled_match_moves_nobody(anna, bob):
    match = duel(anna, bob, rated=True)
    timed_out(match)
    match.refresh_from_db()
    assert (match.status, points(match), standings()) == ("cancelled", {}, {})


def test_running_out_of_time_is_losing_and_is_called_so(anna, bob):
    match = begun(anna, bob)
    timed_out(match)
    assert points(match) == {"Anna": (1395, "timed_out"), "Bob": (1605, "")}


def test_being_away_from_all_matches_at_once_counts_once(anna, bob, cleo):
    first, second = begun(anna, bob), begun(anna, cleo)
    timed_out(first)
    timed_out(second)
    assert points(second) == {"Anna": (1395, "absent"), "Cleo": (1596, "")}
    assert standings()["Anna"] == (1395, 1)


def test_who_moved_in_between_was_not_away(anna, bob, cleo):
    first, second = begun(anna, bob), begun(anna, cleo)
    timed_out(first)
    ended = Match.objects.get(pk=first.pk).finished
    second.moves.filter(seat=0).update(at=ended)
    second.moves.filter(seat=1).update(at=ended)
    Rating.objects.filter(match=first).update(at=ended - GRACE)
    timed_out(second)
    assert points(second)["Anna"][1] == "timed_out"


def test_a_substitute_who_ends_last_loses_nothing_and_the_owner_is_last(anna, bob, cleo):
    match = market(anna, bob, cleo, rated=True)
    match_resign(match_id=match.pk, user=cleo)
    with changing(match.pk) as change:
        offer(change, change.seats[2])
    dora = person("Dora")
    seat_take(match_id=match.pk, user=dora)
    finish(match)
    found = points(match)
    assert {name: note for name, (_points, note) in found.items()} == {
        "Anna": "",
        "Bob": "",
        "Cleo": "left",
        "Dora": "substitute",
    }
    assert (found["Cleo"][0] < 1500, found["Dora"][0] >= 1500) == (True, True)


def test_where_a_caretaker_made_most_turns_the_others_keep_what_they_have(anna, bob, cleo):
    match = market(anna, bob, cleo, rated=True)
    match_resign(match_id=match.pk, user=cleo)
    Holder.objects.filter(user=cleo).update(turns=1, caretaker_turns=20)
    finish(match)
    assert points(match)["Anna"] == points(match)["Bob"] == (1500, "caretaker")
    assert standings()["Anna"] == (1500, 0)


def test_a_guest_cannot_sit_down_at_a_rated_table(anna):
    table = match_create(user=anna, game="obelisk", opponents=[Opponent("open")], rated=True)
    with pytest.raises(Refused, match="members_only"):
        match_join(match_id=table.pk, user=guest_create())


@pytest.mark.slow
def test_computed_again_from_the_matches_every_number_is_the_same(anna, bob, cleo):
    for loser, winner in ((anna, bob), (bob, cleo), (cleo, anna), (anna, cleo)):
        match_resign(match_id=begun(loser, winner).pk, user=loser)
    timed_out(begun(bob, anna))
    timed_out(begun(bob, cleo))
    finish(market(anna, bob, cleo, rated=True))
    fields = ("match_id", "user_id", "at", "mu_before", "sigma_before", "mu", "sigma", "note")
    kept = [tuple(row) for row in Rating.objects.values_list(*fields)]
    again, stands = recomputed()
    assert [tuple(getattr(row, field) for field in fields) for row in again] == kept
    assert sorted((row.user_id, row.mu, row.sigma, row.matches) for row in stands) == sorted(
        Standing.objects.values_list("user_id", "mu", "sigma", "matches")
    )
    assert command() == ["15 ratings, 0 differences"]


def test_the_command_finds_and_mends_a_number_that_is_wrong(anna, bob):
    match_resign(match_id=begun(anna, bob).pk, user=anna)
    Standing.objects.filter(user=bob).update(mu=40)
    assert command("--write")[-1] == "2 ratings, 2 differences"
    assert command() == ["2 ratings, 0 differences"]
    assert standings() == {"Anna": (1395, 1), "Bob": (1605, 1)}
