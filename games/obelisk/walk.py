"""The way of the overseer round the quarry, as far as it can be seen. Knows no rule."""

from typing import Any

from games.engine.contract import Move

SPOTS = 7


def price(quarry: dict[str, Any], move: Move) -> int:
    """Count the piles that a walk passes: a camel is laid on each."""
    if len(move) < 3:
        return 0
    step = 1 if move[2] == "cw" else -1
    spot, passed = (quarry["overseer"] + step) % SPOTS, 0
    while spot != move[1]:
        passed += quarry["piles"][spot]["count"] > 0
        spot = (spot + step) % SPOTS
    return passed
