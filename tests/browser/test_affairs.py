"""What a match asks about time, clicked in a real browser: at hand on a phone, beside on a desk."""

from typing import Any

import pytest

from games.models import Match
from tests.browser.test_match import DESKTOP, PHONE, log_in
from tests.site.people import away, chosen, person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True, serialized_rollback=False),
]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_who_comes_back_sees_the_button_and_the_board_at_once(
    new_page: Any, live_server: Any, client: Any, size: dict[str, int]
) -> None:
    anna, bob, cleo = person("Anna"), person("Bob"), person("Cleo")
    match = chosen(anna, bob, cleo)
    away(match, anna)
    page = new_page(viewport=size)
    log_in(page, live_server, client, anna)
    page.goto(f"/matches/{match.pk}/")
    back = page.get_by_role("button", name="I’m back")
    assert back.bounding_box()["y"] < size["height"] / 2
    assert page.locator("#board").bounding_box()["y"] < size["height"]
    if size == DESKTOP:  # chat and notes stand below; they must not squeeze the table
        assert page.locator("#table").bounding_box()["height"] > size["height"] * 0.8
    back.click()
    page.wait_for_selector("#table.my-turn")
    assert Match.objects.get(pk=match.pk).seats.get(index=0).bot == ""
