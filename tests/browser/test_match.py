"""Matches played in a real browser: by clicking, by keyboard alone, and without JavaScript."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from accounts.models import User
from games.engine.contract import write
from games.models import Match, Move
from games.queries import session_of
from games.services import Opponent, match_create, match_join, message_write
from tests.site.people import chosen, duel, finish, market, person, play_turn

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
QUICK = {"reduced_motion": "reduce"}  # nothing to wait for
CALM = ":not(.busy, .htmx-swapping, .htmx-settling)"  # nothing under way: all scripts have run


def start(page: Any, seats: int = 2) -> Match:
    """Begin a match against bots with the one click of the landing page."""
    page.goto("/")
    page.locator('form[action="/play/obelisk/"] button').first.click()
    page.wait_for_url(re.compile(r"/matches/\d+/"))
    return Match.objects.get(pk=int(page.url.split("/")[-2]))


def log_in(page: Any, live_server: Any, client: Any, user: Any) -> None:
    client.force_login(user)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])


def my_turn(page: Any) -> bool:
    """Wait until there is something to do; False once the match has ended."""
    page.wait_for_selector(f"#table.my-turn{CALM}, #table.finished{CALM}")
    return page.locator("#table.finished").count() == 0


def after_change(page: Any, act: Callable[[], None]) -> None:
    """Act, and wait until the page shows another revision or something picked up."""
    before = page.evaluate("document.querySelector('#table').outerHTML")
    act()
    page.wait_for_function(
        f"old => {{ const now = document.querySelector('#table{CALM}');"
        " return now && now.outerHTML !== old; }",
        arg=before,
    )
    page.evaluate("() => new Promise(requestAnimationFrame)")  # what shows where to look has run


def click_something(page: Any, turn: int) -> None:
    """End the turn if one can; else click what is lit on the board, else what the list offers."""
    end = page.locator("#turn .end:not([disabled])")
    # Mostly cards from the quarry, so that the match gets on.
    kind = "a.pile" if turn % 4 else "a"
    board = page.locator(f"#table .board-place {kind}.lit[hx-post]")
    if end.count():
        after_change(page, end.click)
    elif board.count():
        after_change(page, board.nth(turn % board.count()).click)
    else:
        moves = page.locator("#turn .move")
        after_change(page, lambda: moves.first.dispatch_event("click"))


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_guest_starts_with_one_click_and_plays_to_the_final_table(new_page, bots, viewport):
    page = new_page(viewport=viewport, **QUICK)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    match = start(page)
    turn = 0
    while my_turn(page):
        click_something(page, turn)
        turn += 1
        assert turn < 400
    match.refresh_from_db()
    assert match.status == "finished"
    expect(page.locator(".result tbody tr")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert errors == []


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until something that fits has the focus."""
    for _ in range(120):
        if page.evaluate("chosen => document.activeElement.matches(chosen)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is out of reach of the keyboard")


def test_a_whole_match_is_played_with_the_keyboard_alone(new_page, bots):
    page = new_page(viewport=DESKTOP, **QUICK)
    page.goto("/")
    tab_to(page, 'form[action="/play/obelisk/"] button')
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/matches/\d+/"))
    tab_to(page, 'a[href="#turn"]')
    page.keyboard.press("Enter")
    pressed = 0
    while my_turn(page):
        ends = page.locator("#turn .end:not([disabled])").count()
        tab_to(page, "#turn .end" if ends else "#turn .move")
        after_change(page, lambda: page.keyboard.press("Enter"))
        # The focus never falls out of the match.
        assert page.evaluate("document.activeElement.closest('#table') !== null"), pressed
        pressed += 1
        assert pressed < 400
    expect(page.locator(".result h2")).to_be_visible()


def test_a_match_is_played_without_javascript(new_page, bots):
    page = new_page(viewport=DESKTOP, java_script_enabled=False)
    match = start(page)
    for _ in range(20):
        while not page.locator("#table.my-turn").count():
            page.wait_for_timeout(200)
            page.reload()
        end = page.locator("#turn .end:not([disabled])")
        done = page.locator("#turn .held button")
        # A lit thing on the board is picked up by a link; a whole move is done by a button.
        lit = page.locator("#table .board-place a.lit")
        with page.expect_navigation():
            (end if end.count() else done if done.count() else lit.first).click()
    assert Move.objects.filter(match=match, by="player").count() >= 5


def test_a_page_follows_the_match_by_itself(new_page, live_server, client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    page = new_page(viewport=DESKTOP)
    log_in(page, live_server, client, bob)
    page.clock.install()
    page.goto(f"/matches/{match.pk}/")
    assert "Your turn" not in page.title()
    play_turn(match, 0)
    page.clock.fast_forward(16_000)
    page.wait_for_selector("#table.my-turn")
    expect(page).to_have_title(re.compile("^● Your turn"))
    expect(page.locator("#announce")).to_contain_text("Anna ends the turn.")
    expect(page.locator(".recap li").first).to_be_visible()


def test_a_page_that_lies_open_all_day_is_no_visit(new_page, live_server, client):
    """Not even when it has itself printed anew, as it does for the sake of its clocks."""
    anna = person("Anna")
    match = duel(person("Bob"), anna)
    page = new_page(**QUICK)
    log_in(page, live_server, client, anna)
    page.clock.install()
    page.goto(f"/matches/{match.pk}/")
    User.objects.update(seen=None)
    answers = []
    while 200 not in answers:
        with page.expect_response(re.compile(rf"/matches/{match.pk}/\?")) as answer:
            page.clock.run_for(16_000)
        answers.append(answer.value.status)
    assert answers[:-1] == [204] * 19
    anna.refresh_from_db()
    assert anna.seen is None


def test_nothing_is_taken_from_under_the_pointer(new_page, live_server, client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    page = new_page(viewport=DESKTOP)
    log_in(page, live_server, client, bob)
    page.clock.install()
    page.goto(f"/matches/{match.pk}/")
    revision = page.get_attribute("#table", "data-revision")
    play_turn(match, 0)
    page.locator("#tab-log").hover()
    page.mouse.down()
    with page.expect_response(re.compile(r"seen=")):
        page.clock.fast_forward(15_100)
    page.wait_for_timeout(200)
    assert page.get_attribute("#table", "data-revision") == revision
    page.mouse.up()
    page.clock.fast_forward(2_000)
    page.wait_for_selector("#table.my-turn")


def test_the_bar_of_a_phone_makes_the_move_that_is_held(new_page, live_server, client):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    move = write(session_of(match).state.legal(0)[0])
    page = new_page(viewport=PHONE, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/?{urlencode({'hold': move})}")
    after_change(page, page.locator(".bar-buttons button").click)
    assert [row.text for row in match.moves.all()] == [move]


def test_an_illegal_click_says_why_beside_the_thing(new_page, live_server, client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    page = new_page(viewport=DESKTOP)
    log_in(page, live_server, client, bob)
    page.goto(f"/matches/{match.pk}/")
    page.locator('#table .board-place a[hx-get*="hold=take"]').first.click()
    page.wait_for_selector(".refusal p")
    expect(page.locator(".refusal p")).to_contain_text("It is not your turn.")
    expect(page.locator("#bubble")).to_contain_text("It is not your turn.")
    assert page.url.endswith(f"/matches/{match.pk}/")  # looking changes no address


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_moved_slides_to_its_place_unless_motion_is_unwanted(
    new_page, live_server, client, motion
):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    page = new_page(viewport=DESKTOP, reduced_motion=motion)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    page.evaluate(
        "() => { window.slid = []; const animate = Element.prototype.animate;"
        " Element.prototype.animate = function (...given) {"
        " window.slid.push([this.dataset.key, given[1].duration]);"
        " return animate.apply(this, given); }; }"
    )
    after_change(page, page.locator("#turn .move", has_text="Take").first.click)
    slid = page.evaluate("window.slid")
    if motion == "reduce":
        assert slid == []
    else:
        assert "overseer" in [key for key, _ in slid]
        assert max(duration for _, duration in slid) <= 250


def test_a_replay_answers_arrow_keys_and_the_slider(new_page, live_server, client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    play_turn(match, 0)
    page = new_page(viewport=DESKTOP, **QUICK)
    log_in(page, live_server, client, bob)
    page.goto(f"/matches/{match.pk}/replay/?at=0")
    last = match.moves.count()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"text=Move 1 of {last}")
    page.keyboard.press("End")
    page.wait_for_selector(f"text=Move {last} of {last}")
    expect(page).to_have_url(re.compile(rf"at={last}\b"))
    page.locator("#step").fill("1")
    page.wait_for_selector(f"text=Move 1 of {last}")


def test_a_table_that_fills_the_screen_is_no_longer_than_it(new_page, live_server, client):
    """Else whatever scrolled the page would push the table out of sight, with no way back."""
    host, *others = [person(name) for name in ("Anna", "Bob", "Cleo", "Dina", "Eve")]
    open_seats = [Opponent("open") for _ in others]
    match = match_create(user=host, game="cheops", opponents=open_seats)
    for other in others:
        match_join(match_id=match.pk, user=other)
    finish(match)
    page = new_page(viewport=DESKTOP, **QUICK)
    log_in(page, live_server, client, host)
    page.goto(f"/matches/{match.pk}/")
    expect(page.locator(".settlement")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == DESKTOP["height"]


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("language", ["en", "nl"])
def test_the_page_of_a_match_is_no_wider_than_a_small_phone(
    new_page, live_server, client, width, language
):
    """With a long name, and a number beside the matches that wait."""
    anna = person("Ankhesenamun-of-Thebes", language=language)
    match = duel(anna, person("Bob"))
    page = new_page(viewport={"width": width, "height": 640}, **QUICK)
    log_in(page, live_server, client, anna)
    for part in ("", "replay/", "others/"):
        page.goto(f"/matches/{match.pk}/{part}")
        expect(page.locator(".site-nav .count")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, part
        menu = page.locator(".menu > summary").bounding_box()
        assert menu["x"] + menu["width"] <= width
        assert menu["width"] >= 44


def test_all_that_stands_under_more_can_be_reached_with_a_wheel(new_page, live_server, client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    page = new_page(viewport=DESKTOP, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    page.locator("#tab-more").check(force=True)
    expect(page.locator(".more")).to_be_visible()
    page.locator(".more").hover()
    page.mouse.wheel(0, 3000)
    expect(page.locator("#keys")).to_be_in_viewport()


def test_a_refusal_on_a_phone_ends_with_the_way_to_its_rule(new_page, live_server, client):
    anna, bob, cleo = person("Anna", language="nl"), person("Bob"), person("Cleo")
    match = chosen(anna, bob, cleo)
    page = new_page(viewport=PHONE, **QUICK)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    page.locator(".board-place a.pile:not(.lit)").first.click()
    why = page.locator(".bar .refused a")
    expect(why).to_be_visible()
    words = page.locator(".bar .refused").bounding_box()
    link = why.bounding_box()
    assert link["y"] + link["height"] <= words["y"] + words["height"] + 1


def test_beside_a_long_result_the_log_can_be_read(new_page, live_server, client):
    people = [person(name) for name in ("Anna", "Bob", "Cleo", "Dina", "Eve")]
    match = market(*people)
    finish(match)
    page = new_page(viewport={"width": 1280, "height": 720}, **QUICK)
    log_in(page, live_server, client, people[0])
    page.goto(f"/matches/{match.pk}/")
    expect(page.locator(".result tbody tr")).to_have_count(5)
    assert page.locator(".beside > :is(.log, .recap):visible").bounding_box()["height"] >= 120


def test_a_session_that_ended_while_thinking_leads_back_to_the_match(new_page, live_server, client):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    page = new_page(viewport=DESKTOP)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    page.context.clear_cookies(name="sessionid")
    page.locator("#turn .move").first.click()
    page.wait_for_url(re.compile(r"/accounts/login/"))
    page.fill("input[name=login]", "Anna")
    page.fill("input[name=password]", "pyramid-22")
    page.locator("main form button").first.click()
    page.wait_for_url(re.compile(rf"/matches/{match.pk}/$"))
    expect(page.locator("#table.my-turn")).to_have_count(1)


def test_a_message_that_is_refused_stays_in_its_field(new_page, live_server, client, monkeypatch):
    monkeypatch.setattr("games.services.talk.MESSAGES_PER_MINUTE", 1)
    match = duel(person("Anna"), person("Bob"))
    page = new_page(viewport=DESKTOP)
    log_in(page, live_server, client, match.host)
    page.goto(f"/matches/{match.pk}/")
    page.locator("#chat summary").click()
    for text, left in (("One", ""), ("Two", "Two")):
        page.fill("#say", text)
        with page.expect_response("**/chat/"):
            page.locator("#chat form button").click()
        expect(page.locator("#say")).to_have_value(left)
    expect(page.locator("#messages .errors")).to_be_visible()
    expect(page.locator("#say")).to_have_value("Two")


def test_a_message_that_comes_while_the_chat_is_closed_is_new_until_it_is_opened(
    new_page, live_server, client
):
    match = duel(person("Anna"), person("Bob"))
    page = new_page(viewport=DESKTOP)
    page.clock.install()
    log_in(page, live_server, client, match.host)
    page.goto(f"/matches/{match.pk}/")
    message_write(match=match, user=match.seats.get(index=1).user, text="Are you there?")
    page.clock.run_for(31_000)
    expect(page.locator("#chat-count.badge")).to_have_text("1")
    expect(page.locator("#announce")).to_have_text("1 new message")
    page.locator("#chat summary").click()
    expect(page.locator("#chat-count.small")).to_have_text("1")
    expect(page.get_by_text("Are you there?")).to_be_visible()


@pytest.mark.parametrize("ended", ["sessionid", "csrftoken"])  # logged out; logged in elsewhere
@pytest.mark.parametrize(("drawer", "field"), [("#chat", "#say"), ("#notes", "#note")])
def test_words_sent_after_a_session_ended_stand_in_their_field_again(
    new_page, live_server, client, ended, drawer, field
):
    match = duel(person("Anna"), person("Bob"))
    page = new_page(viewport=DESKTOP)
    log_in(page, live_server, client, match.host)
    page.goto(f"/matches/{match.pk}/")
    page.locator(f"{drawer} summary").click()
    page.fill(field, "A long thought")
    page.context.clear_cookies(name=ended)
    with page.expect_navigation():  # to the log-in, to an excuse, or to the same page anew
        page.locator(f"{drawer} form button").click()
    log_in(page, live_server, client, match.host)
    page.goto(f"/matches/{match.pk}/")
    expect(page.locator(field)).to_be_visible()
    expect(page.locator(field)).to_have_value("A long thought")
    page.locator(f"{drawer} form button").click()
    page.locator("#messages, .note").get_by_text(re.compile("A long thought|are kept")).wait_for()
    page.goto(f"/matches/{match.pk}/")
    kept = "" if drawer == "#chat" else "A long thought"
    expect(page.locator(field)).to_have_value(kept)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_pages_of_a_match_have_no_barriers(new_page, live_server, client, viewport, scheme):
    anna, bob = person("Anna"), person("Bob")
    match = duel(anna, bob)
    play_turn(match, 0)
    play_turn(match, 1)
    page = new_page(viewport=viewport, color_scheme=scheme, **QUICK)
    log_in(page, live_server, client, anna)
    found = []
    for part in (
        "",
        "?hold=end_turn",
        "?hold=take",
        "others/",
        "replay/?at=2",
        "check/",
        "resign/",
    ):
        page.goto(f"/matches/{match.pk}/{part}")
        if part == "" and viewport is PHONE:
            page.locator(".sheet-label").click()
        for violation in Axe().run(page).response["violations"]:
            nodes = [node["html"][:160] for node in violation["nodes"][:3]]
            found.append((part, violation["id"], nodes))
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], part
    assert found == []
