"""May a notice leave now? Asked at the moment of sending, never before.

Three questions: is it still true, does its reader want it, and is this the moment. Nothing here
asks whether the reader is looking at the site: an open tab has kept too many from their mails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress

from accounts.models import Delivery, OptOut, User
from accounts.ties import are_apart
from accounts.wishes import Topic
from games.models import Match, Notice
from games.notices import LAST_CHANCE, REMINDERS

Kind = Notice.Kind
TURNS = frozenset({Kind.YOUR_TURN, *REMINDERS})
URGENT = frozenset({Kind.REMINDED_LATE, Kind.LAST_CHANCE})  # break through every calm

TOPICS = {
    Kind.REMINDED_HALF: Topic.REMINDERS,
    Kind.REMINDED_LATE: Topic.REMINDERS,
    Kind.INVITED: Topic.INVITATIONS,
    Kind.JOINED: Topic.TABLES,
    Kind.EXPIRES_SOON: Topic.TABLES,
    Kind.EXPIRED: Topic.TABLES,
    Kind.NUDGED: Topic.NUDGES,
    Kind.CHAT: Topic.CHAT,
    Kind.VACATION_USED: Topic.VACATION,
}  # turns have a setting of their own; all others are the course of a match


class Never(Exception):  # noqa: N818 - an answer, not an error
    """This notice is not to be sent, now or later; says why in one word."""


@dataclass(frozen=True)
class Reader:
    """A person as the outbox sees them, read once for all of their notices."""

    user: User
    now: datetime
    is_reachable: bool
    last_mail: datetime | None

    @property
    def is_snoozed(self) -> bool:
        return self.user.snoozed_until is not None and self.user.snoozed_until > self.now


def reader_of(user: User, now: datetime) -> Reader:
    mails = user.deliveries.filter(is_test=False).exclude(state=Delivery.State.FAILED)
    return Reader(
        user=user,
        now=now,
        is_reachable=is_reachable(user),
        last_mail=mails.values_list("created", flat=True).first(),
    )


def is_reachable(user: User) -> bool:
    """Tell whether mail may go to this person at all: a verified address that works."""
    if not user.email or not user.is_active or user.unsubscribed:
        return False
    if user.dead_address.lower() == user.email.lower():
        return False
    return has_verified_address(user)


def has_verified_address(user: User) -> bool:
    owned = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    return bool(user.email) and owned.exists()


def leaves_at(notice: Notice, reader: Reader) -> datetime:
    """Say when a notice may leave, now or later; Never if it must not."""
    if not is_true(notice):
        raise Never("past")
    if not reader.is_reachable:
        raise Never("unreachable")
    if notice.kind == Kind.LAST_CHANCE:
        return _moment(notice, reader.now)
    if not _is_wanted(notice, reader.user):
        raise Never("unwanted")
    return _calmed(notice, reader, _moment(notice, reader.now))


def may_invite(notice: Notice) -> bool:
    """Tell whether an invitation may go to an address.

    Whose it is was not looked up when it was invited, so that nobody learns it. If it is a
    member's, that member's wishes count here as in any other mail.
    """
    address = notice.seat.invitee_email
    if notice.kind != Kind.INVITED or not is_true(notice):
        return False
    if OptOut.objects.filter(address__iexact=address).exists():
        return False
    owner = owner_of(address)
    return owner is None or _may_be_invited(owner, notice)


def owner_of(address: str) -> User | None:
    """Find the one member who has confirmed an address."""
    return User.objects.filter(
        emailaddress__email__iexact=address, emailaddress__verified=True
    ).first()


def _may_be_invited(owner: User, notice: Notice) -> bool:
    host = notice.seat.match.host
    return (
        owner.is_active
        and not owner.unsubscribed
        and owner.dead_address.lower() != notice.seat.invitee_email.lower()
        and Topic.INVITATIONS not in owner.declined
        and not (host and are_apart(host, [owner.pk]))
    )


def is_true(notice: Notice) -> bool:
    """Look at the match as it is now: does the notice still say something?"""
    still = STILL.get(Kind(notice.kind))
    return still is None or still(notice)


def _is_open(notice: Notice) -> bool:
    return notice.seat.match.status == Match.Status.OPEN


def _is_invited(notice: Notice) -> bool:
    return _is_open(notice) and not notice.seat.is_taken


def _will_close(notice: Notice) -> bool:
    return notice.seat.match.expires is not None and notice.seat.match.warned > 0


def _is_running(notice: Notice) -> bool:
    return notice.seat.match.status == Match.Status.RUNNING


def _sits_here(notice: Notice) -> bool:
    return notice.seat.has_person and notice.seat.user_id == notice.reader_id


def _is_awaited(notice: Notice) -> bool:
    """The match waits for the reader: not for a caretaker, nor for who took over the seat."""
    return _is_running(notice) and notice.seat.to_act and _sits_here(notice)


def _is_turn(notice: Notice) -> bool:
    """And it waits in this turn, not in a later one."""
    later = Notice.objects.filter(seat=notice.seat, kind=Kind.YOUR_TURN, epoch__gt=notice.epoch)
    return _is_awaited(notice) and not later.exists()


def _ticks(notice: Notice) -> bool:
    return _is_turn(notice) and notice.seat.deadline is not None and notice.seat.asked is None


def _has_started(notice: Notice) -> bool:
    """Who must move is told so, who has moved knows already, and who has left is not called."""
    moves = notice.seat.match.moves.filter(seat=notice.seat.index)
    is_idle = _sits_here(notice) and not notice.seat.to_act
    return _is_running(notice) and is_idle and not moves.exists()


def _is_away(notice: Notice) -> bool:
    """Who has come back knows; the others are told all the same."""
    return notice.about != notice.seat.index or notice.seat.has_caretaker


def _is_sought(notice: Notice) -> bool:
    return _is_running(notice) and _is_away(notice)


def _is_late(notice: Notice) -> bool:
    """Of two one is asked, until time is granted or a move is made."""
    seats = notice.seat.match.seats.all()
    return not _is_running(notice) or len(seats) > 2 or any(seat.asked for seat in seats)


def _is_alone(notice: Notice) -> bool:
    seats = notice.seat.match.seats.all()
    one_left = sum(seat.has_person for seat in seats) == 1
    return _is_running(notice) and one_left and any(seat.has_caretaker for seat in seats)


def _is_asked(notice: Notice) -> bool:
    proposal = notice.seat.match.proposal or {"by": None, "agreed": []}
    return proposal["by"] == notice.about and notice.seat.index not in proposal["agreed"]


STILL: dict[Kind, Callable[[Notice], bool]] = {
    Kind.INVITED: _is_invited,
    Kind.JOINED: _is_open,
    Kind.EXPIRES_SOON: _will_close,
    Kind.STARTED: _has_started,
    Kind.YOUR_TURN: _is_turn,
    Kind.REMINDED_HALF: _ticks,
    Kind.REMINDED_LATE: _ticks,
    Kind.LAST_CHANCE: _ticks,
    Kind.NUDGED: _is_awaited,
    Kind.GRANTED: _is_awaited,
    Kind.TIMED_OUT: _is_late,
    Kind.CARETAKER: _is_away,
    Kind.SUBSTITUTE_SOUGHT: _is_sought,
    Kind.LONE: _is_alone,
    Kind.PROPOSED: _is_asked,
    Kind.PAUSED: _is_running,
    Kind.ASLEEP: _is_running,
}  # all others stay true


def _is_wanted(notice: Notice, user: User) -> bool:
    if notice.seat.muted:
        return False
    if notice.kind in TURNS and user.notify == User.Notify.NONE:
        return False
    if notice.kind == Kind.YOUR_TURN:
        return True
    return TOPICS.get(Kind(notice.kind), Topic.COURSE) not in user.declined


def _moment(notice: Notice, now: datetime) -> datetime:
    """A reminder whose deadline was moved waits with it; any other is due when it is due."""
    seat = notice.seat
    if notice.kind not in REMINDERS or seat.deadline is None or seat.called is None:
        return now
    if now >= seat.deadline:
        raise Never("past")
    if notice.kind == Kind.LAST_CHANCE:
        return max(now, seat.deadline - LAST_CHANCE)
    share = REMINDERS[Kind(notice.kind)]
    return max(now, seat.called + share * (seat.deadline - seat.called))


def _calmed(notice: Notice, reader: Reader, moment: datetime) -> datetime:
    """Wait for the reader's hour, unless the deadline is pressing."""
    user, now = reader.user, reader.now
    if notice.kind in TURNS and user.snoozed_until and reader.is_snoozed:
        return max(moment, user.snoozed_until)
    if notice.kind in URGENT or moment > now:
        return moment
    if notice.attempts:  # it was its hour once, and the mail never left
        return now
    if user.notify == User.Notify.LIMITED and reader.last_mail:
        return max(now, reader.last_mail + timedelta(hours=user.mail_hours))
    if user.notify == User.Notify.DIGEST:
        last, following = user.digest_moments(now)
        was_due = notice.due is not None and notice.due <= last
        return now if was_due else following
    return now
