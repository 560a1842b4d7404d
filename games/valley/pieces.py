"""The printed pieces of Valley of the Kings as strings of markup: figures, blocks, tablets, sites.

One ready string per piece keeps a board cheap to print; where pieces stand is said in
templates/games/valley/board.html, their art in _symbols.html. Knows no rule.
"""

from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.clicks import Click
from games.templatetags.boards import click as link

CELL = 30  # of the map, in its own units; all pictures of sites use them


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something one can point at: its name, its explanation and what a click on it does."""

    key: str = ""  # stays the same wherever the piece goes
    label: str = ""
    click: Click | None = None
    explain: str = ""
    css: str = ""

    @property
    def tag(self) -> str:
        return "a" if self.click else "span"

    def attrs(self, css: str) -> str:
        lit = " lit" if self.click and self.click.lit else ""
        held = " held" if self.click and self.click.kind == "drop" else ""
        key = f' data-key="{self.key}"' if self.key else ""
        explain = f' data-explain="{self.explain}"' if self.explain else ""
        words = f' aria-label="{escape(self.label)}"' if self.label else ""
        role = link(self.click) if self.click else 'role="img"' if words else ""
        return f'class="{css} {self.css}{lit}{held}"{key}{explain}{words} {role}'

    def printed(self, css: str, inner: str) -> SafeString:
        return mark_safe(  # noqa: S308 - labels are escaped in attrs
            f"<{self.tag} {self.attrs(css)}>{inner}</{self.tag}>"
        )

    def drawn(self, css: str, inner: str) -> str:
        """The same inside a picture."""
        tag = "a" if self.click else "g"
        return f"<{tag} {self.attrs(css)}>{inner}</{tag}>"


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
    def html(self) -> str:
        return self.drawn(self.kind, self.art)
