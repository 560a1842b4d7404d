"""The printed pieces of Obelisk: cards, stacked stones and piles as small strings of markup.

One ready string per piece keeps a board cheap to print; where pieces stand is said in
templates/games/obelisk/board.html, their art in _symbols.html. Knows no rule.
"""

from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.pieces import Piece

COURSE = 36  # height of a stone in an obelisk
SLAB = 24  # of the foundation below it
CAP = 26  # of the point on a finished one


def face(color: str, sign: str, place: str = "") -> str:
    """The front of a building card."""
    return (
        f'<svg {place}viewBox="0 0 60 84" aria-hidden="true"><use href="#face-{color}"/>'
        f'<text x="30" y="44">{sign}</text></svg>'
    )


def emblem(kind: str, color: str) -> str:
    """The picture of an action card; a coloured foundation shows its glyph as well."""
    glyph = f'<use href="#glyph-{color}" x="15" y="14" width="14" height="14"/>' if color else ""
    return f'<use href="#act-{kind}" width="44" height="44"/>{glyph}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(Piece):
    """A building card, or an action card in the same format."""

    color: str = ""
    sign: str = ""  # value, J, or the kind of an action card

    @property
    def html(self) -> SafeString:
        if self.color:
            return self.printed(f"slate {self.color}", face(self.color, self.sign))
        kind, _, color = self.sign.partition(" ")
        return self.printed(
            f"slate action {color}",
            '<svg viewBox="0 0 60 84" aria-hidden="true"><use href="#face-action"/>'
            f'<svg x="8" y="20" width="44" height="44">{emblem(kind, color)}</svg></svg>',
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plaque(Piece):
    """An action card one can read: picture, name and effect."""

    kind: str
    color: str
    name: str
    effect: str
    play: Piece | None = None  # while it is held

    @property
    def html(self) -> SafeString:
        return self.printed(
            f"plaque {self.color}",
            f'<svg viewBox="0 0 44 44" aria-hidden="true">{emblem(self.kind, self.color)}</svg>'
            f"<span><b>{escape(self.name)}</b> <small>{escape(self.effect)}</small></span>",
        )


@dataclass(frozen=True, slots=True)
class Stone:
    """One card of an obelisk; without a key it is the ghost of one that would fit."""

    key: str
    color: str
    value: int
    css: str = ""
    joker: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Obelisk(Piece):
    """An upright stack: the stones from bottom to top, and what could come next."""

    number: int
    stones: tuple[Stone, ...]
    above: Stone | None  # ghost
    below: Stone | None  # ghost
    slab: str  # how the foundation looks: down, R, B, G, Y
    base: str  # the card lying there, as far as the viewer knows it
    finished: bool
    points: int
    bottom: Piece | None = None  # where the held card fits below as well
    values: tuple[Piece, ...] = ()  # of a joker that is being built

    @property
    def html(self) -> SafeString:
        """The picture stands on y = 0 and grows upwards; x = 0 is its middle."""
        rows = [*((self.below,) if self.below else ()), *self.stones]
        rows += [self.above] if self.above else []
        drawn = [self._slab(), *(self._stone(row, stone) for row, stone in enumerate(rows))]
        height = SLAB + COURSE * len(rows)
        if self.finished:
            drawn.append(f'<use href="#cap" y="{-height}"/>')
            height += CAP
        return self.printed(
            "shaft",
            f'<svg viewBox="-66 {-height - 2} 132 {height + 4}" aria-hidden="true">'
            + "".join(drawn)
            + "</svg>",
        )

    def _slab(self) -> str:
        if not self.base:
            return '<use href="#slab-down"/>'
        known = ""
        if self.slab == "down":
            known = (
                f'<use href="#glyph-{self.base[0]}" x="-19" y="-20" width="16" height="16"/>'
                f'<text class="known" x="10" y="-6">{self.base[1]}</text>'
            )
        return f'<g data-key="{self.base}"><use href="#slab-{self.slab}"/>{known}</g>'

    @staticmethod
    def _stone(row: int, stone: Stone) -> str:
        y = -SLAB - COURSE * row
        if not stone.key:
            return f'<use class="ghost" href="#ghost-{stone.color}{stone.value or ""}" y="{y}"/>'
        joker = f'<use href="#joker" y="{y}"/>' if stone.joker else ""
        return (
            f'<g class="{stone.css}" data-key="{stone.key}">'
            f'<use href="#stone-{stone.color}{stone.value}" y="{y}"/>{joker}</g>'
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Way(Piece):
    """A direction for the overseer, and the camels it costs."""

    price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile(Piece):
    """A pile of the quarry: as thick as it is high."""

    x: int
    y: int
    spot: int
    count: int
    card: str  # the top one
    camels: int
    price: int  # in camels, of the cheapest way to it

    @property
    def html(self) -> SafeString:
        inner = self._heap() if self.count else '<use href="#spot"/>'
        return self.printed(
            "pile",
            f'{inner}<text class="spot" x="-56" y="-44">{self.spot}</text>',
            plain="g",
            place=f' transform="translate({self.x} {self.y})"',
        )

    def _heap(self) -> str:
        thick = 3 * self.count
        top = -64 - thick
        parts = [
            f'<rect class="halo" x="-53" y="{top - 7}" width="106" height="{thick + 143}" rx="13"/>'
            if self.click and self.click.lit
            else "",
            f'<rect class="edge" x="-46" y="{top + 20}" width="92" height="{thick + 109}" rx="8"/>',
            '<rect class="layers" x="-45" '
            f'y="{top + 120}" width="90" height="{thick + 4}" rx="3"/>',
            f'<g data-key="{self.card}">',
            face(self.card[0], self.card[1], f'x="-46" y="{top}" width="92" height="129" '),
            f'</g><g class="tally"><circle cx="44" cy="{top + 6}" r="19"/>'
            f'<text x="44" y="{top + 14}">{self.count}</text></g>',
        ]
        return "".join(parts) + self._camels()

    def _camels(self) -> str:
        """Camels that lie here, and camels it would cost to come here."""
        load = price = ""
        if self.camels:
            load = (
                '<g class="load"><rect x="-94" y="-6" width="76" height="36" rx="18"/>'
                '<use href="#camel" x="-60" y="-4" width="40" height="32"/>'
                f'<text x="-73" y="21">{self.camels}</text></g>'
            )
        if self.price:
            price = (
                '<g class="price"><rect x="-38" y="50" width="76" height="36" rx="18"/>'
                '<use href="#camel" x="-4" y="52" width="40" height="32"/>'
                f'<text x="-17" y="77">{self.price}</text></g>'
            )
        return load + price
