"""Cheops in a real browser: a whole match by tapping on the board, at phone and desktop size."""

import re
from typing import Any

import orjson
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.models import Match
from games.queries import session_of
from games.services import Opponent, match_create, match_join
from tests.browser.test_match import DESKTOP, PHONE, QUICK, after_change, log_in, my_turn
from tests.games.cheops.positions import position
from tests.site.people import legal, person, play

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
    """List what can be tapped on the board and is smaller than a finger.

    A hand of which nothing can be laid makes room for the choices: what is not shown is not tapped.
    """
    return page.evaluate(
        "least => [...document.querySelectorAll('#table .board a')]"
        ".filter(thing => thing.getClientRects().length).map(thing => {"
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
    expect(rows).to_have_count(7)
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
    expect(page.locator("#bubble")).to_contain_text(words)
    why = page.locator(".bar a", has_text="Why?")
    why.click()
    page.wait_for_url("**/rules/cheops/#refusal-not_supported")
    expect(page.locator("#refusal-not_supported")).to_be_visible()


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


def covered(page: Any) -> float:
    """Measure how much of the window on the pyramid lies under the hand, in pixels."""
    window = page.locator(".pan").bounding_box()
    return window["y"] + window["height"] - page.locator(".sheet-below").bounding_box()["y"]


# Everything that takes room above or below the window on the pyramid.
CROWDED: dict[str, Any] = {
    "under": {"brown": "must_keep", "red": "blocker"},
    "held": {0: {"late_sale": 1, "exchange": 1}},
    "stocks": {0: {"brown": 3, "green": 2}},
    "money": {0: 145},
}
STUCK: dict[str, Any] = {"idle_turns": 1, "fill_except": ["1-1", "1-2"]}


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("width", [360, 390, 412])
@pytest.mark.parametrize("given", [{}, CROWDED, STUCK], ids=["plain", "crowded", "stuck"])
def test_the_hand_on_a_phone_hides_no_more_than_the_sand(
    new_page, live_server, client, language, width, given
):
    anna, bram = person("Anna", language=language), person("Bram")
    match = match_create(user=anna, game="cheops", opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=bram)
    match.refresh_from_db()
    anna_sits = match.seats.get(user=anna).index
    state = position({"players": 2, "current": 1 - anna_sits, **given})
    match.snapshot = orjson.dumps(state.dump()).decode()
    match.save()
    for seat in match.seats.all():
        seat.to_act = seat.index in state.to_act()
        seat.save()
    if given is not STUCK:
        play(match, 1 - anna_sits, "place_family son 1-1")
    while 1 - anna_sits in session_of(match).state.to_act():
        play(match, 1 - anna_sits, legal(match, 1 - anna_sits)[-1])
        match.refresh_from_db()
    page = new_page(viewport=PHONE | {"width": width}, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    assert page.locator(".recap").count()
    expect(page.locator(".lesson-offer")).to_be_visible()
    assert covered(page) <= 20
    assert page.locator(".pan").bounding_box()["height"] >= 150
    page.locator(".lesson-offer button").click()
    page.wait_for_selector(".lesson-offer", state="detached")
    assert covered(page) <= 20


def test_on_a_phone_the_window_on_the_pyramid_shows_where_tiles_can_be_laid(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    start(page)
    assert my_turn(page)
    assert covered(page) <= 20  # at most the sand
    assert in_sight(page) > 4
    while not page.locator(".recap").count():  # until the bot has moved, and that is told above
        tap_something(page, 0)
        assert my_turn(page)
    expect(page.locator(".lesson-offer")).to_be_visible()
    assert covered(page) <= 20
    assert in_sight(page) > 0
    page.evaluate("document.querySelector('.pan').scrollTop = 0")
    assert in_sight(page) == 0
    after_change(page, page.locator("#table .board .hand a").first.click)
    assert in_sight(page) > 0


def test_on_a_low_screen_nothing_of_the_price_boards_lies_over_the_pyramid(new_page, bots):
    """640 x 450 px are a desk at 200 %: there the price boards scroll away with the page."""
    page = new_page(viewport={"width": 640, "height": 450}, **QUICK)
    start(page)
    assert my_turn(page)
    boards = page.locator(".cheops .prices").bounding_box()
    for part in (".unfold", ".own-purse", ".own-worth"):
        box = page.locator(f".cheops {part}").bounding_box()
        assert boards["y"] <= box["y"]
        assert box["y"] + box["height"] <= boards["y"] + boards["height"]


def test_what_the_others_see_is_looked_at_and_explained_as_one_s_own(new_page, live_server, client):
    host, guest = person("Anna"), person("Bob")
    match = match_create(user=host, game="cheops", opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=guest)
    page = new_page(viewport=PHONE, has_touch=True, **QUICK)
    log_in(page, live_server, client, host)
    page.goto(f"/matches/{match.pk}/others/")
    expect(page.locator(".pan")).not_to_have_js_property("scrollLeft", 0)
    page.locator(".other .purse").first.tap()
    expect(page.locator("#bubble")).to_contain_text("only its owner sees")


SEEN = """() => {
    const [pan, sheet] = [".pan", ".sheet-below"]
        .map(part => document.querySelector(part).getBoundingClientRect());
    return Math.min(pan.bottom, sheet.top) - pan.top;
}"""


def test_who_swaps_a_treasure_on_a_phone_sees_what_it_may_be_swapped_with(
    new_page, live_server, client
):
    match = match_create(user=person("Anna"), game="cheops", opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=person("Bram"))
    match.refresh_from_db()
    stock = dict.fromkeys(("brown", "blue", "red", "green", "black"), 1)
    given = {"phase": "resolve_law", "pending_law": "exchange", "main_done": True}
    given |= {"under": CROWDED["under"]}
    state = position({"players": 2, "current": 0, "stocks": {0: stock}, **given})
    match.snapshot = orjson.dumps(state.dump()).decode()
    match.save()
    match.seats.update(to_act=False)
    match.seats.filter(index=0).update(to_act=True)
    page = new_page(viewport=PHONE, **QUICK)
    log_in(page, live_server, client, match.seats.get(index=0).user)
    page.goto(f"/matches/{match.pk}/")
    after_change(page, page.locator(".pan a.lit").first.click)
    expect(page.locator(".choices > *")).to_have_count(6)
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(SEEN) >= 2 * FINGER  # two rows of blocks, before one scrolls at all
