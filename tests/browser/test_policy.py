"""What a browser says of our pages: none of them does what the content policy forbids.

The pages are those of the table in tests/site/permissions.py, so that a new page is opened as
well; and every page of the admin.
"""

import re

import pytest
from django.urls import reverse

from tests.browser.test_match import log_in
from tests.conftest import PHONE
from tests.site.cast import Cast, running
from tests.site.people import play_turn
from tests.site.permissions import admin_addresses, arguments, rules

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A browser prints a page of its own round a picture, and lays a file aside.
NO_PAGES = {
    "match_picture",
    "history_csv",
    "history_json",
    "match_record",
    "my_everything",
    "my_records",
}
SHOWN = {
    rule.address
    for rule in rules()
    if rule.method == "GET" and rule.answers["seat"] == "page" and rule.address not in NO_PAGES
}


def complaints(page, addresses: list[str]) -> dict[str, list[str]]:
    """Open pages one after the other; tell what the browser complains about, by the page."""
    heard: list[str] = []
    page.on("console", lambda said: heard.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda failure: heard.append(str(failure)))
    found = {}
    for address in addresses:
        heard.clear()
        page.goto(address)
        page.wait_for_timeout(50)  # scripts that wait for the page have run
        if heard:
            found[address] = list(heard)
    return found


def test_a_browser_would_tell_of_a_style_without_permission(page, live_server):
    page.goto("/rules/")
    with page.expect_console_message() as said:
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">')")
    assert "Content Security Policy" in said.value.text


def test_no_page_does_what_the_content_policy_forbids(new_page, live_server, client, settings):
    settings.EMAIL_BACKEND = settings.EMBEDDED_MAILBOX  # else there is no outbox page
    cast = Cast()
    match = running(cast)
    play_turn(match, 0)
    page = new_page(viewport=PHONE)
    log_in(page, live_server, client, cast.seat)
    addresses = [reverse(name, kwargs=arguments(name, match)) for name in sorted(SHOWN)]
    match_page = reverse("match", args=[match.pk])
    addresses += [f"{match_page}?hold=take", "/new/sakkara/", "/learn/sakkara/1/"]
    assert len(addresses) >= 46
    assert complaints(page, addresses) == {}


def test_no_page_of_the_admin_does_either(new_page, live_server, client):
    cast = Cast()
    match = running(cast)
    page = new_page(viewport={"width": 1280, "height": 800})
    log_in(page, live_server, client, cast.people["staff"])
    addresses = [one for one in admin_addresses(match.pk) if not re.search("logout|picture", one)]
    assert len(addresses) > 30
    heard = complaints(page, addresses)
    # That something is not there, or that it cannot be done, is no fault of the page.
    status = "Failed to load resource: the server responded with a status of 4"
    told = [said for words in heard.values() for said in words if not said.startswith(status)]
    assert told == []
