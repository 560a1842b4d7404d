"""The parts of a drawn Sakkara table: what board.py fills in and the templates print.

Shapes and places only; whatever depends on a viewer or a move is decided in board.py.
"""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from games.pieces import Piece
from games.sakkara.components import TIERS
from games.sakkara.pieces import SLOT, Field, Slot, Spell, Tile

STEP = 12  # of a pyramid, from one tier to the next


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of a hand that are good for the same."""

    name: str
    css: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """All that belongs to one seat."""

    seat: int
    name: str
    css: str
    side: str  # white or black
    note: str
    built: str
    dots: tuple[tuple[str, bool], ...]  # the progress in one line
    slots: tuple[Slot, ...]
    supplies: tuple[Piece, ...]
    lack: str
    hand: tuple[Group, ...]
    hand_count: int
    hand_label: str
    spells: tuple[Spell, ...]

    @property
    def stones(self) -> SafeString:
        return mark_safe("".join(slot.html for slot in self.slots))  # noqa: S308 - markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Piece):
    """So many of the returned cards, to be put down as one stack."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heap:
    """Cards that are on their way back to the board, from the bottom."""

    title: str
    explain: str
    tiles: tuple[Tile, ...]
    cuts: tuple[Cut, ...] = ()


@dataclass(frozen=True, slots=True)
class Buried:
    """A stack with known cards under its top, from the top down; None is not known."""

    field: str
    cards: tuple[Tile | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    css: str
    banner: str
    fields: tuple[Field, ...]
    heap: Heap | None
    choices: tuple[Piece, ...]
    ready: tuple[Piece, ...]  # spells that can be cast now, near the hand where it is narrow
    buried: tuple[Buried, ...]
    other: Area | None
    areas: tuple[Area, ...]  # without a seat of one's own: both
    me: Area | None

    @property
    def board(self) -> SafeString:
        return mark_safe("".join(field.html for field in self.fields))  # noqa: S308 - markup


def places() -> tuple[tuple[int, str, int, int], ...]:
    """Where the cards of a pyramid stand: tier, motif, x and y; the ground is y = 0."""
    found = []
    base = 0
    for tier, (_grain, rows) in enumerate(TIERS, 1):
        high, wide = len(rows), len(rows[0])
        for row, motifs in enumerate(rows):
            for column, motif in enumerate(motifs):
                x = (2 * column - wide) * SLOT // 2 + 1
                found.append((tier, motif, x, -base - (high - row) * SLOT - STEP // 2 + 1))
        base += high * SLOT + STEP
    return tuple(found)


PLACES = places()
