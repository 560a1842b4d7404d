"""What the vectors of Sakkara mean (docs/rules/sakkara.md §9), for `python -m tests.vectors`.

A vector is played through a real Session; nothing of the rules is repeated here. An action is
written as the engine's move, an expectation names a fact that is read from the position.
"""

from typing import Any

from games.engine.contract import Atom, Move, Refused
from games.engine.session import Session
from games.engine.table import Table
from games.sakkara.rules import SakkaraState
from tests.games.sakkara.facts import expect_facts
from tests.games.sakkara.positions import known, listed, one_of, position, seat_of
from tests.vectors import Wrong

KEYS = ("id", "title", "rule", "note", "given", "do", "expect")
MISSING = "missing"  # stands for a parameter that was left out: no id of the game

PARAMETERS: dict[str, tuple[str, ...]] = {
    "place_worker": ("field",),
    "place_stack": ("size", "field"),
    "move": ("worker", "dir", "stair"),
    "play_horse": ("stair", "take"),
    "horse_step": ("stair", "take"),
    "horse_stop": (),
    "play_bird": ("worker", "field"),
    "play_ox": ("from", "to", "count"),
    "play_snake": (),
    "snake_take": ("motif",),
    "cast_fire_storm": ("worker", "axis", "order"),
    "cast_whirlwind": ("worker", "order"),
    "cast_drought": ("order",),
    "cast_shipwreck": ("order",),
    "lay_ship": (),
    "lay_grain": (),
    "build": ("motif",),
    "discard": ("motif",),
    "end_turn": (),
    "resign": (),
    "timeout": (),
    "undo": (),
}
OPTIONAL = {"stair", "take", "order"}
BEFORE_ALL = ("game_over", "not_your_turn", "wrong_phase")  # what is said of half an action too


def run(vector: dict[str, Any]) -> None:
    """Run one vector; raise Wrong if the engine does not do what it says."""
    known(vector, KEYS, "vector")
    steps = listed(vector.get("do", []), "do")
    expect = dict(known(vector.get("expect"), vector.get("expect") or (), "expect"))
    if not expect:
        raise Wrong("expect: nothing is expected")
    state = position(known(vector.get("given", {}), vector.get("given") or (), "given"))
    session = Session(SakkaraState, "vector", state.dump(), 1)
    error = _error(expect, steps)
    sealed = False
    for number, step in enumerate(steps, start=1):
        last = number == len(steps)
        sealed = _step(session, step, f"step {number}", error if last else None)
    _expect_legal(session, expect)
    expect_facts(session, expect, revealed=sealed)


def _expect_legal(session: Session, expect: dict[str, Any]) -> None:
    """Compare what may be done now, and take it off what else is expected."""
    state = session.state
    for key, wanted in (("legal_has", True), ("legal_lacks", False)):
        for step in listed(expect.pop(key, []), key):
            legal = _is_legal(session, step, key)
            if legal != wanted:
                raise Wrong(f"{key}: {step!r} is {'legal' if legal else 'not legal'}")
    if "legal_types" in expect:
        types = {str(move[0]) for seat in state.to_act() for move in state.legal(seat)}
        named = listed(expect.pop("legal_types"), "legal_types")
        if sorted(types) != sorted(map(str, named)):
            raise Wrong(f"legal_types is {sorted(types)!r}, not {named!r}")


def _is_legal(session: Session, step: Any, where: str) -> bool:
    """Try an action on a copy of the match."""
    action = dict(known(step, step if isinstance(step, dict) else (), where))
    copy = Session.resume(
        SakkaraState, session.seed, session.snapshot, session.epoch, session.drafts
    )
    try:
        _act(copy, action, where, whole=True)
    except Refused:
        return False
    return True


def _error(expect: dict[str, Any], steps: list[Any]) -> str | None:
    """Find out whether the last action is to be refused, and how."""
    ok = one_of(expect.pop("ok", "error" not in expect), (True, False), "expect: ok")
    error = expect.pop("error", None)
    if ok != (error is None):
        raise Wrong("expect: an action fails with an error, or it is ok")
    if error is not None and not steps:
        raise Wrong("expect: there is no action to be refused")
    return error


def _step(session: Session, step: Any, where: str, error: str | None) -> bool:
    """Take one step and tell whether it can no longer be undone; a refusal changes nothing."""
    action = dict(known(step, step if isinstance(step, dict) else (), where))
    where = f"{where} ({action.get('act')})"
    before = session.state.dump(), session.epoch, session.drafts[:]
    try:
        _act(session, action, where, whole=error not in BEFORE_ALL)
    except Refused as refused:
        if refused.key != error:
            wanted = f", not with {error}" if error else ""
            raise Wrong(f"{where}: refused with {refused.key}{wanted}") from None
        if (session.state.dump(), session.epoch, session.drafts) != before:
            raise Wrong(f"{where}: refused, but the position changed") from None
    else:
        if error is not None:
            raise Wrong(f"{where}: accepted, not refused with {error}")
    return session.epoch != before[1]


def _act(session: Session, action: dict[str, Any], where: str, *, whole: bool) -> None:
    state = session.state
    assert isinstance(state, SakkaraState)
    seat = seat_of(action.pop("by", state.active), f"{where}: by")
    verb = one_of(action.pop("act", None), tuple(PARAMETERS), f"{where}: act")
    known(action, PARAMETERS[verb], where)
    missing = [name for name in PARAMETERS[verb] if name not in OPTIONAL | set(action)]
    if whole and missing:
        raise Wrong(f"{where}: {verb} without {', '.join(missing)}")
    if verb == "undo":
        session.undo(seat)
    elif verb == "resign":
        _resign(session, state, seat)
    elif verb == "timeout":
        _time_out(session, seat)
    else:
        session.play(seat, _move(state, seat, verb, action, where))


def _resign(session: Session, state: SakkaraState, seat: int) -> None:
    """Leaving is no move: it is possible at any time."""
    if not state.to_act():
        raise Refused("game_over")
    state.resign(seat, Table(session.seed, session.epoch))
    session.snapshot, session.drafts = state.dump(), []
    session.epoch += 1


def _time_out(session: Session, seat: int) -> None:
    """The clock plays until the turn passes."""
    if seat not in session.state.to_act():
        raise session.state.why_not(seat, ("end_turn",))
    while seat in session.state.to_act():
        session.play(seat, session.state.idle(seat))


def _move(state: SakkaraState, seat: int, verb: str, action: dict[str, Any], where: str) -> Move:
    """Write an action as a move."""
    atoms: list[Atom] = []
    for name in PARAMETERS[verb]:
        if name == "stair":
            atoms += ["stair"] * one_of(action.get(name, False), (False, True), f"{where}: stair")
        elif name == "take":
            taken = one_of(action.get(name, True), (True, False), f"{where}: take")
            bare = (verb, *atoms)  # on an empty field `take` has no meaning
            atoms += [] if bare in state.legal(seat) else ["take" if taken else "leave"]
        elif name == "order":
            order = listed(action.get(name, []), f"{where}: order")
            atoms += [_atom(card) for card in order] or [MISSING]
        else:
            atoms.append(_atom(action.get(name)))
    return verb, *atoms


def _atom(value: Any) -> Atom:
    return value if type(value) in (int, str) else MISSING
