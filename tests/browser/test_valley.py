"""Valley of the Kings in a real browser: a match by tapping, secret orders, targets, barriers."""

import re
from typing import Any

import orjson
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.models import Match
from games.services import Opponent, match_create, match_join
from tests.browser.test_match import DESKTOP, PHONE, QUICK, after_change, log_in, my_turn
from tests.games.valley.positions import position
from tests.site.people import person, play

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]
SIZES = pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
FINGER = 44  # px
CENTRE = """() => {
    const box = document.querySelector(".pan");
    return [(box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
        (box.scrollTop + box.clientHeight / 2) / box.scrollHeight];
}"""
GIVEN: dict[str, Any] = {
    "players": 2,
    "owner": {4: 0, 13: 0, 8: 1, 12: 1},
    "blocks": {4: ["RRRR....."], 12: ["GGGGGGGGG", "KK.."]},
    "overseers": {0: ["12-A", "12-B"], 1: ["12-D", 16]},
    "workers": {0: ["12-C", "12-E", "4-A", "13-A"], 1: ["8-A"]},
    "stock": {0: "RRWWS"},
}
MOMENTS = {
    "auction": {"stock": {}},
    "overseers_secret": {},
    "workers": {},
    "steal": {},
    "takeover": {},
    "build": {},
}


def table_of(anna: Any, bram: Any, phase: str, **given: Any) -> Match:
    """A match of two people in a certain position."""
    match = match_create(user=anna, game="valley", opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=bram)
    match.refresh_from_db()
    state = position({**GIVEN, "phase": phase, **MOMENTS[phase], **given})
    match.snapshot = orjson.dumps(state.dump()).decode()
    match.save()
    for seat in match.seats.all():
        seat.to_act = seat.index in state.to_act()
        seat.save()
    return match


def take_part(page: Any, step: int) -> None:
    """Do a few things with the board in every phase, then close it."""
    posts = page.locator("#table .board a.lit[hx-post]")
    holds = page.locator("#table .board a.lit:not([hx-post])")
    if step % 9 < 7 and posts.count():
        after_change(page, lambda: posts.nth(step % posts.count()).dispatch_event("click"))
    elif step % 9 < 7 and holds.count():
        after_change(page, lambda: holds.nth(step % holds.count()).dispatch_event("click"))
    else:
        after_change(page, page.locator("#turn .end").click)


@SIZES
def test_a_guest_plays_a_whole_match_on_the_board(new_page, bots, viewport):
    page = new_page(viewport=viewport, **QUICK)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/")
    page.locator('form[action="/play/valley/"] button').first.click()
    page.wait_for_url(re.compile(r"/matches/\d+/"))
    match = Match.objects.get(pk=int(page.url.split("/")[-2]))
    step = 0
    while my_turn(page):
        take_part(page, step)
        step += 1
        assert step < 900
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    match.refresh_from_db()
    assert match.status == "finished"
    assert errors == []


def test_orders_are_secret_can_be_recalled_and_are_revealed_at_once(new_page, live_server, client):
    anna, bram = person("Anna"), person("Bram")
    match = table_of(anna, bram, "overseers_secret", overseers={}, workers={})
    pages = []
    for user in (anna, bram):
        pages.append(new_page(viewport=PHONE, **QUICK))
        log_in(pages[-1], live_server, client, user)
        client.cookies.clear()  # the session stays, in the browser only
    mine, theirs = pages
    theirs.goto(f"/matches/{match.pk}/")
    before = theirs.locator(".valley-map").inner_html()
    mine.goto(f"/matches/{match.pk}/")
    after_change(mine, mine.locator("a.figure").first.click)  # picks the first overseer up
    assert mine.locator(".valley-map .badge").count() > 10  # and shows what every way costs
    after_change(mine, mine.locator('a.site[data-key="site-14"]').click)
    after_change(mine, mine.locator(".closeup a.space.lit").first.click)
    expect(mine.locator(".points")).to_have_text("5 of 6 points left")
    after_change(mine, mine.locator("#turn .end").click)
    theirs.goto(f"/matches/{match.pk}/")
    assert theirs.locator(".waiting li.done").inner_text().startswith("Anna")
    assert theirs.locator(".valley-map").inner_html() == before  # but not what Anna ordered
    after_change(mine, mine.locator("button", has_text="Undo").click)  # recalled
    expect(mine.locator("#table.my-turn")).to_have_count(1)
    after_change(mine, mine.locator("#turn .end").click)
    play(match, 1, "overseers_confirm")
    theirs.goto(f"/matches/{match.pk}/")
    assert theirs.locator(".site.of-0").count() == 3  # sites 4 and 13, and now 14


@pytest.mark.parametrize("phase", MOMENTS)
def test_everything_to_tap_is_large_enough_for_a_finger(new_page, live_server, client, phase):
    anna, bram = person("Anna"), person("Bram")
    match = table_of(anna, bram, phase)
    page = new_page(viewport=PHONE, **QUICK)
    log_in(page, live_server, client, anna)
    holds = {"overseers_secret": "?hold=overseer_move+0+14-A", "workers": "?hold=worker_move+14-A"}
    for address in ("", holds.get(phase, "")):
        page.goto(f"/matches/{match.pk}/{address}")
        small = page.evaluate(
            """() => [...document.querySelectorAll('.board a.lit')].map(link => {
                const box = link.getBoundingClientRect();
                return [link.getAttribute('aria-label'), box.width, box.height];
            }).filter(([, width, height]) => width < 43.5 || height < 43.5)"""
        )
        assert small == []
        assert page.locator(".board a.lit").count()


def test_the_map_can_be_enlarged_and_stays_so(new_page, live_server, client):
    match = table_of(person("Anna"), bram := person("Bram"), "workers")
    page = new_page(viewport=PHONE, **QUICK)
    log_in(page, live_server, client, match.seats.get(index=0).user)
    page.goto(f"/matches/{match.pk}/")

    def width() -> float:
        return page.locator(".valley-map").bounding_box()["width"]

    before = width()
    page.locator(".zoom-label").click()
    assert width() > 2 * before
    assert page.evaluate(CENTRE) == pytest.approx([0.5, 0.5], abs=0.01)
    after_change(page, page.locator("a.figure.lit").first.click)
    assert width() > 2 * before
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert bram.pk


@SIZES
@pytest.mark.parametrize("phase", ["auction", "workers", "build"])
def test_what_stands_in_the_corners_of_the_map_lies_over_no_land(
    new_page, live_server, client, viewport, phase
):
    """The pharaoh and the bag stand above the slopes of the board."""
    anna, bram = person("Anna"), person("Bram")
    match = table_of(anna, bram, phase, pharaoh="RGKWSRGKWSRG")
    page = new_page(viewport=viewport, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    over_land = page.evaluate(
        """() => {
            const rim = document.querySelector('.valley-map .rim');
            const at = rim.getScreenCTM().inverse();
            return [...document.querySelectorAll('.corner b, .corner small')].filter(one => {
                const box = one.getBoundingClientRect();
                return box.width && [box.left, box.right].some(x => [box.top, box.bottom].some(y =>
                    rim.isPointInFill(new DOMPoint(x, y).matrixTransform(at))));
            }).map(one => one.textContent.trim());
        }"""
    )
    assert over_land == []


@SIZES
@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_figure_has_room_for_where_it_stands(
    new_page, live_server, client, viewport, language
):
    anna, bram = person("Anna"), person("Bram")
    match = table_of(anna, bram, "workers", workers={})
    page = new_page(viewport=viewport, locale=language, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    expect(page.locator(".tray .figure")).to_have_count(5)
    figures = page.locator(".tray .figure").evaluate_all(
        "all => all.map(one => one.scrollWidth <= one.clientWidth)"
    )
    assert figures == [True] * 5


@pytest.mark.parametrize("width", [390, 640, 1280])
def test_stocks_of_all_colours_widen_no_page(new_page, live_server, client, width):
    """640 px are a desk at 200 %."""
    anna, bram, cleo = person("Anna"), person("Bram"), person("Cleo")
    match = match_create(user=anna, game="valley", opponents=[Opponent("open")] * 2)
    for user in (bram, cleo):
        match_join(match_id=match.pk, user=user)
    match.refresh_from_db()
    full = dict.fromkeys(range(3), "RGKWS" * 2)
    state = position({**GIVEN, "players": 3, "phase": "workers", "round": 2, "stock": full})
    match.snapshot = orjson.dumps(state.dump()).decode()
    match.save()
    page = new_page(viewport={"width": width, "height": 450}, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    assert page.locator(".valley .stocks b").count() == 15
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    spilled = page.evaluate(
        "() => [...document.querySelectorAll('.valley .stocks')].filter("
        "one => one.scrollWidth > one.clientWidth + 1).length"
    )
    assert spilled == 0


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_has_no_barriers(new_page, live_server, client, viewport, scheme):
    anna, bram = person("Anna"), person("Bram")
    page = new_page(viewport=viewport, color_scheme=scheme, **QUICK)
    log_in(page, live_server, client, anna)
    addresses = {"rules": "/rules/valley/"}
    for phase, hold in (
        ("auction", "?hold=bid_place+v3"),
        ("overseers_secret", "?hold=overseer_move+0+14-A"),
        ("build", ""),
    ):
        addresses[phase] = f"/matches/{table_of(anna, bram, phase).pk}/{hold}"
    found = []
    for name, address in addresses.items():
        page.goto(address)
        for violation in Axe().run(page).response["violations"]:
            nodes = [node["html"][:160] for node in violation["nodes"][:3]]
            found.append((name, violation["id"], nodes))
    assert found == []


@SIZES
def test_picking_a_tablet_up_moves_nothing_under_the_finger(
    new_page, live_server, client, viewport
):
    anna, bram = person("Anna"), person("Bram")
    match = table_of(anna, bram, "auction", stock={})
    page = new_page(viewport=viewport, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    market = page.locator(".market")
    before = market.bounding_box()
    after_change(page, page.locator(".tablets a.lit").first.click)
    expect(page.locator(".cue")).to_be_visible()
    assert market.bounding_box() == before


def test_what_ways_cost_does_not_hide_the_sites_of_an_enlarged_map(new_page, live_server, client):
    anna, bram = person("Anna"), person("Bram")
    match = table_of(anna, bram, "workers")
    page = new_page(viewport=PHONE, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    after_change(page, page.locator("a.figure.lit").first.click)
    page.locator(".zoom-label").click()
    site = page.locator('a.site[data-key="site-14"] .reach').bounding_box()
    badge = page.locator(".valley-map .badge circle").first.bounding_box()
    assert 24 <= badge["width"] <= site["width"] / 2


def test_what_a_round_has_brought_is_told_first_when_the_next_begins(new_page, live_server, client):
    anna, bram = person("Anna"), person("Bram")
    match = table_of(anna, bram, "auction", stock={})
    page = new_page(viewport=DESKTOP, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    told = page.locator(".summary[open]").bounding_box()
    assert told["y"] < page.locator(".areas").bounding_box()["y"]
    assert told["y"] + FINGER < DESKTOP["height"]
