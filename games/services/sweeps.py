"""What the sweep does in a match that nobody touches: warn, close, offer seats, end vacations."""

from datetime import datetime

from games.models import Holder, Match, Notice
from games.services.change import Change, cancel
from games.services.lifetimes import next_warning, offer_due, warnings
from games.services.seats import offer, take_back
from games.services.transaction import changing


def match_look(*, match_id: int, now: datetime) -> bool:
    """Do what is due in a match that nobody touches; False if nothing is."""
    with changing(match_id, now) as change:
        match = change.match
        if match.look_again is None or match.look_again > now:
            change.drop()
            return False
        change.is_sweep = True
        warning = next_warning(match)
        if match.expires and warning and warning <= now:
            _warn_or_close(change)
        if match.status == Match.Status.RUNNING:
            _look_after_seats(change)
        return True


def _look_after_seats(change: Change) -> None:
    for seat in change.seats:
        due = offer_due(change, seat)
        if due and due <= change.now:
            offer(change, seat)
        elif seat.has_caretaker and change.holders[seat.index].ended == Holder.Ended.AWAY:
            theirs = [one for one in change.vacations if one.user_id == seat.user_id]
            if not any(one.begins <= change.now < one.ends for one in theirs):
                take_back(change, seat)


def _warn_or_close(change: Change) -> None:
    """Announce the end; if that has been done often enough, close.

    Even a sweep that comes much too late warns first: the end then waits for the next one.
    """
    match = change.match
    if match.warned < len(warnings(match)):
        match.warned += 1
        if match.status == Match.Status.RUNNING and match.expires:
            change.announce("closes", until=match.expires.isoformat())
        change.tell(Notice.Kind.EXPIRES_SOON)
    elif match.status == Match.Status.OPEN:
        cancel(change, Match.Ending.UNFILLED)
        change.tell(Notice.Kind.EXPIRED)
    else:
        ending = Match.Ending.ABANDONED if match.asleep else Match.Ending.IDLE
        change.announce(ending)
        cancel(change, ending)
        change.tell(Notice.Kind.CANCELLED)
