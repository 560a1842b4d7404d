"""Pages about people and their accounts in a browser: no barriers, nothing wider than a screen."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from accounts.ties import tie_set
from games.models import Line
from tests.browser.test_match import log_in
from tests.conftest import PHONE
from tests.site.histories import past
from tests.site.people import duel, person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = {"width": 1280, "height": 900}
LONG = "Nefertiti-of-the-long-long-name"[:30]
FOR_STRANGERS = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")
FOR_MEMBERS = (
    *("/people/Anna/", f"/people/{LONG}/", f"/people/{LONG}/report/", "/people/?name=Nobody"),
    *("/people/Anna/matches/?game=obelisk&since=2026-02-31", "/people/Anna/matches/?page=2"),
    *("/leaderboards/obelisk/", "/leaderboards/valley/", "/vacation/"),
    *(f"/accounts/{page}/" for page in ("settings", "email", "password/change", "reauthenticate")),
    *(f"/accounts/{page}/" for page in ("2fa", "2fa/webauthn", "sessions", "programs", "logout")),
    *("/accounts/farewell/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/"),
)


def faults(page, address: str) -> list[str]:
    """Say what axe has against a page, and whether it scrolls sideways."""
    page.goto(address)
    assert page.url.endswith(address)
    found = Axe().run(page).response["violations"]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found] + [f"{wide} px"] * (
        wide > 0
    )


@pytest.mark.parametrize(
    ("viewport", "scheme", "language"), [(PHONE, "dark", "nl"), (DESK, "light", "en")]
)
def test_pages_about_people_and_accounts_have_no_barriers(
    new_page, live_server, client, viewport, scheme, language
):
    anna, other = person("Anna"), person(LONG)
    past(anna, other, 30)
    tie_set(user=anna, other=other, kind="favourite")
    # axe is put into the page as a script, which the content policy rightly forbids.
    page = new_page(viewport=viewport, color_scheme=scheme, locale=language, bypass_csp=True)
    found = {address: faults(page, address) for address in FOR_STRANGERS}
    log_in(page, live_server, client, anna)
    found |= {address: faults(page, address) for address in FOR_MEMBERS[:-3]}
    # These ask for the password again, once for all of them.
    page.goto(FOR_MEMBERS[-3])
    page.fill("[name=password]", "pyramid-22")
    with page.expect_navigation():
        page.click("main form button.primary")
    found |= {address: faults(page, address) for address in FOR_MEMBERS[-3:]}
    assert {address: one for address, one in found.items() if one} == {}


@pytest.mark.parametrize("address", ["/leaderboards/valley/", "/people/Anna/"])
def test_on_a_phone_the_tab_one_is_on_and_the_figures_of_a_rating_can_be_read(new_page, address):
    past(person("Anna"), person("Bob"), 3)
    page = new_page(locale="nl")
    page.goto(address)
    seen = page.locator(".tabs [aria-current], .chart-figure")
    boxes = [one.bounding_box() for one in seen.all()]
    assert boxes
    assert [box for box in boxes if box["x"] < 0 or box["x"] + box["width"] > 390] == []
    assert min(box["height"] for box in boxes) >= 14  # of a line of letters of twelve pixels


@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_card_tells_to_its_end_when_a_match_will_be_cancelled(
    new_page, live_server, client, language
):
    anna = person("Anna", time_zone="Europe/Amsterdam")
    match = duel(anna, person("Bob"))
    Line.objects.create(match=match, key="site_closes", args={"until": "2026-09-23T20:55:00+00:00"})
    page = new_page(viewport=DESK, locale=language)
    log_in(page, live_server, client, anna)
    page.goto("/matches/")
    event = page.locator(".card-event")
    expect(event).to_have_text(re.compile("22:55 CEST"))
    assert event.evaluate("one => one.scrollHeight - one.clientHeight") <= 0


def test_the_time_zone_of_the_browser_is_offered_and_confirmed(new_page, live_server, client):
    anna = person("Anna")
    page = new_page(timezone_id="Africa/Cairo", locale="en")
    log_in(page, live_server, client, anna)
    page.goto("/matches/")
    expect(page.locator("[data-zone]")).to_have_text("Africa/Cairo")
    page.get_by_role("button", name="Use this time zone").click()
    page.get_by_text("Your settings are saved.").wait_for()
    anna.refresh_from_db()
    assert anna.time_zone == "Africa/Cairo"
    expect(page.locator("[data-zone-guess]")).to_have_count(0)
