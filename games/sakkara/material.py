"""The box as the help page lists it: every card, tier and spell, read from components.py."""

from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from games.catalogue import Words
from games.sakkara import components
from games.sakkara.cards import EFFECTS, MOTIFS, PURPOSES, SPELLS
from games.sakkara.components import NUMBER, SLOTS
from games.sakkara.drawing import PLACES
from games.sakkara.pieces import face


class Kind(NamedTuple):
    """A motif and how many there are of it: in the box, or in a tier."""

    face: SafeString
    name: Words
    number: int
    purpose: Words


class Floor(NamedTuple):
    """What a tier asks for."""

    tier: int
    supplies: list[SafeString]
    cards: list[Kind]


class Recipe(NamedTuple):
    name: Words
    effect: Words
    faces: list[SafeString]


class Material:
    """Pictures with their words and numbers; the template reads what it needs by name."""

    faces = {motif: mark_safe(face(motif)) for motif in MOTIFS}  # noqa: S308 - our own markup

    def pyramid(self) -> list[tuple[int, int, SafeString]]:
        return [(x, y, self.faces[motif]) for _tier, motif, x, y in PLACES]

    def kinds(self) -> list[Kind]:
        return [self._kind(motif.name, motif.copies) for motif in components.MOTIFS]

    def _kind(self, motif: str, number: int) -> Kind:
        return Kind(self.faces[motif], MOTIFS[motif], number, PURPOSES[motif])

    def floors(self) -> list[Floor]:
        return [
            Floor(
                number,
                [self.faces["ship"], *[self.faces["grain"]] * tier.grain],
                [
                    self._kind(motif, SLOTS[NUMBER[motif]])
                    for motif in dict.fromkeys(name for row in tier.slots for name in row)
                ],
            )
            for number, tier in enumerate(components.TIERS, 1)
        ]

    def spells(self) -> list[Recipe]:
        return [
            Recipe(SPELLS[spell], EFFECTS[spell], [self.faces[motif] for motif in recipe])
            for spell, recipe in components.SPELLS.items()
        ]
