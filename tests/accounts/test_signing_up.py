"""Signing up, logging in and out, forgotten passwords; guests who become members."""

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import guest_create

pytestmark = pytest.mark.django_db

PASSWORD = "papyrus-and-lapis"
FORM = {"username": "Nefer", "email": "nefer@example.org", "password1": PASSWORD}


def member(username: str = "Nefer", email: str = "nefer@example.org") -> User:
    return User.objects.create_user(username, email, PASSWORD)


def logged_in_as(client: Client) -> str | None:
    user_id = client.session.get("_auth_user_id")
    return User.objects.get(pk=user_id).username if user_id else None


def without_csrf(page: bytes) -> str:
    return re.sub(r'(csrf\w*"?:? ?(?:value=)?")\w+', r"\1", page.decode(), flags=re.IGNORECASE)


def name_errors(client: Client, name: str) -> list[str]:
    response = client.post("/accounts/signup/", FORM | {"username": name})
    assert response.status_code == 200, "the form is shown again"
    errors: list[str] = response.context["form"].errors.get("username", [])
    return errors


@pytest.mark.parametrize("page", ["signup", "login", "password/reset"])
def test_fields_bear_our_words_in_the_readers_language(client: Client, page: str) -> None:
    html = client.get(f"/accounts/{page}/", headers={"accept-language": "nl"}).content.decode()
    assert not re.search(r"\b[Uu]w\b", html), "we say je"
    assert "placeholder" not in html
    assert ("Gebruikersnaam" in html, "E-mailadres" in html or "e-mailadres" in html) == (
        page != "password/reset",
        True,
    )


@pytest.mark.parametrize(
    ("password", "reasons"),
    [
        ("a-Nile", ["Dit is te kort: minstens 8 tekens."]),
        ("password123", ["Te veel mensen gebruiken dit wachtwoord."]),
        ("nefer@example", ["Dit lijkt te veel op je naam of je adres."]),
    ],
)
def test_a_password_is_refused_in_the_readers_language(
    client: Client, password: str, reasons: list[str]
) -> None:
    form = FORM | {"password1": password}
    page = client.post("/accounts/signup/", form, headers={"accept-language": "nl"})
    assert page.context["form"].errors == {"password1": reasons}


def test_mails_about_an_account_have_an_html_part_with_one_button(client: Client) -> None:
    client.post("/accounts/signup/", FORM)
    [written] = mail.outbox
    html, kind = written.alternatives[0]
    link = next(line for line in written.body.splitlines() if line.startswith("http"))
    assert (kind, html.count(f'href="{link}"'), html.count("<a ")) == ("text/html", 1, 1)
    assert "Welcome to Nilepost, Nefer." in written.body
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", html) == ["Confirm your address"]
    assert 'style="' in html


def test_signing_up_makes_a_member_who_is_logged_in(client: Client) -> None:
    response = client.post("/accounts/signup/", FORM)
    assert (response.status_code, response["Location"]) == (302, "/matches/")
    assert logged_in_as(client) == "Nefer"
    user = User.objects.get()
    assert (user.email, user.is_guest, user.check_password(PASSWORD)) == (
        "nefer@example.org",
        False,
        True,
    )


@pytest.mark.parametrize("login", ["Nefer", "nefer", "nefer@example.org", "NEFER@example.org"])
def test_a_member_logs_in_by_name_or_address(client: Client, login: str) -> None:
    member()
    client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert logged_in_as(client) == "Nefer"


def test_a_wrong_password_says_so_and_tells_nothing_else(client: Client) -> None:
    member()
    known = client.post("/accounts/login/", {"login": "Nefer", "password": "wrong"})
    unknown = client.post("/accounts/login/", {"login": "Nobody", "password": "wrong"})
    assert known.context["form"].errors == unknown.context["form"].errors
    assert logged_in_as(client) is None


def test_logging_out_takes_a_post(client: Client) -> None:
    client.force_login(member())
    assert client.get("/accounts/logout/").status_code == 200
    assert logged_in_as(client) == "Nefer"
    assert client.post("/accounts/logout/")["Location"] == "/"
    assert logged_in_as(client) is None


def test_a_forgotten_password_is_replaced_through_the_mail(client: Client) -> None:
    member()
    client.post("/accounts/password/reset/", {"email": "nefer@example.org"})
    [message] = mail.outbox
    assert message.to == ["nefer@example.org"]
    assert message.subject == "[Nilepost] Choose a new password"
    link = re.search(r"http://localhost:8000(/\S+)", str(message.body))
    assert link is not None, message.body
    form = client.get(link[1], follow=True)
    client.post(
        form.request["PATH_INFO"], {"password1": "a-new-reed-pen", "password2": "a-new-reed-pen"}
    )
    assert User.objects.get().check_password("a-new-reed-pen")
    again = Client().get(link[1], follow=True)
    assert "This link was used already or is too old." in again.content.decode()


def test_links_of_the_account_that_are_too_old_say_so_and_where_to_get_a_new_one() -> None:
    Client().post("/accounts/signup/", FORM)
    Client().post("/accounts/password/reset/", {"email": FORM["email"]})
    links = [
        link
        for message in mail.outbox
        for link in re.findall(r"http://localhost:8000(/\S+)", str(message.body))
    ]
    ways = ["/accounts/login/?next=/accounts/email/", "/accounts/password/reset/"]
    for days, is_old in ((2, False), (4, True)):
        with time_machine.travel(timezone.now() + timedelta(days=days), tick=False):
            pages = [Client().get(link, follow=True).content.decode() for link in links]
        said = ["This link was used already or is too old." in page for page in pages]
        offered = [f'href="{way}"' in page for way, page in zip(ways, pages, strict=True)]
        assert (said, offered) == ([is_old] * 2, [is_old] * 2)


def test_asking_a_password_for_an_unknown_address_looks_the_same(client: Client) -> None:
    member()
    known = client.post("/accounts/password/reset/", {"email": "nefer@example.org"}, follow=True)
    unknown = client.post("/accounts/password/reset/", {"email": "other@example.org"}, follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    assert without_csrf(known.content) == without_csrf(unknown.content)


def test_signing_up_does_not_tell_whether_an_address_is_known(client: Client) -> None:
    member()
    known = client.post("/accounts/signup/", FORM | {"username": "Ramses"}, follow=True)
    other = FORM | {"username": "Thutmo", "email": "other@example.org"}
    unknown = Client().post("/accounts/signup/", other, follow=True)
    assert known.redirect_chain == unknown.redirect_chain == [("/matches/", 302)]
    page = without_csrf(known.content).replace("Ramses", "Thutmo")
    assert page.replace("nefer@", "other@") == without_csrf(unknown.content)
    assert logged_in_as(client) == "Ramses"


def test_two_may_name_an_address_but_only_one_can_confirm_it(client: Client) -> None:
    EmailAddress.objects.create(user=member(), email="nefer@example.org", verified=True)
    client.post("/accounts/signup/", FORM | {"username": "Other"})
    [message] = mail.outbox
    link = re.search(r"http://localhost:8000(/\S+)", str(message.body))
    assert link is not None, message.body
    Client().post(link[1])
    verified = EmailAddress.objects.filter(verified=True).values_list("user__username", flat=True)
    assert list(verified) == ["Nefer"]


def test_an_address_named_by_somebody_else_logs_its_owner_in_as_ever(client: Client) -> None:
    EmailAddress.objects.create(user=member(), email="nefer@example.org", verified=True)
    thief = {"username": "Thief", "email": "nefer@example.org", "password1": "another-one"}
    Client().post("/accounts/signup/", thief)
    client.post("/accounts/login/", {"login": "nefer@example.org", "password": PASSWORD})
    assert logged_in_as(client) == "Nefer"


@pytest.mark.parametrize("name", ["Nefer", "nefer-hotep", "Zoë", "نفرتيتي", "a", "x" * 30])
def test_good_names_are_accepted(client: Client, name: str) -> None:
    client.post("/accounts/signup/", FORM | {"username": name})
    assert logged_in_as(client) == name


@pytest.mark.parametrize("name", ["Ｎefer", "Nefеr", "Νefer", "ﬁnn", "Nefer²"])
def test_nobody_signs_up_or_is_renamed_in_the_disguise_of_another(client, name: str) -> None:
    """Wide letters, a Cyrillic е, a Greek Ν, a ligature: to the eye it is somebody else's name."""
    words = "Use the plain letters of one alphabet, so that nobody is taken for another."
    assert name_errors(client, name) == [words]
    client.force_login(member())
    page = client.post("/accounts/settings/profile/", {"username": name})
    assert page.context["forms"]["profile"].errors["username"] == [words]


@pytest.mark.parametrize("name", ["Нефертити", "Νεφερτίτη", "ネフェル王女"])
def test_every_alphabet_is_welcome(client: Client, name: str) -> None:
    client.post("/accounts/signup/", FORM | {"username": name})
    assert logged_in_as(client) == name


@pytest.mark.parametrize(
    "name", ["🐫🐫🐫", "two words", "-dash", "dot.", "<b>", "../etc", "a\u202eb"]
)
def test_unreadable_names_are_refused_with_a_reason(client: Client, name: str) -> None:
    assert name_errors(client, name) == [
        "Use letters and digits, with “-”, “_” or “.” between them."
    ]


def test_long_names_are_refused_with_a_reason(client: Client) -> None:
    assert name_errors(client, "x" * 10_000) == [
        "Ensure this value has at most 30 characters (it has 10000)."
    ]


def test_a_name_may_be_taken_only_once_in_any_case(client: Client) -> None:
    member("NEFER", "first@example.org")
    assert name_errors(client, "Nefer") == ["This name is taken."]


def test_guests_have_names_nobody_else_can_have(client: Client) -> None:
    assert re.fullmatch(r"Guest-[a-z2-9]{5}", guest_create().username)
    taken = ["Names that begin with “Guest-” or “Anon-” are given by the site."]
    assert name_errors(client, "guest-abcde") == name_errors(client, "anon-abcde") == taken


def test_a_guest_who_signs_up_stays_the_same_user(client: Client) -> None:
    guest = guest_create()
    client.force_login(guest)
    assert (
        "keep the matches you play as a guest" in client.get("/accounts/signup/").content.decode()
    )
    client.post("/accounts/signup/", FORM)
    assert logged_in_as(client) == "Nefer"
    user = User.objects.get()
    assert (user.pk, user.username, user.is_guest) == (guest.pk, "Nefer", False)


def test_a_guest_whose_sign_up_fails_stays_a_guest(client: Client) -> None:
    guest = guest_create()
    client.force_login(guest)
    client.post("/accounts/signup/", FORM | {"username": "🐫"})
    assert logged_in_as(client) == guest.username
    assert list(User.objects.values_list("is_guest", flat=True)) == [True]


def test_a_guest_who_logs_in_becomes_the_member_and_nobody_is_the_guest_again(
    client: Client,
) -> None:
    member()
    guest = guest_create()
    client.force_login(guest)
    client.post("/accounts/login/", {"login": "Nefer", "password": PASSWORD})
    assert logged_in_as(client) == "Nefer"
    guest.refresh_from_db()
    assert guest.is_active is False


def test_a_member_has_no_use_for_the_sign_up_page(client: Client) -> None:
    client.force_login(member())
    assert client.get("/accounts/signup/")["Location"] == "/matches/"


@pytest.mark.parametrize(
    ("asked", "goes"),
    [
        ("/matches/7/", "/matches/7/"),
        ("https://evil.example/", "/matches/"),
        ("//evil.example/", "/matches/"),
        ("javascript:alert(1)", "/matches/"),
    ],
)
def test_after_logging_in_one_is_back_where_one_was_but_never_elsewhere(
    client: Client, asked: str, goes: str
) -> None:
    member()
    form = {"login": "Nefer", "password": PASSWORD, "next": asked}
    assert client.post("/accounts/login/", form)["Location"] == goes


def test_the_way_back_survives_the_form(client: Client) -> None:
    page = client.get("/accounts/login/?next=/matches/7/").content.decode()
    assert '<input type="hidden" name="next" value="/matches/7/">' in page
