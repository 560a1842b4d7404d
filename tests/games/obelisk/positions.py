"""Positions of Obelisk from the `given` of a vector (docs/rules/obelisk.md §9, defaults there).

Cards that a vector does not name are filled in with real ones that it names nowhere. Whatever is
not understood is reported as Wrong, never passed over.
"""

from collections.abc import Collection, Iterator
from typing import Any, TypeVar

from games.obelisk.components import (
    BUILDING,
    COLORS,
    NAMES,
    NO_CARD,
    NUMBER,
    SPOTS,
    VALUE,
)
from games.obelisk.components import COLOR as COLOR_OF
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import Obelisk, bare
from tests.vectors import Wrong

T = TypeVar("T")

DISPLAY = ["double_ended_2", "foundation_green", "foundation_yellow"]
DRAW = ["extra_move_2", "foundation_blue", "free_move_2"]

# §1 and §4.1 may be written with their groups or without.
GROUPS = ("match", "options", "quarry", "actions", "turn")
COUNTERS = ("takes_left", "built", "marketed", "bought", "free_move", "double_ended", "off_color")
FLAGS = ("market_waived", "must_buy", "pending_action")
OF_THE_TURN = (*COUNTERS, *FLAGS, "off_used", "direction")


def position(given: dict[str, Any], named: Collection[str]) -> ObeliskState:
    """Build the position; `named` are all cards the vector speaks of."""
    return _Builder(dict(given), named).build()


def known(mapping: Any, keys: Collection[str], where: str) -> dict[str, Any]:
    """Check that something is a mapping with these keys only."""
    if not isinstance(mapping, dict):
        raise Wrong(f"{where}: not a mapping but {mapping!r}")
    for key in mapping:
        if key not in keys:
            raise Wrong(f"{where}: unknown key {key!r}")
    return mapping


def one_of(value: Any, values: Collection[T], where: str) -> T:
    """Check a value; a truth is no number."""
    for one in values:
        if type(value) is type(one) and value == one:
            return one
    raise Wrong(f"{where}: cannot be {value!r}")


def count(value: Any, where: str) -> int:
    if type(value) is not int or value < 0:
        raise Wrong(f"{where}: not a number but {value!r}")
    return value


def listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Wrong(f"{where}: not a list but {value!r}")
    return value


def numbered(value: Any, size: int, where: str) -> dict[int, Any]:
    """Check a mapping by seat or spot; a list names all of them in order."""
    if isinstance(value, list):
        if len(value) != size:
            raise Wrong(f"{where}: needs {size} entries")
        return dict(enumerate(value))
    if not isinstance(value, dict):
        raise Wrong(f"{where}: not a mapping but {value!r}")
    return {one_of(index(key), range(size), where): own for key, own in value.items()}


def index(key: Any) -> Any:
    """Numbers are texts where they are keys of JSON."""
    return int(key) if isinstance(key, str) and key.isdecimal() else key


def card(name: Any, where: str) -> int:
    if not isinstance(name, str) or name not in NUMBER:
        raise Wrong(f"{where}: there is no card {name!r}")
    return NUMBER[name]


def _written(one: Any, where: str) -> Any:
    """Write a card of an obelisk in short: {card: RJ, value: 3} is RJ=3."""
    if not isinstance(one, dict):
        return one
    known(one, ("card", "value"), where)
    return f"{one.get('card')}={one['value']}" if "value" in one else one.get("card")


def ungrouped(given: dict[str, Any]) -> dict[str, Any]:
    """Lift the groups of §4.1 out: quarry.overseer is the same as overseer."""
    flat = {key: value for key, value in given.items() if key not in GROUPS}
    for group in GROUPS:
        for key, value in known(given.get(group) or {}, _FIELDS, group).items():
            if key in flat:
                raise Wrong(f"given: {key!r} twice")
            flat[key] = value
    return flat


class _Builder:
    def __init__(self, given: dict[str, Any], named: Collection[str]) -> None:
        self.given = known(ungrouped(given), _FIELDS, "given")
        self.players = one_of(self.given.get("players", 3), range(2, 6), "players")
        self.state = ObeliskState.laid_out(self.players)
        self.fillers = self._unnamed(named)

    def _unnamed(self, named: Collection[str]) -> Iterator[int]:
        """Offer cards for the unnamed places, jokers last."""
        unnamed = [number for number in range(BUILDING) if NAMES[number] not in named]
        yield from sorted(unnamed, key=lambda number: (not VALUE[number], number))
        raise Wrong("given: there are not so many unnamed cards")

    def build(self) -> ObeliskState:
        given, state = self.given, self.state
        state.expert = one_of(given.get("expert", False), (False, True), "expert")
        state.first_seat = one_of(given.get("first_seat", 0), range(self.players), "first_seat")
        state.active = one_of(given.get("active", 0), range(self.players), "active")
        phases = ("turn", "over", "setup_market")
        state.phase = one_of(given.get("phase", "turn"), phases, "phase")
        for seat, own in numbered(given.get("seats", {}), self.players, "seats").items():
            self._seat(seat, own)
        self._by_seat()
        if state.phase == "setup_market":
            self._setup()
            return state
        self._last_round()
        self._quarry()
        state.display = self._display(given.get("display", DISPLAY))
        state.draw = self._actions(given.get("draw", DRAW), "draw")
        state.discard = self._actions(given.get("discard", []), "discard")
        state.begin_turn(state.active)
        self._turn({key: given[key] for key in OF_THE_TURN if key in given})
        return state

    def _cards(self, names: Any, where: str) -> list[int]:
        """Read the cards of one place; in two places one card may lie (invariants 1-2: §9)."""
        cards = [card(name, where) for name in listed(names, where)]
        for number in cards:
            if cards.count(number) > 1:
                raise Wrong(f"{where}: {NAMES[number]} stands there twice")
        return cards

    def _buildings(self, names: Any, where: str) -> list[int]:
        cards = self._cards(names, where)
        if any(number >= BUILDING for number in cards):
            raise Wrong(f"{where}: only building cards lie there")
        return cards

    def _actions(self, names: Any, where: str) -> list[int]:
        cards = self._cards(names, where)
        if any(number < BUILDING for number in cards):
            raise Wrong(f"{where}: only action cards lie there")
        return cards

    def _display(self, names: Any) -> list[int]:
        if len(listed(names, "display")) != 3:
            raise Wrong("display: needs three slots")
        return [NO_CARD if name is None else self._actions([name], "display")[0] for name in names]

    def _seat(self, seat: int, own: Any) -> None:
        where = f"seats.{seat}"
        fields = ("hand", "market", "actions", "camels", "obelisks", "setup_choice")
        own = {} if own is None else own
        if isinstance(own, dict) and "depot" in own and "hand" not in own:  # two names, one field
            own = {"hand" if key == "depot" else key: value for key, value in own.items()}
        for key, value in known(own, fields, where).items():
            self._zone(seat, key, value, f"{where}.{key}")

    def _by_seat(self) -> None:
        """Accept what belongs to a seat for all seats together as well."""
        zones = {"hands": "hand", "markets": "market", "camels": "camels", "obelisks": "obelisks"}
        for key, zone in zones.items():
            for seat, value in numbered(self.given.get(key, {}), self.players, key).items():
                self._zone(seat, zone, value, f"{key}.{seat}")

    def _zone(self, seat: int, zone: str, value: Any, where: str) -> None:
        state = self.state
        if zone == "hand":
            state.hands[seat] = self._buildings(value, where)
        elif zone == "market":
            state.markets[seat] = self._cards(value, where)
        elif zone == "actions":
            state.actions[seat] = self._actions(value, where)
        elif zone == "camels":
            state.camels[seat] = count(value, where)
        elif zone == "obelisks":
            state.obelisks[seat] = [
                self._obelisk(one, f"{where}.{number}")
                for number, one in enumerate(listed(value, where))
            ]
        elif value is not None:
            state.choices[seat] = [card(name, where) for name in listed(value, where)]

    def _obelisk(self, given: Any, where: str) -> Obelisk:
        known(given, ("id", "base", "foundation", "face_down", "cards", "color"), where)
        base = given.get("base", given.get("foundation", "down"))
        foundation = next(self.fillers) if base == "down" else card(base, where)
        down = foundation < BUILDING
        one_of(given.get("face_down", down), (down,), f"{where}: face_down")
        obelisk = bare(foundation)
        written = [_written(one, where) for one in listed(given.get("cards", []), where)]
        cards = self._cards([str(one).partition("=")[0] for one in written], where)
        if not cards:
            return obelisk
        color = given.get("color") or COLORS[COLOR_OF[cards[0]]]
        obelisk[1] = COLORS.index(one_of(color, COLORS, f"{where}.color"))
        obelisk[2] = self._top(written, cards, where)
        return obelisk + cards

    def _top(self, written: list[Any], cards: list[int], where: str) -> int:
        """Find the top value; a joker without one has the value that fits."""
        tops = set()
        for above, (one, number) in enumerate(zip(reversed(written), reversed(cards), strict=True)):
            declared = str(one).partition("=")[2]
            value = VALUE[number] or (int(declared) if declared in tuple("12345") else 0)
            if declared and str(value) != declared:
                raise Wrong(f"{where}: {one} cannot be")
            if value:
                tops.add(value - above)
        if len(tops) != 1 or not 1 <= min(tops) <= 6 - len(cards):
            raise Wrong(f"{where}: the values of {written} do not fall one by one")
        return tops.pop()

    def _setup(self) -> None:
        """Deal a full hand to every seat the vector says nothing about."""
        if self.players == 2:
            raise Wrong("given: two players have no market to choose")
        for seat, hand in enumerate(self.state.hands):
            if not hand:
                self.state.hands[seat] = [next(self.fillers) for _ in range(7)]

    def _last_round(self) -> None:
        state, rounds = self.state, ("none", "trigger", "limited", "full")
        state.last_round = one_of(self.given.get("last_round", "none"), rounds, "last_round")
        default = self.players - 1 if state.last_round == "trigger" else 0
        left = count(self.given.get("final_turns_left", default), "final_turns_left")
        state.final_turns_left = left

    def _quarry(self) -> None:
        given, state = self.given, self.state
        state.overseer = one_of(given.get("overseer", 0), range(SPOTS), "overseer")
        stated = numbered(given.get("piles", {}), SPOTS, "piles")
        for spot in sorted(range(SPOTS), key=lambda spot: spot not in stated):
            state.piles[spot] = self._pile(stated.get(spot, 5), f"piles.{spot}")
        for spot, camels in numbered(given.get("pile_camels", {}), SPOTS, "pile_camels").items():
            state.pile_camels[spot] = count(camels, f"pile_camels.{spot}")

    def _pile(self, given: Any, where: str) -> list[int]:
        parts = [given] if type(given) is int else listed(given, where)
        named = iter(self._buildings([part for part in parts if type(part) is not int], where))
        pile: list[int] = []
        for part in parts:
            if type(part) is int:
                pile += [next(self.fillers) for _ in range(count(part, where))]
            else:
                pile.append(next(named))
        return pile

    def _turn(self, turn: dict[str, Any]) -> None:
        state = self.state
        for key, value in turn.items():
            where = f"turn.{key}"
            if key in COUNTERS:
                setattr(state, key, count(value, where))
            elif key in FLAGS:
                setattr(state, key, one_of(value, (False, True), where))
            elif key == "direction":
                state.direction = one_of("" if value is None else value, ("", "cw", "ccw"), where)
            else:
                used = numbered(value, len(state.obelisks[state.active]), where)
                state.off_used = [
                    number for number, times in used.items() for _ in range(count(times, where))
                ]


_FIELDS = (
    "players",
    "expert",
    "first_seat",
    "phase",
    "active",
    "last_round",
    "final_turns_left",
    "overseer",
    "piles",
    "pile_camels",
    "draw",
    "display",
    "discard",
    "seats",
    "hands",
    "markets",
    "obelisks",
    "camels",
    *OF_THE_TURN,
)
