"""What a site in building still needs, in blocks and colours; and how it looks from the front."""

import re
from typing import Any

import pytest

from games.valley.chart import elevation
from games.valley.needs import needs
from tests.games.valley.positions import position

NEEDS: dict[str, tuple[int, list[str], dict[str, int]]] = {
    "a base of one colour wants that colour up to the top": (
        4,
        ["RR......."],
        {"red": 11, "any": 1},
    ),
    "the hidden centre takes any colour": (4, ["RRRR.RRRR"], {"any": 1, "red": 5}),
    "only the hidden centre is laid": (4, ["....K...."], {"alike": 13}),
    "a level in another colour ends that hope": (4, ["RRRRKRRRR", "W..."], {"white": 3, "any": 1}),
    "a fresh level wants one colour": (4, ["RRRRRRRRR", "WWWW"], {"any": 1}),
    "two colours in a level want nothing special": (4, ["RG......."], {"any": 12}),
    "a small one": (13, ["SSS."], {"sand": 2}),
    "its top": (13, ["SSSS"], {"sand": 1}),
}


def seen(site: int, levels: list[str], **given: Any) -> dict[str, Any]:
    state = position({"phase": "workers", "owner": {site: 0}, "blocks": {site: levels}, **given})
    shown: dict[str, Any] = state.view(0)["sites"][str(site)]
    return shown


@pytest.mark.parametrize("case", NEEDS)
def test_a_pyramid_wants_what_makes_it_the_best_it_can_become(case: str) -> None:
    site, levels, wanted = NEEDS[case]
    assert needs(site, seen(site, levels)) == wanted


def test_among_experts_two_colours_want_the_pattern() -> None:
    shown = seen(13, ["RG.."], options=["expert_chequered"])
    assert needs(13, shown) == {"pattern": 3}


def front(site: int, levels: list[str]) -> list[str]:
    """The blocks of the view from the front, bottom row first, left to right."""
    return re.findall(r"#vk-(\w+)", elevation(site, seen(site, levels)["levels"]))


def test_from_the_front_one_sees_the_nearest_block_of_every_column() -> None:
    assert front(4, ["RRRGG...."])[:3] == ["grey", "grey", "red"]
    assert front(4, ["RRRGG..W."])[:3] == ["grey", "white", "red"]


def test_from_the_front_what_is_missing_is_a_gap() -> None:
    assert front(13, ["S..."]) == ["sand", "gap", "gap"]
    assert front(13, ["SSSS", "K"]) == ["sand", "sand", "black"]
