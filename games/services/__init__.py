"""Every write of a match. `changing()` is the one transaction through which all changes go.

Services raise Refused with a key that prose.py words; a refused change leaves nothing.
"""

from games.services.moves import match_expire, match_play, match_resign, match_undo
from games.services.tables import (
    MOST_OPEN_TABLES,
    Opponent,
    match_cancel,
    match_create,
    match_join,
    match_leave,
    match_rematch,
    match_start,
    seats_move,
    table_expire,
)
from games.services.thoughts import thought_claim, thought_release
from games.services.transaction import Change, changing

__all__ = [
    "MOST_OPEN_TABLES",
    "Change",
    "Opponent",
    "changing",
    "match_cancel",
    "match_create",
    "match_expire",
    "match_join",
    "match_leave",
    "match_play",
    "match_rematch",
    "match_resign",
    "match_start",
    "match_undo",
    "seats_move",
    "table_expire",
    "thought_claim",
    "thought_release",
]
