"""Signing up and changing the language, clicked in a real browser."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_person_signs_up_chooses_dutch_and_logs_out(new_page: Callable[..., Any]) -> None:
    page = new_page(locale="en")
    page.goto("/accounts/signup/?next=/accounts/settings/")
    page.get_by_label("Username").fill("Nefer")
    page.get_by_label("E-mail address").fill("nefer@example.org")
    page.get_by_label("Password").fill("papyrus-and-lapis")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/accounts/settings/")
    page.get_by_role("combobox", name="Language").select_option("nl")
    page.locator("#look").get_by_role("button", name="Save").click()
    page.get_by_role("main").get_by_role("heading", name="Instellingen", level=1).wait_for()
    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Uitloggen").click()
    page.wait_for_url(re.compile(r"://[^/]+/$"))
    assert [
        cookie["name"] for cookie in page.context.cookies() if cookie["name"] == "sessionid"
    ] == []


def test_the_pages_break_no_rule_of_their_own_policy(new_page: Callable[..., Any]) -> None:
    page = new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for path in ("login", "signup", "password/reset"):
        page.goto(f"/accounts/{path}/")
    assert complaints == []


def test_a_passkey_is_added_and_then_logs_in_alone(new_page: Callable[..., Any]) -> None:
    nefer = User.objects.create_user("Nefer", "nefer@example.org", "papyrus-and-lapis")
    EmailAddress.objects.create(user=nefer, email=nefer.email, verified=True, primary=True)
    page = new_page(locale="en")
    console = page.context.new_cdp_session(page)
    console.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    key |= {"hasUserVerification": True, "isUserVerified": True}
    console.send("WebAuthn.addVirtualAuthenticator", {"options": key})
    page.goto("/accounts/login/?next=/accounts/2fa/webauthn/add/")
    page.get_by_label("Username").fill("Nefer")
    page.get_by_label("Password").fill("papyrus-and-lapis")
    page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url("**/reauthenticate/**")
    page.get_by_label("Password").fill("papyrus-and-lapis")
    page.get_by_role("main").get_by_role("button", name="Go on").click()
    page.get_by_label("Name").fill("my phone")
    page.get_by_role("main").get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("The passkey is added.").wait_for()
    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Log out").click()
    page.wait_for_url(re.compile(r"://[^/]+/$"))
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url("**/matches/")
    page.locator(".menu > summary", has_text="Nefer").wait_for()
