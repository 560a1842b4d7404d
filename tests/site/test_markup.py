"""The HTML of the pages: whole, in order, and what points to something finds it there."""

import pytest
from django.test import Client

from accounts.models import User
from games.catalogue import shelf
from games.models import Match
from games.services import Opponent, match_create, message_write
from tests.markup import faults_of
from tests.site.people import away, begun, chosen, duel, finish

pytestmark = pytest.mark.django_db

FOR_EVERYBODY = ("/", "/lobby/", "/new/", "/rules/", "/people/Bob/", "/people/Bob/matches/")
FOR_STRANGERS = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nowhere/")
FOR_MEMBERS = (
    *("/matches/", "/people/", "/people/Bob/report/", "/leaderboards/obelisk/", "/vacation/"),
    *("/outbox/", "/accounts/settings/", "/accounts/programs/", "/accounts/email/"),
    *("/accounts/password/change/", "/accounts/logout/", "/accounts/2fa/", "/accounts/sessions/"),
)
AROUND_A_MATCH = ("", "replay/", "others/", "check/", "mute/", "resign/")


@pytest.fixture(autouse=True)
def _embedded_mailbox(settings):
    settings.EMAIL_BACKEND = settings.EMBEDDED_MAILBOX


def faults(user: User | None, *addresses: str) -> dict[str, list[str]]:
    """What is wrong with pages as somebody sees them."""
    client = Client()
    if user:
        client.force_login(user)
    found = {one: faults_of(client.get(one, follow=True).content.decode()) for one in addresses}
    return {one: wrong for one, wrong in found.items() if wrong}


def pages_of(match: Match, parts: tuple[str, ...] = AROUND_A_MATCH) -> list[str]:
    return [f"/matches/{match.pk}/{part}" for part in parts]


@pytest.mark.parametrize(
    ("html", "wrong"),
    [
        ("<main><h1>A</h1><p>B<div></div></p></main>", ["line 1: div within main p"]),
        ("<main><h1>A</h1><h3>B</h3></main>", ["h3 after h1"]),
        ('<main><h1 id="a">A</h1><b id="a"></b></main>', ["the id a stands there twice"]),
        ('<main><h1>A</h1><label for="b"></label></main>', ["for=b: nothing"]),
        ('<main><h1>A</h1><input name="b"></main>', ["no label for b"]),
        ("<main><h1>A</h1><b></main>", ["line 1: main is closed where something else is open"]),
        ("<main><h2>A</h2></main>", ["not one main part with one first heading"]),
        ("<main><h2>A</h2><h1>B</h1></main>", ["not one main part with one first heading"]),
        (
            '<main><h1>A</h1><ul><b></b></ul><img src="x"></main>',
            ["line 1: a picture without words"],
        ),
    ],
)
def test_what_is_wrong_is_found(html, wrong):
    assert faults_of(f'<html lang="en">{html}</html>')[: len(wrong)] == wrong


def test_pages_around_the_matches(bob):
    assert faults(None, *FOR_EVERYBODY, *FOR_STRANGERS) == {}


def test_pages_of_members(anna, bob):
    begun(anna, bob)
    match_create(user=anna, game="obelisk", opponents=[Opponent("person", "Bob")])
    assert faults(bob, *FOR_EVERYBODY, *FOR_MEMBERS) == {}


@pytest.mark.parametrize("slug", shelf())
def test_pages_of_a_game(anna, slug):
    assert faults(anna, *(f"/{part}/{slug}/" for part in ("rules", "new", "learn"))) == {}


@pytest.mark.parametrize("slug", shelf())
def test_the_match_page_of_a_game_at_every_number_of_seats(anna, slug):
    bot = Opponent("bot", "easy")
    for seats in shelf()[slug].seats:
        match = match_create(user=anna, game=slug, opponents=[bot] * (seats - 1))
        assert faults(anna, *pages_of(match, ("", "replay/"))) == {}


@pytest.mark.slow
def test_a_match_in_every_state_for_players_and_strangers(anna, bob, cleo):
    table = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    running, over, nursed = duel(anna, bob), begun(anna, bob, rated=True), chosen(anna, bob, cleo)
    message_write(match=running, user=bob, text="Good luck")
    finish(over)
    away(nursed, cleo)
    pages = [f"/matches/{table.pk}/"]
    pages += [page for match in (running, over, nursed) for page in pages_of(match)]
    assert [faults(user, *pages) for user in (anna, cleo)] == [{}, {}]
    assert faults(None, *pages_of(table, ("",)), *pages_of(running, ("", "replay/"))) == {}
    assert faults(None, *pages_of(over, ("", "replay/"))) == {}
