"""The lobby: open tables, seats on offer and matches to watch, as its filters want them."""

import re

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Tie, User
from accounts.ties import tie_set
from games.models import Seat
from games.services import Opponent, match_join
from tests.site.people import duel, market, person
from tests.site.tables import logged_in, open_table
from tests.site.test_home import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def eve():
    return person("Eve")


def tables_in(response) -> list[int]:
    html = response.content.decode().split("Matches to watch")[0]
    return [int(pk) for pk in re.findall(r'card-link" href="/matches/(\d+)/"', html)]


def test_the_lobby_lists_public_tables_with_a_free_seat_newest_first(client, anna, bob):
    older = open_table(anna)
    newer = open_table(bob, Opponent("open"), Opponent("bot", "easy"))
    open_table(anna, private=True)
    open_table(anna, Opponent("person", "Bob"))
    duel(anna, bob)
    assert tables_in(client.get("/lobby/")) == [newer.pk, older.pk]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("game=obelisk", ["duel", "rated", "market"]),
        ("seats=3", ["market"]),
        ("pace=brisk", ["rated"]),
        ("rated=yes", ["rated"]),
        ("rated=no", ["duel", "market"]),
        ("seats=2&rated=no", ["duel"]),
        ("seats=5", []),
        # an old or forged address shows more, never an error
        ("game=chess&pace=glacial&seats=banana&rated=%00", ["duel", "rated", "market"]),
    ],
)
def test_the_lobby_is_filtered_by_its_address(client, anna, query, expected):
    tables = {
        "duel": open_table(anna).pk,
        "rated": open_table(anna, pace="brisk", rated=True).pk,
        "market": open_table(anna, Opponent("open"), Opponent("open")).pk,
    }
    found = tables_in(client.get(f"/lobby/?{query}"))
    assert sorted(found) == [tables[name] for name in expected]


def test_htmx_gets_the_list_alone(client, anna):
    open_table(anna)
    response = client.get("/lobby/?game=obelisk", headers={"hx-request": "true"})
    assert "<html" not in response.content.decode()
    assert len(tables_in(response)) == 1


def test_public_matches_between_people_can_be_watched(client, anna, bob):
    shown = duel(anna, bob)
    hidden = open_table(anna, Opponent("person", "Bob"), private=True)
    match_join(match_id=hidden.pk, user=bob)
    open_table(anna, Opponent("bot", "easy"))
    html = client.get("/lobby/").content.decode().split("Matches to watch")[1]
    assert re.findall(r'card-link" href="/matches/(\d+)/"', html) == [str(shown.pk)]


def test_a_match_is_offered_to_others_only_and_stands_in_one_list(anna, bob, eve):
    played, offered = duel(anna, bob), market(anna, bob, eve)
    Seat.objects.filter(match=offered, user=eve).update(bot="easy", offered=timezone.now())

    def lists(user: User) -> list[list[int]]:
        page = logged_in(user).get("/lobby/").context
        return [[match.pk for match in page[name]] for name in ("offered", "watched")]

    assert lists(person("Dirk")) == [[offered.pk], [played.pk]]
    assert lists(bob) == [[], []]
    assert lists(eve) == [[], [played.pk]]


def test_a_seat_is_offered_to_nobody_whom_a_block_bars(anna, bob, eve):
    offered, dirk = market(anna, bob, eve), person("Dirk")
    Seat.objects.filter(match=offered, user=eve).update(bot="easy", offered=timezone.now())
    tie_set(user=anna, other=dirk, kind=Tie.Kind.BLOCKED)
    page = logged_in(dirk).get("/lobby/").context
    assert [match.pk for match in page["offered"]] == []


def test_a_table_in_the_lobby_says_what_is_unusual_about_it(client, anna):
    open_table(anna, Opponent("bot", "hard"), Opponent("open"), options={"expert": 1})
    text = words(client.get("/lobby/"))
    assert "Anna Hapu (bot) open" in text
    assert "Only finished obelisks" in text


def test_a_table_whose_time_is_over_is_not_in_the_lobby_though_no_sweep_has_closed_it(client, anna):
    table = open_table(anna)
    assert f"/matches/{table.pk}/" in client.get("/lobby/").content.decode()
    with time_machine.travel(table.expires):
        assert f"/matches/{table.pk}/" not in client.get("/lobby/").content.decode()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_lobby_follows_its_filters(new_page):
    anna = person("Anna")
    open_table(anna)
    open_table(anna, Opponent("open"), Opponent("open"))
    page = new_page()
    page.goto("/lobby/")
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_label("Players").select_option("3")
    page.wait_for_url("**/lobby/?*seats=3*")
    expect(page.get_by_role("article")).to_have_count(1)
