"""What a benchmark hands over, and how it is printed: one Markdown document for eye and file.

Knows no measurement. A Part goes through JSON, since the databases are measured in children.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple, Self

from bench.measure import Figure


class Row(NamedTuple):
    """One line of the table of numbers: what was wanted and what was measured."""

    what: str
    target: str
    measured: str
    met: str  # yes, no, or "" where there is nothing to compare with


class Section(NamedTuple):
    title: str
    body: str


@dataclass
class Part:
    rows: list[Row] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # sentences: what was not measured and why

    def add(self, other: "Part") -> None:
        self.rows += other.rows
        self.sections += other.sections
        self.missing += other.missing

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Self:
        stored = json.loads(text)
        return cls(
            [Row(*row) for row in stored["rows"]],
            [Section(*section) for section in stored["sections"]],
            stored["missing"],
        )


class Case(NamedTuple):
    """The same measurement at one number of seats; only the worst one enters the table."""

    game: str
    seats: int
    badness: float
    measured: str
    met: str


def worst(what: str, target: str, cases: Iterable[Case]) -> list[Row]:
    """Give each game one row: that of the number of seats which does worst."""
    found: dict[str, Case] = {}
    for case in cases:
        if case.game not in found or case.badness > found[case.game].badness:
            found[case.game] = case
    return [
        Row(what.format(game=f"{game} ({case.seats} seats)"), target, case.measured, case.met)
        for game, case in found.items()
    ]


def at_least(wanted: float, got: Figure) -> str:
    return "yes" if got.middle >= wanted else "no"


def at_most(wanted: float, got: Figure) -> str:
    return "yes" if got.middle <= wanted else "no"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Align a Markdown table so that it reads well in a terminal too."""
    cells = [list(head), *[list(row) for row in rows]]
    widths = [max(len(row[place]) for row in cells) for place in range(len(head))]
    cells.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in cells
    )


def document(intro: str, part: Part) -> str:
    texts = ["# Benchmarks", intro]
    texts.append(table(("what", "target", "measured", "met"), part.rows))
    if part.missing:
        texts.append("Not measured:\n\n" + "\n".join(f"- {line}" for line in part.missing))
    for section in part.sections:
        texts += [f"## {section.title}", section.body]
    return "\n\n".join(texts) + "\n"
