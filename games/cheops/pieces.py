"""The printed pieces of Cheops: blocks, scarabs, family members and laws as strings of markup.

One ready string per piece keeps a board cheap to print; where pieces stand is said in
templates/games/cheops/board.html, their art in _symbols.html. Knows no rule.
"""

from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.pieces import Piece

WIDE, HIGH = 60, 56  # of a block, in the units of the pyramid's picture


def icon(name: str) -> str:
    """A symbol of _symbols.html in a line of text."""
    return (
        f'<svg class="icon" viewBox="0 0 48 48" aria-hidden="true"><use href="#ch-{name}"/></svg>'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Piece):
    """One block of the pyramid and what lies in it."""

    x: int
    y: int
    face: str  # how the stone looks
    thing: str  # the symbol of what lies there
    sign: str = ""  # why not: what is in the way of the family member in hand

    @property
    def html(self) -> SafeString:
        sign = f'<use href="#ch-{self.sign}"/>' if self.sign else ""
        return self.printed(
            "block",
            f'<use href="#ch-{self.face}"/>'
            f'<use href="#ch-{self.thing}" x="8" y="6" width="44" height="44"/>{sign}',
            plain="g",
            place=f' transform="translate({self.x} {self.y})"',
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile(Piece):
    """A family member or neighbour as a tile; several alike lie on each other."""

    kind: str
    name: str
    count: int = 1
    note: str = ""

    @property
    def html(self) -> SafeString:
        count = f'<b class="tally">{self.count}</b>' if self.count > 1 else ""
        note = f"<small>{escape(self.note)}</small>" if self.note else ""
        return self.printed(
            f"tile of-{min(self.count, 3)}",
            f'{icon(self.kind)}{count}<span class="name">{escape(self.name)}</span>{note}',
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gem(Piece):
    """Treasures of one colour in a stock."""

    colour: str
    count: int
    worth: str = ""  # of all of them
    joker: bool = False

    @property
    def html(self) -> SafeString:
        worth = f"<small>{escape(self.worth)}</small>" if self.worth else ""
        star = icon("star") if self.joker else ""
        return self.printed("gem", f"{icon(self.colour)}{star}<b>{self.count}</b>{worth}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Law(Piece):
    """A law tile one can read: picture, name and effect."""

    law: str
    name: str
    effect: str
    where: str = ""

    @property
    def html(self) -> SafeString:
        where = f"<em>{escape(self.where)}</em> " if self.where else ""
        return self.printed(
            "law",
            f"{icon(self.law)}<span><b>{escape(self.name)}</b> {where}"
            f"<small>{escape(self.effect)}</small></span>",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Piece):
    """One number of a price board."""

    text: str
    state: str  # covered, top, free
    colour: str
    is_new: bool = False

    @property
    def html(self) -> SafeString:
        inner = icon(self.colour) if self.state == "covered" else f"<b>{escape(self.text)}</b>"
        css = f"number {self.state}" + " new" * self.is_new + " long" * (len(self.text) > 3)
        return self.printed(css, inner)


@dataclass(frozen=True, slots=True, kw_only=True)
class Button(Piece):
    """A choice in words: a title and what comes of it."""

    title: str
    lines: tuple[str, ...] = ()
    sign: str = ""

    @property
    def html(self) -> SafeString:
        lines = "".join(f"<small>{escape(line)}</small>" for line in self.lines)
        sign = icon(self.sign) if self.sign else ""
        return self.printed("choice", f"{sign}<span><b>{escape(self.title)}</b>{lines}</span>")
