"""The printed pieces of Valley of the Kings as strings of markup: figures, blocks, tablets, sites.

One ready string per piece keeps a board cheap to print; where pieces stand is said in
templates/games/valley/board.html, their art in _symbols.html. Knows no rule.
"""

from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.pieces import Piece

CELL = 30  # of the map, in its own units; all pictures of sites use them


def use(name: str, x: float = 0, y: float = 0, size: float = CELL, css: str = "") -> str:
    """A symbol of _symbols.html at a place of a picture."""
    kind = f' class="{css}"' if css else ""
    return f'<use href="#vk-{name}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"{kind}/>'


def icon(name: str, css: str = "") -> str:
    """A symbol in a line of text."""
    return (
        f'<svg class="icon {css}" viewBox="0 0 30 30" aria-hidden="true">'
        f'<use href="#vk-{name}"/></svg>'
    )


def icons(names: tuple[str, ...]) -> SafeString:
    return mark_safe("".join(map(icon, names)))  # noqa: S308 - our own symbols


@dataclass(frozen=True, slots=True, kw_only=True)
class Tablet(Piece):
    """A bid tablet: its rings for the owner, its back for all others."""

    face: str

    @property
    def html(self) -> SafeString:
        return self.printed("tablet", icon(self.face))


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Piece):
    """Blocks that are sold together, and the tablets that lie on them."""

    number: int
    blocks: tuple[str, ...]
    laid: tuple[Tablet, ...]
    note: str = ""

    @property
    def html(self) -> SafeString:
        tablets = "".join(tablet.html for tablet in self.laid)
        note = f"<small>{escape(self.note)}</small>" if self.note else ""
        return self.printed(
            "lot",
            f'<b class="number">{self.number}</b><span class="blocks">{icons(self.blocks)}</span>'
            f'{note}<span class="laid">{tablets}</span>',
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Piece):
    """One of the own figures before it moves: where it stands and where it shall go."""

    art: str
    here: str
    there: str = ""
    price: str = ""

    @property
    def html(self) -> SafeString:
        there = f'<span class="there">→ {escape(self.there)}</span>' if self.there else ""
        price = f'<small class="price">{escape(self.price)}</small>' if self.price else ""
        return self.printed(
            "figure", f'{icon(self.art)}<span class="here">{escape(self.here)}</span>{there}{price}'
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack(Piece):
    """Blocks of one colour in a stock."""

    colour: str
    count: int

    @property
    def html(self) -> SafeString:
        return self.printed("heap", f"{icon(self.colour)}<b>{self.count}</b>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Button(Piece):
    """A choice in words."""

    title: str
    sign: str = ""

    @property
    def html(self) -> SafeString:
        sign = icon(self.sign) if self.sign else ""
        return self.printed("choice", f"{sign}<b>{escape(self.title)}</b>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot(Piece):
    """A part of a picture: an area or a site of the map, a space or a cell of a site."""

    kind: str
    art: str

    @property
    def html(self) -> SafeString:
        return self.printed(self.kind, self.art, plain="g")
