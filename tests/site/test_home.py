"""The pages for everybody: landing, play now, my matches, rules, language, and ways astray."""

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth import get_user
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from django.utils.html import escape
from playwright.sync_api import expect

from accounts.models import User
from config.limits import NEW_MATCHES_PER_HOUR
from games import outbox, prose
from games.catalogue import shelf
from games.engine.table import Line
from games.models import Match, Seat
from games.services import (
    Opponent,
    match_cancel,
    match_create,
    match_resign,
    proposal_answer,
    proposal_make,
)
from tests.site.people import away, begun, chosen, duel, finish, market, person, play_turn, sweep

pytestmark = pytest.mark.django_db
DUTCH = {"accept-language": "nl"}


def words(response) -> str:
    """The text of a page as people read it."""
    html = re.sub(r"(?s)<(script|style|head|svg).*?</\1>", "", response.content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def linked(client, address: str) -> list[str]:
    """The numbers of the matches on the cards of a page, in order."""
    html = client.get(address).content.decode()
    return re.findall(r'class="card-link" href="/matches/(\d+)/"', html)


def at_the_board(client, **form) -> Match:
    response = client.post("/play/obelisk/", form)
    assert response.status_code == 302
    match = Match.objects.latest("pk")
    assert response["Location"] == f"/matches/{match.pk}/"
    return match


# --- landing and play now ----------------------------------------------------------------------


def test_the_landing_page_offers_every_game_to_a_stranger(client):
    response = client.get("/")
    assert response.status_code == 200
    assert "Board games of the Nile, one turn at a time" in words(response)
    assert response.content.decode().count('action="/play/obelisk/"') == 1
    assert "Log in Sign up" in words(response)


def test_the_landing_page_says_how_many_can_play(client):
    said = words(client.get("/"))
    for game in shelf().values():
        many = f" to {game.seats[-1]}" if len(game.seats) > 1 else ""
        facts = f"{game.seats[0]}{many} players · about {game.minutes} minutes of thinking"
        assert f"{game.summary} {facts}" in said


def test_the_landing_page_speaks_dutch_to_a_dutch_browser(client):
    response = client.get("/", headers=DUTCH)
    assert "Bordspellen van de Nijl, beurt voor beurt" in words(response)
    assert '<html lang="nl"' in response.content.decode()


def test_one_click_makes_a_guest_and_a_running_match_against_a_bot(client):
    match = at_the_board(client)
    guest = get_user(client)
    assert (guest.is_guest, User.objects.count()) == (True, 1)
    assert [(seat.user, seat.bot) for seat in match.seats.all()] == [(guest, ""), (None, "medium")]
    assert (match.status, match.private, match.rated, match.pace_slug) == (
        "running",
        True,
        False,
        "friends",
    )
    page = client.get(f"/matches/{match.pk}/")
    assert page.status_code == 200
    assert "Sign up to keep your matches" in words(page)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_play_now_with_more_players(client, seats):
    match = at_the_board(client, seats=seats)
    assert [seat.bot for seat in match.seats.all()] == [""] + ["medium"] * (seats - 1)


@pytest.mark.parametrize("seats", ["1", "6", "99999999999999", "two", "-2", "2.0", "²"])
def test_a_forged_number_of_players_is_refused_in_words(client, seats):
    response = client.post("/play/obelisk/", {"seats": seats}, follow=True)
    assert "This game needs at least 2 and at most 5 players." in words(response)
    assert (Match.objects.count(), User.objects.count()) == (0, 0)


def test_a_member_plays_as_himself(client, anna):
    client.force_login(anna)
    match = at_the_board(client)
    assert (match.host, User.objects.count()) == (anna, 1)


def test_the_same_button_pressed_twice_gives_one_match(client, anna):
    client.force_login(anna)
    once = re.search(r'name="once" value="(\w+)"', client.get("/").content.decode())[1]
    assert at_the_board(client, once=once) == at_the_board(client, once=once)
    again = re.search(r'name="once" value="(\w+)"', client.get("/").content.decode())[1]
    at_the_board(client, once=again)
    assert Match.objects.count() == 2


def test_nobody_reaches_a_match_by_forging_the_name_of_its_form(client, anna, bob):
    client.force_login(anna)
    once = "0123456789abcdef01234567"
    hers = at_the_board(client, once=once)
    client.force_login(bob)
    assert at_the_board(client, once=once) != hers
    assert at_the_board(client, once=f"{once}-{anna.pk}") != hers
    assert at_the_board(client, once="x" * 10_000) != hers


def test_play_now_is_a_post_with_a_token(client):
    page = client.get("/play/obelisk/")
    assert (page.status_code, page["Allow"]) == (405, "POST")
    assert "there is no page here" in page.content.decode()
    careful = Client(enforce_csrf_checks=True)
    response = careful.post("/play/obelisk/")
    assert response.status_code == 403
    assert "Please try that once more" in words(response)
    assert Match.objects.count() == 0


def test_an_unknown_game_is_not_found(client):
    for address in ("/play/chess/", "/new/chess/", "/rules/chess/"):
        response = client.post(address) if "play" in address else client.get(address)
        assert response.status_code == 404
        assert "There is nothing here" in words(response)


@pytest.mark.slow
def test_an_address_that_begins_too_many_matches_is_asked_to_wait(client):
    for _ in range(NEW_MATCHES_PER_HOUR):
        assert Client().post("/play/obelisk/", {"seats": "2"}).status_code == 302
    before = (Match.objects.count(), User.objects.count())
    assert before == (NEW_MATCHES_PER_HOUR, NEW_MATCHES_PER_HOUR)
    response = client.post("/play/obelisk/", follow=True)
    assert "Try again in an hour." in words(response)
    assert (Match.objects.count(), User.objects.count()) == before
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert elsewhere.post("/play/obelisk/")["Location"].startswith("/matches/")


def test_the_landing_page_leads_back_to_running_matches(client, anna, bob):
    match = duel(anna, bob)
    client.force_login(anna)
    response = client.get("/")
    assert "Go on playing Obelisk with Bob your turn" in words(response)
    assert f'href="/matches/{match.pk}/"' in response.content.decode()
    client.force_login(bob)
    assert "Go on playing Obelisk with Anna Anna to move" in words(client.get("/"))


def test_it_is_ones_own_turn_though_others_must_choose_as_well(client, anna, bob):
    market(anna, bob, person("Cleo"))
    client.force_login(anna)
    assert "Go on playing Obelisk with Bob and Cleo your turn" in words(client.get("/"))


# --- my matches --------------------------------------------------------------------------------


def test_strangers_log_in_first_and_come_back(client):
    response = client.get("/matches/")
    assert response["Location"] == "/accounts/login/?next=/matches/"


def test_without_matches_the_page_offers_play_now_and_the_lobby(client, anna):
    client.force_login(anna)
    text = words(client.get("/matches/"))
    assert "No matches yet" in text
    assert "Play now Lobby" in text


def test_my_matches_are_in_order(client, anna, bob):
    """Least time left first; then tables and invitations, others' turns, and the finished."""
    roomy, urgent, theirs = duel(anna, bob), duel(anna, bob), duel(bob, anna)
    Seat.objects.filter(match=urgent, user=anna).update(
        deadline=timezone.now() + timedelta(hours=5, minutes=1)
    )
    table = match_create(user=bob, game="obelisk", opponents=[Opponent("person", "Anna")])
    closed = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    match_cancel(match_id=closed.pk, user=anna)
    client.force_login(anna)
    ordered = [str(match.pk) for match in (urgent, roomy, table, theirs, closed)]
    assert linked(client, "/matches/") == ordered
    response = client.get("/matches/")
    titles = re.findall(r"<h2 [^>]*>\s*([\w ]+)", response.content.decode())
    assert [title.strip() for title in titles] == [
        "Your turn",
        "Tables and invitations",
        "Others to move",
        "Finished",
    ]
    assert "5 hours left until" in words(response)
    assert "Bob to move" in words(response)


def test_the_header_counts_the_matches_that_wait_for_me(client, anna, bob):
    duel(anna, bob)
    duel(anna, bob)
    duel(bob, anna)
    client.force_login(anna)
    assert "My matches 2 (your turn in 2)" in words(client.get("/lobby/"))
    client.force_login(person("Carl"))
    assert "My matches Rules" in words(client.get("/lobby/"))


@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_card_tells_the_last_public_event_in_the_readers_language(client, anna, bob, language):
    match = duel(anna, bob)
    play_turn(match, 0)
    last = match.lines.filter(to=None).latest("pk")
    match.lines.create(key=last.key, args=last.args | {"seat": 1}, to=1)  # not for Anna's eyes
    client.force_login(anna)
    with translation.override(language):
        event = prose.say(match.game, Line(last.key, last.args, None), ["Anna", "Bob"])
    response = client.get("/matches/", headers={"accept-language": language})
    assert f'<p class="card-event muted small">{escape(event)}</p>' in response.content.decode()


def test_finished_matches_are_paged_the_last_to_end_first(client, anna):
    for _ in range(25):
        match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
        match_cancel(match_id=match.pk, user=anna)
    client.force_login(anna)
    first, second = linked(client, "/matches/"), linked(client, "/matches/?page=2")
    newest = Match.objects.order_by("-finished").values_list("pk", flat=True)
    assert (len(first), first + second) == (20, [str(pk) for pk in newest])
    assert "Page 2 of 2" in words(client.get("/matches/?page=77"))
    assert client.get("/matches/?page=nonsense").status_code == 200


def test_a_match_one_resigned_from_is_among_the_finished_ones(client, anna, bob):
    match = duel(anna, bob)
    match_resign(match_id=match.pk, user=anna)
    client.force_login(anna)
    assert "Place 2 of 2" in words(client.get("/matches/"))


def test_a_card_says_that_something_is_asked_of_its_reader_until_it_is_answered(client, anna, bob):
    match = duel(anna, bob)
    proposal_make(match_id=match.pk, user=anna, kind="pause", days=2)

    def asked() -> list[bool]:
        found = []
        for user in (anna, bob):
            client.force_login(user)
            found.append("you are asked something" in words(client.get("/matches/")))
        return found

    assert asked() == [False, True]
    proposal_answer(match_id=match.pk, user=bob, agree=True)
    assert asked() == [False, False]


def test_the_only_one_left_and_who_may_grant_time_are_asked(client, anna, bob):
    def asked(match: Match) -> bool:
        client.force_login(anna)
        html = client.get("/matches/").content.decode()
        card = html.partition(f'class="card-link" href="/matches/{match.pk}/"')[2]
        return "you are asked something" in card.partition("</article>")[0]

    left = chosen(anna, bob, person("Carla"))
    late = begun(bob, anna, courtesy=True)
    assert (asked(left), asked(late)) == (False, False)
    away(left, *(seat.user for seat in left.seats.exclude(user=anna)))
    sweep(late)
    assert (asked(left), asked(late)) == (True, True)


def test_who_left_sees_that_a_bot_plays_and_is_not_told_to_have_won_by_it(client, anna, bob):
    match = chosen(anna, bob, person("Carla"))
    away(match, anna)
    assert match.seats.get(user=anna).to_act
    client.force_login(anna)
    for address in ("/", "/matches/"):
        response = client.get(address)
        assert "a bot plays for you" in words(response)
        assert "badge turn" not in response.content.decode()
    finish(match)
    match.seats.filter(user=anna).update(rank=1)
    match.seats.exclude(user=anna).update(rank=2)
    assert "You left; the bot came in at place 1 of 3" in words(client.get("/matches/"))
    page = words(client.get(f"/matches/{match.pk}/"))
    assert ("The bot in your place has won." in page, "You have won" in page) == (True, False)
    outbox.deliver(timezone.now() + timedelta(hours=1))
    [letter] = [str(one.body) for one in mail.outbox if one.to == [anna.email]]
    assert "The bot in your place came in at place 1 of 3." in letter


@pytest.mark.parametrize("address", ["/matches/", "/lobby/", "/"])
def test_many_matches_cost_no_more_queries_than_one(client, address):
    people = [person(name) for name in ("Anna", "Bob", "Carla", "Dirk")]
    anna, bob = people[:2]

    def fill() -> None:
        duel(anna, bob)
        duel(bob, anna)
        market(*people)
        match_create(user=bob, game="obelisk", opponents=[Opponent("person", "Anna")])
        match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
        closed = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
        match_cancel(match_id=closed.pk, user=anna)

    client.force_login(anna)
    fill()
    client.get(address)  # the session is written on the first visit
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for _ in range(8):
        fill()
    with CaptureQueriesContext(connection) as many:
        client.get(address)
    assert len(many) == len(few), [query["sql"] for query in many]
    assert len(few) <= 16


# --- rules, language, ways astray ----------------------------------------------------------------


def test_the_rules_pages_list_and_show_every_game(client):
    assert 'href="/rules/obelisk/"' in client.get("/rules/").content.decode()
    for headers in ({}, DUTCH):
        response = client.get("/rules/obelisk/", headers=headers)
        assert response.status_code == 200
        assert "Obelisk" in words(response)


def test_a_stranger_changes_the_language_and_stays_where_he_was(client):
    response = client.post("/language/", {"language": "nl", "next": "/lobby/?pace=brisk"})
    assert response["Location"] == "/lobby/?pace=brisk"
    assert "Open tafels" in words(client.get("/lobby/"))
    client.post("/language/", {"language": "en", "next": "/"})
    assert "Open tables" in words(client.get("/lobby/"))


def test_a_members_language_goes_with_him(client, anna):
    client.force_login(anna)
    client.post("/language/", {"language": "nl", "next": "/"})
    anna.refresh_from_db()
    assert anna.language == "nl"
    other_browser = Client()
    other_browser.force_login(anna)
    assert "Mijn partijen" in words(other_browser.get("/matches/"))


@pytest.mark.parametrize("language", ["xx", "", "nl'--", "n" * 10_000])
def test_a_forged_language_changes_nothing(client, anna, language):
    client.force_login(anna)
    client.post("/language/", {"language": language, "next": "https://evil.example/"})
    anna.refresh_from_db()
    assert anna.language == ""
    assert client.get("/language/").status_code == 405


def test_the_language_switch_never_leads_off_the_site(client):
    response = client.post("/language/", {"language": "nl", "next": "https://evil.example/"})
    assert response["Location"] == "/"


@pytest.mark.parametrize(
    "path", ["/nowhere/", "/matches/999999/", "/matches/99999999999999999999/"]
)
def test_a_page_that_is_not_there_says_so_in_both_languages(client, path):
    response = client.get(path)
    assert response.status_code == 404
    assert "There is nothing here" in words(response)
    assert "Hier is niets" in words(client.get(path, headers=DUTCH))


def test_a_fault_of_ours_is_admitted_in_our_frame(client, monkeypatch):
    def broken(*_args):
        raise RuntimeError

    monkeypatch.setattr("games.views.home.shelf", broken)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "Something broke" in words(response)
    assert "Er ging iets stuk" in words(client.get("/", headers=DUTCH))


def test_every_page_has_landmarks_and_no_inline_script(client, anna):
    client.force_login(anna)
    for path in ("/", "/lobby/", "/matches/", "/new/obelisk/", "/rules/", "/nowhere/"):
        html = client.get(path).content.decode()
        assert html.count("<main") == html.count("<h1") == html.count('id="announce"') == 1, path
        assert html.count('class="skip"') == 1, path
        assert not re.search(r"<script(?![^>]*\bsrc=)", html), path
        assert not re.search(r"\son\w+=|\sstyle=", html), path


def test_the_users_theme_is_on_every_page(client, anna):
    anna.theme = "dark"
    anna.save()
    client.force_login(anna)
    assert 'data-theme="dark"' in client.get("/").content.decode()


# --- in a browser --------------------------------------------------------------------------------


def complaints(page) -> list[str]:
    """What axe has to say against a page."""
    found = Axe().run(page).response
    assert len(found["passes"]) > 10  # it did look
    return [
        f"{violation['id']}: {violation['nodes'][0]['html']}" for violation in found["violations"]
    ]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scripts", [True, False])
def test_one_click_leads_from_the_landing_page_to_the_board(new_page, scripts):
    page = new_page(java_script_enabled=scripts)
    page.goto("/")
    page.get_by_role("button", name="Play now", exact=True).first.click()
    page.wait_for_url("**/matches/*/")
    page.get_by_role("link", name="My matches").click()
    expect(page.get_by_text("Sign up to keep your matches")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(1)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("colours", "width"), [("light", 390), ("dark", 1280)])
def test_the_pages_around_the_matches_are_accessible(new_page, colours, width):
    anna, bob = person("Anna"), person("Bob")
    duel(anna, bob)
    match_create(user=bob, game="obelisk", opponents=[Opponent("person", "Anna")])
    table = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    # axe is put into the page as a script, which the content policy rightly forbids.
    page = new_page(color_scheme=colours, viewport={"width": width, "height": 900}, bypass_csp=True)
    addresses = ["/", "/lobby/", "/rules/", "/new/obelisk/?seats=3", f"/matches/{table.pk}/"]
    for address in [*addresses, "/accounts/login/", "/nowhere/"]:
        page.goto(address)
        assert complaints(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    page.goto("/accounts/login/?next=/matches/")
    page.fill("[name=login]", "Anna")
    page.fill("[name=password]", "pyramid-22")
    page.click("main button[type=submit]")
    page.wait_for_url("**/matches/")
    for address in ["/matches/", *addresses]:
        page.goto(address)
        assert complaints(page) == [], address


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_user_menu_opens_and_closes_by_keyboard(new_page):
    page = new_page(viewport={"width": 1280, "height": 900})
    page.goto("/")
    page.get_by_role("button", name="Play now", exact=True).first.click()
    page.wait_for_url("**/matches/*/")
    page.goto("/lobby/")
    menu = page.locator("details.menu")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("link", name="Settings")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(menu.get_by_role("link", name="Settings")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_who_logs_in_by_the_head_of_a_page_comes_back_to_it(client, anna, bob):
    match = duel(anna, bob)
    address = f"/matches/{match.pk}/?link=a+b"
    for head in (client.get(address), client.get("/lobby/?game=obelisk")):
        back = head.wsgi_request.get_full_path()
        link = f"/accounts/login/?{urlencode({'next': back})}"
        assert f'href="{link}"' in head.content.decode()
        answer = client.post(link, {"login": "Anna", "password": "pyramid-22", "next": back})
        assert (answer.status_code, answer["Location"]) == (302, back)
        client.logout()
    assert 'href="/accounts/login/"' in client.get("/").content.decode()
