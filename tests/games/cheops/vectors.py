"""What the vectors of Cheops mean (docs/rules/cheops.md §9), for `python -m tests.vectors`.

A vector is played through a real Session; nothing of the rules is repeated here. An action is
written as the engine's move, an expectation names a fact that is read from the position.
"""

from typing import Any

from games.cheops.components import FIELD
from games.cheops.offers import front_stack
from games.cheops.rules import CheopsState
from games.engine.contract import Atom, Move, Refused
from games.engine.session import Session
from tests.games.cheops.facts import PARAMETERS, expect_facts
from tests.games.cheops.positions import listed, mapping, number, number_key, position
from tests.vectors import Wrong

KEYS = {"id", "title", "rule", "note", "given", "do", "expect"}
MISSING = "missing"  # stands for a parameter that was left out: no id of the game
# What is said of half an action too.
BEFORE_ALL = ("game_over", "not_your_turn", "wrong_phase", "bad_parameter")


def run(vector: dict[str, Any]) -> None:
    """Run one vector; raise Wrong if the engine does not do what it says."""
    strange = set(vector) - KEYS
    if strange:
        raise Wrong(f"unknown key {sorted(strange)[0]!r}")
    steps = listed(vector.get("do") or [], "do")
    expect = dict(mapping(vector.get("expect", {}), "expect"))
    if not expect and not any("error" in step for step in steps if isinstance(step, dict)):
        raise Wrong("expect: nothing is expected")
    state = position(mapping(vector.get("given", {}), "given"))
    session = Session(CheopsState, "vector", state.dump(), 1)
    error = expect.pop("error", None)
    if error is not None:
        steps = _with_error(steps, error)
    for count, step in enumerate(steps, start=1):
        _step(session, step, f"step {count}")
    expect_facts(_state(session), expect)


def _with_error(steps: list[Any], error: Any) -> list[Any]:
    """The error of a vector is that of its last action."""
    if not steps or not isinstance(steps[-1], dict) or "error" in steps[-1]:
        raise Wrong("expect: there is no last action to be refused")
    return [*steps[:-1], {**steps[-1], "error": error}]


def _state(session: Session) -> CheopsState:
    assert isinstance(session.state, CheopsState)
    return session.state


def _step(session: Session, step: Any, where: str) -> None:
    """Take one step; a refusal that was expected must change nothing."""
    action = dict(mapping(step, where))
    expected = action.pop("error", None)
    where = f"{where} ({action.get('type')})"
    before = session.state.dump(), session.epoch, session.drafts[:]
    try:
        _act(session, action, where, whole=expected not in BEFORE_ALL)
    except Refused as refused:
        if refused.key != expected:
            wanted = f", not with {expected}" if expected else ""
            raise Wrong(f"{where}: refused with {refused.key}{wanted}") from None
        if (session.state.dump(), session.epoch, session.drafts) != before:
            raise Wrong(f"{where}: refused, but the position changed") from None
    else:
        if expected is not None:
            raise Wrong(f"{where}: accepted, not refused with {expected}")


def _act(session: Session, action: dict[str, Any], where: str, *, whole: bool) -> None:
    state = _state(session)
    kind = action.get("type")
    if kind in ("undo", "timeout") and not set(action) <= {"type", "seat"}:
        raise Wrong(f"{where}: {kind} has no parameters")
    seat = number(number_key(action.pop("seat", state.current)), where)  # also one nobody has
    if kind == "undo":
        session.undo(seat)
    elif kind == "timeout":
        session.play(seat, state.idle(seat))
    elif kind in PARAMETERS:
        missing = [name for name in PARAMETERS[kind] if name not in {*action, "stack"}]
        if whole and missing:
            raise Wrong(f"{where}: {kind} without {', '.join(missing)}")
        session.play(seat, _move(state, action, where))
    else:
        raise Wrong(f"{where}: unknown action {kind!r}")


def _move(state: CheopsState, action: dict[str, Any], where: str) -> Move:
    verb = str(action["type"])
    strange = set(action) - {"type", *PARAMETERS[verb]}
    if strange:
        raise Wrong(f"{where}: unknown parameter {sorted(strange)[0]!r}")
    if verb == "draw_family" and action.get("stack") is None:
        return verb, max(0, front_stack(state)) + 1
    move = verb, *(_atom(action.get(name)) for name in PARAMETERS[verb])
    # The engine lists a pair of fields once, in the order of the pyramid.
    if verb == "play_exchange_pyramid" and all(field in FIELD for field in move[1:]):
        turned = (verb, move[2], move[1])
        return turned if turned in state.legal(state.current) else move
    return move


def _atom(value: Any) -> Atom:
    return value if type(value) in (int, str) else MISSING
