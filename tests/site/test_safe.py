"""Whatever the site answers is safe: its policy, its headers, its forms and its sessions.

The pages are those of the table in permissions.py, so that a new page is looked at as well.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.site.cast import MATCHES, Cast
from tests.site.people import person
from tests.site.permissions import FORMS, arguments, rules

pytestmark = pytest.mark.django_db

# The first prove who asks by a token in a header, which no other site can make a browser send; then
# the API's answer where it has no address, which does nothing; the last by the signed token in its
# address, posted by mail programs that have no cookie (RFC 8058).
WITHOUT_COOKIES = {rule.address for rule in rules() if rule.answers["seat"] == "key"} | {
    "api_nowhere",
    "mail_ticket",
}
POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
MAIL_POLICY = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "style-src": "'unsafe-inline'",
}
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
NEVER = {"private", "no-store"}
SHOWN = [rule for rule in rules() if rule.method == "GET" and rule.answers["seat"] == "page"]
POSTED = [
    rule
    for rule in rules()
    if rule.method == "POST" and rule.address not in WITHOUT_COOKIES and rule.match != "private"
]


class Script(HTMLParser):
    """Collects what the policy would refuse to run, and styles without the page's nonce."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.inline.append(f"<script> {given}")
        if tag == "style" and not given.get("nonce"):
            self.inline.append("<style>")
        for name, value in given.items():
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.inline.append(f"<{tag} {name}={value}>")


@pytest.fixture(autouse=True)
def _embedded_mailbox(settings):
    settings.EMAIL_BACKEND = settings.EMBEDDED_MAILBOX


def policy_of(answer) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in answer["Content-Security-Policy"].split(";"))
    return {name: value for name, _, value in parts}


@pytest.mark.parametrize("rule", SHOWN, ids=str)
def test_a_page_runs_no_script_of_its_own_and_says_so_to_the_browser(rule, client):
    cast = Cast()
    match = MATCHES[rule.match](cast)
    client.force_login(cast.seat)
    answer = client.get(reverse(rule.address, kwargs=arguments(rule.address, match)))
    if rule.address == "outbox_mail":  # written by us, its style in it: nothing else is allowed
        assert policy_of(answer) == MAIL_POLICY
    else:
        assert policy_of(answer) == policy_of(answer) | POLICY
        assert "unsafe" not in answer["Content-Security-Policy"]
    assert {name: answer[name] for name in HEADERS} == HEADERS
    if answer["Content-Type"].startswith("text/html"):
        assert Script(answer.content.decode()).inline == []


@pytest.mark.parametrize("rule", SHOWN, ids=str)
def test_what_somebody_has_seen_is_kept_by_no_cache(rule, client):
    """Neither by a proxy nor, after the log-out, by the browser; pictures are asked for again."""
    cast = Cast()
    match = MATCHES[rule.match](cast)
    client.force_login(cast.seat)
    answer = client.get(reverse(rule.address, kwargs=arguments(rule.address, match)))
    told = set(answer["Cache-Control"].split(", "))
    assert told >= ({"private", "no-cache"} if rule.address == "match_picture" else NEVER)


def test_a_page_and_its_part_for_htmx_are_not_confused(client):
    for address in ("/rules/", "/rules/obelisk/", "/learn/obelisk/1/"):
        answer = client.get(address)
        assert answer["Cache-Control"] == "private, no-cache"
        assert "HX-Request" in answer["Vary"]


@pytest.mark.parametrize("rule", POSTED, ids=str)
def test_a_form_of_another_site_is_refused(rule):
    cast = Cast()
    match = MATCHES[rule.match](cast)
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.seat)
    form = FORMS[rule.address](match) if rule.address in FORMS else {}
    answer = client.post(reverse(rule.address, kwargs=arguments(rule.address, match)), form)
    assert answer.status_code == 403
    assert b"CSRF" in answer.content or "csrf" in str(answer.templates[0].name)


def test_no_other_view_takes_a_form_without_its_token():
    views = {pattern.name: pattern.callback for pattern in patterns(get_resolver())}
    exempt = {name for name, view in views.items() if getattr(view, "csrf_exempt", False)}
    assert exempt == WITHOUT_COOKIES


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from patterns(one)
        else:
            yield one


def test_a_session_given_to_somebody_before_is_not_theirs_after_the_log_in(client):
    person("Anna")
    client.get("/")
    session = client.session
    session["planted"] = 1
    session.save()
    planted = session.session_key
    client.cookies["sessionid"] = planted
    client.post("/accounts/login/", {"login": "Anna", "password": "pyramid-22"})
    assert client.get("/matches/").status_code == 200
    assert client.session.session_key != planted
    assert not Session.objects.filter(session_key=planted).exists()
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get("/matches/").status_code == 302


def test_a_stranger_who_becomes_a_guest_and_then_a_member_gets_a_new_session_each_time(client):
    client.post("/play/obelisk/", {"seats": 2})
    as_guest = client.session.session_key
    form = {"username": "Nefer", "email": "n@example.org", "password1": "papyrus-and-lapis"}
    client.post("/accounts/signup/", form)
    as_member = client.session.session_key
    assert len({as_guest, as_member, None}) == 3
    assert not Session.objects.filter(session_key=as_guest).exists()


def test_a_session_ends_with_the_log_out_and_with_a_new_password(client):
    anna = person("Anna")
    elsewhere = Client()
    for browser in (client, elsewhere):
        browser.post("/accounts/login/", {"login": "Anna", "password": "pyramid-22"})
    anna.set_password("sphinx-and-sand")
    anna.save()
    assert elsewhere.get("/matches/").status_code == 302
    client.post("/accounts/login/", {"login": "Anna", "password": "sphinx-and-sand"})
    key = client.session.session_key
    client.post("/accounts/logout/")
    assert not Session.objects.filter(session_key=key).exists()


ELSEWHERE = [
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "http:evil.example",
    "https:///evil.example",
    "/\t/evil.example",
    " //evil.example",
    "//localhost@evil.example",
    "javascript:alert('evil')",
    "data:text/html,evil",
]


@pytest.mark.parametrize("target", ELSEWHERE)
def test_no_address_sends_a_visitor_to_another_site(client, target):
    person("Anna")
    secret = {"password": "pyramid-22", "next": target}
    asked = {"next": target}
    answers = [
        client.post("/language/", {"language": "nl"} | asked),
        client.post("/language/", {"language": "nl"}, headers={"referer": target}),
        client.post("/accounts/login/", {"login": "Anna"} | secret),
        client.get("/accounts/login/", asked),
        client.post("/accounts/reauthenticate/", secret),
        client.post("/accounts/settings/zone/", {"time_zone": ""} | asked),
        client.post("/people/Anna/tie/", asked),
        client.post("/accounts/logout/", asked),
    ]
    targets = [answer.get("Location", "") for answer in answers]
    assert targets[2:4] == ["/matches/"] * 2
    assert not any("evil" in one for one in targets), targets


@pytest.mark.slow
def test_the_site_behind_a_proxy_with_https_is_ready_to_be_deployed(tmp_path):
    named = {"SITE_URL": "https://nilepost.example", "BEHIND_PROXY": "1"}
    clean = {key: value for key, value in os.environ.items() if not key.startswith("DJANGO_")}
    run = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env=clean | named | {"NILEPOST_VAR": str(tmp_path)},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "no issues" in run.stdout


def test_cookies_are_out_of_reach_of_scripts(client):
    client.post("/play/obelisk/", {"seats": 2})
    cookie = client.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert re.fullmatch("[0-9a-z]{32}", cookie.value)
