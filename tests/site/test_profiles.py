"""Profiles and leaderboards: how somebody plays, and who may know it."""

import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import guest_create
from accounts.templatetags.people import lasting
from games import charts, profiles
from games.models import Holder, Match, Rating, Standing
from games.services import Opponent, match_create, match_expire, match_resign
from tests.site.histories import START, as_, listed, past, words
from tests.site.people import duel, finish, market, person, play_turn

pytestmark = pytest.mark.django_db


# --- the profile -------------------------------------------------------------------------------


def test_a_profile_sums_up_matches_played_through_the_real_services(anna, bob):
    match = market(anna, bob, person("Cleo"), rated=True)
    finish(match)
    match_resign(match_id=duel(anna, bob).pk, user=anna)
    [record] = profiles.records_of(anna)
    seat = match.seats.get(user=anna)
    won = int(seat.rank == 1)
    assert (record.matches, record.wins, record.left) == (2, won, 1)
    assert (record.average, record.places) == (seat.score[0], ((seat.rank, 1),))
    assert record.standing.matches == len(record.steps) == 1


def test_a_profile_shows_places_rating_speed_and_opponents(anna, bob):
    past(anna, bob, 3)
    page = words(as_(None).get("/people/anna/"))
    assert (
        "Matches 3 Won 2 Place 2 1 Average score 46.7 Rating 1520 ± 232"
        " Answers in 2 hours Turns in time 90 %"
    ) in page
    assert "Player Matches Ahead Behind Bob 3 2 1" in page


def test_speed_and_opponents_are_told_of_each_game_apart(anna, bob):
    past(anna, bob, 3)
    quick = past(anna, person("Cleo"), 2, game_slug="cheops")
    Holder.objects.filter(seat__match__in=quick).update(marks=[1, 2, 3], responses=[60])
    obelisk, cheops = profiles.records_of(anna)
    assert (obelisk.pace, cheops.pace) == (profiles.Pace(7200, 90), profiles.Pace(60, 100))
    assert (obelisk.opponents, cheops.opponents) == (
        (("Bob", 3, 2, 1, "everybody"),),
        (("Cleo", 2, 1, 1, "everybody"),),
    )


def test_speed_is_that_of_the_latest_fifty_matches_of_a_game_those_that_run_included(anna, bob):
    slow = past(anna, bob, 10)
    past(anna, bob, 49)
    [running] = past(anna, bob, 1, status="running")
    Holder.objects.filter(seat__match__in=slow).update(responses=[10**6] * 99)
    Holder.objects.filter(seat__match=running).update(responses=[1])
    [record] = profiles.records_of(anna)
    assert (record.matches, record.pace) == (59, profiles.Pace(7200, 90))


def test_reliability_is_the_share_of_the_latest_hundred_turns_made_in_time(anna, bob):
    matches = past(anna, bob, 30)
    held = Holder.objects.filter(user=anna, seat__match__in=matches).order_by("pk")
    assert profiles.in_time_of(anna) == profiles.InTime(turns=100, made=90)
    # An early match in which the last turn was made late: it is among the latest hundred.
    late = int(START.timestamp()) + 10**6
    held.filter(pk=held[0].pk).update(
        marks=[-1, -2, -late], marked=START + timedelta(seconds=10**6)
    )
    assert profiles.in_time_of(anna) == profiles.InTime(turns=100, made=89)
    [record] = profiles.records_of(anna)
    assert record.pace.in_time == 89


def test_a_turn_of_a_caretaker_is_nobodys_and_one_without_a_clock_is_not_in_time(anna, bob):
    match = market(anna, bob, person("Cleo"))
    finish(match)
    turns = profiles.in_time_of(anna)
    assert (turns.made, turns.turns > 0) == (turns.turns, True)
    finish(duel(anna, bob, pace="friends"))
    assert profiles.in_time_of(anna) == turns
    Holder.objects.filter(user=anna).update(caretaker_turns=50)
    assert profiles.in_time_of(anna) == turns


def test_every_way_to_run_out_of_time_is_a_turn_not_made_in_time(anna, bob):
    pair, three = duel(anna, bob), market(anna, bob, person("Cleo"))
    for seat in range(3):
        play_turn(three, seat)
    later = timezone.now() + timedelta(days=30)
    assert match_expire(match_id=pair.pk, seat=0, now=later)
    assert match_expire(match_id=three.pk, seat=0, now=later)
    assert profiles.in_time_of(anna) == profiles.InTime(turns=3, made=1)


def test_turns_of_before_are_marked_from_their_sums(anna, bob):
    lost = past(anna, bob, 1, start=timedelta(days=1), ending="on_time")
    past(anna, bob, 1, start=None)
    Holder.objects.filter(seat__match__in=lost, user=anna).update(ended="timed_out")
    Holder.objects.update(marks=[], marked=None)
    import_module("games.migrations.0014_reliability_of_before").fill(apps, None)
    assert profiles.in_time_of(anna) == profiles.InTime(turns=11, made=9)
    assert profiles.in_time_of(bob) == profiles.InTime(turns=10, made=9)


def test_the_steps_of_a_rating_are_not_crowded_out_by_another_game(anna, bob):
    past(anna, bob, 1, game_slug="cheops")
    past(anna, bob, profiles.STEPS_DRAWN)
    steps = {one.game.slug: len(one.steps) for one in profiles.records_of(anna)}
    assert steps == {"obelisk": profiles.STEPS_DRAWN, "cheops": 1}


def test_matches_against_bots_alone_are_not_on_the_record(client, anna):
    client.force_login(anna)
    client.post("/play/obelisk/", {})
    match = Match.objects.get()
    finish(match)
    assert profiles.records_of(anna) == []
    assert listed("/people/Anna/matches/", anna) == [match.pk]


@pytest.mark.parametrize(
    ("shown_to", "seen_by"),
    [("everybody", [1, 1, 1, 1]), ("members", [0, 0, 1, 1]), ("nobody", [0, 0, 0, 1])],
)
def test_a_profile_is_shown_to_whom_its_owner_wants(anna, bob, shown_to, seen_by):
    User.objects.filter(pk=anna.pk).update(shown_to=shown_to)
    visitors = [None, guest_create(), bob, anna]
    for page in ("", "matches/", "matches.csv", "matches.json"):
        codes = [as_(one).get(f"/people/Anna/{page}").status_code for one in visitors]
        assert codes == [200 if seen else 404 for seen in seen_by]


def test_guests_and_people_who_are_gone_have_no_profile(anna):
    guest = guest_create()
    User.objects.filter(pk=anna.pk).update(is_active=False)
    codes = [Client().get(f"/people/{name}/").status_code for name in (guest.username, "Anna")]
    assert codes == [404, 404]


def test_how_long_somebody_takes_is_told_in_the_largest_unit_that_fits():
    said = [lasting(seconds) for seconds in (5, 600, 7200, 86400 * 2)]
    assert said == ["1 minute", "10 minutes", "2 hours", "2 days"]


def test_a_rating_is_drawn_from_its_beginning_with_its_doubt_around_it(anna, bob):
    past(anna, bob, 1)
    chart = charts.chart_of(profiles.records_of(anna)[0].steps)
    assert (chart.line, chart.last) == ("52.0,102.0 468.0,96.0", (468.0, 96.0))
    assert chart.band == "52.0,30.0 468.0,26.4 468.0,165.6 52.0,174.0"
    assert charts.chart_of(()) is None


def test_what_a_chart_shows_is_told_to_those_who_do_not_see_it(anna, bob):
    past(anna, bob, 1)
    page = as_(None).get("/people/Anna/").content.decode()
    words = "Rating over 1 match, 1 January 2026: before it 1500; now 1520, give or take 232"
    assert f'aria-label="{words}"' in page
    past(anna, bob, 30)
    Rating.objects.filter(user=anna, match=Match.objects.first()).update(mu_before=20.0, mu=19.5)
    page = as_(None).get("/people/Anna/").content.decode()
    words = (
        "Rating over 31 matches, 1 January 2026 to 2 January 2026: at the beginning 1300,"
        " at least 1280, at most 1520; now 1520, give or take 232"
    )
    assert f'aria-label="{words}"' in page


# --- leaderboards ------------------------------------------------------------------------------


def test_a_leaderboard_goes_by_what_a_rating_is_at_least_and_asks_for_five_matches(anna, bob):
    for user, mu, sigma, matches in (
        (anna, 30, 4.0, 9),
        (bob, 28, 2.0, 9),
        (person("Cleo"), 40, 8.0, 4),
        (guest_create(), 40, 1.0, 9),
    ):
        Standing.objects.create(user=user, game_slug="obelisk", mu=mu, sigma=sigma, matches=matches)
    page = words(as_(User.objects.get(username="Cleo")).get("/leaderboards/obelisk/"))
    assert (
        "Place Player Rating Matches 1 Bob 1620 ± 160 9 2 Anna 1700 ± 320 9 You: 2100 ± 640" in page
    )


def test_a_leaderboard_names_those_who_show_themselves_to_its_reader(anna, bob, client):
    for user, shown_to in ((anna, "everybody"), (bob, "members"), (person("Cleo"), "nobody")):
        User.objects.filter(pk=user.pk).update(shown_to=shown_to)
        Standing.objects.create(user=user, game_slug="obelisk", mu=30, sigma=2.0, matches=9)

    def named(reader: Client) -> list[str]:
        page = words(reader.get("/leaderboards/obelisk/"))
        return [name for name in ("Anna", "Bob", "Cleo") if f" {name} 1700" in page]

    assert named(client) == ["Anna"]
    assert named(as_(guest_create())) == ["Anna"]
    assert named(as_(person("Dirk"))) == ["Anna", "Bob"]


def test_every_game_has_a_leaderboard(client):
    assert client.get("/leaderboards/", follow=True).status_code == 200
    assert client.get("/leaderboards/chess/").status_code == 404


# --- names lead to profiles --------------------------------------------------------------------


def linked(answer) -> list[str]:
    return re.findall(r'class="person" href="/people/(\w+)/"', answer.content.decode())


def test_names_in_the_lobby_at_a_table_and_in_past_matches_lead_to_profiles(anna, bob):
    table = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    assert linked(as_(bob).get("/lobby/")) == ["Anna"]
    assert linked(as_(bob).get(f"/matches/{table.pk}/")) == ["Anna"]
    past(anna, bob, 1)
    assert linked(as_(None).get("/people/Anna/matches/")) == ["Bob"]


def test_names_above_the_board_and_in_the_result_lead_to_profiles(anna, bob):
    match = duel(anna, bob)
    assert linked(as_(None).get(f"/matches/{match.pk}/")) == ["Anna", "Bob"]
    match_resign(match_id=match.pk, user=anna)
    assert linked(as_(None).get(f"/matches/{match.pk}/"))[:2] == ["Anna", "Bob"]


def test_no_name_leads_to_a_profile_that_the_reader_may_not_see(anna, bob):
    past(anna, bob, 1)
    match = duel(anna, bob)
    User.objects.filter(pk=bob.pk).update(shown_to="members")
    pages = ["/people/Anna/", "/people/Anna/matches/", "/lobby/", f"/matches/{match.pk}/"]
    for page in pages:
        assert 'href="/people/Bob/"' not in as_(None).get(page).content.decode()
    assert 'href="/people/Bob/"' in as_(person("Cleo")).get("/people/Anna/").content.decode()
