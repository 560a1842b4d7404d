"""What is in the box: the pyramid, price boards, law tiles and families (docs/rules/cheops.md §2).

Fields, colours, kinds and laws are small numbers that index the tuples below, in the rulebook's
order. What lies on a field is one number too: a treasure, a face-down law or a tile laid there.
"""

from typing import Final, NamedTuple

COLOURS: Final = ("brown", "blue", "red", "green", "black", "orange")
KINDS: Final = ("grandfather", "mother", "son", "daughter")
NEIGHBOUR: Final = len(KINDS)  # a fifth kind (A8)
LAWS: Final = (
    "market_low",
    "market_high",
    "three_boards",
    "must_sell",
    "must_keep",
    "blocker",
    "new_number",
    "repeal",
    "joker",
    "late_sale",
    "secret_passage",
    "exchange",
)
(
    MARKET_LOW,
    MARKET_HIGH,
    THREE_BOARDS,
    MUST_SELL,
    MUST_KEEP,
    BLOCKER,
    NEW_NUMBER,
    REPEAL,
    JOKER,
    LATE_SALE,
    SECRET_PASSAGE,
    EXCHANGE,
) = range(12)
SLOT_LAWS: Final = (MUST_SELL, MUST_KEEP, BLOCKER)
ACTION_LAWS: Final = (LATE_SALE, SECRET_PASSAGE, EXCHANGE)

NONE: Final = -1  # no law, no colour, no seat

# What lies on a field (§4.1): treasures 0..5, laws 6..17, family 18..21, neighbour 22.
LAW: Final = len(COLOURS)  # the first law
TILE: Final = LAW + len(LAWS)  # the first tile: from here on a field is occupied
CONTENTS: Final = (
    *(f"t:{colour}" for colour in COLOURS),
    *(f"l:{law}" for law in LAWS),
    *(f"f:{kind}" for kind in KINDS),
    "n",
)
FACE_DOWN: Final = "l"  # a law nobody has seen

# --- the pyramid (§2.2) -------------------------------------------------------------------------

ROWS: Final = 11
PLACES: Final = tuple((row, col) for row in range(1, ROWS + 1) for col in range(1, ROWS + 2 - row))
FIELDS: Final = tuple(f"{row}-{col}" for row, col in PLACES)
FIELD: Final = {name: number for number, name in enumerate(FIELDS)}
EYES: Final = tuple(FIELD[name] for name in ("3-3", "3-5", "3-7", "5-3", "5-5", "7-3"))


def _fields(*places: tuple[int, int]) -> tuple[int, ...]:
    return tuple(PLACES.index(place) for place in places if place in PLACES)


SUPPORTS: Final = tuple(_fields((row - 1, col), (row - 1, col + 1)) for row, col in PLACES)
ABOVE: Final = tuple(_fields((row + 1, col - 1), (row + 1, col)) for row, col in PLACES)
AROUND: Final = tuple(
    _fields(
        (row, col - 1),
        (row, col + 1),
        (row + 1, col - 1),
        (row + 1, col),
        (row - 1, col),
        (row - 1, col + 1),
    )
    for row, col in PLACES
)

# --- price boards (§2.3) ------------------------------------------------------------------------


class Entry(NamedTuple):
    """One number of a price board: plain (low = high), a pair, or `times` all in stock."""

    text: str
    low: int
    high: int
    times: int = 0


def entry(text: str) -> Entry:
    """Read `15`, `15/30` or `x5`."""
    if text.startswith("x"):
        return Entry(text, 0, 0, int(text[1:]))
    low, _, high = text.partition("/")
    return Entry(text, int(low), int(high or low))


_BOARDS: Final = {
    "I-1": "5 10 15 20 25",
    "I-2": "5 5 5 5 15",
    "I-3": "20 15 15 10 5",
    "I-4": "0 5 10 20 40",
    "I-5": "10 10 15 15 30",
    "I-6": "15 10 10 5 0",
    "II-1": "0 5 0 30 15",
    "II-2": "10 0 25 5 30",
    "II-3": "5 25 0 20 10",
    "II-4": "15 5 20 0 35",
    "II-5": "0 20 5 30 0",
    "II-6": "10 30 5 15 0",
    "III-1": "5 10 x5 15 x5",
    "III-2": "10 x5 0 x5 20",
    "III-3": "5/10 10/20 5/25 15/30 20/40",
    "III-4": "0 5/20 x5 15/30 10",
}
BOARDS: Final = tuple(_BOARDS)
ENTRIES: Final = tuple(tuple(map(entry, column.split())) for column in _BOARDS.values())
BOARD_TYPES: Final = tuple(
    [number for number, name in enumerate(BOARDS) if name.partition("-")[0] == roman]
    for roman in ("I", "II", "III")
)
POSITIONS: Final = 5
FULL: Final = 4  # treasures on a full board: the last number is never covered
NEW_ENTRY: Final = entry("20")  # what the law new_number prints over an entry

# --- counts and prices --------------------------------------------------------------------------

TREASURES: Final = 11  # of each colour, one of them a marker
FAMILY: Final = 16  # tiles of each kind
NEIGHBOURS: Final = 4
HAND: Final = 4
STACKS: Final = 3
HIRE: Final = 20
JOKER_PRICE: Final = 25
MARKET: Final = {NONE: 10, MARKET_LOW: 5, MARKET_HIGH: 15}
END_REASONS: Final = ("boards_full", "pyramid_empty", "blocked")
ALL_KINDS: Final = (1 << NEIGHBOUR) - 1  # a bit for each family kind


def stack_sizes(players: int) -> list[int]:
    """Cut the tiles that are not dealt as evenly as possible, front first (§2.5)."""
    left = FAMILY * len(KINDS) - HAND * players
    return [(left + STACKS - 1 - stack) // STACKS for stack in range(STACKS)]
