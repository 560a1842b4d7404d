"""Who may see what (docs/rules/cheops.md §4.2), and the other worlds that look the same.

A view is built up from what its reader may know, never stripped down. Worth is told without
cash, so that no sum gives a purse away.
"""

from typing import TYPE_CHECKING, Any

from games.cheops.components import (
    ACTION_LAWS,
    BOARDS,
    COLOURS,
    CONTENTS,
    FACE_DOWN,
    FIELDS,
    FULL,
    KINDS,
    LAW,
    LAWS,
    NEIGHBOUR,
    NONE,
    POSITIONS,
    TILE,
)
from games.cheops.offers import can_lay, laws_in_play
from games.cheops.scoring import entry_at, holdings, stock_values, totals, unit_values
from games.engine.contract import OPEN, View
from games.engine.session import ranks
from games.engine.table import Table

if TYPE_CHECKING:
    from games.cheops.rules import CheopsState

MISCOUNT = 4  # notes of 5 by which a count of somebody's cash may be off

_BESIDE = [  # by the bits of `touching`: what lies beside a field
    [text for kind, text in enumerate(CONTENTS[TILE:]) if bits >> kind & 1]
    for bits in range(1 << NEIGHBOUR + 1)
]
_SHOWN = tuple(FACE_DOWN if LAW <= number < TILE else text for number, text in enumerate(CONTENTS))


def _law(number: int) -> str | None:
    return None if number == NONE else LAWS[number]


def _colour(number: int) -> str | None:
    return None if number == NONE else COLOURS[number]


def view(state: "CheopsState", seat: int | None) -> View:
    """Build what a seat, a spectator (None) or, after the end, everybody may know."""
    over = state.phase == "finished"
    all_open = over or seat == OPEN
    contents = CONTENTS if all_open else _SHOWN
    return {
        "players": state.players,
        "you": seat if seat is not None and seat >= 0 else None,
        "pair_rule": state.pair_rule,
        "family_draw": state.family_draw,
        "open_money": state.open_money,
        "phase": state.phase,
        "current": None if over else state.current,
        "turn": state.turn_number,
        "hired": state.hired_this_turn,
        "main_done": state.main_done,
        "drawn": state.drawn_this_turn,
        "idle_turns": state.idle_turns,
        "pending_treasure": _colour(state.pending_treasure),
        "pending_law": _law(state.pending_law),
        "pyramid": {
            spot: contents[content] for spot, content in zip(FIELDS, state.pyramid, strict=True)
        },
        "reachable": {FIELDS[spot]: _BESIDE[state.touching[spot]] for spot in state.reachable},
        "choice": _choice(state) if state.phase == "resolve_treasure" else None,
        "boards": [_board(state, colour) for colour in range(len(COLOURS))],
        "market_tile": _law(state.market_tile),
        "market_price": state.market_price(),
        "full_boards": state.sold.count(FULL),
        "threshold": state.threshold(),
        "neighbours_left": state.neighbours_left,
        "joker_colour": _colour(state.joker_colour),
        "laws": [LAWS[law] for law in laws_in_play(state)],
        "box": [LAWS[law] for law in state.box],
        "discarded": state.discarded[:],
        "stacks": [_stack(stack, all_open) for stack in state.stacks],
        "out_of_game": [LAWS[law] for law in state.out_of_game] if all_open else None,
        "seats": _seats(state, seat, all_open),
        "end_reason": state.end_reason or None,
        "ask": _ask(state),
    }


def _ask(state: "CheopsState") -> str | None:
    """Name what the moment asks, as far as everybody may know."""
    match state.phase:
        case "finished":
            return None
        case "act" if not can_lay(state, state.current):
            return "ask_stuck"
        case "resolve_law":
            return f"ask_{LAWS[state.pending_law]}"
    return f"ask_{state.phase}"


def _board(state: "CheopsState", colour: int) -> dict[str, Any]:
    """Show a price board; `next` is what one more sale would make of it."""
    sold, counts = state.sold[colour], holdings(state, colour)
    entries = [entry_at(state, colour, position) for position in range(POSITIONS)]
    after = entries[sold + 1] if sold < FULL else None
    where = state.number_at - colour * POSITIONS
    return {
        "colour": COLOURS[colour],
        "marker": CONTENTS[colour],
        "board": BOARDS[state.boards[colour]],
        "entries": " ".join(entry.text for entry in entries),
        "new_number": where if state.number_at != NONE and 0 <= where < POSITIONS else None,
        "sold": sold,
        "under": _law(state.under[colour]),
        "counts": counts,
        "values": unit_values(state, entries[sold], counts),
        "next": unit_values(state, after, counts) if after else None,
    }


def _choice(state: "CheopsState") -> dict[str, Any]:
    """Tell what selling and keeping would each make of this colour: everybody can work it out."""
    colour, sold = state.pending_treasure, state.sold[state.pending_treasure]
    counts = holdings(state, colour)
    kept = [count + (seat == state.current) for seat, count in enumerate(counts)]
    after = entry_at(state, colour, sold + 1)
    now = entry_at(state, colour, sold)
    full = state.sold.count(FULL) + (sold + 1 == FULL)
    return {
        "colour": COLOURS[colour],
        "price": state.market_price(),
        "counts": counts,
        "values": unit_values(state, now, counts),
        "if_sold": unit_values(state, after, counts),
        "if_kept": unit_values(state, now, kept),
        "shown_now": now.text,
        "shown_then": after.text,
        "fills": sold + 1 == FULL,
        "ends": full >= state.threshold(),
    }


def _stack(tiles: list[int], all_open: bool) -> dict[str, Any]:
    return {
        "count": len(tiles),
        "top": KINDS[tiles[-1]] if tiles else None,
        "below": [KINDS[kind] for kind in reversed(tiles[:-1])] if all_open else None,
    }


def _seats(state: "CheopsState", viewer: int | None, all_open: bool) -> list[dict[str, Any]]:
    stocks, over = stock_values(state), state.phase == "finished"
    points = totals(state)
    places = ranks([(total,) for total in points])
    return [
        {
            "hand": state.hands[seat][:],
            "stock": state.stocks[seat][:],
            "worth": stocks[seat],
            "money": state.money[seat] if all_open or state.open_money or seat == viewer else None,
            "held": [
                [LAWS[law], taken]
                for law, taken in zip(ACTION_LAWS, state.held[seat], strict=True)
                if taken != NONE
            ],
            "joker": state.joker_owner == seat,
            "score": points[seat] if over or state.open_money else None,
            "rank": places[seat] if over else None,
        }
        for seat in range(state.players)
    ]


def deal_anew(state: "CheopsState", seat: int, table: Table) -> None:
    """Deal in place all that the seat cannot know: it may not tell the result from the truth."""
    if state.phase == "finished":
        return
    laws = [content for content in state.pyramid if LAW <= content < TILE]
    pool = laws + [LAW + law for law in state.out_of_game]
    table.shuffle(pool)
    for spot, content in enumerate(state.pyramid):
        if LAW <= content < TILE:
            state.pyramid[spot] = pool.pop()
    state.out_of_game = [content - LAW for content in pool]
    below = [kind for stack in state.stacks for kind in stack[:-1]]
    table.shuffle(below)
    for stack in state.stacks:
        for place in range(len(stack) - 1):
            stack[place] = below.pop()
    if not state.open_money:
        _miscount(state, seat, table)


def _miscount(state: "CheopsState", seat: int, table: Table) -> None:
    """Guess the others' cash: every receipt was public (A26), but who counts exactly?"""
    for other in range(state.players):
        if other != seat:
            slip = table.below(2 * MISCOUNT + 1) - MISCOUNT
            state.money[other] = max(0, state.money[other] + 5 * slip)
