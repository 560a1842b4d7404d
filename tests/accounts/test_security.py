"""Second steps, passkeys, sessions, addresses and limits: what keeps an account its owner's."""

import re
import time
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.webauthn.internal import auth as webauthn
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.test import Client
from fido2 import cbor
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)
from pytest_django import Settings

from accounts.models import User
from accounts.services import guest_create
from accounts.templatetags.people import browser

pytestmark = pytest.mark.django_db

PASSWORD = "papyrus-and-lapis"
NAMES = ("nefer", "locked", "nobody")
LOGIN = {"login": "Nefer", "password": PASSWORD}


@pytest.fixture
def nefer() -> User:
    user = User.objects.create_user("Nefer", "nefer@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def logged_in_as(client: Client) -> str | None:
    user_id = client.session.get("_auth_user_id")
    return User.objects.get(pk=user_id).username if user_id else None


def code_now(secret: str, later: int = 0) -> str:
    """Give the code the owner's app shows at this moment, or some half minutes later."""
    counter = int(time.time()) // 30 + later
    return str(totp.format_hotp_value(totp.hotp_value(secret, counter)))


@pytest.mark.django_db(transaction=True)  # what was done is told once it is committed
def test_a_second_step_is_set_up_and_then_asked_for(client: Client, nefer: User) -> None:
    client.post("/accounts/login/", LOGIN)
    address = "/accounts/2fa/totp/activate/"
    assert client.get(address)["Location"].startswith("/accounts/reauthenticate/")
    again = {"password": PASSWORD, "next": address}
    page = client.post("/accounts/reauthenticate/", again, follow=True)
    secret = page.context["form"].secret
    page = client.post(address, {"code": code_now(secret)}, follow=True)
    assert [str(message) for message in page.context["messages"]] == [
        "Logging in now asks for a code of your app.",
        "These are your recovery codes. No others work.",
    ]
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"totp", "recovery_codes"}
    cache.clear()  # the same code within one test: it is remembered as used
    other = Client()
    assert other.post("/accounts/login/", LOGIN)["Location"] == "/accounts/2fa/authenticate/"
    assert logged_in_as(other) is None
    other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert logged_in_as(other) is None
    other.post("/accounts/2fa/authenticate/", {"code": code_now(secret)})
    assert logged_in_as(other) == "Nefer"


def second_step_of(user: User) -> list[str]:
    """Set up an app with codes for somebody; give the recovery codes."""
    totp.TOTP.activate(user, totp.generate_totp_secret())
    return list(RecoveryCodes.activate(user).get_unused_codes())


def asked_for_a_code() -> Client:
    client = Client()
    client.post("/accounts/login/", LOGIN)
    return client


def test_a_recovery_code_logs_in_once(nefer: User) -> None:
    codes = second_step_of(nefer)
    for name, code in (("Nefer", codes[0]), (None, codes[0]), ("Nefer", codes[1])):
        client = asked_for_a_code()
        client.post("/accounts/2fa/authenticate/", {"code": code})
        assert logged_in_as(client) == name
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/recovery-codes/").content.decode()
    assert ("8 codes are left." in page, codes[0] in page, codes[2] in page) == (True, False, True)


@pytest.mark.parametrize(("later", "name"), [(-1, None), (0, "Nefer"), (1, None)])
def test_a_code_works_in_its_own_half_minute_and_once(
    nefer: User, later: int, name: str | None
) -> None:
    """Were it longer, a code that somebody has seen could be used again: they are kept so long."""
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(nefer, secret)
    with time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC), tick=False) as clock:
        code = code_now(secret, later)
        client, again = asked_for_a_code(), asked_for_a_code()
        client.post("/accounts/2fa/authenticate/", {"code": code})
        clock.shift(29)
        page = again.post("/accounts/2fa/authenticate/", {"code": code})
        assert (logged_in_as(client), logged_in_as(again)) == (name, None)
    words = "This code or key is wrong, too old, or was used already."
    assert page.context["form"].errors == {"code": [words]}


def test_a_passkey_is_asked_for_of_those_who_have_one(nefer: User) -> None:
    second_step_of(nefer)
    assert (
        "Use a passkey"
        not in asked_for_a_code().get("/accounts/2fa/authenticate/").content.decode()
    )


def passkey_for(user: User) -> None:
    """Give somebody a passkey."""
    point = cbor.encode({1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32})
    about = AttestedCredentialData(bytes(16) + len(b"key").to_bytes(2) + b"key" + point)
    data = AuthenticatorData.create(bytes(32), AuthenticatorData.FLAG.AT, 0, about)
    told = {
        "id": websafe_encode(b"key"),
        "rawId": websafe_encode(b"key"),
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(
                CollectedClientData.create("webauthn.create", b"x", "http://localhost")
            ),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        },
    }
    webauthn.WebAuthn.add(user, "Key", told)


NO_KEYS = ["9" * 5000, "[" * 50_000, "[1]", "1", '"x"', '{"id": 1}', '{"id": "x", "response": 1}']


@pytest.mark.parametrize("nonsense", NO_KEYS)
def test_a_key_of_nonsense_is_refused_wherever_one_is_asked_for(
    client: Client, nefer: User, nonsense: str
) -> None:
    words = "This code or key is wrong, too old, or was used already."
    passkey_for(nefer)
    other = asked_for_a_code()
    client.force_login(nefer)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    asked = {"login": Client(), "reauthenticate": client, "add": client}
    asks = {f"/accounts/2fa/webauthn/{part}/": visitor for part, visitor in asked.items()}
    for address, visitor in (asks | {"/accounts/2fa/authenticate/": other}).items():
        visitor.get(address, headers={"Accept": "application/json"})
        page = visitor.post(address, {"credential": nonsense}, follow=True)
        assert (page.status_code, address, words in page.content.decode()) == (200, address, True)
    assert Authenticator.objects.count() == 1


def test_guessing_codes_is_stopped(nefer: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    codes = second_step_of(nefer)
    client = asked_for_a_code()
    for _guess in range(10):
        client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    page = client.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    assert page.context["form"].errors == {
        "code": ["Too many attempts have failed. Try again later."]
    }
    assert logged_in_as(client) is None


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
    assert "Log out everywhere else" in page
    page = client.post("/accounts/sessions/", follow=True).content.decode()
    assert "Log out everywhere else" not in page
    assert phone.get("/matches/").status_code == 302
    assert client.get("/matches/").status_code == 200


def test_a_new_password_logs_all_other_browsers_out(client: Client, nefer: User) -> None:
    phone = Client()
    for browser_ in (client, phone):
        browser_.post("/accounts/login/", LOGIN)
    form = {"oldpassword": PASSWORD, "password1": "a-new-reed-pen", "password2": "a-new-reed-pen"}
    answer = client.post("/accounts/password/change/", form)
    assert answer["Location"] == "/accounts/settings/#security"
    assert phone.get("/matches/").status_code == 302
    assert client.get("/matches/").status_code == 200


def test_a_new_address_replaces_the_old_when_it_is_confirmed(client: Client, nefer: User) -> None:
    client.post("/accounts/login/", LOGIN)
    client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    nefer.refresh_from_db()
    assert nefer.email == "nefer@example.org"
    [message] = mail.outbox
    link = re.search(r"http://localhost:8000(/\S+)", str(message.body))
    assert (message.to, link is not None) == (["new@example.org"], True)
    assert link is not None
    client.post(link[1])
    nefer.refresh_from_db()
    assert nefer.email == "new@example.org"
    assert list(EmailAddress.objects.values_list("email", "verified")) == [
        ("new@example.org", True)
    ]


def test_a_second_step_stands_in_the_way_of_no_new_address(client: Client, nefer: User) -> None:
    second_step_of(nefer)
    client.force_login(nefer)
    client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    [message] = mail.outbox
    link = re.search(r"http://localhost:8000(/\S+)", str(message.body))
    assert link is not None
    client.post(link[1])
    nefer.refresh_from_db()
    assert nefer.email == "new@example.org"


def test_a_change_of_address_does_not_tell_whether_the_new_one_is_known(nefer: User) -> None:
    other = User.objects.create_user("Bob", "known@example.org", PASSWORD)
    EmailAddress.objects.create(user=other, email=other.email, verified=True, primary=True)
    pages = []
    for address in ("known@example.org", "new@example.org"):
        client = Client()
        client.post("/accounts/login/", LOGIN)
        form = {"email": address, "action_add": ""}
        page = client.post("/accounts/email/", form, follow=True).content.decode()
        pages.append(re.sub(r"\b\w{64}\b", "", page).replace(address, ""))
    assert pages[0] == pages[1]
    assert [message.to for message in mail.outbox] == [["known@example.org"], ["new@example.org"]]
    assert EmailAddress.objects.filter(verified=True, email="known@example.org").get().user == other


def test_guessing_passwords_is_stopped(client: Client, nefer: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    for _guess in range(5):
        client.post("/accounts/login/", LOGIN | {"password": "wrong"})
    page = client.post("/accounts/login/", LOGIN)
    assert page.context["form"].non_field_errors() == [
        "Too many attempts have failed. Try again later."
    ]
    assert logged_in_as(client) is None


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is worked on: that is what takes time at a log-in."""

    works = 0

    def encode(self, *args: Any, **kwargs: Any) -> str:
        CountingHasher.works += 1
        return str(super().encode(*args, **kwargs))


def test_a_log_in_that_fails_takes_as_long_whether_somebody_has_that_name_or_not(
    nefer: User, settings: Settings
) -> None:
    locked = User.objects.create_user("Locked", "locked@example.org", PASSWORD, is_active=False)
    EmailAddress.objects.create(user=locked, email=locked.email, verified=True, primary=True)
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    told: dict[str, set[tuple[int, str]]] = {"name": set(), "address": set()}
    for login in ("Nefer", "Locked", "Nobody", *(f"{who}@example.org" for who in NAMES)):
        CountingHasher.works = 0
        page = Client().post("/accounts/login/", {"login": login, "password": "wrong"})
        words = str(page.context["form"].non_field_errors())
        told["address" if "@" in login else "name"].add((CountingHasher.works, words))
    assert [len(answers) for answers in told.values()] == [1, 1]


@pytest.mark.parametrize("behind_proxy", [False, True])
def test_an_address_that_a_visitor_makes_up_does_not_reset_the_count(
    nefer: User, settings: Settings, behind_proxy: bool
) -> None:
    """Only the last entry of X-Forwarded-For is the proxy's; without a proxy none counts."""
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/ip"}
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = int(behind_proxy)
    for number in range(5):
        made_up = f"10.0.0.{number}" + (", 192.0.2.1" if behind_proxy else "")
        guess = {"login": f"Nefer{number}", "password": "wrong"}
        Client().post("/accounts/login/", guess, HTTP_X_FORWARDED_FOR=made_up)
    client = Client()
    client.post("/accounts/login/", LOGIN, HTTP_X_FORWARDED_FOR="10.0.0.9, 192.0.2.1")
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
