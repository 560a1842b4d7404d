"""What pyramids in building promise: the judgement that all rules of thumb share.

Guesses, not rules: how many points a site will bring its owner, what a block does to it, and how
much blocks are worth to a seat before they are bought.
"""

from typing import TYPE_CHECKING, Final

from games.valley.components import (
    COLOURS,
    LARGE,
    NONE,
    PHARAOH,
    ROWS,
    SHAPES,
    SMALL,
    Shape,
)
from games.valley.scoring import LAYERED, MONO, value

if TYPE_CHECKING:
    from games.valley.rules import ValleyState

FRESH: Final = NONE  # a level without any visible block
MIXED: Final = len(COLOURS)  # one that shows two colours
MONO_HOPE: Final = 0.3  # that the levels above get the colour of the base
STEEPNESS: Final = 1.35  # how much more the last blocks of a pyramid mean than the first
CLAIM: Final = 0.5  # what an empty site of one's own promises
SAFE: Final = (0.62, 0.85, 1.0)  # of what is built, by own overseers there
WASTE: Final = 2.0  # blocks a seat leaves to the pharaoh in a round
PACE: Final = 5.0  # blocks a seat lays on one site in a round
LAST: Final = 0.5  # rounds to come: with fewer this one is taken for the last
CERTAIN: Final = 0.9  # of the points, while the last block is missing

_PROGRESS: Final[dict[Shape, tuple[float, ...]]] = {  # by shape and number of blocks
    shape: tuple((built / shape.blocks) ** STEEPNESS * CERTAIN for built in range(shape.blocks))
    for shape in (SMALL, LARGE)
}


def look_of_level(row: list[int], start: int, end: int, hidden: int) -> int:
    """Tell the one colour a level shows, or FRESH, or MIXED."""
    look = FRESH
    for place in range(start, end):
        colour = row[place]
        if colour != NONE and place != hidden:
            if look == FRESH:
                look = colour
            elif look != colour:
                return MIXED
    return look


def hoped_points(state: "ValleyState", site: int) -> float:
    """Guess what the finished pyramid will count."""
    kind, worth = value(state, site)
    shape = SHAPES[site]
    if kind == MONO and state.built[site] < shape.blocks:
        low = shape.points[LAYERED]
        return low + MONO_HOPE * (worth - low)
    return float(worth)


def promise(state: "ValleyState", site: int, rounds: float = 9.0) -> float:
    """Guess what a site brings: its points once finished, less while blocks are missing.

    `rounds` are those still to come: without time for the rest, blocks are worth nothing.
    """
    shape, built = SHAPES[site], state.built[site]
    if built == shape.blocks:
        return float(value(state, site).points)
    time = min(1.0, rounds * PACE / (shape.blocks - built))
    if not built:
        return CLAIM * time
    return (CLAIM + hoped_points(state, site) * _PROGRESS[shape][built]) * time


def rounds_after(state: "ValleyState") -> float:
    """Guess how many more rounds the pharaoh leaves after this one, by what he got so far."""
    missing = PHARAOH - len(state.pharaoh)
    given = sum(state.fed[:-1])
    pace = (given + WASTE * state.players) / len(state.fed)
    rest = sum(map(sum, state.stocks)) * 0.3 if state.phase == "build" else pace
    return max(0.0, (missing - rest) / pace)


def is_last_round(state: "ValleyState") -> bool:
    return rounds_after(state) < LAST


def standing(state: "ValleyState") -> list[float]:
    """Guess what every seat will have in the end."""
    rounds = rounds_after(state)
    rounds += state.phase == "auction"
    totals = [0.0] * state.players
    for site in state.sites():
        owner = state.owner[site]
        if owner == NONE:
            continue
        if state.built[site] == SHAPES[site].blocks:
            totals[owner] += value(state, site).points
        else:
            guard = SAFE[state.overseers_on(owner, site)]
            totals[owner] += promise(state, site, rounds) * guard
    return totals


# --- blocks ---------------------------------------------------------------------------------------


def open_levels(state: "ValleyState", seat: int) -> list[tuple[int, int, int, int]]:
    """List what a seat is building on: site, look of its level, visible gaps, hidden gaps."""
    found = []
    for site in state.sites():
        shape = SHAPES[site]
        if state.owner[site] == seat and state.built[site] < shape.blocks:
            found.append((site, *gaps(state, site)))
    return found


def gaps(state: "ValleyState", site: int) -> tuple[int, int, int]:
    """Describe the level in building: its look, its visible gaps and its hidden ones."""
    shape, row = SHAPES[site], state.blocks[site]
    level, before = 1, 0
    while state.built[site] >= before + shape.levels[level - 1]:
        before += shape.levels[level - 1]
        level += 1
    start, end = ROWS[shape][level]
    hidden = int(start <= shape.hidden < end and row[shape.hidden] == NONE)
    return (
        look_of_level(row, start, end, shape.hidden),
        row[start:end].count(NONE) - hidden,
        hidden,
    )


def usefulness(levels: list[tuple[int, int, int, int]], group: list[int], room: int) -> float:
    """Guess what a group of blocks is worth to somebody who builds on these levels."""
    counts = [group.count(colour) for colour in range(len(COLOURS))]
    worth, placed = 0.0, 0
    fresh: list[int] = []
    spare = 0  # gaps that take any colour
    for _site, look, visible, hidden in levels:
        spare += hidden
        if look == FRESH:
            fresh.append(visible)
        elif look == MIXED:
            spare += visible
        else:
            fit = min(counts[look], visible)
            counts[look] -= fit
            placed += fit
            worth += fit
    for visible in sorted(fresh, reverse=True):
        most = max(counts)
        fit = min(most, visible)
        counts[counts.index(most)] -= fit
        placed += fit
        worth += 0.75 * fit if fit > 1 or visible == 1 else 0.4 * fit
    any_colour = min(sum(counts), spare)
    worth += 0.5 * any_colour
    return worth if placed + any_colour <= room else worth * room / (placed + any_colour)
