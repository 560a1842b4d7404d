"""Who may see what (docs/rules/sakkara.md §4), and the other worlds that look the same.

A view is built up from what its reader may know, never stripped down. A hand is hidden, though an
attentive reader of the log can work it out (A24); a bot is as attentive as people are, not more.
"""

from typing import TYPE_CHECKING, Any

from games.engine.contract import OPEN, View
from games.engine.session import ranks
from games.engine.table import Table
from games.sakkara import offers
from games.sakkara.components import FIELDS, HAND_LIMIT, NAMES, NEXT, OFF, STAIR, UNKNOWN, WAYS
from games.sakkara.needs import uses
from games.sakkara.refusals import place_bar

if TYPE_CHECKING:
    from games.sakkara.rules import SakkaraState

FORGETFUL = 3  # a bot is wrong about one card in so many of a hidden hand

_KNOWN = NAMES + (None,) * len(NAMES)
_ALL = NAMES + NAMES


def sees_hand(state: "SakkaraState", viewer: int | None, seat: int) -> bool:
    """Tell whether the viewer sees a seat's hand: a thief only while choosing (A21)."""
    return (
        viewer in (seat, OPEN)
        or state.open_holders
        or state.phase == "game_over"
        or (state.phase == "snake_pick" and viewer == state.active)
    )


def view(state: "SakkaraState", seat: int | None) -> View:
    """Build what a seat, a spectator (None) or, after the end, everybody may know."""
    over = state.phase == "game_over"
    places = ranks(state.scores()) if over else [None, None]
    return {
        "you": seat if seat is not None and seat >= 0 else None,
        "starter": state.starter,
        "open_holders": state.open_holders,
        "memory_stacks": state.memory_stacks,
        "phase": state.phase,
        "active": None if over else state.active,
        "board": _board(state, over or seat == OPEN),
        "workers": [spots[:] for spots in state.workers],
        "seats": [_seat(state, seat, other, places[other]) for other in (0, 1)],
        "turn": _turn(state),
        "returns": [NAMES[card] for card in state.returns],
        "used_fields": state.used_fields[:],
        "turn_number": state.turn_number,
        "stall": state.stall,
        "steps": _steps(state),
        "bars": _bars(state),
        "end_reason": state.end_reason or None,
        "ask": None if over else _ask(state),
        "duties": [] if over else _duties(state),
    }


def _board(state: "SakkaraState", all_open: bool) -> list[list[str | None]]:
    """Show the stacks bottom to top, None for what the viewer cannot know or must remember."""
    if all_open:
        return [[_ALL[card] for card in stack] for stack in state.board]
    if state.memory_stacks:
        return [
            [*[None] * (len(stack) - 1), *[_KNOWN[card] for card in stack[-1:]]]
            for stack in state.board
        ]
    return [[_KNOWN[card] for card in stack] for stack in state.board]


def _seat(state: "SakkaraState", viewer: int | None, seat: int, rank: int | None) -> dict[str, Any]:
    hand, shown = state.hands[seat], sees_hand(state, viewer, seat)
    pyramid = state.pyramids[seat]
    return {
        "hand": [NAMES[card] for card in hand] if shown else None,
        "uses": uses(state, seat) if shown else None,
        "hand_count": len(hand),
        "laid": ["ship"] * state.ships[seat] + ["grain"] * state.grain[seat],
        "pyramid": [name for name, count in zip(NAMES, pyramid, strict=True) for _ in range(count)],
        "tier": state.tier[seat],
        "score": sum(pyramid),
        "rank": rank,
    }


def _turn(state: "SakkaraState") -> dict[str, Any]:
    return {
        "moved": _course(state.moved),
        "line": _course(state.line),
        "horse_left": int(state.phase == "horse_step"),
        "tier_done": state.tier_done,
        "built": state.built_this_turn,
        "pile": [NAMES[card] for card in state.pile],
        "destroyed": [NAMES[card] for card in state.destroyed],
        "stolen": [NAMES[card] for card in state.stolen],
    }


def _course(course: list[int]) -> dict[str, Any] | None:
    return {"worker": course[0], "way": WAYS[course[1]]} if course else None


def _steps(state: "SakkaraState") -> list[dict[str, Any]]:
    """Tell for each field beside a worker that may move what bars the step, if anything."""
    if state.phase != "main" or state.moved:
        return []
    return [
        {
            "worker": worker,
            "way": WAYS[way],
            "field": NEXT[origin][way],
            "bar": offers.step_bar(state, origin, way),
        }
        for worker, origin in enumerate(state.workers[state.active])
        for way in range(len(WAYS))
        if NEXT[origin][way] != OFF
    ]


def _bars(state: "SakkaraState") -> dict[str, str]:
    """Tell of each field what bars a returned stack from it (§5.2)."""
    if state.phase != "place_returns":
        return {}
    bars = [(name, place_bar(state, state.active, spot)) for spot, name in enumerate(FIELDS)]
    return {name: bar for name, bar in bars if bar}


def _ask(state: "SakkaraState") -> str:
    """Name what the moment asks, as far as everybody may know."""
    if state.phase != "main":
        return f"ask_{state.phase}"
    if state.moved:
        return "ask_end"
    return "ask_move" if offers.can_step(state, state.active) else "ask_stuck"


def _duties(state: "SakkaraState") -> list[dict[str, Any]]:
    """List what the turn still owes: public, since hand counts are."""
    if state.phase == "setup_place":
        return []
    surplus = max(0, len(state.hands[state.active]) - HAND_LIMIT)
    placing = state.phase == "place_returns"
    move = not state.moved and (placing or offers.can_step(state, state.active))
    due = [
        {"key": "move", "open": move, "left": int(move)},
        {"key": "hand", "open": surplus > 0, "left": surplus},
    ]
    if state.returns:
        due.insert(0, {"key": "returns", "open": True, "left": len(state.returns)})
    return due


# --- other worlds ------------------------------------------------------------------------------


def deal_anew(state: "SakkaraState", seat: int, table: Table) -> None:
    """Deal in place all that the seat cannot know, or may well have forgotten."""
    if state.phase == "game_over":
        return
    stacks = [(stack, place) for stack in state.board for place in _unseen(stack)]
    cards = [stack[place] for stack, place in stacks]
    table.shuffle(cards)
    if not sees_hand(state, seat, 1 - seat):
        _misremember(state.hands[1 - seat], cards, table)
    for (stack, place), card in zip(stacks, cards, strict=True):
        stack[place] = card


def _unseen(stack: list[int]) -> list[int]:
    return [place for place, card in enumerate(stack) if card >= UNKNOWN]


def _misremember(hand: list[int], unseen: list[int], table: Table) -> None:
    """Take some cards of a hand for others that were never seen.

    Stairs are remembered: whether a horse can go on up a stack shows everybody who has one.
    """
    table.shuffle(hand)
    others = [place for place, card in enumerate(unseen) if card != STAIR + UNKNOWN]
    for place, card in enumerate(hand):
        if others and card != STAIR and not table.below(FORGETFUL):
            other = table.pick(others)
            hand[place], unseen[other] = unseen[other] - UNKNOWN, card + UNKNOWN
