"""A table before the match: who sees it, and who joins, leaves, starts or closes it."""

import pytest
from django.contrib.auth import get_user
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from games.models import Match
from games.services import Opponent, match_join, match_start
from tests.site.people import person
from tests.site.tables import log_in, logged_in, open_table
from tests.site.test_home import DUTCH, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def eve():
    return person("Eve")


# --- a table: who sees it ------------------------------------------------------------------------


def test_a_public_table_is_open_to_everybody_but_its_link_is_not(client, anna):
    match = open_table(anna)
    page = client.get(f"/matches/{match.pk}/")
    assert "A table of Anna." in words(page)
    assert "Take a seat" in words(page)
    assert match.link not in page.content.decode()
    assert match.seed not in page.content.decode()


def test_those_who_sit_at_a_table_see_its_link(anna):
    match = open_table(anna, private=True)
    html = logged_in(anna).get(f"/matches/{match.pk}/").content.decode()
    assert f"http://testserver/matches/{match.pk}/?link={match.link}" in html


def test_a_private_table_does_not_exist_for_others(client, anna, eve):
    match = open_table(anna, private=True)
    revision = match.revision
    for visitor in (client, logged_in(eve)):
        for link in ("", "?link=", "?link=wrong", f"?link={match.link[:-1]}"):
            assert visitor.get(f"/matches/{match.pk}/{link}").status_code == 404
            assert visitor.get(f"/matches/{match.pk}/seats/{link}").status_code == 404
        for verb in ("join", "leave", "start", "cancel"):
            visitor.post(f"/matches/{match.pk}/{verb}/", {"link": "wrong"})
    match.refresh_from_db()
    assert (match.status, match.revision) == ("open", revision)
    assert [seat.user for seat in match.seats.all()] == [anna, None]


def test_its_link_opens_a_private_table_and_seats_a_stranger_as_a_guest(client, anna):
    match = open_table(anna, private=True)
    page = client.get(f"/matches/{match.pk}/?link={match.link}")
    assert f'name="link" value="{match.link}"' in page.content.decode()
    response = client.post(f"/matches/{match.pk}/join/", {"link": match.link})
    assert response["Location"] == f"/matches/{match.pk}/"
    match.refresh_from_db()
    assert match.status == "running"
    assert get_user(client) == match.seats.get(index=1).user
    assert client.get(f"/matches/{match.pk}/").status_code == 200


def test_an_address_invited_by_mail_is_shown_to_the_host_alone(anna, eve):
    match = open_table(anna, Opponent("person", "oma@example.org"), Opponent("open"))
    assert "oma@example.org" in words(logged_in(anna).get(f"/matches/{match.pk}/"))
    text = words(logged_in(eve).get(f"/matches/{match.pk}/"))
    assert "oma@example.org" not in text
    assert "somebody invited by mail" in text


# --- a table: what can be done -------------------------------------------------------------------


def test_a_member_joins_from_the_lobby(anna, bob):
    match = open_table(anna)
    assert f'action="/matches/{match.pk}/join/"' in logged_in(bob).get("/lobby/").content.decode()
    response = logged_in(bob).post(f"/matches/{match.pk}/join/")
    assert response["Location"] == f"/matches/{match.pk}/"
    match.refresh_from_db()
    assert (match.status, match.seats.get(index=1).user) == ("running", bob)


def test_an_invitation_is_accepted_or_declined(anna, bob, eve):
    match = open_table(anna, Opponent("person", "Bob"), Opponent("person", "Eve"))
    assert "Anna invites you to this table." in words(logged_in(bob).get(f"/matches/{match.pk}/"))
    logged_in(bob).post(f"/matches/{match.pk}/join/")
    response = logged_in(eve).post(f"/matches/{match.pk}/leave/", follow=True)
    assert "You have left the table." in words(response)
    assert [(seat.user, seat.invitee) for seat in match.seats.all()] == [
        (anna, None),
        (bob, None),
        (None, None),
    ]


def test_a_seat_kept_for_somebody_is_refused_to_others_in_words(anna, bob, eve):
    match = open_table(anna, Opponent("person", "Bob"))
    response = logged_in(eve).post(f"/matches/{match.pk}/join/", follow=True)
    assert "This seat is kept for somebody else." in words(response)
    dutch = logged_in(eve).post(f"/matches/{match.pk}/join/", follow=True, headers=DUTCH)
    assert "Deze plaats is voor iemand anders bestemd." in words(dutch)
    assert match.seats.get(index=1).user is None


def test_a_refusal_to_htmx_is_a_fragment_with_a_4xx(anna):
    match = open_table(anna)
    response = logged_in(anna).post(f"/matches/{match.pk}/start/", headers={"hx-request": "true"})
    assert response.status_code == 409
    assert words(response) == "Not all seats are taken yet."


def test_the_host_starts_early_with_those_who_are_there(anna, bob):
    match = open_table(anna, Opponent("open"), Opponent("open"))
    page = logged_in(anna).post(f"/matches/{match.pk}/start/", follow=True)
    assert "Not all seats are taken yet." in words(page)
    logged_in(bob).post(f"/matches/{match.pk}/join/")
    refused = logged_in(bob).post(f"/matches/{match.pk}/start/", follow=True)
    assert "Only the host can do that." in words(refused)
    logged_in(anna).post(f"/matches/{match.pk}/start/")
    match.refresh_from_db()
    assert (match.status, match.seats.count()) == ("running", 2)


def test_to_start_early_is_offered_as_soon_as_there_are_enough_and_to_the_host_alone(anna, bob):
    match = open_table(anna, Opponent("open"), Opponent("open"))
    early = "Start with those who are here"
    for address in (f"/matches/{match.pk}/", f"/matches/{match.pk}/seats/"):
        assert early not in words(logged_in(anna).get(address))
    logged_in(bob).post(f"/matches/{match.pk}/join/")
    for address in (f"/matches/{match.pk}/", f"/matches/{match.pk}/seats/"):
        assert early in words(logged_in(anna).get(address))
        assert early not in words(logged_in(bob).get(address))


def test_who_has_no_account_is_led_by_a_rated_table_to_one_and_back(client, anna):
    match = open_table(anna, private=True, rated=True)
    table = f"/matches/{match.pk}/?link={match.link}"
    page = words(client.get(table))
    assert "Rated matches are for members." in page
    assert "guest" not in page
    page = client.post(f"/matches/{match.pk}/join/", {"link": match.link}, follow=True)
    assert "Rated matches are for members. Sign up first." in words(page)
    assert get_user(client).is_anonymous  # nobody becomes a guest for a seat guests cannot have
    signed = {"username": "Stella", "email": "s@example.org", "password1": "pyramid-22"}
    back = client.post(page.redirect_chain[-1][0], signed)["Location"]
    assert back == table
    client.post(f"/matches/{match.pk}/join/", {"link": match.link})
    match.refresh_from_db()
    assert (match.status, match.seats.get(index=1).user.username) == ("running", "Stella")


def test_the_host_closes_the_table_and_nobody_else(anna, bob):
    match = open_table(anna, Opponent("open"), Opponent("open"))
    logged_in(bob).post(f"/matches/{match.pk}/join/")
    refused = logged_in(bob).post(f"/matches/{match.pk}/cancel/", follow=True)
    assert "Only the host can do that." in words(refused)
    left = logged_in(anna).post(f"/matches/{match.pk}/leave/", follow=True)
    assert "cancel the table instead of leaving it" in words(left)
    closed = logged_in(anna).post(f"/matches/{match.pk}/cancel/", follow=True)
    assert "The table is closed." in words(closed)
    match.refresh_from_db()
    assert match.status == "cancelled"


def test_somebody_whose_session_ended_logs_in_and_is_back_at_the_table(client, anna):
    match = open_table(anna)
    for verb in ("leave", "start", "cancel"):
        response = client.post(f"/matches/{match.pk}/{verb}/")
        assert response["Location"] == f"/accounts/login/?next=/matches/{match.pk}/"
    assert User.objects.count() == 1


def test_nothing_is_changed_by_looking(anna):
    match = open_table(anna)
    revision = match.revision
    client = logged_in(anna)
    for verb in ("join", "leave", "start", "cancel"):
        looked = client.get(f"/matches/{match.pk}/{verb}/")
        assert (looked.status_code, looked["Location"]) == (302, f"/matches/{match.pk}/")
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(anna)
    assert careful.post(f"/matches/{match.pk}/cancel/").status_code == 403
    match.refresh_from_db()
    assert (match.status, match.revision) == ("open", revision)


def test_a_waiting_page_is_told_of_new_seats_and_of_the_start(anna, bob):
    match = open_table(anna, Opponent("open"), Opponent("open"))
    client = logged_in(anna)
    address = f"/matches/{match.pk}/seats/"
    assert client.get(f"{address}?seen={match.revision}").status_code == 204
    logged_in(bob).post(f"/matches/{match.pk}/join/")
    news = client.get(f"{address}?seen=0", headers={"hx-request": "true"})
    assert "Bob" in words(news)
    assert "Waiting for 1 more player." in words(news)
    match_start(match_id=match.pk)
    assert client.get(f"{address}?seen=1")["HX-Refresh"] == "true"


def test_the_page_of_a_table_says_everything_before_one_joins(client, anna):
    match = open_table(anna, Opponent("bot", "hard"), Opponent("open"), pace="brisk", rated=True)
    text = words(client.get(f"/matches/{match.pk}/"))
    for fact in (
        "Anna host",
        "bot, hard",
        "open seat",
        "Brisk: 2 days to start with, 12 hours more for every turn, at most 3 days.",
        "Rating unrated",  # there is a bot
        "Seen by everybody",
        "First player Drawn by lot",
        "Open until",
        " UTC Then the table closes by itself.",
    ):
        assert fact in text


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_host_sees_the_match_begin_without_touching_the_page(new_page):
    person("Anna")
    bob = person("Bob")
    page = new_page(java_script_enabled=True)
    log_in(page, "Anna", "/new/obelisk/")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/matches/*/")
    expect(page.get_by_text("Waiting for 1 more player.").first).to_be_visible()
    match_join(match_id=Match.objects.get().pk, user=bob)
    page.locator("#seats").wait_for(state="detached")
    page.get_by_text("Bob").locator("visible=true").first.wait_for()
