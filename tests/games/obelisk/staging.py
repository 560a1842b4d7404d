"""Staging for the tests of Obelisk: a position from a `given` as in the vectors, moves by text."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.engine.contract import Refused, read, write
from games.engine.session import Session
from games.engine.table import Line
from games.obelisk.components import BUILDING, NAMES
from games.obelisk.rules import ObeliskState
from tests.games.obelisk.positions import position

DUEL = {0: {"hand": ["Y1a", "Y2a", "Y3a"]}, 1: {"hand": ["B1a", "B2a", "B3a"]}}


def at(**given: Any) -> Session:
    """Start a session in a position."""
    return Session(ObeliskState, "seed", position(given, set(NAMES[:BUILDING:3])).dump(), 1)


def board(session: Session) -> ObeliskState:
    assert isinstance(session.state, ObeliskState)
    return session.state


def play(session: Session, *texts: str) -> list[Line]:
    """Make moves by text, for whoever is to act; return the lines of all of them."""
    return [line for text in texts for line in session.play(session.state.to_act()[0], read(text))]


def refused(session: Session, text: str, seat: int | None = None) -> str:
    """Try a move that must be refused; return the reason."""
    before = session.state.dump()
    with pytest.raises(Refused) as caught:
        session.play(session.state.to_act()[0] if seat is None else seat, read(text))
    assert session.state.dump() == before
    return caught.value.key


def listed(session: Session, beginning: str) -> list[str]:
    """List the legal moves that begin so."""
    texts = map(write, session.state.legal(session.state.to_act()[0]))
    return [text for text in texts if text.startswith(beginning)]


def spoken(lines: Sequence[Line]) -> list[tuple[str, dict[str, Any]]]:
    assert all(line.to is None for line in lines)
    return [(line.key, line.args) for line in lines]


def started(seats: int, **options: Any) -> Session:
    return Session.start(ObeliskState, "seed", seats, options)[0]
