"""First lessons in a real browser: by tapping the board of a phone, and by keyboard alone."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.catalogue import Game, Step, shelf
from games.engine.contract import Move, matches, read
from games.lessons import Trail, course_of
from tests.browser.test_match import DESKTOP, PHONE, QUICK, after_change, tab_to

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]
games = pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.slug)
MOST_TAPS = 4  # in one step
IN_SIGHT = """thing => {
    const box = thing.getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return there !== null && thing.contains(there);
}"""


def is_in_sight(thing: Any) -> bool:
    return thing.evaluate(IN_SIGHT)


def held_by(link: str) -> Move:
    """Read what a link on the board picks up."""
    hold = parse_qs(urlsplit(link).query).get("hold", [""])[0]
    return read(hold) if hold else ()


def tried(page: Any, move: Move) -> Any:
    """Find where the next part of a move that will be refused is tapped."""
    now = read(page.get_attribute("#table", "data-hold") or "nothing")
    things = page.locator("#table .board a[href]")
    links = things.evaluate_all("things => things.map(thing => thing.getAttribute('href'))")
    holds = {place: held_by(link) for place, link in enumerate(links)}
    ways = [place for place, hold in holds.items() if hold != now and matches(hold, move)]
    seen = [place for place in ways if is_in_sight(things.nth(place))]
    return things.nth(max(seen, key=lambda place: len(holds[place])))


def asked(page: Any, step: Step) -> Any:
    """Find what a step wants to be tapped: it must be in sight as the page stands."""
    end = page.locator("#turn .end:not([disabled])")
    if step.refusal:
        return tried(page, read(step.wanted[0]))
    moves = page.locator("#table.points .board a.lit[hx-post]").all()
    lit = moves + page.locator("#table.points .board a.lit").all()
    return next(thing for thing in ([end] if end.count() else lit) if is_in_sight(thing))


@games
def test_a_whole_lesson_is_done_by_tapping_what_is_in_sight_on_a_phone(
    new_page, live_server, game: Game
):
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True, **QUICK)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"/rules/{game.slug}/")
    page.locator(".rules-lesson a").tap()
    page.wait_for_url("**/learn/**")
    for step in game.lesson.steps:
        expect(page.locator(".bar-words").first).to_have_text(str(step.ask))
        for _tap in range(MOST_TAPS):
            after_change(page, asked(page, step).tap)
            if page.locator("#table.done").count():
                break
        words, onward = page.locator(".bar-words").first, page.locator("#turn .dock .primary")
        expect(words).to_have_text(str(step.told))
        assert is_in_sight(words)
        assert is_in_sight(onward)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if step is not game.lesson.steps[-1]:
            after_change(page, onward.tap)
    onward.tap()
    page.wait_for_url(re.compile(r"/matches/\d+/"))
    expect(page.locator("#lesson-offer")).to_have_count(0)
    assert errors == []


@games
def test_a_whole_lesson_is_done_with_the_keyboard_and_the_list_of_moves(
    new_page, live_server, game: Game
):
    page = new_page(viewport=DESKTOP, **QUICK)
    page.goto(f"/learn/{game.slug}/")
    for step in game.lesson.steps:
        expect(page.locator("#sentence")).to_have_text(str(step.ask))
        ends = page.locator("#turn .end:not([disabled])").count()
        listed = "#turn .end" if ends else "#turn .move"
        tab_to(page, ".lesson-show button" if step.refusal else listed)
        after_change(page, lambda: page.keyboard.press("Enter"))
        expect(page.locator("#sentence")).to_have_text(str(step.told))
        expect(page.locator("#announce")).to_have_text(str(step.told))
        tab_to(page, "#turn .dock .primary")
        if step is not game.lesson.steps[-1]:
            after_change(page, lambda: page.keyboard.press("Enter"))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/matches/\d+/"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@games
def test_a_lesson_has_no_barriers(new_page, live_server, game: Game, scheme: str):
    page = new_page(viewport=PHONE, color_scheme=scheme, **QUICK)
    first = Trail()
    for trail in (first, first.trying(course_of(game, first).wanted[0])):
        page.goto(f"/learn/{game.slug}/{trail}/")
        faults = Axe().run(page).response["violations"]
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in faults] == []


def test_who_skips_the_lesson_that_a_match_offered_is_back_at_the_match(new_page, live_server):
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True, **QUICK)
    page.goto("/")
    page.locator('form[action="/play/cheops/"] button').first.tap()
    page.wait_for_url(re.compile(r"/matches/\d+/"))
    match = page.url
    page.locator("#lesson-offer a").tap()
    page.wait_for_url(re.compile(r"/learn/cheops/1/"))
    page.locator(".lesson-skip button").tap()
    page.wait_for_url(match)
    expect(page.locator("#lesson-offer")).to_have_count(0)
