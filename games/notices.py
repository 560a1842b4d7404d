"""Notices: rows written with the change that caused them. The outbox sends them when due.

If the change rolls back there is no notice; if the broker or the mail server is down the row
waits.
"""

import logging
from datetime import datetime, timedelta

from celery import current_app
from django.utils import timezone

from accounts.models import User
from games.models import Notice, Seat

log = logging.getLogger(__name__)

REMINDERS = {  # and the share of the thinking time after which they leave
    Notice.Kind.REMINDED_HALF: 0.5,
    Notice.Kind.REMINDED_LATE: 0.8,
    Notice.Kind.LAST_CHANCE: 1.0,  # in truth a fixed while before the deadline
}
WORTH_HALF = timedelta(hours=24)
LAST_CHANCE = timedelta(hours=3)


def post(
    seat: Seat,
    kind: Notice.Kind,
    epoch: int,
    about: Seat | None = None,
    due: datetime | None = None,
) -> None:
    """Write a notice for a person's seat; the same event is never written twice."""
    reader = seat.user_id or seat.invitee_id
    if reader or seat.invitee_email:
        told = {"kind": kind, "epoch": epoch, "due": due or timezone.now()}
        if about is not None:
            told |= {"about": about.index, "who_id": about.user_id}
        notice = Notice(seat=seat, reader_id=reader, **told)
        Notice.objects.bulk_create([notice], ignore_conflicts=True)


def delay_of(user: User) -> timedelta:
    """Say how long this person wants to be left alone with what is perhaps seen anyway."""
    return timedelta(minutes=user.mail_delay)


def call_on(seat: Seat, epoch: int, now: datetime, *, again: bool = False) -> None:
    """Tell a seat that it is its turn, a while from now if it has not moved by then.

    Reminders follow from `seat.called` and `seat.deadline`. Called again in the same turn with
    another deadline, it moves those that lie ahead; without a deadline it drops them.
    """
    if seat.user is None:
        return
    reminders = {kind: reminder_due(kind, seat, now) for kind in REMINDERS}
    if again:
        _move_reminders(seat, epoch, now, reminders)
    fresh = {Notice.Kind.YOUR_TURN: now + delay_of(seat.user)} | reminders
    Notice.objects.bulk_create(
        [
            Notice(seat=seat, reader_id=seat.user_id, kind=kind, epoch=epoch, due=due)
            for kind, due in fresh.items()
            if due
        ],
        ignore_conflicts=True,
    )


def _move_reminders(
    seat: Seat, epoch: int, now: datetime, reminders: dict[Notice.Kind, datetime | None]
) -> None:
    """Let a turn's reminders follow its deadline; one already sent speaks again of a later one."""
    for kind, due in reminders.items():
        rows = Notice.objects.filter(seat=seat, reader=seat.user, kind=kind, epoch=epoch)
        if due is None or due <= now:
            rows = rows.filter(sent=None)
        rows.update(due=due, sent=None, attempts=0, error="")


def reminder_due(kind: str, seat: Seat, now: datetime) -> datetime | None:
    """Say when a turn's reminder leaves; None: never, or its moment has passed.

    Half of the time is worth a mail only if more than a day remains, four fifths only if that is
    before the last chance. The last chance is told late rather than never.
    """
    if seat.called is None or seat.deadline is None or now >= seat.deadline:
        return None
    last = seat.deadline - LAST_CHANCE
    if kind == Notice.Kind.LAST_CHANCE:
        return max(last, now)
    due = seat.called + REMINDERS[Notice.Kind(kind)] * (seat.deadline - seat.called)
    if kind == Notice.Kind.REMINDED_HALF and seat.deadline - due <= WORTH_HALF:
        return None
    return due if now < due < last else None


def wake(match_id: int) -> None:
    """Ask a worker to look at a match at once. A lost message costs seconds: tick finds it too."""
    if not Seat.objects.filter(match=match_id, to_act=True).exclude(bot="").exists():
        return
    try:
        current_app.send_task("games.tasks.think", args=[match_id])
    except Exception as failure:  # whatever a broker raises, the move stands
        log.warning("no broker: match %s waits for the next tick (%s)", match_id, failure)
