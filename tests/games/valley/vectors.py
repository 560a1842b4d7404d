"""What the vectors of Valley of the Kings mean (docs/rules/valley.md §9), for `tests.vectors`.

A vector is played through a real Session; nothing of the rules is repeated here. An action is
written as the engine's move, an expectation names a fact that is read from the position.
"""

import json
from copy import deepcopy
from typing import Any

from games.engine.contract import Move, Refused
from games.engine.session import Session
from games.engine.table import Line
from games.valley.components import ADJOINING, KINDS, LARGE, NODE, SMALL, cost
from games.valley.rules import CLOSING, ValleyState
from games.valley.scoring import outlook
from tests.games.valley.facts import expect, same, viewer_of
from tests.games.valley.positions import (
    OPTIONS,
    listed,
    mapping,
    node_of,
    number_key,
    one_of,
    position,
    row_of,
    seat_of,
)
from tests.vectors import Wrong

PARAMETERS = {  # of every action, in the order of the engine's atoms
    "bid_place": ("tablet", "group"),
    "bid_confirm": (),
    "overseer_move": ("overseer", "to"),
    "overseers_confirm": (),
    "overseers_reopen": (),
    "worker_move": ("worker", "to"),
    "workers_end": (),
    "steal_block": ("site", "level", "cell"),
    "steal_end": (),
    "take_over": ("site",),
    "takeover_end": (),
    "build_block": ("site", "level", "cell", "color"),
    "build_end": (),
}
REOPEN: Move = ("overseers_reopen",)
QUESTIONS = {  # and what may stand beside them
    "cost": set[str](),
    "adjoining": set[str](),
    "pyramid": {"options"},
    "setup": set[str](),
    "do": {"given", "variant", "same_view", "other_view"},
}
SEEDS = ("1", "2", "3", "4", "5")


def run(vector: dict[str, Any]) -> None:
    """Run one vector; raise Wrong if the engine does not do what it says."""
    asked = [question for question in QUESTIONS if question in vector]
    if len(asked) != 1:
        raise Wrong(f"one question is needed, not {len(asked)}")
    question = asked[0]
    strange = set(vector) - {"id", "rule", "expect", question, *QUESTIONS[question]}
    if strange:
        raise Wrong(f"unknown key {sorted(strange)[0]!r}")
    if question == "do":
        _run_actions(vector)
    elif "expect" not in vector:
        raise Wrong("expect is missing")
    elif question == "pyramid":
        _run_pyramid(vector)
    elif question == "setup":
        _run_setup(vector["setup"], mapping(vector["expect"], "expect"))
    else:
        _run_map(question, vector[question], vector["expect"])


# --- questions without actions ------------------------------------------------------------------


def _run_map(question: str, about: Any, expected: Any) -> None:
    if question == "adjoining":
        return same(ADJOINING[node_of(about, question)], expected, question)
    ends = [node_of(node, question) for node in listed(about, question)]
    if len(ends) != 2:
        raise Wrong("cost: two places are needed")
    return same(cost(*ends), expected, question)


def _run_pyramid(vector: dict[str, Any]) -> None:
    levels = listed(vector["pyramid"], "pyramid")
    shapes = {len(shape.levels): shape for shape in (SMALL, LARGE)}
    if len(levels) not in shapes:
        raise Wrong(f"pyramid: {len(levels)} levels")
    shape = shapes[len(levels)]
    row = row_of({SMALL: 1, LARGE: 2}[shape], levels, "pyramid")
    if len(row) - row.count(-1) != shape.blocks:
        raise Wrong("pyramid: it is not finished")
    options = [one_of(option, OPTIONS, "options") for option in vector.get("options", [])]
    kind, worth = outlook(shape, row, OPTIONS[1] in options)
    same({"kind": KINDS[kind], "points": worth}, vector["expect"], "pyramid")


def _run_setup(setup: Any, expected: dict[str, Any]) -> None:
    chosen = mapping(setup, "setup")
    if not {"players"} <= set(chosen) <= {"players", "options"}:
        raise Wrong("setup: players and options are needed, and nothing else")
    players = one_of(chosen["players"], (2, 3, 4), "setup: players")
    on = [one_of(option, OPTIONS, "setup") for option in listed(chosen.get("options", []), "setup")]
    options = {option: int(option in on) for option in OPTIONS}
    for seed in SEEDS:
        session, lines = Session.start(ValleyState, seed, players, options)
        play = Play(session)
        play.said.append((None, lines))
        play.expect(expected, f"expect (seed {seed})")


# --- actions ------------------------------------------------------------------------------------


class Play:
    """A match in progress, with what was said at each move that still stands."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.said: list[tuple[int | None, list[Line]]] = []

    @property
    def state(self) -> ValleyState:
        assert isinstance(self.session.state, ValleyState)
        return self.session.state

    @classmethod
    def given(cls, given: dict[str, Any]) -> "Play":
        """Orders that were confirmed before are drafts: they can be reopened."""
        state = position(given)
        ready = [
            seat for seat in range(state.players) if state.ready[seat] and not state.left[seat]
        ]
        for seat in ready:
            state.ready[seat] = False
        if state.phase == "overseers_secret" and ready == state.to_act():
            raise Wrong("given: all have confirmed")
        play = cls(Session(ValleyState, "vector", state.dump(), 1))
        for seat in ready:
            play.act(seat, ("overseers_confirm",))
        return play

    def act(self, seat: int, move: Move) -> None:
        self.said.append((seat, self.session.play(seat, move)))

    def take_back(self, seat: int) -> None:
        self.session.undo(seat)
        last = max(place for place, (who, _lines) in enumerate(self.said) if who == seat)
        del self.said[last]

    def undo(self, seat: int) -> None:
        """Only draft steps are taken back; who has confirmed reopens first (§5.1)."""
        if seat not in self.state.to_act():
            raise Refused("nothing_to_undo")
        self.take_back(seat)

    def reopen(self, seat: int) -> None:
        if not self.can_reopen(seat):
            raise self.state.why_not(seat, REOPEN)
        self.take_back(seat)

    def can_reopen(self, seat: int) -> bool:
        return (seat, ("overseers_confirm",)) in self.session.drafts

    def time_out(self, seat: int) -> None:
        if seat not in self.state.to_act():
            raise Refused("not_your_turn" if self.state.to_act() else "game_over")
        move: Move = ("",)
        while move[0] not in CLOSING:
            move = self.state.idle(seat)
            self.act(seat, move)

    def payload(self, viewer: int | None) -> str:
        """All that reaches a viewer: what it sees, hears and may do."""
        heard = [line for _who, lines in self.said for line in lines if line.to in (None, viewer)]
        legal = [] if viewer is None else self.state.legal(viewer)
        return json.dumps([self.state.view(viewer), heard, legal, self.state.to_act()])

    # --- steps ------------------------------------------------------------------------------

    def step(self, step: Any, where: str) -> None:
        action = dict(mapping(step, where))
        if "check" in action:
            if set(action) != {"check"}:
                raise Wrong(f"{where}: a check stands alone")
            return self.expect(mapping(action["check"], where), f"{where}: check")
        for who in self._seats(action, where):
            self._try(who, dict(action), f"{where} (seat {who}, {action['type']})")
        return None

    def _seats(self, action: dict[str, Any], where: str) -> list[int]:
        """Take the seats off an action: one, or a list of them."""
        if "seat" not in action or "type" not in action:
            raise Wrong(f"{where}: seat and type are needed")
        seats = action.pop("seat")
        if seats == []:
            raise Wrong(f"{where}: by no seat at all")
        return [
            seat_of(seat, self.state.players, where)
            for seat in (seats if isinstance(seats, list) else [seats])
        ]

    def _try(self, seat: int, action: dict[str, Any], where: str) -> None:
        """Take one action; a refusal that was expected must change nothing."""
        expected = action.pop("error", None)
        before = self.state.dump(), self.session.epoch, self.session.drafts[:]
        try:
            self._do(seat, action, where)
        except Refused as refused:
            _compare_refusal(refused, expected, where)
            if (self.state.dump(), self.session.epoch, self.session.drafts) != before:
                raise Wrong(f"{where}: refused, but the position changed") from None
        else:
            if expected is not None:
                raise Wrong(f"{where}: accepted, not refused with {expected}")

    def _do(self, seat: int, action: dict[str, Any], where: str) -> None:
        kind = action.pop("type")
        if kind in ("undo", "timeout"):
            if action:
                raise Wrong(f"{where}: unknown key {sorted(action)[0]!r}")
            return self.undo(seat) if kind == "undo" else self.time_out(seat)
        move = _move(kind, action)
        return self.reopen(seat) if move == REOPEN else self.act(seat, move)

    # --- expectations -----------------------------------------------------------------------

    def expect(self, expected: dict[str, Any], where: str) -> None:
        rest = dict(expected)
        for key, wanted in (("legal_has", True), ("legal_lacks", False)):
            for item in listed(rest.pop(key, []), f"{where}: {key}"):
                self._expect_legal(item, wanted, f"{where}: {key}")
        for key, types in mapping(rest.pop("legal_types", {}), where).items():
            seat = seat_of(key, self.state.players, where)
            named = sorted(map(str, listed(types, where)))
            same(sorted(self._types(seat)), named, f"{where}: legal_types[{seat}]")
        expect(self.state, rest, where)

    def _types(self, seat: int) -> set[Any]:
        reopen = {REOPEN[0]} if self.can_reopen(seat) else set()
        return {move[0] for move in self.state.legal(seat)} | reopen

    def _expect_legal(self, item: Any, wanted: bool, where: str) -> None:
        """Try the action on a copy: it would be accepted, or refused."""
        action = dict(mapping(item, where))
        for seat in self._seats(action, where):
            try:
                deepcopy(self)._do(seat, dict(action), where)
            except Refused as refused:
                if refused.key == "bad_move":
                    raise Wrong(f"{where}: {item!r} is no action") from None
                legal = False
            else:
                legal = True
            if legal != wanted:
                raise Wrong(f"{where}: {item!r} is {'legal' if legal else 'not legal'}")


def _move(kind: Any, parameters: dict[str, Any]) -> Move:
    """Write an action as a move; what is missing or of a strange kind becomes an empty atom."""
    if not isinstance(kind, str) or kind not in PARAMETERS:
        raise Refused("bad_move")  # no action of this game: there is no move to be tried
    named = PARAMETERS[kind]
    extra = [value for key, value in parameters.items() if key not in named]
    atoms = [parameters.get(name) for name in named] + extra
    move = (kind, *(atom if type(atom) in (int, str) else None for atom in atoms))
    if "to" in named and number_key(move[2]) in NODE:
        return (*move[:2], number_key(move[2]), *move[3:])
    return move


def _compare_refusal(refused: Refused, expected: Any, where: str) -> None:
    code = f"E_{refused.key.upper()}"
    found = {"code": code} | refused.params
    wanted = dict(expected) if isinstance(expected, dict) else {"code": expected}
    if {key: found.get(key) for key in wanted} != wanted:
        shown = f", not with {expected}" if expected else ""
        raise Wrong(f"{where}: refused with {code} {refused.params or ''}{shown}") from None


def _run_actions(vector: dict[str, Any]) -> None:
    given = mapping(vector.get("given"), "given")
    play = _played(given, listed(vector["do"], "do"), "step")
    play.expect(mapping(vector.get("expect", {}), "expect"), "expect")
    sights = {key: listed(vector.get(key, []), key) for key in ("same_view", "other_view")}
    if "variant" not in vector:
        if any(sights.values()):
            raise Wrong("same_view and other_view need a variant")
        _must_ask(vector)
        return
    if not any(sights.values()):
        raise Wrong("a variant needs same_view or other_view")
    other = _played(given, listed(vector["variant"], "variant"), "variant step")
    for key, viewers in sights.items():
        for viewer in viewers:
            who = viewer_of(play.state, viewer, key)
            if (play.payload(who) == other.payload(who)) != (key == "same_view"):
                differ = "differ" if key == "same_view" else "are the same"
                raise Wrong(f"{key}: the payloads of {viewer} {differ}")


def _played(given: dict[str, Any], steps: list[Any], name: str) -> Play:
    play = Play.given(given)
    for number, step in enumerate(steps, 1):
        play.step(step, f"{name} {number}")
    return play


def _must_ask(vector: dict[str, Any]) -> None:
    """A vector that expects nothing at all would always pass."""
    steps = [step for step in vector["do"] if isinstance(step, dict)]
    if not vector.get("expect") and not any("error" in step or "check" in step for step in steps):
        raise Wrong("nothing is expected")
