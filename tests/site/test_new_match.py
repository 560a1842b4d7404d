"""The form of a new match: what it asks, what becomes of it, and what is wrong with it."""

import re

import pytest
from django.contrib.auth import get_user
from playwright.sync_api import expect

from accounts.services import guest_create
from games.models import Match
from games.services import MOST_OPEN_TABLES
from tests.site.people import person
from tests.site.tables import log_in, logged_in, open_table
from tests.site.test_home import DUTCH, words
from tests.toy import TOY

pytestmark = pytest.mark.django_db


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


EVERYTHING = ("pace", "weekends", "no_vacations", "courtesy", "rated", "private", "least_in_time")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_what_has_no_meaning_with_what_was_chosen_is_not_offered(new_page):
    person("Anna")
    page = new_page()
    log_in(page, "Anna", "/new/sakkara/")

    def is_offered(*names: str) -> None:
        for name in EVERYTHING:
            expect(page.locator(f"[name={name}]").first).to_be_visible(visible=name in names)

    is_offered(*EVERYTHING)
    page.get_by_label("Friends").check()
    is_offered("pace", "private", "least_in_time")
    page.get_by_label("Standard").check()
    page.get_by_label("Opponent 1").select_option("bot-easy")
    is_offered("private")
    page.get_by_label("Opponent 1").select_option("person")
    is_offered(*EVERYTHING)
    page.locator("[name=rated]").check()
    page.get_by_label("Opponent 1").select_option("bot-easy")
    is_offered("rated", "private")  # ticked: it must be possible to take that away
