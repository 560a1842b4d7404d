"""Explanations of a board by keyboard: also of what cannot be clicked."""

import pytest

from tests.browser.test_match import DESKTOP, QUICK, my_turn, start, tab_to

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]

FOCUSED = """() => {
    const it = document.activeElement;
    const bubble = document.getElementById("bubble");
    const shown = bubble.hidden ? "" : bubble.textContent;
    return [it.matches("a"), it.getAttribute("aria-description"), shown];
}"""


def test_arrows_lead_to_every_kind_of_thing_and_explain_it(new_page, bots):
    page = new_page(viewport=DESKTOP, **QUICK)
    start(page)
    assert my_turn(page)
    tab_to(page, "#board")
    said: dict[bool, set[str]] = {True: set(), False: set()}
    for key in ["ArrowRight"] * 3 + ["ArrowDown"] * 6 + ["ArrowUp"] * 8 + ["ArrowLeft"] * 3:
        page.keyboard.press(key)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        clickable, described, shown = page.evaluate(FOCUSED)
        assert described == shown != ""
        said[clickable].add(shown)
    assert said[True]
    assert said[False]


def test_the_board_itself_scrolls_with_up_and_down(new_page, bots):
    page = new_page(viewport=DESKTOP, **QUICK)
    start(page)
    assert my_turn(page)
    tab_to(page, "#board")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") == "board"
