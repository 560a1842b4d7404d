"""What a player sees on a phone without searching: the targets of what is held, and reasons."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from games.engine.search import choose
from games.engine.table import Silent
from games.models import Match, Move
from games.services import changing
from tests.browser.test_match import PHONE, QUICK, after_change, log_in
from tests.site.people import duel, legal, market, person, play

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]

TOUCH = {"viewport": PHONE, "has_touch": True, **QUICK}
CARD = ".tabletop > .hand .slate"

IN_SIGHT = """chosen => {
    const top = document.querySelector(".bar").getBoundingClientRect().bottom;
    const bottom = document.querySelector(".tabletop > .hand").getBoundingClientRect().top;
    return [...document.querySelectorAll(`.board-place ${chosen}`)].filter(thing => {
        const box = thing.getBoundingClientRect();
        return box.width && box.top >= top && box.bottom <= bottom;
    }).length;
}"""

# An ellipsis is drawn for text that is the block's own, not for a flexible part of it.
BADLY_CUT = """() => [...document.querySelectorAll(".board .who, .chair-name")].filter(name => {
    const place = name.closest(".area, .chair");
    const { display, textOverflow } = getComputedStyle(name);
    const whole = place.scrollWidth <= place.clientWidth + 1;
    return name.offsetWidth && !(whole && display === "block" && textOverflow === "ellipsis");
}).map(name => name.textContent)"""

CONTRAST = """button => {
    const light = text => {
        const [r, g, b] = text.match(/[0-9.]+/g).map(one => one / 255)
            .map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const { color, backgroundColor } = getComputedStyle(button);
    const [dark, bright] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
}"""


def after_the_quarry(page: Any, live_server: Any, client: Any) -> Match:
    """Open a duel whose host has taken a card and may now trade, build and lay foundations."""
    host = person("Ankhesenamun")
    match = duel(host, person("Bek"))
    play(match, 0, next(text for text in legal(match, 0) if text.startswith("take")))
    log_in(page, live_server, client, host)
    page.goto(f"/matches/{match.pk}/")
    return match


def test_what_is_picked_up_brings_its_targets_into_sight(new_page, live_server, client):
    page = new_page(**TOUCH)
    after_the_quarry(page, live_server, client)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate(IN_SIGHT, ".other .slate, .own .plot") == 0
    after_change(page, lambda: page.locator(CARD).first.dispatch_event("click"))
    page.wait_for_function(f"({IN_SIGHT})('.lit') > 0")


def test_an_arrow_leads_to_targets_beyond_the_edge(new_page, live_server, client):
    page = new_page(**TOUCH)
    after_the_quarry(page, live_server, client)
    after_change(page, page.locator(CARD).first.tap)
    assert page.evaluate(IN_SIGHT, ".other .slate.lit") > 0  # to trade with
    assert page.evaluate(IN_SIGHT, ".own .plot.lit") == 0  # to lay it on
    page.locator(".further.down").tap()
    page.wait_for_function(f"({IN_SIGHT})('.own .plot.lit') === 1")
    page.wait_for_selector(".further.down", state="hidden")
    expect(page.locator(".further.up")).to_be_visible()
    after_change(page, page.locator(".bar-buttons a").tap)
    page.wait_for_selector(".further.up", state="hidden")


def test_a_tap_on_a_card_out_of_reach_says_why_and_what_it_is_for(new_page, live_server, client):
    page = new_page(**TOUCH)
    after_the_quarry(page, live_server, client)
    card = page.locator(".display .plaque").first
    effect = card.locator("small").text_content()
    after_change(page, card.tap)
    why = page.locator(".refusal p").text_content().removesuffix(" Why?")
    expect(page.locator("#bubble")).to_have_text(f"{why}\n{effect}", use_inner_text=True)


def test_the_button_that_ends_a_turn_stays_readable_under_the_pointer(
    new_page, live_server, client
):
    page = new_page(viewport={"width": 1280, "height": 900}, **QUICK)
    after_the_quarry(page, live_server, client)
    end = page.locator("#turn .end:not([disabled])")
    assert end.evaluate(CONTRAST) >= 4.5
    end.hover()
    assert end.evaluate(CONTRAST) >= 4.5


@pytest.mark.parametrize(
    "viewport",
    [{"width": 844, "height": 390}, {"width": 640, "height": 450}],
    ids=["phone on its side", "desk at 200 %"],
)
def test_a_low_screen_is_mostly_board(new_page, live_server, client, viewport):
    page = new_page(**(TOUCH | {"viewport": viewport}))
    after_the_quarry(page, live_server, client)
    page.evaluate("scrollTo(0, 300)")
    bar = page.locator(".bar").bounding_box()
    dock = page.locator("#turn .dock").bounding_box()
    assert bar["y"] == 0
    assert dock["y"] - bar["height"] > 0.65 * viewport["height"]
    # One's cards lie where they lie, not over the board.
    assert page.locator(CARD).first.bounding_box()["y"] > dock["y"]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_name_is_cut_where_its_place_ends(new_page, live_server, client, width):
    host = person("Wolfeschlegelsteinhausen1")
    people = [host, person("Nefertari-van-de-Nijlbron"), person("Amenhotep-de-Langademige")]
    match = market(*people)
    page = new_page(viewport={"width": width, "height": 900}, **QUICK)
    log_in(page, live_server, client, host)
    page.goto(f"/matches/{match.pk}/")
    assert page.evaluate(BADLY_CUT) == []


def before_a_finishing_stone(host: Any, guest: Any) -> tuple[Match, str]:
    """Lay duels until the host can finish an obelisk: by a 1 on the foundation just laid."""
    for _ in range(100):
        match = duel(host, guest)
        play(match, 0, next(text for text in legal(match, 0) if text.startswith("take")))
        play(match, 0, next(text for text in legal(match, 0) if text.startswith("lay")))
        stones = [text for text in legal(match, 0) if re.fullmatch(r"build [RBGY]1. 0 top", text)]
        if stones:
            return match, stones[0]
    raise AssertionError("no 1 in a hundred depots")


def test_a_move_after_which_nothing_lit_is_left_in_sight_brings_it_there(
    new_page, live_server, client
):
    page = new_page(**TOUCH)
    host = person("Ankhesenamun")
    match, stone = before_a_finishing_stone(host, person("Bek"))
    log_in(page, live_server, client, host)
    page.goto(f"/matches/{match.pk}/")
    made = page.locator(f'#turn .move[value="{stone}"]')
    after_change(page, lambda: made.dispatch_event("click"))
    page.wait_for_function(f"({IN_SIGHT})('.display .plaque.lit') > 0")
    # A page that opens at such a moment stays where it is; an arrow shows the way.
    page.goto(f"/matches/{match.pk}/")
    assert page.evaluate(IN_SIGHT, ".display .plaque.lit") == 0
    page.locator(".further.down").tap()
    page.wait_for_function(f"({IN_SIGHT})('.display .plaque.lit') > 0")


OVERLAPPING = """() => [...document.querySelectorAll(".others .site")].flatMap(site => {
    const words = [...site.querySelectorAll(".nr, .tag")].map(one => one.getBoundingClientRect());
    return words.filter((one, at) => words.some((other, place) => place > at &&
        one.left < other.right - 1 && other.left < one.right - 1 &&
        one.top < other.bottom - 1 && other.top < one.bottom - 1));
}).length"""


def by_bots(match: Match, turns: int) -> None:
    """Let rules of thumb play that many turns of each seat, or to the end."""
    table, left = Silent(Random(7)), turns * len(match.seats.all())
    with changing(match.pk) as change:
        while left and (called := change.running.state.to_act()):
            move = choose(change.running.state, called[0], table, match.game.mind, seconds=0.0)
            change.play(called[0], move, Move.By.PLAYER)
            left -= move == ("end_turn",)


@pytest.mark.parametrize(
    ("size", "parts"),
    [
        ((1280, 900), (".others", ".own")),
        ((1024, 768), (".other >> nth=0", ".other >> nth=1")),
    ],
    ids=["desk", "tablet"],
)
def test_the_quarry_one_s_cards_and_the_others_are_in_sight_together(
    new_page, live_server, client, monkeypatch, size, parts
):
    """In one position: how high the obelisks of others stand is a matter of the deal."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "07" * size)
    people = [person(name) for name in ("Ankhesenamun", "Bek", "Cleo", "Djoser")]
    match = market(*people)
    by_bots(match, 2)
    page = new_page(viewport={"width": size[0], "height": size[1]}, **QUICK)
    log_in(page, live_server, client, people[0])
    page.goto(f"/matches/{match.pk}/")
    board = page.locator(".board-place").bounding_box()
    for part in (".pit", ".display", ".tabletop > .hand", *parts):
        box = page.locator(f".obelisk {part}").bounding_box()
        assert box["y"] + box["height"] <= board["y"] + board["height"], part


@pytest.mark.parametrize("names", ["ABC", "ABCD", "ABCDE"])
def test_one_s_own_obelisks_are_in_sight_on_a_desk_however_many_the_others_are(
    new_page, live_server, client, names
):
    people = [person(f"{name}nkhesenamun") for name in names]
    match = market(*people)
    by_bots(match, 3)
    page = new_page(viewport={"width": 1280, "height": 900}, **QUICK)
    log_in(page, live_server, client, people[0])
    page.goto(f"/matches/{match.pk}/")
    board = page.locator(".board-place").bounding_box()
    own = page.locator(".obelisk .own").bounding_box()
    assert own["y"] + own["height"] <= board["y"] + board["height"]
    page.locator(".board-place").evaluate("board => board.scrollTo(0, board.scrollHeight)")
    other = page.locator(".obelisk .other").last.bounding_box()
    own = page.locator(".obelisk .own").bounding_box()
    assert other["y"] + other["height"] <= own["y"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("names", [("Ankhesenamun", "Bek"), ("Bek", "Cleo", "Djoser", "Eje")])
def test_many_obelisks_stay_on_the_page_and_their_points_do_not_overlap(new_page, width, names):
    people = [person(name) for name in names]
    match = market(*people) if len(people) > 2 else duel(*people)
    by_bots(match, 99)
    page = new_page(viewport={"width": width, "height": 900}, **QUICK)
    page.goto(f"/matches/{match.pk}/")
    page.evaluate(
        "document.querySelectorAll('.others .fold').forEach(fold => { fold.checked = true })"
    )
    assert page.locator(".others .plinth .tag:visible").count() > 4 * len(people)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OVERLAPPING) == 0
