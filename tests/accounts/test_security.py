"""Second steps, passkeys, sessions, addresses and limits: what keeps an account its owner's."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.services import guest_create
from accounts.templatetags.people import browser

pytestmark = pytest.mark.django_db

PASSWORD = "papyrus-and-lapis"
LOGIN = {"login": "Nefer", "password": PASSWORD}


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    cache.clear()


@pytest.fixture
def nefer() -> User:
    user = User.objects.create_user("Nefer", "nefer@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def logged_in_as(client: Client) -> str | None:
    user_id = client.session.get("_auth_user_id")
    return User.objects.get(pk=user_id).username if user_id else None


def code_now(secret: str) -> str:
    """Give the code the owner's app shows at this moment."""
    counter = next(totp.yield_hotp_counters_from_time())
    return str(totp.format_hotp_value(totp.hotp_value(secret, counter)))


def test_a_second_step_is_set_up_and_then_asked_for(client: Client, nefer: User) -> None:
    client.post("/accounts/login/", LOGIN)
    address = "/accounts/2fa/totp/activate/"
    assert client.get(address)["Location"].startswith("/accounts/reauthenticate/")
    again = {"password": PASSWORD, "next": address}
    page = client.post("/accounts/reauthenticate/", again, follow=True)
    secret = page.context["form"].secret
    client.post(address, {"code": code_now(secret)})
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"totp", "recovery_codes"}
    cache.clear()  # the same code within one test: it is remembered as used
    other = Client()
    assert other.post("/accounts/login/", LOGIN)["Location"] == "/accounts/2fa/authenticate/"
    assert logged_in_as(other) is None
    other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert logged_in_as(other) is None
    other.post("/accounts/2fa/authenticate/", {"code": code_now(secret)})
    assert logged_in_as(other) == "Nefer"


def test_a_guest_who_logs_in_in_two_steps_hands_over_the_matches(
    client: Client, nefer: User
) -> None:
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(nefer, secret)
    guest = guest_create()
    client.force_login(guest)
    client.post("/accounts/login/", LOGIN)
    assert client.get("/accounts/2fa/authenticate/").status_code == 200
    client.post("/accounts/2fa/authenticate/", {"code": code_now(secret)})
    assert logged_in_as(client) == "Nefer"
    guest.refresh_from_db()
    assert guest.is_active is False


def test_logging_out_everywhere_else_ends_every_other_session(client: Client, nefer: User) -> None:
    phone = Client(headers={"user-agent": "Mozilla/5.0 (Android 15) Firefox/140.0"})
    for browser_ in (client, phone):
        browser_.post("/accounts/login/", LOGIN)
    page = client.get("/accounts/sessions/").content.decode()
    assert "Firefox, Android" in page
    client.post("/accounts/sessions/")
    assert phone.get("/matches/").status_code == 302
    assert client.get("/matches/").status_code == 200


def test_a_new_password_logs_all_other_browsers_out(client: Client, nefer: User) -> None:
    phone = Client()
    for browser_ in (client, phone):
        browser_.post("/accounts/login/", LOGIN)
    form = {"oldpassword": PASSWORD, "password1": "a-new-reed-pen", "password2": "a-new-reed-pen"}
    client.post("/accounts/password/change/", form)
    assert phone.get("/matches/").status_code == 302
    assert client.get("/matches/").status_code == 200


def test_a_new_address_replaces_the_old_when_it_is_confirmed(client: Client, nefer: User) -> None:
    client.post("/accounts/login/", LOGIN)
    client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    nefer.refresh_from_db()
    assert nefer.email == "nefer@example.org"
    [message] = mail.outbox
    link = re.search(r"http://testserver(/\S+)", str(message.body))
    assert (message.to, link is not None) == (["new@example.org"], True)
    assert link is not None
    client.post(link[1])
    nefer.refresh_from_db()
    assert nefer.email == "new@example.org"
    assert list(EmailAddress.objects.values_list("email", "verified")) == [
        ("new@example.org", True)
    ]


def test_guessing_passwords_is_stopped(client: Client, nefer: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    for _guess in range(5):
        client.post("/accounts/login/", LOGIN | {"password": "wrong"})
    page = client.post("/accounts/login/", LOGIN)
    assert page.context["form"].non_field_errors() == [
        "Too many failed login attempts. Try again later."
    ]
    assert logged_in_as(client) is None


def test_signing_up_in_bulk_is_stopped(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/h/ip"}
    answers = []
    for number in range(3):
        name = f"Robot{number}"
        form = {"username": name, "email": f"{name}@example.org", "password1": PASSWORD}
        answers.append(Client().post("/accounts/signup/", form).status_code)
    assert answers == [302, 302, 429]
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox, Linux",
        ),
        ("Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18.5 Safari/604.1", "Safari, iPhone"),
        ("curl/8.0", "Unknown browser"),
    ],
)
def test_a_browser_is_named(agent: str, name: str) -> None:
    assert browser(agent) == name
