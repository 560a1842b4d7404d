"""The picture of the valley and of single sites, from the coordinates of map.json.

Computes places only: what lies there it is told. A picture of a site and the map share their
units, so that a pyramid is drawn by the same few lines in both.
"""

from collections.abc import Iterable
from typing import Any, Final

from games.valley.components import MAP, ROWS, SHAPES
from games.valley.pieces import CELL, use

VIEW_BOX: Final = " ".join(map(str, MAP["view_box"]))
REACH: Final = 170  # of a site under a finger: 44 px of a phone's 390
HALF: Final = CELL // 2

SITE: Final[dict[int, dict[str, Any]]] = {int(n): site for n, site in MAP["sites"].items()}
AREA: Final[dict[int, dict[str, Any]]] = {int(n): area for n, area in MAP["areas"].items()}


def outline(polygon: list[list[int]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in polygon) + "z"


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
    home = shown["home_area"]
    x, y, w = shown["x"], shown["y"], shown["w"]
    sides = {
        "A": f"M{x} {y}h{w}",
        "D": f"M{x + w} {y}v{w}",
        "G": f"M{x} {y + w}h{w}",
        "J": f"M{x} {y}v{w}",
    }
    if shown["size"] == "small":
        return ""
    return "".join(path for letter, path in sides.items() if shown["spaces"][letter][2] != home)


def _rocks() -> str:
    return "".join(
        f'<circle class="rock" cx="{x}" cy="{y}" r="16" data-explain="rock"/>'
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
    sizes = [(min(high / rows, wide / -(-count // rows)), -rows) for rows in (1, 2, 3)]
    size, rows = max(sizes)
    size = min(size, 58.0)
    per_row = -(-count // -rows)
    return [
        (left + size * (place % per_row), top + size * (place // per_row), size)
        for place in range(count)
    ]


# What never changes is put together once.
VALLEY: Final = outline(MAP["outline"])
OUTLINES: Final = {area: outline(AREA[area]["polygon"]) for area in AREA}
BORDERS: Final = _borders()
ROCKS: Final = _rocks()
SHARED: Final = {site: _shared_side(site) for site in SITE}
