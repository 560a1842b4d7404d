"""What those who run the site may do to a match: each with a reason that the players read.

Through the same door as everything else, and written into the audit log in the same transaction.
"""

from datetime import timedelta

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.contract import Refused
from games.models import Holder, Match, Notice, Seat
from games.services.change import Change, cancel
from games.services.seats import hand_over, substitute
from games.services.transaction import changing

LONGEST_REASON = 300
LONGEST_ADJOURNMENT = 60  # days


def match_void(*, match_id: int, by: User, reason: str) -> None:
    """Call a table or a match off: it has no result."""
    with changing(match_id) as change:
        if change.match.status not in (Match.Status.OPEN, Match.Status.RUNNING):
            raise Refused("game_over")
        cancel(change, Match.Ending.VOIDED)
        change.announce("voided", reason=_worded(reason))
        change.tell(Notice.Kind.CANCELLED)
        _note(change, by, f"voided: {reason}")


def match_adjourn(*, match_id: int, by: User, reason: str, days: int) -> None:
    """Let all clocks of a match stand still for some days; whoever likes may move meanwhile."""
    with changing(match_id) as change:
        match = change.match
        assert change.running  # noqa: S101 - refuses before the start and after the end
        if match.start is None:
            raise Refused("no_clock")
        if not 1 <= days <= LONGEST_ADJOURNMENT:
            raise Refused("bad_proposal")
        until = change.now + timedelta(days=days)
        match.pauses = [*match.pauses, [change.now.isoformat(), until.isoformat()]]
        change.deadlines_moved = True
        change.announce("adjourned", until=until.isoformat(), reason=_worded(reason))
        change.tell(Notice.Kind.PAUSED)
        _note(change, by, f"adjourned for {days} days: {reason}")


def seat_replace(*, match_id: int, by: User, reason: str, seat: int, user: User | None) -> None:
    """Give a seat to somebody else, or (None) to a caretaker, as if its owner had resigned."""
    with changing(match_id) as change:
        assert change.running  # noqa: S101 - refuses before the start and after the end
        if seat not in range(len(change.seats)):
            raise Refused("not_seated")
        former = change.seats[seat]
        if user is None and not former.has_person:
            raise Refused("no_person")
        if user and any(other.user_id == user.pk for other in change.seats):
            raise Refused("already_seated")
        if user and user.is_guest and change.match.rated:
            raise Refused("members_only")
        change.announce("replaced", seat=seat, reason=_worded(reason))
        heir = numbered(user) if user else "a bot"
        _note(change, by, f"seat {seat} of {_whose(former)} given to {heir}: {reason}")
        if user:
            substitute(change, former, user)
        else:
            hand_over(change, former, Holder.Ended.REMOVED)


def notices_retry(*, notices: list[int], by: User) -> int:
    """Try again to send what was given up; tells how many there are."""
    given_up = Notice.objects.filter(pk__in=notices, due=None, sent=None).exclude(error="")
    with transaction.atomic():
        for notice in given_up:
            _entry(by, notice, "sent again")
        return given_up.update(due=timezone.now(), attempts=0)


def numbered(user: User) -> str:
    """Name somebody for the audit log, which keeps the name of that day: the number stays true."""
    return f"{user.username} (user {user.pk})"


def _whose(seat: Seat) -> str:
    return numbered(seat.user) if seat.user else seat.name


def _worded(reason: str) -> str:
    if not reason.strip():
        raise Refused("no_reason")
    return reason.strip()[:LONGEST_REASON]


def _note(change: Change, by: User, what: str) -> None:
    _entry(by, change.match, what)


def _entry(by: User, thing: Match | Notice, what: str) -> None:
    LogEntry.objects.log_actions(by.pk, [thing], CHANGE, what, single_object=True)
