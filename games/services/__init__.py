"""Every write of a match. `changing()` is the one transaction through which all changes go.

Services raise Refused with a key that prose.py words; a refused change leaves nothing.
"""

from games.services.agreements import may_be_nudged, nudge, proposal_answer, proposal_make
from games.services.arrivals import belongings_move
from games.services.change import Change
from games.services.farewells import matches_leave, person_leave
from games.services.mails import mail_less, mail_more, seat_mute
from games.services.moderation import match_adjourn, match_void, notices_retry, seat_replace
from games.services.moves import match_play, match_undo
from games.services.seats import (
    match_claim,
    match_play_on,
    match_resign,
    match_return,
    seat_take,
)
from games.services.sweeps import match_look
from games.services.tables import (
    MOST_OPEN_TABLES,
    Opponent,
    match_cancel,
    match_create,
    match_join,
    match_leave,
    match_rematch,
    match_start,
    tables_part,
)
from games.services.talk import message_write, messages_read, note_write, report_write
from games.services.thoughts import thought_claim, thought_release
from games.services.timeouts import match_catch_up, match_expire, time_claim, time_grant
from games.services.transaction import changing
from games.services.vacations import (
    day_take,
    days_left,
    vacation_end,
    vacation_start,
)

__all__ = [
    "MOST_OPEN_TABLES",
    "Change",
    "Opponent",
    "belongings_move",
    "changing",
    "day_take",
    "days_left",
    "mail_less",
    "mail_more",
    "match_adjourn",
    "match_cancel",
    "match_catch_up",
    "match_claim",
    "match_create",
    "match_expire",
    "match_join",
    "match_leave",
    "match_look",
    "match_play",
    "match_play_on",
    "match_rematch",
    "match_resign",
    "match_return",
    "match_start",
    "match_undo",
    "match_void",
    "matches_leave",
    "may_be_nudged",
    "message_write",
    "messages_read",
    "note_write",
    "notices_retry",
    "nudge",
    "person_leave",
    "proposal_answer",
    "proposal_make",
    "report_write",
    "seat_mute",
    "seat_replace",
    "seat_take",
    "tables_part",
    "thought_claim",
    "thought_release",
    "time_claim",
    "time_grant",
    "vacation_end",
    "vacation_start",
]
