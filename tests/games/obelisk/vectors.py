"""What the vectors of Obelisk mean (docs/rules/obelisk.md §9), for `python -m tests.vectors`.

A vector is played through a real Session; nothing of the rules is repeated here. An action is
written as the engine's move, an expectation names a fact that is read from the position.
"""

from typing import Any

from games.engine.contract import Atom, Move, Refused
from games.engine.session import Session
from games.obelisk.components import NAMES, NUMBER, VALUE
from games.obelisk.layout import starting_spots
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import TOP
from tests.games.obelisk.facts import compare, expect_facts
from tests.games.obelisk.positions import card, index, known, listed, one_of, position
from tests.vectors import Wrong

KEYS = ("id", "rule", "title", "note", "kind", "given", "do", "expect")
PRINTED = dict(zip(NAMES, VALUE, strict=True))
LEGAL = ("legal_has", "legal_lacks", "legal_types")
SEEDS = tuple(f"seed {number}" for number in range(5))


def run(vector: dict[str, Any]) -> None:
    """Run one vector; raise Wrong if the engine does not do what it says."""
    kind = vector.get("kind")
    if kind == "overseer_start":
        _overseer_start(vector)
    elif kind == "setup":
        _setup(vector)
    elif kind in (None, "setup_choice"):
        _play(vector)
    else:
        raise Wrong(f"unknown kind {kind!r}")


def _overseer_start(vector: dict[str, Any]) -> None:
    known(vector, (*KEYS, "tops"), "vector")
    given = vector.get("given") or {}
    tops = listed(vector.get("tops", given.get("tops")), "tops")
    spots = starting_spots([card(name, "tops") for name in tops])
    expect = known(vector.get("expect"), ("overseer_in", "overseer"), "expect")
    for key, expected in expect.items():
        compare(key, spots, expected if key == "overseer_in" else [expected], unordered=True)


def _setup(vector: dict[str, Any]) -> None:
    """Lay out a new match, with every seat's opening market chosen automatically."""
    known(vector, KEYS, "vector")
    options = ("players", "expert", "first_player", "first_seat")
    given = known(vector.get("given") or {}, options, "given")
    expect = vector.get("expect")
    if not isinstance(expect, dict) or not expect:
        raise Wrong("expect: nothing is expected")
    if not all(str(key).isdecimal() for key in expect):
        expect = {given.get("players", 3): expect}
    for players, expected in expect.items():
        players = one_of(index(players), range(2, 6), "players")
        for seed in SEEDS:
            session, _ = Session.start(ObeliskState, seed, players, _options(given))
            while session.state.turn() == "setup_market":
                seat = session.state.to_act()[0]
                session.play(seat, session.state.idle(seat))
            expect_facts(session, expected, f"{players} players: ")


def _options(given: dict[str, Any]) -> dict[str, Atom]:
    first = given.get("first_player", "random")
    return {
        "expert": int(given.get("expert", False)),
        "first_player": given.get("first_seat", 0) if first == "seat" else first,
    }


def _play(vector: dict[str, Any]) -> None:
    known(vector, KEYS, "vector")
    given = dict(vector.get("given") or {})
    if vector.get("kind") == "setup_choice":
        given.setdefault("phase", "setup_market")
    steps, expect = _refused_at_last(vector)
    if not steps and not expect:
        raise Wrong("nothing is done and nothing expected")
    state = position(given, set(_names(vector)))
    choices, state.choices = state.choices, [[] for _ in state.choices]
    session = Session(ObeliskState, "vector", state.dump(), 1)
    for seat, choice in enumerate(choices):
        if choice:
            session.play(seat, ("choose_market", *(NAMES[number] for number in choice)))
    for number, step in enumerate(steps, start=1):
        session = _step(session, step, f"step {number}")
    if expect is not None:
        expect_facts(session, _expect_legal(session, expect))


def _expect_legal(session: Session, expect: Any) -> Any:
    """Compare what may be done now; give the rest of what is expected."""
    if not isinstance(expect, dict):
        return expect
    state = session.state
    for key in ("legal_has", "legal_lacks"):
        for step in listed(expect.get(key, []), key):
            legal = _is_legal(session, step, key)
            if legal != (key == "legal_has"):
                raise Wrong(f"{key}: {step!r} is {'legal' if legal else 'not legal'}")
    if "legal_types" in expect:
        types = {move[0] for seat in state.to_act()[:1] for move in state.legal(seat)}
        compare("legal_types", list(types), expect["legal_types"], unordered=True)
    return {key: value for key, value in expect.items() if key not in LEGAL}


def _is_legal(session: Session, step: Any, where: str) -> bool:
    """Try an action on a copy of the match."""
    known(step, ("seat", "type", *PARAMETERS[_kind(step, where)]), where)
    copy = Session.resume(
        ObeliskState, session.seed, session.snapshot, session.epoch, session.drafts
    )
    try:
        _act(copy, step, where)
    except Refused:
        return False
    return True


def _refused_at_last(vector: dict[str, Any]) -> tuple[list[Any], Any]:
    """Give the steps and what is expected; an error expected is that of the last action."""
    steps, expect = listed(vector.get("do") or [], "do"), vector.get("expect")
    if not isinstance(expect, dict) or "error" not in expect:
        return steps, expect
    if not steps or not isinstance(steps[-1], dict) or "error" in steps[-1]:
        raise Wrong("expect: there is no last action to be refused")
    last = {**steps[-1], "error": expect["error"]}
    return [*steps[:-1], last], {key: value for key, value in expect.items() if key != "error"}


def _names(value: Any) -> list[str]:
    """List every card a vector names anywhere."""
    if isinstance(value, dict):
        return [name for item in value.items() for part in item for name in _names(part)]
    if isinstance(value, list):
        return [name for item in value for name in _names(item)]
    return [value.partition("=")[0]] if isinstance(value, str) else []


# --- actions -----------------------------------------------------------------------------------


PARAMETERS = {
    "choose_market": ("cards",),
    "take": ("pile", "direction"),
    "lay_foundation": ("card",),
    "build": ("card", "obelisk", "end", "value"),
    "pick_action": ("slot",),
    "decline_action": (),
    "place_market": ("card",),
    "buy_market": ("seat_to",),
    "trade": ("give", "get"),
    "play_action": ("card", "picks", "swap", "give", "get"),
    "end_turn": (),
    "undo": (),
    "timeout": (),
}
OPTIONAL = {"direction", "end", "value", "picks", "swap"}


def _step(session: Session, step: Any, where: str) -> Session:
    """Take one step; a refusal that was expected must change nothing."""
    kind = _kind(step, where)
    known(step, ("seat", "type", "error", *PARAMETERS[kind]), where)
    expected = step.get("error")
    before = session.state.dump()
    try:
        after = _act(session, step, where)
    except Refused as refused:
        if expected is None:
            raise Wrong(f"{where} ({kind}): refused with {refused.key}") from None
        if refused.key != expected:
            raise Wrong(f"{where} ({kind}): refused with {refused.key}, not {expected}") from None
        if session.state.dump() != before:
            raise Wrong(f"{where} ({kind}): refused, but the position changed") from None
        return session
    if expected is not None:
        raise Wrong(f"{where} ({kind}): accepted, not refused with {expected}")
    return after


def _kind(step: Any, where: str) -> str:
    kind = step.get("type") if isinstance(step, dict) else None
    if kind not in PARAMETERS:
        raise Wrong(f"{where}: unknown action {kind!r}")
    return str(kind)


def _act(session: Session, step: dict[str, Any], where: str) -> Session:
    state: ObeliskState = session.state  # type: ignore[assignment]
    acting = state.to_act() or [state.active]
    seat = one_of(step.get("seat", acting[0]), range(state.players), f"{where}: seat")
    if step["type"] == "undo":
        session.undo(seat)
        return session
    if step["type"] == "timeout":
        while seat in session.state.to_act():
            session.play(seat, session.state.idle(seat))
        return session
    if missing := _missing(step):
        raise Wrong(f"{where}: {step['type']} without {missing}")
    move = _move(state, seat, step, where)
    if step["type"] == "choose_market" and state.choices[seat]:  # choosing anew
        again = Session.resume(
            ObeliskState, session.seed, session.snapshot, session.epoch, session.drafts
        )
        again.undo(seat)
        session = again
    session.play(seat, move)
    return session


def _missing(step: dict[str, Any]) -> str:
    needed = PARAMETERS[step["type"]]
    if step["type"] == "play_action":
        needed = ("card",)
    return ", ".join(name for name in needed if name not in step and name not in OPTIONAL)


def _move(state: ObeliskState, seat: int, step: dict[str, Any], where: str) -> Move:
    """Write an action as a move, in the one order in which the engine lists it."""
    kind = step["type"]
    if kind == "choose_market":
        return (kind, *_in_order(_cards(step, "cards", where), state.hands[seat]))
    if kind == "take":
        return _take(state, step, where)
    if kind == "build":
        return _build(state, seat, step, where)
    if kind == "play_action":
        return (kind, _card(step, "card", where), *_named(state, seat, step, where))
    if kind == "trade":
        give, get = _cards(step, "give", where), _cards(step, "get", where)
        if len(give) != 1 or len(get) != 1:
            raise Wrong(f"{where}: a trade is one card for one")
        return (kind, *give, *get)
    if kind in ("lay_foundation", "place_market"):
        return (kind, _card(step, "card", where))
    return (kind, *(_atom(step[name], where) for name in PARAMETERS[kind]))


def _atom(value: Any, where: str) -> Atom:
    if type(value) not in (int, str):
        raise Wrong(f"{where}: {value!r} is neither a number nor a name")
    atom: Atom = value
    return atom


def _card(step: dict[str, Any], name: str, where: str) -> str:
    """Read a card's name; whether there is such a card is for the engine to say."""
    if not isinstance(step.get(name), str):
        raise Wrong(f"{where}: {name} is no card but {step.get(name)!r}")
    return str(step[name])


def _cards(step: dict[str, Any], name: str, where: str) -> list[str]:
    """Read one card or several."""
    given = step.get(name, [])
    return [_card({name: one}, name, where) for one in (given if type(given) is list else [given])]


def _in_order(names: list[str], zone: list[int]) -> list[str]:
    """Put cards into the order in which they lie; unless one is not there."""
    if all(NUMBER.get(name) in zone for name in names):
        return sorted(names, key=lambda name: zone.index(NUMBER[name]))
    return names


def _take(state: ObeliskState, step: dict[str, Any], where: str) -> Move:
    """A direction counts with two players only, and not under free_move (§5.3)."""
    pile = _atom(step["pile"], where)
    way = step.get("direction")
    if way is not None:
        one_of(way, ("cw", "ccw"), f"{where}: direction")
    if way is None or state.players > 2 or state.free_move:
        return ("take", pile)
    return ("take", pile, way)


def _build(state: ObeliskState, seat: int, step: dict[str, Any], where: str) -> Move:
    """`end` is ignored on a bare foundation; on a stack a joker needs no value (§5.3)."""
    name, number = _card(step, "card", where), _atom(step["obelisk"], where)
    end = one_of(step.get("end", "top"), ("top", "bottom"), f"{where}: end")
    obelisks = state.obelisks[seat]
    bare = type(number) is int and 0 <= number < len(obelisks) and not obelisks[number][TOP]
    if bare:
        end = "top"
    move: Move = ("build", name, number, end)
    if not name.endswith("J"):
        if step.get("value") not in (None, PRINTED.get(name)):
            raise Wrong(f"{where}: value: {name} is no joker")
        return move
    if step.get("value") is not None:
        return (*move, _atom(step["value"], where))
    fitting = [legal for legal in state.legal(seat) if legal[:-1] == move and not bare]
    return fitting[0] if fitting else move


def _named(state: ObeliskState, seat: int, step: dict[str, Any], where: str) -> tuple[Atom, ...]:
    """Write what an action card is played with, flat: seat card seat card, give get give get."""
    if "give" in step or "get" in step:
        give = _in_order(_cards(step, "give", where), state.hands[seat])
        get = _in_order(_cards(step, "get", where), state.hands[(seat + 1) % state.players])
        pairs = [name for pair in zip(give, get, strict=False) for name in pair]
        rest = (give + get)[-1:] if len(give) != len(get) else []
        return (*pairs, *rest)
    if "picks" in step and "swap" in step:
        raise Wrong(f"{where}: picks and swap together")
    entries = [
        known(entry, ("seat", "card"), where)
        for entry in listed(step.get("picks", step.get("swap", [])), where)
    ]
    named = [(_atom(entry.get("seat"), where), _card(entry, "card", where)) for entry in entries]
    return tuple(atom for entry in sorted(named, key=lambda one: str(one[0])) for atom in entry)
