"""The printed pieces of Sakkara: tiles, stacks, workers and pyramids as small strings of markup.

One ready string per piece keeps a board cheap to print; where pieces stand is said in
templates/games/sakkara/board.html, their art in _symbols.html. Knows no rule.
"""

from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.pieces import Piece
from games.sakkara.components import MOTIFS

CELL = 100  # side of a field, in the units of the board's picture
FACE = 64  # side of a card on it
ART = 68  # the same in the units of its own picture
RISE = 6  # what each card adds to a stack
TALL = 33  # what all of them together add at most
SLOT = 44  # side of a place in a pyramid, in the units of its own picture

COLOUR = {motif.name: motif.colour for motif in MOTIFS}


def face(motif: str) -> str:
    """The front of a card in a picture of its own."""
    return (
        f'<svg viewBox="0 0 {ART} {ART}" aria-hidden="true"><use href="#sk-{COLOUR[motif]}"/>'
        f'<use href="#sk-{motif}" x="8" y="8" width="52" height="52"/></svg>'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile(Piece):
    """A card that lies in a hand, in a pile or beside a pyramid."""

    motif: str
    caption: str = ""

    @property
    def html(self) -> SafeString:
        words = f"<small>{escape(self.caption)}</small>" if self.caption else ""
        return self.printed("slate sk-tile", face(self.motif) + words)


@dataclass(frozen=True, slots=True)
class Man:
    """A worker on a field."""

    key: str
    side: str  # white or black
    number: int
    held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(Piece):
    """A field of the board: its stack, who stands on it, and a sign for what bars it."""

    x: int
    y: int
    stack: tuple[str, ...]  # bottom to top; "" is not known
    man: Man | None = None
    sign: str = ""  # stair: too high; shut: no stack here

    @property
    def html(self) -> SafeString:
        inner = "".join(
            [
                '<use href="#sk-field"/>',
                '<use href="#sk-shut"/>' if self.sign == "shut" else "",
                *self._layers(),
                self._top(),
                '<use href="#sk-climb"/>' if self.sign == "stair" else "",
            ]
        )
        place = f' transform="translate({self.x} {self.y})"'
        return self.printed("sk-spot", inner, plain="g", place=place)

    def _level(self, place: int) -> int:
        """How high the card at this place of the stack lies: its upper edge."""
        step = min(RISE, TALL / max(1, len(self.stack) - 1))
        return round(CELL - 5 - FACE - step * place)

    def _layers(self) -> list[str]:
        return [
            f'<use href="#sk-edge" class="sk-{COLOUR.get(card, "unseen")}" '
            f'y="{self._level(place)}"/>'
            for place, card in enumerate(self.stack[:-1])
        ]

    def _top(self) -> str:
        high = len(self.stack)
        y = self._level(max(0, high - 1))
        parts = []
        if high:
            motif = self.stack[-1]
            size = 30 if self.man else 52
            corner = 5 if self.man else 8
            parts.append(
                f'<svg x="18" y="{y}" width="{FACE}" height="{FACE}" viewBox="0 0 {ART} {ART}">'
                f'<use href="#sk-{COLOUR[motif]}"/><use href="#sk-{motif}" x="{corner}" '
                f'y="{corner}" width="{size}" height="{size}"/></svg>'
            )
        if self.man:
            man = self.man
            parts.append(
                f'<g data-key="{man.key}" class="sk-man{" held" * man.held}">'
                f'<use href="#sk-{man.side}" x="66" y="{y + FACE - 6}"/>'
                f'<text class="{man.side}" x="66" y="{y + FACE - 28}">{man.number}</text></g>'
            )
        if high > 1:
            parts.append(
                f'<g class="sk-height"><circle cx="84" cy="{y + 3}" r="14"/>'
                f'<text x="84" y="{y + 10}">{high}</text></g>'
            )
        return "".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot(Piece):
    """A place in a pyramid: filled, or the ghost of what belongs there."""

    x: int
    y: int
    motif: str
    filled: bool

    @property
    def html(self) -> SafeString:
        ground = f"sk-{COLOUR[self.motif]}" if self.filled else "sk-gap"
        return self.printed(
            "sk-slot" if self.filled else "sk-slot sk-ghost",
            f'<rect x="{self.x - 1}" y="{self.y - 1}" width="{SLOT}" height="{SLOT}"/>'
            f'<svg x="{self.x}" y="{self.y}" width="{SLOT - 2}" height="{SLOT - 2}" '
            f'viewBox="0 0 {ART} {ART}"><use href="#{ground}"/>'
            f'<use href="#sk-{self.motif}" x="8" y="8" width="52" height="52"/></svg>',
            plain="g",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell(Piece):
    """A spell and its three cards, those at hand in full colour."""

    name: str
    motifs: tuple[tuple[str, bool], ...]

    @property
    def html(self) -> SafeString:
        cards = "".join(
            f'<i class="{"" if held else "missing"}">{face(motif)}</i>'
            for motif, held in self.motifs
        )
        return self.printed(
            "sk-spell", f'<b>{escape(self.name)}</b><span class="sk-recipe">{cards}</span>'
        )
