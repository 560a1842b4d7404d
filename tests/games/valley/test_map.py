"""The map is sound (docs/rules/valley.md §2.7): whoever replaces map.json is told what is wrong.

Counts, geometry and borders are read from the file; the costs of the game are compared with the
shortest ways through a graph that is built from it line by line.
"""

import heapq
import json
import re
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from games.valley.components import (
    ADJOINING,
    AREAS,
    ATOM,
    FIRST_SPACE,
    IN_PLAY,
    MAP,
    NODE,
    SHAPES,
    SITES,
    cost,
)

RULES = Path(__file__).parents[3] / "docs" / "rules" / "valley.md"
AREA: dict[int, dict[str, Any]] = {int(number): area for number, area in MAP["areas"].items()}
SITE: dict[int, dict[str, Any]] = {int(number): site for number, site in MAP["sites"].items()}
BOXES = [(site["x"], site["y"], site["w"]) for site in SITE.values()]
BOXES.append((MAP["pharaoh"]["x"], MAP["pharaoh"]["y"], MAP["pharaoh"]["size"]))
Point = tuple[float, float]


def inside(polygon: list[list[int]], x: float, y: float) -> bool:
    """Tell whether a point lies in a polygon: a ray from it crosses the outline an odd number."""
    crossed = False
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            crossed = not crossed
    return crossed


def segments(polygon: list[list[int]]) -> set[frozenset[tuple[int, ...]]]:
    ends = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return {frozenset(map(tuple, pair)) for pair in ends}


def surface(polygon: list[list[int]]) -> float:
    ends = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ends)) / 2


def test_the_map_is_the_one_of_the_rules() -> None:
    block = re.search(r"<!-- BOARD-JSON -->\s*```json\n(.*?)```", RULES.read_text(), re.DOTALL)
    assert block
    assert json.loads(block[1]) == MAP


def test_counts() -> None:
    assert (list(AREAS), list(SITES)) == (list(range(16, 23)), list(range(1, 16)))
    assert len(MAP["area_adjacency"]) == 9
    assert [site for site in SITES if SITE[site]["size"] == "large"] == [2, 4, 6, 8, 10, 12]
    assert len(ATOM) - FIRST_SPACE == 144
    capacities = {
        players: (len(sites), sum(SHAPES[site].blocks for site in sites))
        for players, sites in IN_PLAY.items()
    }
    assert capacities == {2: (9, 72), 3: (12, 114), 4: (15, 129)}


@pytest.mark.parametrize("number", SITES)
def test_a_site_has_its_spaces_around_its_base_inside_its_area(number: int) -> None:
    site = SITE[number]
    assert site["base"] == {"small": 2, "large": 3}[site["size"]]
    assert site["w"] == MAP["cell"] * (site["base"] + 2)
    assert "".join(site["spaces"]) == "ABCDEFGHIJKL"[: 4 * site["base"]]
    assert sorted({space[2] for space in site["spaces"].values()}) == site["areas"]
    home = AREA[site["home_area"]]["polygon"]
    steps = [*range(1, site["w"], 7), site["w"] - 1]
    for across, down in product(steps, repeat=2):
        assert inside(home, site["x"] + across, site["y"] + down)
    for place, (x, y, area) in enumerate(site["spaces"].values()):  # just outside that side
        across, down = [(0, -16), (16, 0), (0, 16), (-16, 0)][place // site["base"]]
        assert inside(AREA[area]["polygon"], x + across, y + down)


def test_the_areas_share_exactly_the_borders_that_are_listed() -> None:
    shared = {
        (one, two)
        for one, two in combinations(AREAS, 2)
        if segments(AREA[one]["polygon"]) & segments(AREA[two]["polygon"])
    }
    assert shared == {tuple(pair) for pair in MAP["area_adjacency"]}


def test_the_areas_tile_the_triangle() -> None:
    covered = sum(surface(area["polygon"]) for area in AREA.values())
    assert covered / surface(MAP["outline"]) == pytest.approx(1, abs=0.002)
    for y in range(25, 1280, 23):
        half = 730 / 1264 * (y - 20)
        for x in range(int(754 - half), int(746 + half), 23):
            assert sum(inside(area["polygon"], x + 0.37, y + 0.37) for area in AREA.values()) == 1


def test_four_areas_meet_at_each_rock() -> None:
    assert len(MAP["rocks"]) == 3
    for rock in MAP["rocks"]:
        assert sum(rock in area["polygon"] for area in AREA.values()) == 4


def test_nothing_lies_on_anything_else() -> None:
    for (x, y, w), (p, q, v) in combinations(BOXES, 2):
        assert x + w <= p or p + v <= x or y + w <= q or q + v <= y
    for area in AREA.values():  # room for figures and for the number
        (x, y, w, h), (label_x, label_y) = area["muster"], area["label"]
        for left, top, wide, high in ((x, y, w, h), (label_x - 24, label_y - 18, 48, 36)):
            for i, j in product(range(9), repeat=2):
                assert inside(area["polygon"], left + wide * i / 8, top + high * j / 8)
            for p, q, v in BOXES:
                assert left + wide <= p or p + v <= left or top + high <= q or q + v <= top


# --- the movement graph (§2.6) ------------------------------------------------------------------

Graph = dict[int, list[tuple[int, int]]]


def graph(sites: tuple[int, ...]) -> Graph:
    """Every line that can be crossed, and the free way along the inside of a frame."""
    ways: Graph = {area: [] for area in AREAS}
    for one, two in MAP["area_adjacency"]:
        ways[one].append((two, 1))
        ways[two].append((one, 1))
    for site in sites:
        nodes = {letter: NODE[f"{site}-{letter}"] for letter in SITE[site]["spaces"]}
        for letter, node in nodes.items():
            area = SITE[site]["spaces"][letter][2]
            ways[node] = [(area, 1), *((other, 0) for other in nodes.values() if other != node)]
            ways[area].append((node, 1))
    return ways


def distances(ways: Graph, start: int) -> dict[int, int]:
    found, heap = {start: 0}, [(0, start)]
    while heap:
        far, here = heapq.heappop(heap)
        for there, step in ways[here] if far == found[here] else ():
            if far + step < found.get(there, 99):
                found[there] = far + step
                heapq.heappush(heap, (far + step, there))
    return found


@pytest.mark.parametrize(("players", "farthest", "over"), [(2, 4, 7.6), (3, 4, 10.7), (4, 5, 33.1)])
def test_costs_are_the_shortest_ways(players: int, farthest: int, over: float) -> None:
    sites = IN_PLAY[players]
    ways = graph(sites)
    for start in ways:
        assert distances(ways, start) == {node: cost(start, node) for node in ways}
    doors = [NODE[f"{site}-A"] for site in sites]
    trips = [cost(one, two) for one, two in product(doors, repeat=2) if one != two]
    assert max(trips) == farthest
    pairs = [one + two > 6 for one in trips for two in trips]
    assert round(100 * sum(pairs) / len(pairs), 1) == over


def test_the_adjoining_area_is_the_one_outside_the_side() -> None:
    for site in SITES:
        for letter, (_x, _y, area) in SITE[site]["spaces"].items():
            assert ADJOINING[NODE[f"{site}-{letter}"]] == area
