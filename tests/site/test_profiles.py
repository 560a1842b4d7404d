"""Profiles, past matches, leaderboards, favourites, blocks and complaints, as pages."""

import csv
import json
import re
from datetime import UTC, datetime, timedelta
from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import Tie, User
from accounts.services import guest_create
from accounts.templatetags.people import lasting
from games import charts, profiles
from games.models import Holder, Match, Rating, Report, Seat, Standing
from games.services import Opponent, match_create, match_expire, match_resign
from tests.site.people import duel, finish, market, person, play_turn

pytestmark = pytest.mark.django_db

START = datetime(2026, 1, 1, tzinfo=UTC)


def as_(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def words(answer) -> str:
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def past(one: User, other: User, count: int, **fields: object) -> list[Match]:
    """Many finished matches of two, won by the first in turns, written as rows."""
    first = Match.objects.count()
    common = {"game_slug": "obelisk", "version": 1, "seats_wanted": 2, "status": "finished"}
    common |= {"pace_slug": "standard", "seed": "00" * 32, "rated": True} | fields
    matches = Match.objects.bulk_create(
        Match(link=f"link{first + n}", finished=START + timedelta(hours=n), **common)
        for n in range(count)
    )
    seats, holders, ratings = [], [], []
    for number, match in enumerate(matches):
        for index, user in enumerate((one, other)):
            rank = 1 + (index + number) % 2
            score = [60 - 10 * rank, 0]
            seats.append(Seat(match=match, index=index, user=user, rank=rank, score=score))
            rating = Rating(match=match, user=user, game_slug=match.game_slug, at=match.finished)
            rating.mu_before, rating.mu = 25.0, 25.5
            rating.sigma_before, rating.sigma = 3.0, 2.9
            ratings.append(rating)
    for seat in Seat.objects.bulk_create(seats):
        holder = Holder(seat=seat, user=seat.user, since=START, ended="played", turns=9, missed=1)
        holder.responses = [3600, 7200, 7300]
        moment = int(START.timestamp()) + seat.match.pk
        holder.marks = [moment] * 9 + [-moment]
        holder.marked = START + timedelta(seconds=seat.match.pk)
        holders.append(holder)
    Holder.objects.bulk_create(holders)
    Rating.objects.bulk_create(ratings)
    for user in (one, other):
        Standing.objects.update_or_create(
            user=user, game_slug="obelisk", defaults={"mu": 25.5, "sigma": 2.9, "matches": count}
        )
    return matches


def queries_of(address: str) -> int:
    client = Client()
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
        assert answer.getvalue()  # streamed answers too
    assert answer.status_code == 200
    return len(captured)


def listed(address: str, user: User | None = None) -> list[int]:
    page = as_(user).get(address).content.decode()
    return [int(pk) for pk in re.findall(r'<a href="/matches/(\d+)/">', page)]


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


# --- past matches ------------------------------------------------------------------------------


def test_past_matches_come_the_last_to_end_first_and_in_pages(anna, bob):
    matches = [match.pk for match in past(anna, bob, 30)]
    latest = list(reversed(matches))
    assert listed("/people/Anna/matches/") == latest[:25]
    assert listed("/people/Anna/matches/?page=2") == latest[25:]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [0, 1, 2, 3]),
        ("game=obelisk", [0, 1, 2]),
        ("game=cheops", [3]),
        ("opponent=bob", [0, 1, 2]),
        ("opponent=CLEO", [3]),
        ("opponent=anna", []),
        ("result=won", [0, 2, 3]),
        ("result=lost", [1]),
        ("result=left", []),
        ("rated=yes", [0, 1, 2]),
        ("rated=no", [3]),
        ("game=obelisk&variant=expert:1", []),
        ("since=2026-01-01&until=2026-01-01", [0, 1, 2, 3]),
        ("since=2026-01-02", []),
        ("game=chess&result=%00&rated=maybe&since=never&variant=x:y", [0, 1, 2, 3]),
    ],
)
def test_past_matches_are_filtered(anna, bob, query, found):
    matches = past(anna, bob, 3)
    matches += past(anna, person("Cleo"), 1, game_slug="cheops", rated=False)
    Match.objects.filter(pk=matches[3].pk).update(finished=START - timedelta(seconds=0))
    wanted = sorted(matches[place].pk for place in found)
    assert sorted(listed(f"/people/Anna/matches/?{query}")) == wanted


@pytest.mark.parametrize("how", Holder.Ended.values)
def test_whoever_did_not_play_to_the_end_has_left(anna, bob, how):
    (match,) = past(anna, bob, 1)
    Holder.objects.filter(user=anna).update(ended=how)
    left = [] if how == Holder.Ended.PLAYED else [match.pk]
    assert listed("/people/Anna/matches/?result=left") == left
    assert profiles.records_of(anna)[0].left == len(left)


def test_a_day_that_does_not_exist_is_refused_at_its_field_and_the_rest_is_kept(anna, bob):
    past(anna, bob, 1)
    page = as_(None).get("/people/Anna/matches/?since=2026-02-31&opponent=Bob")
    html = page.content.decode()
    assert page.context["form"].errors == {"since": ["Enter a valid date."]}
    assert "Enter a valid date." in html
    assert 'value="Bob"' in html


def test_somebody_is_found_by_name_in_any_case_of_letters(anna, bob):
    answer = as_(anna).get("/people/?name=%20bOB%20")
    assert (answer.status_code, answer["Location"]) == (302, "/people/Bob/")


@pytest.mark.parametrize("hidden", [True, False])
def test_nobody_is_found_who_is_not_there_or_hides(anna, bob, hidden):
    User.objects.filter(pk=bob.pk).update(shown_to=User.ShownTo.NOBODY)
    name = "Bob" if hidden else "Ramses"
    page = words(as_(anna).get(f"/people/?name={name}"))
    assert f"There is nobody called {name} whose profile you may see." in page


def test_a_victory_that_is_shared_is_called_so(anna, bob):
    [match] = past(anna, bob, 1)
    Seat.objects.filter(match=match).update(rank=1)
    assert "shared victory" in words(as_(None).get("/people/Anna/matches/"))


def test_a_variant_is_found_by_its_option(anna, bob):
    plain, special = past(anna, bob, 2)
    Match.objects.filter(pk=special.pk).update(options={"expert": 1})
    Match.objects.filter(pk=plain.pk).update(options={"expert": 0})
    assert listed("/people/Anna/matches/?game=obelisk&variant=expert:1") == [special.pk]


def test_a_private_match_is_listed_for_those_who_were_in_it(anna, bob):
    [match] = past(anna, bob, 1, private=True)
    seen = [listed("/people/Anna/matches/", user) for user in (None, person("Cleo"), bob, anna)]
    assert seen == [[], [], [match.pk], [match.pk]]


def test_the_same_list_comes_as_csv_and_json(anna, bob):
    [match] = past(anna, bob, 1)
    Seat.objects.create(match=match, index=2, bot="easy", rank=3)
    address = "/people/Anna/matches"
    body = b"".join(Client().get(f"{address}.csv?result=won").streaming_content).decode()
    [row] = csv.DictReader(StringIO(body))
    expected = {"match": str(match.pk), "game": "obelisk", "place": "1", "players": "3"}
    expected |= {"points": "50", "opponents": "Bob Merit", "rated": "True", "rating_change": "20"}
    expected |= {"ended": "played", "options": "", "finished": "2026-01-01T00:00:00+00:00"}
    assert row == expected
    answer = json.loads(Client().get(f"{address}.json").content)
    assert (answer["person"], [one["opponents"] for one in answer["matches"]]) == (
        "Anna",
        [["Bob", "Merit"]],
    )
    assert json.loads(Client().get(f"{address}.json?result=left").content)["matches"] == []


@pytest.mark.slow
def test_pages_cost_the_same_number_of_queries_with_ten_thousand_matches(anna, bob):
    addresses = ["/people/Anna/", "/leaderboards/obelisk/"]
    addresses += [f"/people/Anna/matches{rest}" for rest in ("/", "/?opponent=Bob&page=2")]
    addresses += [f"/people/Anna/matches{rest}" for rest in (".csv", ".json?result=won")]
    past(anna, bob, 30)
    few = [queries_of(address) for address in addresses]
    past(anna, bob, 9_970)
    assert [queries_of(address) for address in addresses] == few
    assert max(few) <= 12


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


# --- favourites, blocks, complaints ------------------------------------------------------------


def test_buttons_on_a_profile_make_favourites_and_block(anna, bob):
    client = as_(anna)
    client.post("/people/Bob/tie/", {"kind": "favourite"})
    assert '<option value="Bob">' in client.get("/new/obelisk/").content.decode()
    client.post("/people/Bob/tie/", {"kind": "blocked"})
    assert list(Tie.objects.values_list("user", "other", "kind")) == [(anna.pk, bob.pk, "blocked")]
    assert "Blocked You do not sit at one table" in words(client.get("/people/"))
    client.post("/people/Bob/tie/", {"kind": ""})
    assert Tie.objects.count() == 0


def test_nobody_ties_himself_or_nobody(anna):
    client = as_(anna)
    codes = [
        client.post(f"/people/{name}/tie/", {"kind": "favourite"}).status_code
        for name in ("Anna", "Nobody")
    ]
    assert (codes, Tie.objects.count()) == ([404, 404], 0)


def test_an_invitation_from_a_profile_is_written_into_the_form(anna, bob):
    form = as_(anna).get("/new/obelisk/?opponent_1=person&who_1=Bob").context["form"]
    assert (form["opponent_1"].value(), form["who_1"].value()) == ("person", "Bob")


def test_a_complaint_reaches_the_moderators_with_what_was_said(anna, bob):
    match = duel(anna, bob)
    as_(bob).post(f"/matches/{match.pk}/chat/", {"text": "You camel"})
    complaint = {"reason": "talk", "words": "He called me a camel", "match": match.pk}
    as_(anna).post("/people/Bob/report/", complaint)
    report = Report.objects.get()
    assert (report.reporter, report.about, report.match, report.reason) == (
        anna,
        bob,
        match,
        "talk",
    )
    staff = as_(person("Root", is_staff=True, is_superuser=True))
    page = words(staff.get(f"/admin/games/report/{report.pk}/change/"))
    assert ("Bob: You camel" in page, "He called me a camel" in page) == (True, True)
    staff.post(f"/admin/games/report/{report.pk}/change/", {"is_closed": "on", "outcome": "Warned"})
    report.refresh_from_db()
    assert (report.is_closed, report.outcome) == (True, "Warned")


def test_a_complaint_that_must_be_mended_is_still_about_its_match(anna, bob):
    match = duel(anna, bob)
    asked = as_(anna).get(f"/people/Bob/report/?match={match.pk}").content.decode()
    again = as_(anna).post("/people/Bob/report/", {"reason": "", "match": match.pk})
    field = f'<input type="hidden" name="match" value="{match.pk}">'
    assert (field in asked, field in again.content.decode()) == (True, True)


def test_a_complaint_about_a_private_match_of_others_does_not_name_it(anna, bob):
    match = duel(bob, person("Cleo"))
    Match.objects.filter(pk=match.pk).update(private=True)
    as_(anna).post("/people/Bob/report/", {"reason": "other", "match": match.pk})
    assert Report.objects.get().match is None


def test_the_match_page_says_what_the_match_did_to_the_ratings(anna, bob):
    match = duel(anna, bob, rated=True)
    match_resign(match_id=match.pk, user=anna)
    page = words(as_(None).get(f"/matches/{match.pk}/"))
    assert "Anna rating 1395 (-105): left before the end: counts as last" in page
    assert "Bob rating 1605 (+105)" in page
    call_command("ratings", stdout=StringIO())


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


def test_past_matches_name_variants_and_not_who_began(anna, bob):
    [match] = past(anna, bob, 1)
    Match.objects.filter(pk=match.pk).update(options={"expert": 1, "first_player": 0})
    page = words(as_(None).get("/people/Anna/matches/?game=obelisk"))
    assert "Scoring: Only finished obelisks" in page
    assert "First player" not in page
