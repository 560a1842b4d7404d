"""Tables before the match: the lobby, new matches, joining, leaving, starting, cancelling."""

import re

import pytest
import time_machine
from django.contrib.auth import get_user
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Tie, User
from accounts.services import guest_create
from accounts.ties import tie_set
from games.models import Match, Seat
from games.services import MOST_OPEN_TABLES, Opponent, match_create, match_join, match_start
from tests.site.people import duel, market, person
from tests.site.test_home import DUTCH, words
from tests.toy import TOY

pytestmark = pytest.mark.django_db


@pytest.fixture
def eve():
    return person("Eve")


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def open_table(host: User, *opponents: Opponent, **settings) -> Match:
    return match_create(
        user=host, game="obelisk", opponents=opponents or [Opponent("open")], **settings
    )


def new(**changes) -> dict[str, str]:
    """What the form of a new match posts, with changes; None leaves a field out."""
    fields = {
        "seats": "2",
        "opponent_1": "open",
        "option_expert": "0",
        "option_first_player": "random",
        "pace": "standard",
        "once": "0123456789abcdef01234567",
    }
    return {name: value for name, value in (fields | changes).items() if value is not None}


def errors(response) -> list[str]:
    html = response.content.decode()
    found = re.findall(r'(?s)<ul class="errorlist[^>]*>(.*?)</ul>', html)
    return [re.sub(r"<[^>]+>", "", error).strip().replace("&quot;", '"') for error in found]


# --- the lobby ---------------------------------------------------------------------------------


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


# --- a new match: the form ---------------------------------------------------------------------


def test_with_one_game_on_the_shelf_its_form_comes_at_once(client, monkeypatch):
    from games.catalogue import shelf

    obelisk = shelf()["obelisk"]
    monkeypatch.setattr("games.views.tables.shelf", lambda: {"obelisk": obelisk})
    assert client.get("/new/")["Location"] == "/new/obelisk/"
    monkeypatch.setattr("games.views.tables.shelf", lambda: {"obelisk": obelisk, "toy": TOY})
    text = words(client.get("/new/"))
    assert "Which game shall it be?" in text
    assert "Scarabs" in text


@pytest.mark.parametrize(("asked", "seats"), [("", 2), ("4", 4), ("9", 2), ("x", 2), ("١", 2)])
def test_the_number_of_players_is_chosen_by_address(client, asked, seats):
    html = client.get(f"/new/obelisk/?seats={asked}").content.decode()
    assert len(re.findall(r'<select name="opponent_\d"', html)) == seats - 1
    assert "Expert version" in html
    assert "3 days to start with" in html


def test_invited_friends_all_come_by_link(client):
    page = client.get("/new/obelisk/?opponent_1=link&seats=3").content.decode()
    assert page.count('<option value="link" selected') == 2


def test_another_number_of_players_loses_nothing_typed(anna):
    typed = new(seats="4", reseat="yes", pace="leisurely", opponent_1="person", who_1="nobody")
    response = logged_in(anna).post("/new/obelisk/", typed)
    html = response.content.decode()
    assert (response.status_code, errors(response), Match.objects.count()) == (200, [], 0)
    assert len(re.findall(r'<select name="opponent_\d"', html)) == 3
    assert re.search(r'name="who_1" value="nobody"', html)
    assert re.search(r'value="leisurely"[^>]* checked', html)


@pytest.mark.parametrize(("seats", "offered"), [("2", 1), ("3", 0)])
def test_courtesy_is_offered_to_two_only(anna, seats, offered):
    client = logged_in(anna)
    html = client.post("/new/obelisk/", new(seats=seats, reseat="yes")).content.decode()
    assert html.count('name="courtesy"') == offered
    assert html.count('name="weekends"') == 1
    asked = new(seats=seats, courtesy="on", opponent_2="open" if seats == "3" else None)
    client.post("/new/obelisk/", asked)
    assert Match.objects.get().courtesy is bool(offered)


def test_a_game_with_other_options_is_asked_for_them(anna, monkeypatch):
    monkeypatch.setattr("games.catalogue.shelf", lambda: {"toy": TOY})
    monkeypatch.setattr("games.views.home.shelf", lambda: {"toy": TOY})
    monkeypatch.setattr("games.services.tables.shelf", lambda: {"toy": TOY})
    client = logged_in(anna)
    fields = {"seats": "2", "opponent_1": "bot-easy", "pace": "friends"}
    wrong = client.post("/new/toy/", fields | {"option_tie": "2", "option_rounds": "3"})
    assert wrong.status_code == 422
    assert len(errors(wrong)) == 1
    client.post("/new/toy/", fields | {"option_tie": "1", "option_rounds": "2"})
    assert Match.objects.get().options == {"tie": 1, "rounds": 2}


# --- a new match: what becomes of it -------------------------------------------------------------


def test_an_open_seat_makes_a_public_table(anna):
    response = logged_in(anna).post("/new/obelisk/", new(rated="on", option_expert="1"))
    match = Match.objects.get()
    assert response["Location"] == f"/matches/{match.pk}/"
    assert (match.status, match.private, match.rated, match.pace_slug, match.options) == (
        "open",
        False,
        True,
        "standard",
        {"expert": 1, "first_player": "random"},
    )


def test_a_private_link_makes_a_private_table(anna):
    logged_in(anna).post("/new/obelisk/", new(opponent_1="link"))
    match = Match.objects.get()
    assert (match.status, match.private) == ("open", True)


def test_bots_alone_start_at_once(anna):
    form = new(seats="3", opponent_1="bot-easy", opponent_2="bot-hard", option_first_player="2")
    logged_in(anna).post("/new/obelisk/", form)
    match = Match.objects.get()
    assert [seat.bot for seat in match.seats.all()] == ["", "easy", "hard"]
    assert (match.status, match.options["first_player"]) == ("running", 2)


def test_people_are_invited_by_name_and_by_mail(anna, bob):
    form = new(
        seats="3", opponent_1="person", who_1="bOB", opponent_2="person", who_2="oma@example.org"
    )
    logged_in(anna).post("/new/obelisk/", form)
    seats = Match.objects.get().seats.all()
    assert [(seat.user, seat.invitee, seat.invitee_email) for seat in seats] == [
        (anna, None, ""),
        (None, bob, ""),
        (None, None, "oma@example.org"),
    ]


def test_a_stranger_opens_a_table_as_a_guest(client):
    client.post("/new/obelisk/", new(opponent_1="link"))
    assert Match.objects.get().host == get_user(client)
    assert get_user(client).is_guest


def test_the_form_posted_twice_makes_one_table(anna, bob):
    client = logged_in(anna)
    first = client.post("/new/obelisk/", new())
    assert client.post("/new/obelisk/", new())["Location"] == first["Location"]
    assert Match.objects.count() == 1
    logged_in(bob).post("/new/obelisk/", new())
    assert Match.objects.count() == 2


# --- a new match: what is wrong with it ----------------------------------------------------------

LONG = "x" * 10_000
NEVER_RATED = "Only matches with a clock and without bots can be rated."


def inviting(*people: str) -> dict[str, str]:
    form = {"seats": str(len(people) + 1)}
    for number, name in enumerate(people, 1):
        form |= {f"opponent_{number}": "person", f"who_{number}": name}
    return form


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (inviting(""), "Whom do you invite? Give a username or an e-mail address."),
        (inviting("Nobody"), "There is no player called Nobody."),
        (inviting("👑🐫"), "There is no player called 👑🐫."),
        (inviting(LONG), "That is too long for a name or an e-mail address."),
        (inviting("anna"), "That is you."),
        (inviting("anna@example.org"), "That is you."),
        (inviting("me@@nowhere"), "That is no e-mail address."),
        (inviting("Bob", "BOB"), "You invite the same person twice."),
        ({"seats": "3"}, "Choose who shall sit here."),
        ({"seats": "7"}, "This game needs at least 2 and at most 5 players."),
        (
            {"private": "on"},
            "A private table has no open seats: choose “with my private link” for them.",
        ),
        ({"rated": "on", "opponent_1": "bot-easy"}, NEVER_RATED),
        ({"rated": "on", "pace": "friends"}, NEVER_RATED),
    ],
)
def test_a_wrong_form_says_what_is_wrong_and_loses_nothing(anna, bob, changes, complaint):
    response = logged_in(anna).post("/new/obelisk/", new(**changes))
    assert (response.status_code, errors(response), Match.objects.count()) == (422, [complaint], 0)
    assert "Nothing you entered is lost." in words(response)
    if changes.get("who_1"):
        assert f'value="{changes["who_1"]}"' in response.content.decode()


@pytest.mark.parametrize(
    "changes",
    [
        {"pace": "glacial"},
        {"pace": None},
        {"opponent_1": "bot-godlike"},
        {"opponent_1": "host"},
        {"option_expert": "7"},
        {"option_first_player": "2"},
        {"option_first_player": None},
    ],
)
def test_forged_values_are_refused_at_their_field(anna, changes):
    response = logged_in(anna).post("/new/obelisk/", new(**changes))
    assert (response.status_code, len(errors(response)), Match.objects.count()) == (422, 1, 0)


def test_the_complaints_are_in_dutch_for_the_dutch(anna):
    form = new(opponent_1="person", who_1="Nobody")
    response = logged_in(anna).post("/new/obelisk/", form, headers=DUTCH)
    assert errors(response) == ["Er is geen speler die Nobody heet."]


def test_guests_invite_by_link_only_and_are_never_rated(bob):
    client = logged_in(guest_create())
    html = client.get("/new/obelisk/").content.decode()
    assert 'value="person"' not in html
    assert 'name="rated"' not in html
    assert client.post("/new/obelisk/", new(opponent_1="person", who_1="Bob")).status_code == 422
    client.post("/new/obelisk/", new(rated="on"))
    assert Match.objects.get().rated is False


def test_too_many_open_tables_are_refused_on_the_form(anna):
    for _ in range(MOST_OPEN_TABLES):
        open_table(anna)
    response = logged_in(anna).post("/new/obelisk/", new())
    assert response.status_code == 422
    assert errors(response) == ["You have too many open tables. Start or cancel one first."]


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


# --- in a browser --------------------------------------------------------------------------------


def log_in(page, name: str, then: str) -> None:
    page.goto(f"/accounts/login/?next={then}")
    page.fill("[name=login]", name)
    page.fill("[name=password]", "pyramid-22")
    page.click("main button[type=submit]")
    page.wait_for_url(f"**{then}")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scripts", [True, False])
def test_a_table_is_opened_with_and_without_scripts(new_page, scripts):
    person("Anna")
    person("Bob")
    page = new_page(java_script_enabled=scripts)
    log_in(page, "Anna", "/new/obelisk/")
    page.get_by_label("Leisurely").check()
    page.get_by_label("Opponent 1", exact=True).select_option("person")
    page.locator("[name=who_1]").fill("Bob")
    page.get_by_label("3", exact=True).check()
    if not scripts:
        page.get_by_role("button", name="Show that many seats").click()
    page.get_by_label("Opponent 2", exact=True).select_option("bot-hard")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/matches/*/")
    match = Match.objects.get()
    seats = [(seat.name, seat.bot) for seat in match.seats.all()]
    assert (seats, match.pace_slug) == ([("Anna", ""), ("Bob", ""), ("Merit", "hard")], "leisurely")


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
    page.locator("#seats").wait_for(state="detached", timeout=20_000)
    page.get_by_text("Bob").locator("visible=true").first.wait_for()


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
