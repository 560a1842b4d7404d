"""A face for every name: a sign of the Nile on a coloured ground, drawn, never uploaded.

The same name gives the same drawing for ever, in any case of letters.
"""

from hashlib import sha256
from typing import NamedTuple

GROUNDS = 6  # colours, in the style sheet
RIMS = ("", "4 6", "1 5", "12 4 2 4")  # dashes of the ring around it

# Drawn within 40 by 40; lines, not areas, so that they read on any ground.
SIGNS = {
    "sun": (
        "M20 9v6M20 25v6M9 20h6M25 20h6M12 12l4 4M24 24l4 4M28 12l-4 4M16 24l-4 4"
        "M17 20a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
    ),
    "ankh": "M20 18c-7-3-6-10 0-10s7 7 0 10v14M12 21h16",
    "eye": (
        "M8 19c6-8 18-8 24 0c-6 7-18 7-24 0M17 19a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
        "M18 25l-3 7M24 24c3 5 7 5 7 2"
    ),
    "pyramid": "M20 9L33 30H7zM20 9l4 21M13.5 20h9",
    "lotus": (
        "M20 32V18M20 18c-5-1-7-5-6-9c4 1 6 4 6 9c0-5 2-8 6-9c1 4-1 8-6 9"
        "M20 28c-5 0-8-2-9-6M20 28c5 0 8-2 9-6"
    ),
    "river": (
        "M7 14q3.2-5 6.5 0t6.5 0t6.5 0t6.5 0M7 21q3.2-5 6.5 0t6.5 0t6.5 0t6.5 0"
        "M7 28q3.2-5 6.5 0t6.5 0t6.5 0t6.5 0"
    ),
    "feather": "M16 32C13 20 16 9 24 8c4 8 1 17-8 24M16 32l6-16",
    "scarab": (
        "M13 22a7 9 0 1 0 14 0a7 9 0 1 0-14 0M20 14v17M16 12a4 4 0 0 1 8 0M13 18l-5-4"
        "M27 18l5-4M13 26l-5 4M27 26l5 4"
    ),
    "jar": "M15 8h10M17 8v4c-8 5-6 18 0 20h6c6-2 8-15 0-20V8M13 19h14",
    "boat": "M8 25h24c-3 7-21 7-24 0M20 25V8c8 3 9 9 9 13h-9",
    "gate": "M11 31V15l3-4h3v20M23 31V11h3l3 4v16M8 31h24M17 21h6",
    "snake": "M9 29c6 3 16 3 20-3s0-12-5-10s-3 8-7 8s-6-6-3-12l3-4M14 10l-4 2",
}


class Avatar(NamedTuple):
    ground: int
    rim: str
    sign: str


def avatar_of(name: str) -> Avatar:
    """Choose the drawing of a name."""
    chance = int(sha256(name.lower().encode()).hexdigest(), 16)
    chance, ground = divmod(chance, GROUNDS)
    chance, rim = divmod(chance, len(RIMS))
    return Avatar(ground, RIMS[rim], list(SIGNS.values())[chance % len(SIGNS)])
