"""Sakkara in a real browser: a whole match by tapping on the board, at phone and desktop size."""

import json
import re
from typing import Any

import orjson
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.models import Match
from games.sakkara.components import SPELLS
from games.services import Opponent, match_create, match_join
from tests.browser.test_match import DESKTOP, PHONE, QUICK, after_change, log_in, my_turn
from tests.games.sakkara.positions import position
from tests.site.people import person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]

SIZES = pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
FINGER = 44  # pixels


def start(page: Any) -> Match:
    page.goto("/")
    page.locator('form[action="/play/sakkara/"] button').first.click()
    page.wait_for_url(re.compile(r"/matches/\d+/"))
    return Match.objects.get(pk=int(page.url.split("/")[-2]))


def tap_something(page: Any, number: int) -> None:
    """Make a move that is lit, else pick something up; end the turn as soon as that is possible."""
    end = page.locator("#turn .end:not([disabled])")
    moves = page.locator("#table .board a.lit[hx-post]")
    lit = moves if moves.count() else page.locator("#table .board a.lit")
    if end.count():
        after_change(page, end.click)
    else:
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
def test_a_guest_plays_by_tapping_to_the_end(new_page, bots, viewport):
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
    assert page.locator(".result tbody tr").count() >= 2
    assert page.locator(".board .sk-open .sk-tile").count() == len(opponent_hand(match))
    assert errors == []


def opponent_hand(match: Match) -> list[int]:
    """After the end the other hand lies open."""
    seat = match.seats.get(user=None)
    hand: list[int] = json.loads(match.snapshot)["hands"][seat.index]
    return hand


@SIZES
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_board_has_no_faults_of_accessibility(new_page, bots, viewport, colours):
    page = new_page(viewport=viewport, color_scheme=colours, **QUICK)
    start(page)
    for number in range(16):
        if not my_turn(page):
            break
        if number % 4 == 0:
            assert faults(page) == []
        tap_something(page, number)


def test_a_spell_without_its_cards_says_why_beside_itself(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    start(page)
    for number in range(20):
        assert my_turn(page)
        if page.locator(".sk-spell[href]").count():
            break
        tap_something(page, number)
    page.locator(".sk-spell[href]").last.click()
    page.wait_for_selector(".refusal p", state="attached")
    words = "You do not have the three cards for this spell."
    expect(page.locator("#bubble")).to_contain_text(words)
    assert page.locator(".refusal a").get_attribute("href").endswith("#refusal-spell_cards_missing")


def covered(page: Any) -> float:
    """Measure how much of the board lies under the hand, in rows."""
    board = page.locator(".sk-plateau").bounding_box()
    hand = page.locator(".sakkara > .hand").bounding_box()
    return 7 * (board["y"] + board["height"] - hand["y"]) / board["height"]


def test_a_phone_shows_the_whole_board_also_while_the_lesson_is_offered(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    start(page)
    assert my_turn(page)
    while not page.locator(".recap").count():  # until the bot has moved, and that is told above
        tap_something(page, 0)
        assert my_turn(page)
    expect(page.locator(".lesson-offer")).to_be_visible()
    assert covered(page) <= 0.2  # no more than the frame


def staged(live_server: Any, client: Any, page: Any, **given: Any) -> None:
    """Open a match of two people in a certain position."""
    anna, bram = person("Anna"), person("Bram")
    options = {"start_player": "host"}
    match = match_create(user=anna, game="sakkara", opponents=[Opponent("open")], options=options)
    match_join(match_id=match.pk, user=bram)
    match.refresh_from_db()
    match.snapshot = orjson.dumps(position(given).dump()).decode()
    match.save()
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")


def test_the_smallest_phone_need_not_scroll_sideways(new_page, live_server, client):
    page = new_page(viewport={"width": 320, "height": 640}, **QUICK)
    staged(live_server, client, page, hand={"W": ["moon", "eye"]})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("width", [PHONE["width"], 360])
def test_on_a_phone_the_ways_to_cut_a_pile_stand_in_one_row(new_page, live_server, client, width):
    page = new_page(viewport={**PHONE, "width": width}, **QUICK)
    pile = ["ox", "horse", "bird", "snake", "stair", "moon", "eye"] * 2
    staged(live_server, client, page, phase="place_returns", returns=pile)
    cuts = [cut.bounding_box() for cut in page.locator(".sk-heap .chip").all()]
    assert len(cuts) == 7
    assert len({cut["y"] for cut in cuts}) == 1
    assert too_small(page) == []


@pytest.mark.parametrize("language", ["en", "nl"])
def test_on_a_phone_what_a_horse_may_do_stands_in_one_row(new_page, live_server, client, language):
    page = new_page(viewport=PHONE, locale=language, **QUICK)
    line = {"worker": 0, "dir": "S"}
    staged(live_server, client, page, phase="horse_step", moved=line, board={"a2": ["moon"]})
    chips = [chip.bounding_box() for chip in page.locator(".sk-choices .chip").all()]
    assert len(chips) == 3
    assert len({chip["y"] for chip in chips}) == 1


def test_a_hand_of_many_cards_leaves_the_board_in_sight(new_page, live_server, client):
    page = new_page(viewport=DESKTOP, **QUICK)
    hand = {"W": [*SPELLS["fire_storm"], "eye", "moon", "circle", "horse", "bird", "ox", "snake"]}
    hand["W"] += ["stair", "hewn_stone", "helping_hand", "double_stripe"]
    staged(live_server, client, page, hand=hand)
    assert page.locator(".sakkara > .hand .sk-tile").count() == 14
    assert covered(page) <= 0


def test_an_open_hand_of_the_other_pushes_no_spell_down(new_page, live_server, client):
    page = new_page(viewport=DESKTOP, **QUICK)
    theirs = ["moon", "eye", "cross", "braid", "ox", "bird", "horse", "grain", "ship", "stair"]
    hands = {"W": ["moon"], "B": theirs}
    staged(live_server, client, page, hand=hands, options=["open_holders"])
    expect(page.locator(".sk-open .sk-tile")).to_have_count(10)
    own, spells = (page.locator(part).bounding_box() for part in (".area.own", ".sk-spells"))
    assert spells["y"] - own["y"] - own["height"] < 20


def test_a_tablet_on_its_side_gives_the_board_room_for_fingers(new_page, live_server, client):
    page = new_page(viewport={"width": 1024, "height": 768}, **QUICK)
    hand = ["moon", "eye", "cross", "braid", "ox", "bird", "horse", "grain", "ship", "pyramid_tip"]
    staged(live_server, client, page, hand={"W": hand}, board={"b1": ["moon"]})
    page.locator(".lesson-offer button").click()
    page.wait_for_selector(".lesson-offer", state="detached")
    fields = [spot.bounding_box() for spot in page.locator(".sk-spot").all()]
    assert min(field["width"] for field in fields) >= FINGER
    assert covered(page) <= 0
    expect(page.locator(".sk-ready .chip")).to_have_count(2)  # fire storm and whirlwind
    expect(page.locator(".sk-ready .chip").first).to_be_visible()


def test_in_a_replay_nothing_lies_over_the_board(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    match = start(page)
    assert my_turn(page)
    tap_something(page, 0)
    page.goto(f"/matches/{match.pk}/replay/")
    expect(page.locator(".sakkara > .hand .sk-tile")).to_have_count(1)
    assert covered(page) < 0


def test_a_tap_on_a_stack_out_of_reach_tells_what_lies_there(new_page, bots):
    page = new_page(viewport=PHONE, **QUICK)
    start(page)
    for number in range(20):
        assert my_turn(page)
        if page.locator("g.sk-spot[data-words]").count():
            break
        tap_something(page, number)
    stack = page.locator("g.sk-spot[data-words]").first
    stack.click()
    expect(page.locator("#bubble")).to_contain_text(stack.get_attribute("data-words"))


@SIZES
def test_the_help_page_has_no_faults_of_accessibility(new_page, live_server, viewport):
    page = new_page(viewport=viewport, **QUICK)
    page.goto("/rules/sakkara/")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
