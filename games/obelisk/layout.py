"""Laying out markets, quarry, overseer and action cards (docs/rules/obelisk.md §3).

With 3-5 players that happens only after all have chosen their markets, as in the box: of the
quarry nothing exists before, so nothing of it can be known too early.
"""

from typing import TYPE_CHECKING, Final

from games.engine.table import Table
from games.obelisk.components import BUILDING, NAMES, SPOTS, VALUE, action_cards

if TYPE_CHECKING:
    from games.obelisk.rules import ObeliskState

CHANCE: Final = -1  # in place of the first seat: it is still to be drawn


def open_markets(state: "ObeliskState", table: Table) -> None:
    """Turn up all chosen markets together (§3.1); 2 players have none."""
    for seat, cards in enumerate(state.choices):
        if cards:
            state.hands[seat] = [card for card in state.hands[seat] if card not in cards]
            state.markets[seat] = cards
            table.tell("opened_market", seat=seat, cards=[NAMES[card] for card in cards])
    state.choices = [[] for _ in state.choices]


def open_quarry(state: "ObeliskState", table: Table) -> None:
    """Lay out all that is not in a hand or market, and begin the first turn."""
    held = {card for cards in state.hands + state.markets for card in cards}
    rest = [card for card in range(BUILDING) if card not in held]
    table.shuffle(rest)
    state.piles = [rest[spot::SPOTS] for spot in range(SPOTS)]
    state.overseer = table.pick(starting_spots([pile[-1] for pile in state.piles]))
    table.tell("placed_overseer", pile=state.overseer, spot=state.overseer + 1)
    state.draw = action_cards(state.players)
    table.shuffle(state.draw)
    state.display = [state.draw.pop() for _ in range(3)]
    if state.first_seat == CHANCE:
        state.first_seat = table.below(state.players)
    state.phase = "turn"
    table.tell("began", seat=state.first_seat)
    state.begin_turn(state.first_seat)


def starting_spots(tops: list[int]) -> list[int]:
    """List the piles with the highest printed value on top; a joker counts 0 (A4)."""
    highest = max(VALUE[card] for card in tops)
    return [spot for spot, card in enumerate(tops) if VALUE[card] == highest]
