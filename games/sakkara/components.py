"""What is in the box: board, cards, pyramid and spells (docs/rules/sakkara.md §2).

The three tables below are the whole material; everything after them is worked out from them.
[seed] stands in the rulebook, [derived] follows from it, [reconstructed] was chosen because the
fact stood only in a lost picture: whoever owns the box can correct the tables and nothing else.
"""

from collections import Counter
from typing import Final, NamedTuple


class Motif(NamedTuple):
    """One row of §2.3."""

    name: str
    colour: str
    copies: int  # [reconstructed: §2.6] all of them; the sum of 75 is [seed]
    special: bool = False  # shows a feather
    hands: int = 0  # helping hands that building it costs


MOTIFS: Final = (
    Motif("ship", "green", 3),  # [seed] green
    Motif("grain", "green", 8),  # [seed] green
    Motif("hewn_stone", "blue", 10, hands=1),  # [seed] blue, a helping hand each
    Motif("stair", "blue", 6, special=True),  # [seed] blue, special
    Motif("braid", "blue", 5),  # [reconstructed] blue
    Motif("double_stripe", "blue", 4),  # [reconstructed] blue
    Motif("cross", "red", 4),  # [reconstructed] red
    Motif("circle", "red", 3),  # [reconstructed] red
    Motif("moon", "red", 4),  # [reconstructed] red
    Motif("eye", "red", 4),  # [reconstructed] red, and the motif itself
    Motif("pyramid_tip", "gold", 4, hands=2),  # [seed] gold, two helping hands
    Motif("helping_hand", "grey", 8, special=True),  # [seed] grey and special, as those below
    Motif("snake", "grey", 3, special=True),
    Motif("horse", "grey", 3, special=True),
    Motif("bird", "grey", 3, special=True),
    Motif("ox", "grey", 3, special=True),
)


class Tier(NamedTuple):
    """One row of §2.4: the grain that must lie open, and the building cards by their places."""

    grain: int
    slots: tuple[tuple[str, ...], ...]


TIERS: Final = (
    Tier(  # [seed] one grain, nine cards, four hewn stones, two stairs; the rest [reconstructed]
        1,
        (
            ("hewn_stone", "braid", "hewn_stone"),
            ("stair", "double_stripe", "stair"),
            ("hewn_stone", "braid", "hewn_stone"),
        ),
    ),
    Tier(2, (("cross", "circle"), ("moon", "eye"))),  # [seed] two grain, four; [reconstructed]
    Tier(3, (("pyramid_tip",),)),  # [seed]
)

SPELLS: Final = {
    "fire_storm": ("pyramid_tip", "cross", "braid"),  # [seed]
    "whirlwind": ("pyramid_tip", "eye", "moon"),  # [reconstructed]
    "drought": ("double_stripe", "cross", "eye"),  # [reconstructed]
    "shipwreck": ("double_stripe", "circle", "moon"),  # [seed]
}

# --- cards: a card is the number of its motif, as cards of one motif are interchangeable ----------

NAMES: Final = tuple(motif.name for motif in MOTIFS)
NUMBER: Final = {name: card for card, name in enumerate(NAMES)}
UNKNOWN: Final = len(MOTIFS)  # added to a card under another that nobody has seen yet
SHIP, GRAIN, STAIR = NUMBER["ship"], NUMBER["grain"], NUMBER["stair"]
HELPING_HAND, SNAKE, HORSE = NUMBER["helping_hand"], NUMBER["snake"], NUMBER["horse"]
BIRD, OX = NUMBER["bird"], NUMBER["ox"]
TIP: Final = NUMBER["pyramid_tip"]
DECK: Final = tuple(card for card, motif in enumerate(MOTIFS) for _ in range(motif.copies))
HANDS: Final = tuple(motif.hands for motif in MOTIFS)

_PLACES: Final = [Counter(name for row in tier.slots for name in row) for tier in TIERS]
# By card: the tier it is built in (0: none) and its places there.
TIER: Final = tuple(
    next((tier for tier, places in enumerate(_PLACES, 1) if name in places), 0) for name in NAMES
)
SLOTS: Final = tuple(sum(places[name] for places in _PLACES) for name in NAMES)
TIER_SIZE: Final = (0, *(places.total() for places in _PLACES))  # by tier
BUILDINGS: Final = tuple(card for card, tier in enumerate(TIER) if tier)
RECIPES: Final = {spell: tuple(NUMBER[name] for name in recipe) for spell, recipe in SPELLS.items()}

# --- the board (§2.1) ----------------------------------------------------------------------------

WIDTH: Final = 7
FIELDS: Final = tuple(
    f"{'abcdefg'[column]}{row + 1}" for row in range(WIDTH) for column in range(WIDTH)
)
FIELD: Final = {name: spot for spot, name in enumerate(FIELDS)}
WAYS: Final = ("N", "E", "S", "W")
WAY: Final = {name: way for way, name in enumerate(WAYS)}
OFF: Final = -1  # beyond the edge

_STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # column, row


def _at(column: int, row: int) -> int:
    inside = 0 <= column < WIDTH and 0 <= row < WIDTH
    return row * WIDTH + column if inside else OFF


# NEXT[field][way]: the field one step further, or OFF.
NEXT: Final = tuple(
    tuple(_at(spot % WIDTH + x, spot // WIDTH + y) for x, y in _STEPS)
    for spot in range(len(FIELDS))
)
BESIDE: Final = tuple(tuple(spot for spot in steps if spot != OFF) for steps in NEXT)
WORKERS: Final = 2  # of each seat
AXES: Final = ("row", "column")


def _others(spot: int, *, row: bool, column: bool) -> tuple[int, ...]:
    return tuple(
        other
        for other in range(len(FIELDS))
        if other != spot
        and (not row or other // WIDTH == spot // WIDTH)
        and (not column or other % WIDTH == spot % WIDTH)
    )


def _touches(spot: int, other: int) -> bool:
    across, down = other % WIDTH - spot % WIDTH, other // WIDTH - spot // WIDTH
    return other != spot and max(abs(across), abs(down)) == 1


# What a storm reaches from a field (A12): the rest of a line, or the fields around.
LINE: Final = {
    "row": tuple(_others(spot, row=True, column=False) for spot in range(len(FIELDS))),
    "column": tuple(_others(spot, row=False, column=True) for spot in range(len(FIELDS))),
}
AROUND: Final = tuple(
    tuple(other for other in range(len(FIELDS)) if _touches(spot, other))
    for spot in range(len(FIELDS))
)

# --- numbers of the rules ------------------------------------------------------------------------

HAND_LIMIT: Final = 10  # at the end of the own turn (A15)
CLIMB: Final = 2  # cards that a worker climbs without a stair
TALLEST: Final = 9  # cards that are returned to one field at once (A5)
DIVIDED: Final = 3  # cards that each part of a divided pile has at least (A6)
SHIPS_ON_TOP: Final = 2  # at least, in a deal (§3)
STALL: Final = 60  # turns in a row without a building card that end the match (§5.5)
TURNS: Final = 240  # turns that end the match


def _sizes(left: int) -> tuple[int, ...]:
    """List the stacks that may be cut from the bottom of a pile (§5.2)."""
    return tuple(
        size
        for size in range(1, min(TALLEST, left) + 1)
        if size in (left, TALLEST) or DIVIDED <= size <= left - DIVIDED
    )


SIZES: Final = tuple(_sizes(left) for left in range(len(DECK) + 1))
