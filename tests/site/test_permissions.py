"""Everybody may do what the table in permissions.py says, and nothing more.

Whatever is not `done` leaves nothing behind: no row of any table differs, whoever asked. The admin
has rules for all its addresses, at the end.
"""

import re

import pytest
from django.apps import apps
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.apikeys import key_create
from accounts.models import User
from tests.site.cast import MATCHES, Cast, offered, running, table
from tests.site.people import person
from tests.site.permissions import (
    FORMS,
    KEY_LINES,
    Rule,
    addresses,
    admin_addresses,
    arguments,
    rules,
)

pytestmark = pytest.mark.django_db

VISITS = {"sessions.Session", "usersessions.UserSession"}
MARKS_OF_VISITS = {"accounts.User": ("seen", "last_login"), "accounts.ApiKey": ("used",)}


def asked(client: Client, method: str, address: str, form: dict[str, object]) -> HttpResponse:
    return client.get(address) if method == "GET" else client.post(address, form)


def word_of(answer: HttpResponse, *, is_kept: bool) -> str:
    target = answer.get("Location", "")
    if is_kept:
        return "done" if answer.status_code in (200, 302) else f"done, and {answer.status_code}"
    if answer.status_code in (301, 302):
        return "login" if target.startswith(reverse("account_login")) else "goes"
    named = {
        200: "page",
        204: "page",
        401: "key",
        403: "no",
        404: "gone",
        409: "refused",
        422: "refused",
    }
    return named.get(answer.status_code, str(answer.status_code))


def kept() -> dict[str, list[dict[str, object]]]:
    """Every row of every table, but for what says that somebody is here."""
    found = {}
    for model in apps.get_models():
        if (label := model._meta.label) not in VISITS:
            found[label] = list(model._base_manager.order_by("pk").values())
            for row in found[label]:
                row |= dict.fromkeys(MARKS_OF_VISITS.get(label, ()))
    return found


@pytest.fixture(autouse=True)
def _embedded_mailbox(settings):
    settings.EMAIL_BACKEND = settings.EMBEDDED_MAILBOX  # else there is no outbox page
    settings.DEBUG_OUTBOX = False  # which shows everybody all of it


# --- the rules -------------------------------------------------------------------------------


def test_every_address_has_a_line_and_every_line_an_address():
    named = {name for space, name in addresses() if space != "admin"}
    assert {rule.address for rule in rules()} == named


def first(address: str) -> Rule:
    """Give the first line of an address: with the kind of match that it is asked for."""
    return next(rule for rule in rules() if rule.address == address)


@pytest.mark.slow
def test_what_has_no_line_is_not_done():
    """Whoever comes by a link to where one only posts sees the page one posts from, or nothing."""
    cast, lines = Cast(), {(rule.address, rule.method) for rule in rules()}
    made = {kind: make(cast) for kind, make in MATCHES.items()}
    client, before, found = Client(), kept(), {}
    client.force_login(cast.seat)
    for address in sorted({rule.address for rule in rules()}):
        match = made[first(address).match]
        for method in ("GET", "POST"):
            if (address, method) not in lines:
                place = reverse(address, kwargs=arguments(address, match))
                answer = asked(client, method, place, {})
                found[method, address] = answer.status_code
    assert kept() == before
    assert len(found) >= 70
    assert {key: status for key, status in found.items() if status not in (302, 405)} == {}
    assert {method for (method, _address), status in found.items() if status == 302} == {"GET"}


LOGGED_IN_FOR = [
    rule
    for rule in rules()
    if rule.answers["stranger"] == "login" and rule.answers["seat"] not in ("gone", "login")
]


@pytest.mark.slow
@pytest.mark.parametrize("rule", LOGGED_IN_FOR, ids=str)
def test_who_had_to_log_in_first_comes_to_a_page(rule, client):
    """Also where one only posts: after the log-in a browser comes by a link."""
    cast = Cast()
    match = MATCHES[rule.match](cast)
    place = reverse(rule.address, kwargs=arguments(rule.address, match))
    login = asked(client, rule.method, place, {})["Location"]
    form = {"login": "Seth", "password": "pyramid-22"}
    answer = client.post(login, form, follow=True)
    assert (answer.status_code, answer.redirect_chain[-1][1]) == (200, 302)
    htmx = asked(Client(headers={"HX-Request": "true"}), rule.method, place, {})
    assert htmx.headers.get("HX-Redirect", login) == login


@pytest.mark.slow
@pytest.mark.parametrize("rule", rules(), ids=str)
def test_everybody_gets_what_the_table_says(rule):
    cast = Cast()
    match = MATCHES[rule.match](cast)
    address = reverse(rule.address, kwargs=arguments(rule.address, match))
    form = FORMS[rule.address](match) if rule.address in FORMS and rule.method == "POST" else {}
    before, found = kept(), {}
    for visitor, user in cast.people.items():
        client = Client()
        if user:
            client.force_login(user)
        undone = transaction.savepoint()
        answer = asked(client, rule.method, address, form)
        found[visitor] = word_of(answer, is_kept=kept() != before)
        transaction.savepoint_rollback(undone)
    assert found == rule.answers


@pytest.mark.slow
@pytest.mark.parametrize("rule", rules(KEY_LINES), ids=str)
def test_every_program_gets_what_the_table_says(rule):
    cast = Cast()
    match = MATCHES[rule.match](cast)
    address = reverse(rule.address, kwargs=arguments(rule.address, match))
    form = FORMS[rule.address](match) if rule.address in FORMS else {}
    keys = {visitor: key_create(cast.people[visitor], "a program") for visitor in rule.answers}
    before, found = kept(), {}
    for visitor, key in keys.items():
        headers = {"Authorization": f"Bearer {key}"}
        undone = transaction.savepoint()
        ask = Client().get if rule.method == "GET" else Client().post
        more = {"content_type": "application/json"} if rule.method == "POST" else {}
        answer = ask(address, form, headers=headers, **more)
        found[visitor] = word_of(answer, is_kept=kept() != before)
        transaction.savepoint_rollback(undone)
    assert found == rule.answers


def test_every_address_of_the_api_has_a_line_for_programs():
    keyed = {rule.address for rule in rules() if rule.answers["seat"] == "key"}
    assert {rule.address for rule in rules(KEY_LINES)} == keyed


OPEN_TO_ALL = {"/admin/login/", "/admin/logout/", "/admin/jsi18n/"}


def found_in_the_admin(user: User | None, number: int) -> dict[str, list[HttpResponse]]:
    """Look for everything in the admin, and post to it; each time anew, for one is a log-out."""
    found = {}
    for address in admin_addresses(number):
        client = Client()
        if user:
            client.force_login(user)
        found[address] = [client.get(address), client.post(address, {})]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("visitor", ["stranger", "guest", "member", "seat", "ex-seat", "blocked"])
def test_only_staff_comes_into_the_admin(visitor):
    cast = Cast()
    match = running(cast)
    before = kept()
    found = found_in_the_admin(cast.people[visitor], match.pk)
    assert kept() == before
    entered = {
        address
        for address, answers in found.items()
        if {answer.get("Location", "").partition("?")[0] for answer in answers} != {"/admin/login/"}
    }
    assert len(found) > 30
    assert entered <= OPEN_TO_ALL


@pytest.mark.slow
def test_staff_without_a_permission_finds_nothing_in_the_admin():
    match = running(Cast())
    clerk = person("Clerk", is_staff=True)
    before = kept()
    found = {
        address: {answer.status_code for answer in answers}
        for address, answers in found_in_the_admin(clerk, match.pk).items()
    }
    assert kept() == before
    shown = {address for address, statuses in found.items() if 200 in statuses}
    their_own = {"/admin/", "/admin/password_change/", "/admin/password_change/done/"}
    assert shown == OPEN_TO_ALL | their_own
    of_the_match = [one for one in found if re.match(rf"/admin/games/match/{match.pk}/.", one)]
    assert len(of_the_match) >= 6
    assert set.union(*(found[address] for address in of_the_match)) <= {403, 404}


@pytest.mark.parametrize(("kind", "address"), [("table", "match_join"), ("offered", "match_take")])
def test_who_is_blocked_by_a_seat_gets_no_seat_beside_it(kind, address):
    cast = Cast()
    match = table(cast) if kind == "table" else offered(cast)
    found = {}
    for visitor in ("member", "blocked"):
        undone = transaction.savepoint()
        client = Client()
        client.force_login(cast.people[visitor])
        client.post(reverse(address, args=[match.pk]))
        found[visitor] = match.seats.filter(user=cast.people[visitor]).count()
        transaction.savepoint_rollback(undone)
    assert found == {"member": 1, "blocked": 0}
