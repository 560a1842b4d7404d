"""Measuring on a shared machine: CPU seconds, medians of interleaved rounds, and their spread.

Knows nothing about games or pages. Uses the standard library only, because the peers' own
environment runs it too.
"""

import sys
from collections.abc import Callable, Iterable
from statistics import median
from time import process_time
from typing import NamedTuple


class Figure(NamedTuple):
    """A median with the lowest and the highest value seen."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{number(self.middle)} ({number(self.low)} to {number(self.high)})"

    def short(self) -> str:
        return number(self.middle)


def figure(values: Iterable[float]) -> Figure:
    seen = sorted(values)
    return Figure(median(seen), seen[0], seen[-1])


def ratio(of: Iterable[float], to: Iterable[float]) -> Figure:
    """Compare round by round: what slows the machine down slows both sides of a round."""
    return figure(one / other for one, other in zip(of, to, strict=True))


def number(value: float) -> str:
    """Three digits are all that such a measurement can tell."""
    if abs(value) >= 1000:
        digits = len(str(int(abs(value)))) - 3
        return f"{round(value, -digits):,.0f}"
    return f"{value:#.3g}".rstrip(".")


class Spent(NamedTuple):
    """What one round did and the CPU seconds it took."""

    done: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.done / self.seconds


def spend(seconds: float, play: Callable[[], int]) -> Spent:
    """Repeat something whole until the CPU seconds are used; it says how much it did."""
    done, began = 0, process_time()
    while (used := process_time() - began) < seconds:
        done += play()
    return Spent(done, used)


def cost(work: Callable[[], object]) -> float:
    """Give the CPU seconds that one piece of work takes."""
    began = process_time()
    work()
    return process_time() - began


def serve(play: Callable[[], int]) -> None:
    """Be a peer: for each line with a number of CPU seconds answer `moves seconds`."""
    print("ready", flush=True)
    for line in sys.stdin:
        spent = spend(float(line), play)
        print(spent.done, spent.seconds, flush=True)
