"""Cheops in a real browser: a whole match by tapping on the board, at phone and desktop size."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from games.models import Match
from tests.browser.test_match import DESKTOP, PHONE, QUICK, after_change, my_turn

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]

SIZES = pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
FINGER = 44  # pixels


def start(page: Any) -> Match:
    page.goto("/")
    page.locator('form[action="/play/cheops/"] button').first.click()
    page.wait_for_url(re.compile(r"/matches/\d+/"))
    return Match.objects.get(pk=int(page.url.split("/")[-2]))


def tap_something(page: Any, number: int) -> None:
    """Make a move that is lit on the board, else pick something up there."""
    moves = page.locator("#table .board a.lit[hx-post]")
    lit = moves if moves.count() else page.locator("#table .board a.lit")
    after_change(page, lit.nth(number % lit.count()).click)


def too_small(page: Any) -> list[Any]:
    """List what can be tapped on the board and is smaller than a finger."""
    return page.evaluate(
        "least => [...document.querySelectorAll('#table .board a')].map(thing => {"
        " const box = thing.getBoundingClientRect();"
        " return [thing.getAttribute('class'), box.width, box.height]; })"
        ".filter(([, width, height]) => width < least || height < least)",
        FINGER,
    )


def faults(page: Any) -> list[str]:
    return [violation["id"] for violation in Axe().run(page).response["violations"]]


@SIZES
def test_a_guest_plays_by_tapping_to_the_final_settlement(new_page, bots, viewport):
    page = new_page(viewport=viewport, **QUICK)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    match = start(page)
    taps = 0
    while my_turn(page):
        if viewport is PHONE:
            assert too_small(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        tap_something(page, taps)
        taps += 1
        assert taps < 400
    match.refresh_from_db()
    assert match.status == "finished"
    rows = page.locator(".settlement tbody tr:not(.read)")
    assert rows.count() == 7
    totals = [int(text) for text in page.locator(".settlement .sum td").all_inner_texts()]
    assert totals == [seat.score[0] for seat in match.seats.order_by("index")]
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert errors == []


@SIZES
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_board_has_no_faults_of_accessibility(new_page, bots, viewport, colours):
    page = new_page(viewport=viewport, color_scheme=colours, **QUICK)
    start(page)
    for number in range(12):
        if not my_turn(page):
            break
        if number % 3 == 0:
            assert faults(page) == []
        tap_something(page, number)


def test_a_block_out_of_reach_says_why_beside_itself(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    start(page)
    assert my_turn(page)
    after_change(page, page.locator("#table .board .hand a").first.click)
    page.locator('#table .board [data-key="at-5-2"]').click()
    page.wait_for_selector(".refusal p", state="attached")
    words = "Both fields below must be occupied first."
    assert words in page.locator("#bubble").inner_text()
    why = page.locator(".bar a", has_text="Why?")
    assert why.is_visible()
    why.click()
    assert page.url.endswith("/rules/cheops/#refusal-not_supported")
    assert page.locator("#refusal-not_supported").is_visible()


def test_the_pyramid_keeps_its_place_when_it_was_moved_aside(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    start(page)
    assert my_turn(page)
    place = "document.querySelector('.pan').scrollLeft"
    middle = page.evaluate(place)
    assert middle > 0
    page.evaluate("document.querySelector('.pan').scrollLeft = 5")
    after_change(page, page.locator("#table .board .hand a").first.click)
    assert page.evaluate(place) == 5


def in_sight(page: Any) -> int:
    """Count the lit blocks inside the window on the pyramid."""
    return page.evaluate(
        "() => { const frame = document.querySelector('.pan').getBoundingClientRect();"
        " return [...document.querySelectorAll('.pan .lit')].filter(block => {"
        " const box = block.getBoundingClientRect();"
        " return box.left >= frame.left && box.right <= frame.right"
        " && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1; }).length; }"
    )


def test_on_a_phone_the_window_on_the_pyramid_shows_where_tiles_can_be_laid(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    start(page)
    assert my_turn(page)
    window = page.locator(".pan").bounding_box()
    sheet = page.locator(".sheet-below").bounding_box()
    assert window["y"] + window["height"] <= sheet["y"] + 20  # at most the sand is covered
    assert in_sight(page) > 4
    page.evaluate("document.querySelector('.pan').scrollTop = 0")
    assert in_sight(page) == 0
    after_change(page, page.locator("#table .board .hand a").first.click)
    assert in_sight(page) > 0
