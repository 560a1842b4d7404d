"""What a position is, in the words of the vectors of Sakkara (docs/rules/sakkara.md §4, §9)."""

from typing import Any

from games.engine.session import Session
from games.sakkara.components import (
    BUILDINGS,
    FIELDS,
    GRAIN,
    NAMES,
    SHIP,
    UNKNOWN,
    WAYS,
)
from games.sakkara.rules import SakkaraState
from tests.games.sakkara.positions import SEATS, by_seat, known, listed
from tests.vectors import Wrong

VIEWERS = {"W": 0, "B": 1, "spectator": None}


def facts(state: SakkaraState) -> dict[str, Any]:
    """What can be read from a position, but for board, hands and what is seen of them."""
    over = state.phase == "game_over"
    winner = state.winner()
    return {
        "phase": state.phase,
        "active": SEATS[state.active],
        "workers": _by_seat([[FIELDS[spot] for spot in own] for own in state.workers]),
        "laid": _by_seat(
            [{"ship": s, "grain": g} for s, g in zip(state.ships, state.grain, strict=True)]
        ),
        "pyramid": _by_seat(
            [{NAMES[card]: own[card] for card in BUILDINGS} for own in state.pyramids]
        ),
        "tier": _by_seat(state.tier),
        "hand_count": _by_seat([len(hand) for hand in state.hands]),
        "moved": _course(state.moved),
        "line": _course(state.line),
        "horse_left": int(state.phase == "horse_step"),
        "tier_done": state.tier_done,
        "built_this_turn": state.built_this_turn,
        "pile": _names(state.pile),
        "returns": _names(state.returns),
        "destroyed": {
            "grain": state.destroyed.count(GRAIN),
            "ship": state.destroyed.count(SHIP),
        },
        "used_fields": [FIELDS[spot] for spot in state.used_fields],
        "turn_number": state.turn_number,
        "stall": state.stall,
        "winner": ("draw" if winner < 0 else SEATS[winner]) if over else None,
        "reason": state.end_reason or None,
        "open_holders": state.open_holders,
        "memory_stacks": state.memory_stacks,
    }


def _by_seat(values: list[Any]) -> dict[str, Any]:
    return dict(zip(SEATS, values, strict=True))


def _names(cards: list[int]) -> list[str]:
    return [NAMES[card] for card in cards]


def _course(course: list[int]) -> dict[str, Any] | None:
    return {"worker": course[0], "dir": WAYS[course[1]]} if course else None


def expect_facts(session: Session, expect: dict[str, Any], *, revealed: bool) -> None:
    """Compare a position with what a vector says of it; raise Wrong at the first difference."""
    state = session.state
    assert isinstance(state, SakkaraState)
    found = facts(state) | {"reveals": revealed}
    for key, expected in expect.items():
        if key == "board":
            _expect_board(state, expected)
        elif key == "hand":
            _expect_hands(state, expected)
        elif key == "sees_hand":
            _expect_sight(state, expected)
        elif key in found:
            _compare(key, found[key], expected)
        else:
            raise Wrong(f"expect: unknown key {key!r}")


def _compare(where: str, found: Any, expected: Any) -> None:
    """Of a mapping only what the vector names is compared; an empty one says that nothing is."""
    if isinstance(found, dict) and expected == {} and any(found.values()):
        raise Wrong(f"{where} is {found!r}, not empty")
    if isinstance(found, dict) and isinstance(expected, dict):
        for key, item in expected.items():
            if key not in found:
                raise Wrong(f"{where}: {key!r} is not known")
            _compare(f"{where}[{key}]", found[key], item)
    elif found != expected or type(found) is not type(expected):
        raise Wrong(f"{where} is {found!r}, not {expected!r}")


def _expect_board(state: SakkaraState, expected: Any) -> None:
    """A ? in the expectation means that nobody knows the card yet; without one it is not asked."""
    for name, cards in known(expected, FIELDS, "board").items():
        where = f"board[{name}]"
        stack = state.board[FIELDS.index(name)]
        asked = [str(card).startswith("?") for card in listed(cards, where)]
        found = [
            "?" * (hidden and card >= UNKNOWN) + NAMES[card % UNKNOWN]
            for card, hidden in zip(stack, [*asked, *[False] * len(stack)], strict=False)
        ]
        _compare(where, found, cards)


def _expect_hands(state: SakkaraState, expected: Any) -> None:
    """Hands are compared as multisets; a number says only how many cards."""
    for seat, cards in by_seat(expected, "hand").items():
        where, hand = f"hand[{SEATS[seat]}]", state.hands[seat]
        if type(cards) is int:
            _compare(where, len(hand), cards)
        else:
            _compare(where, sorted(_names(hand)), sorted(listed(cards, where)))


def _expect_sight(state: SakkaraState, expected: Any) -> None:
    """Whose hands a viewer sees, as the views say."""
    for viewer, seats in known(expected, VIEWERS, "sees_hand").items():
        shown = state.view(VIEWERS[viewer])["seats"]
        found = [SEATS[seat] for seat, own in enumerate(shown) if own["hand"] is not None]
        where = f"sees_hand[{viewer}]"
        _compare(where, sorted(found), sorted(listed(seats, where)))
