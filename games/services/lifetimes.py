"""How long a table or a match lives when nobody does anything, and how it is told beforehand.

A match says when the sweep must look at it next. Nothing closes silently: the date is shown, and
everybody is warned.
"""

from datetime import datetime, timedelta

from games.clock import DAY, IDLE_LIFETIME, SLEEP_LIFETIME
from games.models import Holder, Match, Seat
from games.services.change import Change
from games.services.clocks import is_timed

TIME_BEFORE_OFFER = 3 * DAY  # a caretaker has played so long, or
TURNS_BEFORE_OFFER = 5  # so many turns: then a substitute may come

# How long before the end it is announced.
TABLE_WARNINGS = (DAY,)
IDLE_WARNINGS = (30 * DAY, 7 * DAY)
SLEEP_WARNINGS = (7 * DAY,)


def set_lifetime(change: Change) -> None:
    """Say when a match closes if nothing happens, and when the sweep must look at it."""
    match = change.match
    if match.status == Match.Status.RUNNING:
        _set_expiry(change)
    elif match.status != Match.Status.OPEN:
        match.expires = None
    moments = [
        next_warning(match),
        *(offer_due(change, seat) for seat in change.seats),
        *_returns(change),
    ]
    if match.status in (Match.Status.OPEN, Match.Status.RUNNING):
        match.look_again = min((moment for moment in moments if moment), default=None)
    else:
        match.look_again = None


def _set_expiry(change: Change) -> None:
    """A match that sleeps or has no clock would live for ever; only what all hear of keeps it."""
    match = change.match
    if match.asleep:
        expires: datetime | None = match.asleep + SLEEP_LIFETIME
    elif any(is_timed(change, seat) for seat in change.seats):
        expires = None
    elif (change.is_sweep or change.is_unheard) and match.expires:
        return
    else:
        expires = change.now + IDLE_LIFETIME
    if expires != match.expires:
        match.expires, match.warned = expires, 0


def warnings(match: Match) -> tuple[timedelta, ...]:
    if match.status == Match.Status.OPEN:
        return TABLE_WARNINGS
    return SLEEP_WARNINGS if match.asleep else IDLE_WARNINGS


def next_warning(match: Match) -> datetime | None:
    """Find when to warn again or, after the last warning, when to close."""
    if match.expires is None:
        return None
    left = warnings(match)[match.warned :]
    return match.expires - left[0] if left else match.expires


def offer_due(change: Change, seat: Seat) -> datetime | None:
    """Find when a caretaker's seat is offered to a substitute."""
    if seat.caretaker_since is None or seat.offered:
        return None
    if change.holders[seat.index].caretaker_turns >= TURNS_BEFORE_OFFER:
        return change.now
    return seat.caretaker_since + TIME_BEFORE_OFFER


def _returns(change: Change) -> list[datetime]:
    """List when those come back from vacation for whom a caretaker plays meanwhile."""
    away = {
        seat.user_id
        for seat in change.seats
        if seat.has_caretaker and change.holders[seat.index].ended == Holder.Ended.AWAY
    }
    if not away:
        return []
    begun = [one for one in change.vacations if one.user_id in away and one.begins <= change.now]
    return list({one.user_id: one.ends for one in sorted(begun, key=lambda one: one.ends)}.values())
