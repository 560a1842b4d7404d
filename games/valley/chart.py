"""The picture of the valley and of single sites, from the coordinates of map.json.

Computes places only: what lies there it is told. A picture of a site and the map share their
units, so that a pyramid is drawn by the same few lines in both.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from games.valley.components import MAP, ROWS, SHAPES
from games.valley.pieces import CELL, use

HALF: Final = CELL // 2
SPARE: Final = 8  # above and below a muster, where its figures may stand taller
CROWDED: Final = 1.25  # figures side by side may hide a fifth of each other
TALLEST: Final = 76.0

# Of dunes: left, height and width of a ripple; of palms: left, top and size.
RIPPLES: Final = (
    (600, 330, 60), (800, 290, 50), (842, 440, 90), (905, 470, 60), (652, 205, 30),
    (262, 905, 60), (330, 735, 50), (618, 690, 24), (300, 775, 44), (420, 640, 44),
    (1150, 800, 60), (1175, 890, 64), (1020, 590, 44), (1040, 690, 60), (1140, 735, 40),
    (500, 1000, 60), (480, 1110, 70), (845, 1010, 70), (930, 1115, 60), (1000, 1268, 26),
    (90, 1190, 50), (165, 1120, 50), (290, 1272, 12), (480, 1275, 60), (700, 1275, 70),
    (1300, 1060, 40), (1340, 1190, 50), (1310, 1150, 40), (1200, 1275, 60),
)  # fmt: skip
PALMS: Final = (
    (835, 315, 70), (880, 345, 54), (300, 800, 62), (268, 835, 48), (1150, 800, 62),
    (1190, 830, 48), (930, 1010, 66), (975, 1045, 50), (1325, 1085, 56),
)  # fmt: skip
# Where the board ends without its tips: left, top, right, bottom; and what stood in them.
KEPT: Final = (190, 300, 1310, 1284)
NEAR_FOLDS: Final = {17: [948, 462], 19: [1245, 1222], 21: [255, 1222]}
EDGE: Final = 14
TIPS: Final = ((750, 76), (66, 1258), (1434, 1258))

SITE: Final[dict[int, dict[str, Any]]] = {int(n): site for n, site in MAP["sites"].items()}
AREA: Final[dict[int, dict[str, Any]]] = {int(n): area for n, area in MAP["areas"].items()}


Point = tuple[float, float]


def outline(polygon: Iterable[Iterable[float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in polygon) + "z"


def _borders() -> str:
    """All lines between areas, once: what is crossed is counted."""
    polygons = {area: AREA[area]["polygon"] for area in AREA}
    found = set()
    for one, two in MAP["area_adjacency"]:
        edges = zip(polygons[one], polygons[one][1:] + polygons[one][:1], strict=True)
        other = {frozenset(map(tuple, edge)) for edge in _edges(polygons[two])}
        found |= {
            (tuple(a), tuple(b)) for a, b in edges if frozenset((tuple(a), tuple(b))) in other
        }
    return "".join(f"M{a[0]} {a[1]}L{b[0]} {b[1]}" for a, b in sorted(found))


def _edges(polygon: list[list[int]]) -> Iterable[tuple[list[int], list[int]]]:
    return zip(polygon, polygon[1:] + polygon[:1], strict=True)


def _shared_side(site: int) -> str:
    """The side of a frame that lies on a border: two lines that count as one."""
    shown = SITE[site]
    home, w = shown["home_area"], shown["w"]
    sides = {"A": f"M0 0h{w}", "D": f"M{w} 0v{w}", "G": f"M0 {w}h{w}", "J": f"M0 0v{w}"}
    if shown["size"] == "small":
        return ""
    return "".join(path for letter, path in sides.items() if shown["spaces"][letter][2] != home)


def _rocks() -> str:
    return "".join(
        f'<g class="rock" data-explain="rock">{use("boulder", x - 25, y - 27, 50)}</g>'
        for x, y in MAP["rocks"]
    )


def row_places(site: int) -> tuple[tuple[int, int, int], ...]:
    """For each cell of a site's row: its corner in the picture of the site, and its level."""
    base = SITE[site]["base"]
    places = []
    for level, (start, end) in enumerate(ROWS[SHAPES[site]][1:-1], 1):
        wide = base - level + 1
        for cell in range(end - start):
            inset = CELL + HALF * (level - 1)
            places.append((inset + CELL * (cell % wide), inset + CELL * (cell // wide), level))
    return tuple(places)


ROW_PLACES: Final = {site: row_places(site) for site in SITE}


def pyramid(site: int, levels: dict[str, list[str | None]]) -> str:
    """The blocks of a site as seen from above, in the units of its picture."""
    row = [block for cells in levels.values() for block in cells]
    drawn = []
    for (x, y, level), block in zip(ROW_PLACES[site], row, strict=True):
        if block:
            if level > 1:
                drawn.append(f'<path class="cast" d="M{x} {y}h33v33h-33z"/>')
            drawn.append(use(block, x, y))
    return "".join(drawn)


def elevation(site: int, levels: dict[str, list[str | None]]) -> str:
    """The same pyramid from the front: of each level the blocks that one sees from there."""
    base = SITE[site]["base"]
    height = CELL * len(levels)
    drawn = []
    for number, cells in enumerate(levels.values()):
        wide = base - number
        for place in range(wide):
            column = cells[place::wide]  # the last one stands in front
            block = next((block for block in reversed(column) if block), None)
            x, y = HALF * number + CELL * place, height - CELL * (number + 1)
            drawn.append(use(block or "gap", x, y))
    return (
        f'<svg class="elevation of-{base}" viewBox="-2 -2 {CELL * base + 4} {height + 4}" '
        f'aria-hidden="true">{"".join(drawn)}</svg>'
    )


def space_corner(site: int, letter: str) -> tuple[int, int]:
    """The corner of a build space in the picture of its site."""
    x, y, _area = SITE[site]["spaces"][letter]
    return x - SITE[site]["x"] - HALF, y - SITE[site]["y"] - HALF


def muster(area: int, count: int) -> list[tuple[float, float, float]]:
    """Places for some tokens in an area, as large as they fit: x, y and size of each."""
    if not count:
        return []
    left, top, wide, high = AREA[area]["muster"]
    top, high = top - SPARE, high + 2 * SPARE
    rows = max((1, 2, 3), key=lambda rows: (_tall(wide, high, count, rows), -rows))
    size, per_row = _tall(wide, high, count, rows), -(-count // rows)
    step = min(size, (wide - size) / max(1, per_row - 1))
    return [
        (left + step * (place % per_row), top + size * (place // per_row), size)
        for place in range(count)
    ]


def _tall(wide: float, high: float, count: int, rows: int) -> float:
    """How large figures are that stand in so many rows."""
    per_row = -(-count // rows)
    beside = wide / (1 + (per_row - 1) / CROWDED)
    return min(high / rows, beside, TALLEST)


# --- the ground -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What never changes of the map: put together once."""

    box: str
    reach: int  # of a site under a finger: 44 px of a phone's 390
    rim: str
    areas: dict[int, str]
    labels: dict[int, list[int]]
    lines: str


def ground(players: int) -> Ground:
    """The whole board; with less than four the tips, where nobody builds, are folded away."""
    return WHOLE if players == 4 else FOLDED


def _whole() -> Ground:
    rim = outline(MAP["outline"])
    return Ground(
        box=" ".join(map(str, MAP["view_box"])),
        reach=170,
        rim=rim,
        areas={area: outline(shown["polygon"]) for area, shown in AREA.items()},
        labels={area: shown["label"] for area, shown in AREA.items()},
        lines=_scenery(MAP["outline"], suns=True) + _lines(rim),
    )


def _folded() -> Ground:
    left, top, right, bottom = KEPT
    shape = _cut(MAP["outline"])
    rim = outline(shape)
    return Ground(
        box=f"{left - EDGE} {top - EDGE} {right - left + 2 * EDGE} {bottom - top + EDGE + 20}",
        reach=150,
        rim=rim,
        areas={area: outline(_cut(shown["polygon"])) for area, shown in AREA.items()},
        labels={area: shown["label"] for area, shown in AREA.items()} | NEAR_FOLDS,
        lines=_scenery(shape) + _lines(rim),
    )


def _cut(polygon: list[list[int]]) -> list[Point]:
    """What is left of an area when the tips are folded away."""
    left, top, right, _bottom = KEPT
    points: list[Point] = [(x, y) for x, y in polygon]
    for axis, fold, sign in ((0, left, 1), (1, top, 1), (0, right, -1)):
        points = _along(points, axis, fold, sign)
    return points


def _along(points: list[Point], axis: int, fold: int, sign: int) -> list[Point]:
    """Cut a shape along an upright or level line; what lies on the side of the sign stays."""
    left: list[Point] = []
    for one, two in pairwise([*points, points[0]]):
        here, there = (one[axis] - fold) * sign, (two[axis] - fold) * sign
        if here >= 0:
            left.append(one)
        if here * there < 0:
            share = here / (here - there)
            left.append((one[0] + share * (two[0] - one[0]), one[1] + share * (two[1] - one[1])))
    return left


def _scenery(shape: Iterable[Iterable[float]], *, suns: bool = False) -> str:
    """Dunes, palms and a winged sun in each tip, where neither sites nor figures stand."""
    xs, ys = zip(*shape, strict=True)
    left, top, right = min(xs) + EDGE, min(ys) + 2 * EDGE, max(xs) - EDGE
    ripples = "".join(
        f"M{x} {y}q{w / 4:g}-14 {w / 2:g} 0t{w / 2:g} 0"
        for x, y, w in RIPPLES
        if left < x < right - w and y > top
    )
    palms = [use("palm", x, y, size) for x, y, size in PALMS if left < x < right - size and y > top]
    discs = [use("disc", x - 27, y - 27, 54) for x, y in TIPS if suns]
    return f'<g class="scenery"><path class="ripples" d="{ripples}"/>{"".join(palms + discs)}</g>'


def _lines(rim: str) -> str:
    borders = _borders()
    return (
        f'<path class="rim" d="{rim}"/><path class="gilt" d="{rim}"/>'
        f'<path class="borders" d="{borders}"/><path class="borders wall" d="{borders}"/>'
    )


WHOLE: Final = _whole()
FOLDED: Final = _folded()
ROCKS: Final = _rocks()
SHARED: Final = {site: _shared_side(site) for site in SITE}
