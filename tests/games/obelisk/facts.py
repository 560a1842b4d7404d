"""The facts of a position of Obelisk that a vector may expect (docs/rules/obelisk.md §9).

A fact is read from the position, by seat, spot or obelisk where there are several. Left without
its number it is compared for all of them. An expectation that is not known here is Wrong.
"""

import re
from collections.abc import Callable
from typing import Any

from games.engine.session import Session, ranks
from games.obelisk.components import BUILDING, COLORS, NAMES, SPOTS, VALUE
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import CARDS, FOUNDATION, HUE, TOP, values
from tests.games.obelisk.positions import listed
from tests.vectors import Wrong

Fact = Callable[..., Any]


def _cards_of(numbers: list[int]) -> list[str | None]:
    return [NAMES[number] if number >= 0 else None for number in numbers]


def _stack(state: ObeliskState, seat: int, number: int) -> list[str]:
    """Write the cards of an obelisk bottom to top, jokers with their value."""
    obelisk = state.obelisks[seat][number]
    return [
        NAMES[one] if VALUE[one] else f"{NAMES[one]}={value}"
        for one, value in zip(obelisk[CARDS:], values(obelisk), strict=True)
    ]


def _base(state: ObeliskState, seat: int, number: int) -> str:
    foundation = state.obelisks[seat][number][FOUNDATION]
    return "down" if foundation < BUILDING else NAMES[foundation]


def _color(state: ObeliskState, seat: int, number: int) -> str | None:
    obelisk = state.obelisks[seat][number]
    return COLORS[obelisk[HUE]] if obelisk[TOP] else None


def _winners(state: ObeliskState) -> list[int]:
    return [seat for seat, place in enumerate(ranks(state.scores())) if place == 1]


def _winner(state: ObeliskState) -> int | None:
    first, *others = _winners(state)
    return None if others else first


def _seats(state: ObeliskState, *_: int) -> int:
    return state.players


def _spots(state: ObeliskState, *_: int) -> int:
    return SPOTS


def _obelisks(state: ObeliskState, *place: int) -> int:
    return len(state.obelisks[place[0] if place else state.active])


# Each fact with its axes: how many seats, spots or obelisks it is told for.
FACTS: dict[str, tuple[Fact, tuple[Callable[..., int], ...]]] = {
    "hand": (lambda state, seat: _cards_of(state.hands[seat]), (_seats,)),
    "hand_count": (lambda state, seat: len(state.hands[seat]), (_seats,)),
    "market": (lambda state, seat: _cards_of(state.markets[seat]), (_seats,)),
    "market_count": (lambda state, seat: len(state.markets[seat]), (_seats,)),
    "actions": (lambda state, seat: _cards_of(state.actions[seat]), (_seats,)),
    "actions_count": (lambda state, seat: len(state.actions[seat]), (_seats,)),
    "camels": (lambda state, seat: state.camels[seat], (_seats,)),
    "obelisk_count": (lambda state, seat: len(state.obelisks[seat]), (_seats,)),
    "scores": (lambda state, seat: state.scores()[seat][0], (_seats,)),
    "ranks": (lambda state, seat: ranks(state.scores())[seat], (_seats,)),
    "chosen": (lambda state, seat: bool(state.choices[seat]), (_seats,)),
    "setup_choice": (lambda state, seat: _cards_of(state.choices[seat]) or None, (_seats,)),
    "obelisk": (_stack, (_seats, _obelisks)),
    "obelisk_color": (_color, (_seats, _obelisks)),
    "finished": (lambda state, seat, o: state.obelisks[seat][o][TOP] == 1, (_seats, _obelisks)),
    "base": (_base, (_seats, _obelisks)),
    "foundation": (
        lambda state, seat, o: NAMES[state.obelisks[seat][o][FOUNDATION]],
        (_seats, _obelisks),
    ),
    "face_down": (
        lambda state, seat, o: state.obelisks[seat][o][FOUNDATION] < BUILDING,
        (_seats, _obelisks),
    ),
    "points": (lambda state, seat, o: state.breakdown()[seat][o], (_seats, _obelisks)),
    "off_used": (lambda state, o: state.off_used.count(o), (_obelisks,)),
    "piles": (lambda state, spot: _cards_of(state.piles[spot]), (_spots,)),
    "pile_count": (lambda state, spot: len(state.piles[spot]), (_spots,)),
    "pile_camels": (lambda state, spot: state.pile_camels[spot], (_spots,)),
    "tops": (lambda state, spot: (_cards_of(state.piles[spot]) or [None])[-1], (_spots,)),
    "overseer": (lambda state: state.overseer, ()),
    "adjacent": (lambda state: state.neighbours(), ()),
    "empty_piles": (lambda state: state.piles.count([]), ()),
    "quarry_count": (lambda state: sum(map(len, state.piles)), ()),
    "display": (lambda state: _cards_of(state.display), ()),
    "display_count": (lambda state: sum(one >= 0 for one in state.display), ()),
    "draw": (lambda state: _cards_of(state.draw), ()),
    "draw_count": (lambda state: len(state.draw), ()),
    "discard": (lambda state: _cards_of(state.discard), ()),
    "discard_count": (lambda state: len(state.discard), ()),
    "action_total": (
        lambda state: sum(
            number >= BUILDING
            for zone in (
                state.draw,
                state.display,
                state.discard,
                *state.actions,
                *state.markets,
                [one[FOUNDATION] for own in state.obelisks for one in own],
            )
            for number in zone
        ),
        (),
    ),
    "winners": (_winners, ()),
    "winner": (_winner, ()),
    "game_over": (lambda state: state.phase == "over", ()),
    "to_act": (lambda state: state.to_act(), ()),
    "direction": (lambda state: state.direction or None, ()),
    "mode": (lambda state: "duel" if state.players == 2 else "market", ()),
    **{
        name: (lambda state, name=name: getattr(state, name), ())
        for name in (
            *("players", "expert", "first_seat", "phase", "active"),
            *("last_round", "final_turns_left", "takes_left", "built", "marketed"),
            *("market_waived", "bought", "must_buy", "free_move", "double_ended", "off_color"),
            "pending_action",
        )
    },
}
ALIASES = {
    "score": "scores",
    "rank": "ranks",
    "color": "obelisk_color",
    "obelisks": "obelisk",
    "depot": "hand",
    "depot_count": "hand_count",
    "action_count": "actions_count",
    "pile": "piles",
    "pile_size": "pile_count",
    "pile_sizes": "pile_count",
    "top": "tops",
}
UNORDERED = {"hand", "market", "actions", "discard", "adjacent", "winners", "setup_choice"}
PARTS = {  # of an obelisk, named as in §4.1
    "cards": "obelisk",
    "base": "base",
    "foundation": "foundation",
    "face_down": "face_down",
    "color": "obelisk_color",
    "finished": "finished",
    "points": "points",
}
COUNTED = {"hand", "market", "actions", "discard", "draw", "piles", "obelisk", "display"}
PREFIXES = ("turn.", "effects.", "quarry.", "match.")
DECK = ("actions.draw", "actions.display", "actions.discard")


def expect_facts(session: Session, expect: Any, where: str = "") -> None:
    """Compare every expected fact with the position."""
    if not isinstance(expect, dict):
        raise Wrong(f"{where}expect: not a mapping but {expect!r}")
    state: ObeliskState = session.state  # type: ignore[assignment]
    for key, expected in _flat(expect):
        if key == "undoable":
            compare(where + key, bool(session.drafts), expected)
        elif key == "overseer_in":
            if state.overseer not in listed(expected, key):
                raise Wrong(f"{where}{key}: {state.overseer} is not in {expected}")
        else:
            name, *place = key.split(".")
            name = ALIASES.get(name, name)
            if name == "obelisk" and len(place) == 3 and place[-1] in PARTS:
                name = PARTS[place.pop()]
            _fact(state, name, place, expected, where + key)


def _flat(expect: dict[Any, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Write nested expectations flat: hand: {0: ...} is hand.0, seats.0.hand is hand.0 too."""
    flat: list[tuple[str, Any]] = []
    for part, expected in expect.items():
        key = f"{prefix}{part}"
        for group in PREFIXES:
            key = key.removeprefix(group)
        if key.startswith(DECK):
            key = key.removeprefix("actions.")
        if by_seat := re.fullmatch(r"seats?\.(\d+)\.(\w+)(.*)", key):
            key = f"{by_seat[2]}.{by_seat[1]}{by_seat[3]}"
        if key == "off_used" and isinstance(expected, dict):
            flat.append((key, expected))
        elif isinstance(expected, dict) and expected:
            flat += _flat(expected, f"{key}.")
        elif isinstance(expected, list) and any(isinstance(one, dict) for one in expected):
            flat.append((_counted(key), len(expected)))
            flat += _flat(dict(enumerate(expected)), f"{key}.")
        else:
            flat.append((key, expected))
    return flat


def _counted(key: str) -> str:
    """Say how to ask for the number of things that were described one by one."""
    name, *place = key.split(".")
    return ".".join([f"{ALIASES.get(name, name)}_count", *place])


def _fact(state: ObeliskState, name: str, place: list[str], expected: Any, where: str) -> None:
    if name not in FACTS:
        raise Wrong(f"unknown expectation {where!r}")
    _, axes = FACTS[name]
    if name == "off_used" and isinstance(expected, dict):
        used = {number: state.off_used.count(number) for number in state.off_used}
        compare(where, used, {number: times for number, times in expected.items() if times})
        return
    if len(place) > len(axes):
        raise Wrong(f"unknown expectation {where!r}")
    fixed: list[int] = []
    for part, axis in zip(place, axes, strict=False):
        if not part.isdecimal() or int(part) >= axis(state, *fixed):
            raise Wrong(f"{where}: there is no number {part}")
        fixed.append(int(part))
    _spread(state, name, fixed, expected, where)


def _spread(state: ObeliskState, name: str, fixed: list[int], expected: Any, where: str) -> None:
    """Compare a fact; left without a seat or spot it is told for all of them."""
    fact, axes = FACTS[name]
    if len(fixed) == len(axes):
        actual = fact(state, *fixed)
        if name in COUNTED and type(expected) is int:
            actual = sum(one is not None for one in actual)
        compare(where, actual, expected, unordered=name in UNORDERED)
        return
    size = axes[len(fixed)](state, *fixed)
    parts = expected if isinstance(expected, list) else [expected] * size
    if len(parts) != size:
        raise Wrong(f"{where}: {size} values, not {len(parts)}")
    for number, part in enumerate(parts):
        _spread(state, name, [*fixed, number], part, f"{where}.{number}")


def compare(where: str, actual: Any, expected: Any, *, unordered: bool = False) -> None:
    """Compare exactly: a truth is no number; only the order may be left open."""
    if unordered and isinstance(actual, list) and isinstance(expected, list):
        same = sorted(map(repr, actual)) == sorted(map(repr, expected))
    else:
        same = repr(actual) == repr(expected)
    if not same:
        raise Wrong(f"{where}: {_shown(actual)}, not {_shown(expected)}")


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return {"None": "null", "True": "true", "False": "false"}.get(repr(value), str(value))
