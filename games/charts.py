"""A rating over time as a drawing: a line with its uncertainty as a band around it.

Coordinates, and in figures what they show for whoever does not see it; the template prints both.
Past matches tell each step in numbers.
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
    matches: int
    begun: int  # points before the first of them; then the least and the most since
    least: int
    most: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    foot: int = HEIGHT - 8


class Scale(NamedTuple):
    """Where a figure and a match stand in the drawing."""

    low: int
    high: int
    last: int  # place of a match; the first is 0

    def x(self, place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * place / self.last, 1)

    def y(self, points: int) -> float:
        room = HEIGHT - TOP - BOTTOM
        return round(TOP + room * (self.high - points) / (self.high - self.low), 1)

    def grid(self) -> tuple[Mark, ...]:
        every = STEP * max(1, (self.high - self.low) // STEP // 5)
        return tuple(
            Mark(self.y(points), str(points)) for points in range(self.low, self.high + 1, every)
        )


def chart_of(steps: Sequence[Rating]) -> Chart | None:
    """Draw a rating from its beginning; None: there is nothing to draw yet."""
    if not steps:
        return None
    strengths = [steps[0].before, *(step.after for step in steps)]
    points = [strength.points for strength in strengths]
    shown = _thinned(strengths)
    scale = _scale_of(shown)
    above, middle, below = (
        [
            (scale.x(place), scale.y(one.points + sign * one.spread))
            for place, one in enumerate(shown)
        ]
        for sign in (1, 0, -1)
    )
    return Chart(
        line=_printed(middle),
        band=_printed([*above, *reversed(below)]),
        last=middle[-1],
        grid=scale.grid(),
        first_day=steps[0].at,
        last_day=steps[-1].at,
        matches=len(steps),
        begun=points[0],
        least=min(points),
        most=max(points),
    )


def _scale_of(shown: Sequence[Strength]) -> Scale:
    """Make room for all of it, from one line of the grid to another."""
    low = min(strength.points - strength.spread for strength in shown)
    high = max(strength.points + strength.spread for strength in shown)
    return Scale(low // STEP * STEP, -(-high // STEP) * STEP, len(shown) - 1)


def _thinned(steps: list[Strength]) -> list[Strength]:
    """Leave out steps that nobody could tell apart; the first and the last stay."""
    if len(steps) <= MOST_POINTS:
        return steps
    last = len(steps) - 1
    return [steps[round(last * place / (MOST_POINTS - 1))] for place in range(MOST_POINTS)]


def _printed(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
