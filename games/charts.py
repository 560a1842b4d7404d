"""A rating over time as a drawing: a line with its uncertainty as a band around it.

Coordinates only; the template prints them. Past matches tell each step in numbers.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from games.models import Rating
from games.ratings import Strength

WIDTH, HEIGHT = 480, 220  # as a phone shows it; a wide page enlarges it a little
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 28  # room for the figures around it
MOST_POINTS = 120
STEP = 100  # points between two lines of the grid


class Mark(NamedTuple):
    """A figure beside the drawing, and the line it belongs to."""

    at: float
    text: str


class Chart(NamedTuple):
    line: str  # of an SVG polyline
    band: str  # of an SVG polygon
    last: tuple[float, float]
    grid: tuple[Mark, ...]
    first_day: datetime
    last_day: datetime
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    foot: int = HEIGHT - 8


def chart_of(steps: Sequence[Rating]) -> Chart | None:
    """Draw a rating from its beginning; None: there is nothing to draw yet."""
    if not steps:
        return None
    shown = _thinned([steps[0].before, *(step.after for step in steps)])
    low = min(strength.points - strength.spread for strength in shown)
    high = max(strength.points + strength.spread for strength in shown)
    low, high = low // STEP * STEP, -(-high // STEP) * STEP

    def x(place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * place / (len(shown) - 1), 1)

    def y(points: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - points) / (high - low), 1)

    above = [(x(place), y(one.points + one.spread)) for place, one in enumerate(shown)]
    below = [(x(place), y(one.points - one.spread)) for place, one in enumerate(shown)]
    middle = [(x(place), y(one.points)) for place, one in enumerate(shown)]
    every = STEP * max(1, (high - low) // STEP // 5)
    return Chart(
        line=_printed(middle),
        band=_printed([*above, *reversed(below)]),
        last=middle[-1],
        grid=tuple(Mark(y(points), str(points)) for points in range(low, high + 1, every)),
        first_day=steps[0].at,
        last_day=steps[-1].at,
    )


def _thinned(steps: list[Strength]) -> list[Strength]:
    """Leave out steps that nobody could tell apart; the first and the last stay."""
    if len(steps) <= MOST_POINTS:
        return steps
    last = len(steps) - 1
    return [steps[round(last * place / (MOST_POINTS - 1))] for place in range(MOST_POINTS)]


def _printed(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
