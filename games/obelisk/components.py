"""What is in the box: cards, the quarry's ring and the table of points (docs/rules/obelisk.md §2).

A card is a small number that indexes the tuples below: 0..83 building cards, then the action
cards. Names are the ids of the rules. Copy counts are material, so nothing else depends on them.
"""

from typing import Final, NamedTuple

COLORS: Final = "RBGY"
COLOR_WORDS: Final = ("red", "blue", "green", "yellow")
VALUES: Final = (1, 2, 3, 4, 5)
COPIES: Final = "abcd"

NO_CARD: Final = -1  # in an empty slot of the display; as a colour: any or none

CW: Final = "cw"
CCW: Final = "ccw"
SPOTS: Final = 7


class ActionKind(NamedTuple):
    """One row of §2.3; `zone` is what the card touches, `scope` who plays with it."""

    kind: str
    ids: tuple[str, ...]
    scope: str  # all, multi (3-5 players), duel (2 players)
    zone: str  # quarry, build, market, depot


ACTION_KINDS: Final = (
    ActionKind("free_move", ("free_move_1", "free_move_2"), "all", "quarry"),
    ActionKind("extra_move", ("extra_move_1", "extra_move_2"), "all", "quarry"),
    ActionKind("double_ended", ("double_ended_1", "double_ended_2"), "all", "build"),
    ActionKind("off_color", ("off_color_1", "off_color_2"), "all", "build"),
    ActionKind("foundation", tuple(f"foundation_{word}" for word in COLOR_WORDS), "all", "build"),
    ActionKind("market_pick", ("market_pick_1", "market_pick_2"), "multi", "market"),
    ActionKind("market_recall", ("market_recall_1", "market_recall_2"), "multi", "market"),
    ActionKind("market_swap", ("market_swap_1", "market_swap_2"), "multi", "market"),
    ActionKind("free_trade", ("free_trade_1", "free_trade_2"), "duel", "depot"),
)

BUILDING_NAMES: Final = tuple(
    name
    for color in COLORS
    for name in (*(f"{color}{value}{copy}" for value in VALUES for copy in COPIES), f"{color}J")
)
_ACTIONS: Final = tuple((name, row) for row in ACTION_KINDS for name in row.ids)

# Indexed by card. A joker has value 0 until it is built, an action card has no value at all;
# of the action cards only the foundations have a colour.
NAMES: Final = BUILDING_NAMES + tuple(name for name, _ in _ACTIONS)
NUMBER: Final = {name: card for card, name in enumerate(NAMES)}
BUILDING: Final = len(BUILDING_NAMES)  # the first action card
VALUE: Final = tuple(int(n[1]) if n[1] != "J" else 0 for n in BUILDING_NAMES) + (0,) * len(_ACTIONS)
COLOR: Final = tuple(COLORS.index(name[0]) for name in BUILDING_NAMES) + tuple(
    COLOR_WORDS.index(name.removeprefix("foundation_")) if row.kind == "foundation" else -1
    for name, row in _ACTIONS
)
KIND: Final = ("building",) * BUILDING + tuple(row.kind for _, row in _ACTIONS)
SCOPE: Final = ("all",) * BUILDING + tuple(row.scope for _, row in _ACTIONS)
ZONE: Final = ("hand",) * BUILDING + tuple(row.zone for _, row in _ACTIONS)
FOUNDATIONS: Final = frozenset(card for card, kind in enumerate(KIND) if kind == "foundation")

# From each spot: the others in the order of the walk, ending with a full lap (§2.4).
ROUND: Final = {
    CW: tuple(tuple((spot + step) % SPOTS for step in range(1, 8)) for spot in range(SPOTS)),
    CCW: tuple(tuple((spot - step) % SPOTS for step in range(1, 8)) for spot in range(SPOTS)),
}

POINTS: Final = (0, 1, 2, 4, 7, 10)  # by number of cards on the foundation (§6)
HAND_LIMIT: Final = 6
DEPOT_MINIMUM: Final = 3
MARKET_SIZE: Final = 2  # cards of the opening market


def action_cards(players: int) -> list[int]:
    """List the action cards in play with so many players (§2.3)."""
    absent = "multi" if players == 2 else "duel"
    return [card for card in range(BUILDING, len(NAMES)) if SCOPE[card] != absent]


def dealt(players: int) -> int:
    """Count the building cards dealt to each seat (§2.4)."""
    return 5 if players == 2 else 7


def camels_each(players: int) -> int:
    """Count the camels each seat begins with (§3)."""
    return 3 if players == 2 else 1


def takes_each(players: int) -> int:
    """Count the quarry cards a seat takes in an ordinary turn (§5.2)."""
    return 1 if players == 2 else 2
