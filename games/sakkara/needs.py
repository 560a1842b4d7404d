"""What a seat still needs for its pyramid (docs/rules/sakkara.md §2.4), and what its cards are for.

Plain questions about a position; nothing here changes it. Hints for players and bots: no rule
depends on them.
"""

from typing import TYPE_CHECKING

from games.sakkara.components import (
    BUILDINGS,
    GRAIN,
    HANDS,
    HELPING_HAND,
    MOTIFS,
    NAMES,
    SHIP,
    SLOTS,
    TIER,
    TIERS,
)

if TYPE_CHECKING:
    from games.sakkara.rules import SakkaraState


def wanted(state: "SakkaraState", seat: int) -> tuple[list[int], list[int]]:
    """Count by card what is still missing: for the tier in building, and for those above it."""
    tier, pyramid = state.tier[seat], state.pyramids[seat]
    now, later = [0] * len(NAMES), [0] * len(NAMES)
    for card in BUILDINGS:
        left = SLOTS[card] - pyramid[card]
        if left:
            count = now if TIER[card] == tier else later
            count[card] = left
            count[HELPING_HAND] += left * HANDS[card]
    if tier <= len(TIERS):
        now[SHIP] = 1 - state.ships[seat]
        due = TIERS[tier - 1].grain
        now[GRAIN] = max(0, due - state.grain[seat])
        later[GRAIN] = TIERS[-1].grain - max(due, state.grain[seat])
    return now, later


def uses(state: "SakkaraState", seat: int) -> list[str]:
    """Tell of each card in a hand what it is good for: now, later, special or spare."""
    now, later = wanted(state, seat)
    found = []
    for card in state.hands[seat]:
        if now[card]:
            now[card] -= 1
            found.append("now")
        elif later[card]:
            later[card] -= 1
            found.append("later")
        else:
            found.append("special" if MOTIFS[card].special else "spare")
    return found
