"""What is printed on a board can be read on a phone: no text is smaller than 11 pixels."""

from typing import Any

import pytest

from games.catalogue import Game, shelf
from tests.browser.test_match import DESKTOP, PHONE, QUICK

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]
games = pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.slug)
LEAST = 10.9  # px: 11, as browsers round

SMALL = """least => {
    const found = [];
    const texts = document.createTreeWalker(document.querySelector('#table'), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode, holder = text.parentElement;
        const shown = holder.checkVisibility({opacityProperty: true, visibilityProperty: true});
        if (!text.data.trim() || !shown || holder.closest('.visually-hidden')) continue;
        const drawn = holder.closest('svg') && holder.getScreenCTM();
        const size = parseFloat(getComputedStyle(holder).fontSize) * (drawn ? drawn.a : 1);
        if (size < least) found.push([text.data.trim(), Math.round(10 * size) / 10]);
    }
    return found;
}"""


def small(page: Any) -> list[Any]:
    return page.evaluate(SMALL, LEAST)


@games
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("language", ["en", "nl"])
def test_no_text_of_a_board_is_too_small(new_page, live_server, game: Game, viewport, language):
    page = new_page(viewport=viewport, locale=language, **QUICK)
    page.goto(f"/learn/{game.slug}/1/")
    assert page.locator("#table .board").count() == 1
    assert small(page) == []
