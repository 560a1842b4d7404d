"""Past matches: filtered, in pages, as files, and at the same cost however many."""

import csv
import json
from datetime import timedelta
from io import StringIO

import pytest
from django.test import Client

from accounts.models import User
from games import profiles
from games.models import Holder, Match, Seat
from tests.site.histories import START, as_, listed, past, queries_of, words
from tests.site.people import person

pytestmark = pytest.mark.django_db


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


def test_past_matches_name_variants_and_not_who_began(anna, bob):
    [match] = past(anna, bob, 1)
    Match.objects.filter(pk=match.pk).update(options={"expert": 1, "first_player": 0})
    page = words(as_(None).get("/people/Anna/matches/?game=obelisk"))
    assert "Scoring: Only finished obelisks" in page
    assert "First player" not in page
