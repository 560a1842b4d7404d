"""What treasures are worth (docs/rules/cheops.md §6). Knows boards and stocks, no turns.

The same sums serve the end of a match, the *worth now* of a board and a bot's guess.
"""

from typing import TYPE_CHECKING

from games.cheops.components import COLOURS, ENTRIES, NEW_ENTRY, NONE, POSITIONS, Entry

if TYPE_CHECKING:
    from games.cheops.rules import CheopsState


def entry_at(state: "CheopsState", colour: int, position: int) -> Entry:
    """Read a number of a board, counted from 0; the law new_number may lie on it."""
    if state.number_at == colour * POSITIONS + position:
        return NEW_ENTRY
    return ENTRIES[state.boards[colour]][position]


def top(state: "CheopsState", colour: int) -> Entry:
    """Read the topmost uncovered number: what this colour pays."""
    return entry_at(state, colour, state.sold[colour])


def holdings(state: "CheopsState", colour: int) -> list[int]:
    """Count each seat's treasures of a colour, a named joker included."""
    counts = [stock[colour] for stock in state.stocks]
    if colour == state.joker_colour and state.joker_owner != NONE:
        counts[state.joker_owner] += 1
    return counts


def majority(counts: list[int]) -> int:
    """Name the seat that alone holds the most, or NONE (A1)."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else NONE


def unit_values(state: "CheopsState", number: Entry, counts: list[int]) -> list[int]:
    """Tell what one treasure pays to each seat, under this number and these holdings."""
    if number.times:
        return [number.times * sum(counts)] * len(counts)
    if number.low == number.high:
        return [number.low] * len(counts)
    one, rest = number.low, number.high
    if state.pair_rule == "majority_high":
        one, rest = rest, one
    values = [rest] * len(counts)
    leader = majority(counts)
    if leader != NONE:
        values[leader] = one
    return values


def stock_values(state: "CheopsState") -> list[int]:
    """Add up what the stocks would pay now, without cash: this much is public."""
    sums = [0] * state.players
    for colour in range(len(COLOURS)):
        counts = holdings(state, colour)
        if any(counts):
            values = unit_values(state, top(state, colour), counts)
            for seat, count in enumerate(counts):
                sums[seat] += count * values[seat]
    return sums


def totals(state: "CheopsState") -> list[int]:
    """Add cash to the value of the stocks."""
    return [cash + value for cash, value in zip(state.money, stock_values(state), strict=True)]
