"""What is in the box: the map, the pyramids, blocks and tablets (docs/rules/valley.md §2).

The map is read from map.json; whoever has a scan of the original board replaces that one file.
A site is its number (1-15), an area its number (16-22), a build space a number from 23 on; lists
by site keep their entry 0 unused, so that a site's number is its index.
"""

import json
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.engine.contract import Atom, Move

COLOURS: Final = ("red", "grey", "black", "white", "sand")
LETTERS: Final = "RGKWS"  # of the colours, where there is room for one letter only
COPIES: Final = 33  # blocks of each colour
TABLETS: Final = ("v1", "v2", "v3", "v4", "b1", "b2", "b3", "b4")
WORTH: Final = (1, 2, 3, 4, 0, 0, 0, 0)  # by tablet
KINDS: Final = ("mono", "layered", "chequered", "motley")  # of pyramids, by value
OVERSEERS: Final = 2
WORKERS: Final = 5
SCARABS: Final = 8
POINTS: Final = 6  # of movement, for both overseers together, and again for all workers
PER_WORKER: Final = 2  # blocks built or stolen
GROUP: Final = 5  # blocks
PHARAOH: Final = 30  # blocks
MAX_ROUNDS: Final = 25  # A30
PHASES: Final = (
    "auction",
    "overseers_open",
    "overseers_secret",
    "workers",
    "steal",
    "takeover",
    "build",
    "finished",
)
END_REASONS: Final = ("pharaoh_complete", "all_sites_complete", "round_limit", "abandoned")
NONE: Final = -1

MAP: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("map.json").read_text("utf-8"))
START: Final = int(MAP["pharaoh"]["area"])  # where all figures begin


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A size of pyramid: its levels lie one after the other in one row of cells."""

    name: str
    levels: tuple[int, ...]  # cells, bottom first
    blocks: int  # all of them
    hidden: int  # the cell nobody sees in the end, or NONE
    points: tuple[int, ...]  # by kind
    spaces: int

    def first(self, level: int) -> int:
        """The place in the row of the first cell of a level (levels count from 1)."""
        return sum(self.levels[: level - 1])


SMALL: Final = Shape("small", (4, 1), 5, NONE, (4, 3, 2, 1), 8)
LARGE: Final = Shape("large", (9, 4, 1), 14, 4, (11, 9, 7, 5), 12)

_sites: Final[dict[int, dict[str, Any]]] = {
    int(number): site for number, site in MAP["sites"].items()
}
SITES: Final = tuple(sorted(_sites))
AREAS: Final = tuple(sorted(map(int, MAP["areas"])))
_SIZE: Final = {"small": SMALL, "large": LARGE}
SHAPES: Final = (SMALL, *(_SIZE[_sites[site]["size"]] for site in SITES))  # by site
IN_PLAY: Final = {  # sites by number of players: suns say which are left out (§2.4)
    2: tuple(site for site in SITES if _sites[site]["suns"] < 2),
    3: tuple(site for site in SITES if _sites[site]["suns"] < 3),
    4: SITES,
}

# Nodes: areas are their own numbers; build spaces follow in the order of sites and letters.
FIRST_SPACE: Final = AREAS[-1] + 1
SPACES: Final = tuple(f"{site}-{letter}" for site in SITES for letter in _sites[site]["spaces"])
NODE: Final[dict[Atom, int]] = {
    **{area: area for area in AREAS},
    **{space: FIRST_SPACE + place for place, space in enumerate(SPACES)},
}
ATOM: Final[tuple[Atom, ...]] = (*range(FIRST_SPACE), *SPACES)  # by node
PLACE: Final[tuple[int, ...]] = (  # by node: the site of a build space; an area is its own place
    *range(FIRST_SPACE),
    *(int(space.partition("-")[0]) for space in SPACES),
)
ADJOINING: Final[tuple[int, ...]] = (  # by node: the area outside the frame (A15)
    *range(FIRST_SPACE),
    *(_sites[site]["spaces"][letter][2] for site in SITES for letter in _sites[site]["spaces"]),
)
FIRST_OF: Final[tuple[int, ...]] = (
    0,
    *(NODE[f"{site}-A"] for site in SITES),
)  # by site: its space A
BIT: Final[tuple[int, ...]] = (  # by node: the mark of a build space in the set of its site
    *[0] * FIRST_SPACE,
    *(1 << NODE[space] - FIRST_OF[int(space.partition("-")[0])] for space in SPACES),
)


def _area_distances() -> dict[int, dict[int, int]]:
    """Count the borders between areas."""
    steps = {one: {two: 0 if one == two else 99 for two in AREAS} for one in AREAS}
    for one, two in MAP["area_adjacency"]:
        steps[one][two] = steps[two][one] = 1
    for via, one, two in product(AREAS, AREAS, AREAS):
        steps[one][two] = min(steps[one][two], steps[one][via] + steps[via][two])
    return steps


def _costs() -> tuple[tuple[int, ...], ...]:
    """§2.6: count the lines between two places, each an area or a site; 0 is unused."""
    steps = _area_distances()
    outside: dict[int, list[tuple[int, int]]] = {area: [(area, 0)] for area in AREAS}
    outside |= {site: [(area, 1) for area in _sites[site]["areas"]] for site in SITES}
    places = range(FIRST_SPACE)

    def lines(one: int, two: int) -> int:
        if one == two or not one or not two:
            return 0
        return min(
            out + steps[here][there] + back
            for here, out in outside[one]
            for there, back in outside[two]
        )

    return tuple(tuple(lines(one, two) for two in places) for one in places)


COST: Final = _costs()  # by place and place


def cost(one: int, two: int) -> int:
    """Give the movement points between two nodes."""
    return COST[PLACE[one]][PLACE[two]]


class Cell(NamedTuple):
    level: int  # from 1
    cell: int  # of that level


CELLS: Final = {  # by shape: the row of all cells, bottom first
    shape: tuple(
        Cell(level, cell) for level, size in enumerate(shape.levels, 1) for cell in range(size)
    )
    for shape in (SMALL, LARGE)
}
LEVEL: Final = {  # by shape and number of blocks: the level being built; one more when finished
    shape: (*(cell.level for cell in CELLS[shape]), len(shape.levels) + 1)
    for shape in (SMALL, LARGE)
}
ROWS: Final = {  # by shape and level: where its cells begin and end
    shape: (
        (0, 0),
        *(
            (shape.first(level), shape.first(level) + size)
            for level, size in enumerate(shape.levels, 1)
        ),
        (shape.blocks, shape.blocks),
    )
    for shape in (SMALL, LARGE)
}


def cell_at(site: int, level: int, cell: int) -> int:
    """Give the place of a cell in its site's row."""
    return SHAPES[site].first(level) + cell


# Every move exists once; a search compares and stores many of them.
BID: Final = tuple(
    tuple(("bid_place", tablet, group) for group in range(1, 6)) for tablet in TABLETS
)
OVERSEER_TO: Final[tuple[tuple[Move, ...], ...]] = tuple(
    tuple(("overseer_move", figure, atom) for atom in ATOM) for figure in range(OVERSEERS)
)
WORKER_TO: Final[tuple[tuple[Move, ...], ...]] = tuple(
    tuple(("worker_move", figure, atom) for atom in ATOM) for figure in range(WORKERS)
)
STEAL: Final[tuple[tuple[Move, ...], ...]] = tuple(  # by site and cell
    tuple(("steal_block", site, *cell) for cell in CELLS[shape])
    for site, shape in enumerate(SHAPES)
)
BUILD: Final[tuple[tuple[tuple[Move, ...], ...], ...]] = tuple(  # by site, cell and colour
    tuple(
        tuple(("build_block", site, *cell, colour) for colour in COLOURS) for cell in CELLS[shape]
    )
    for site, shape in enumerate(SHAPES)
)
