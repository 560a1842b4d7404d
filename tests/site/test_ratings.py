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
from games.services import (
    Opponent,
    match_create,
    match_expire,
    match_join,
    match_resign,
    proposal_answer,
    proposal_make,
    seat_take,
)
from games.services.ratings import recomputed
from games.services.seats import offer
from games.services.transaction import changing
from tests.site import people
from tests.site.people import duel, finish, market, person

pytestmark = pytest.mark.django_db


def begun(one: User, other: User) -> Match:
    """A rated match of two in which both have made two turns: seat 0 is to move."""
    return people.begun(one, other, rated=True)


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


def test_where_a_caretaker_made_half_of_the_turns_the_match_counts(anna, bob, cleo):
    match = market(anna, bob, cleo, rated=True)
    match_resign(match_id=match.pk, user=cleo)
    Holder.objects.filter(user=cleo).update(turns=9, caretaker_turns=10)
    finish(match)
    holder = Holder.objects.get(user=cleo)
    assert (holder.turns, holder.caretaker_turns) == (10, 10)
    assert [points(match)[name][1] for name in ("Anna", "Bob", "Cleo")] == ["", "", "left"]


def nursed(anna: User, bob: User, cleo: User) -> Match:
    """A rated match in which a caretaker has made most turns of Cleo's seat."""
    match = market(anna, bob, cleo, rated=True)
    match_resign(match_id=match.pk, user=cleo)
    Holder.objects.filter(user=cleo).update(turns=1, caretaker_turns=20)
    return match


def test_who_agreed_to_go_on_with_a_caretaker_is_rated(anna, bob, cleo):
    match = nursed(anna, bob, cleo)
    proposal_make(match_id=match.pk, user=anna, kind="rated")
    proposal_answer(match_id=match.pk, user=bob, agree=True)
    finish(match)
    found = points(match)
    assert {name: note for name, (_points, note) in found.items()} == {
        "Anna": "",
        "Bob": "",
        "Cleo": "left",
    }
    assert standings()["Anna"][1] == standings()["Bob"][1] == 1
    assert command() == ["3 ratings, 0 differences"]


def test_one_who_does_not_agree_is_enough_to_leave_it_unrated(anna, bob, cleo):
    match = nursed(anna, bob, cleo)
    proposal_make(match_id=match.pk, user=anna, kind="rated")
    proposal_answer(match_id=match.pk, user=bob, agree=False)
    finish(match)
    assert points(match)["Anna"] == points(match)["Bob"] == (1500, "caretaker")
    assert match.lines.filter(key="site_unrated").count() == 1


def test_going_on_rated_is_proposed_only_where_a_caretaker_plays_a_rated_match(anna, bob, cleo):
    unrated, whole = market(anna, bob, cleo), market(anna, bob, cleo, rated=True)
    match_resign(match_id=unrated.pk, user=cleo)
    for match in (unrated, whole):
        with pytest.raises(Refused, match="bad_proposal"):
            proposal_make(match_id=match.pk, user=anna, kind="rated")


def test_the_page_asks_who_is_left_and_says_what_they_agreed(client, anna, bob, cleo):
    match = market(anna, bob, cleo, rated=True)

    def page(user: User) -> str:
        client.force_login(user)
        return client.get(f"/matches/{match.pk}/").content.decode()

    def do(user: User, what: str) -> None:
        client.force_login(user)
        assert client.post(f"/matches/{match.pk}/affair/", {"do": what}).status_code == 302

    assert "Propose to go on rated" not in page(anna)
    match_resign(match_id=match.pk, user=cleo)
    assert "A caretaker bot plays for Cleo. If it makes most turns" in page(anna)
    assert "Propose to go on rated" not in page(cleo)
    do(anna, "rated")
    assert "Anna proposes to go on rated though a caretaker plays." in page(bob)
    do(bob, "agree")
    assert "All who are left agreed: this match stays rated with a caretaker." in page(bob)
    assert "All agree: the match stays rated though a caretaker plays." in page(cleo)
    assert "Propose to go on rated" not in page(anna)


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
