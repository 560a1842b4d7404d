"""The outbox: notices are rows written with the change that caused them, sent when due.

If the change rolls back there is no notice; if the broker or the mail server is down the row
waits. A notice is looked at again when it is sent: a turn already made is mailed to nobody.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from celery import current_app
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Match, Notice, Seat
from games.queries import notices_due

log = logging.getLogger(__name__)

TURN_DELAY = timedelta(minutes=15)  # a player who is looking needs no mail
REMINDERS = {  # and the share of the thinking time after which they leave
    Notice.Kind.REMINDED_HALF: 0.5,
    Notice.Kind.REMINDED_LATE: 0.8,
    Notice.Kind.LAST_CHANCE: 1.0,  # in truth a fixed while before the deadline
}
WORTH_HALF = timedelta(hours=24)
LAST_CHANCE = timedelta(hours=3)
MOST_ATTEMPTS = 8
BATCH = 100


def post(
    seat: Seat, kind: Notice.Kind, epoch: int, about: int = 0, due: datetime | None = None
) -> None:
    """Write a notice for a person's seat; the same event is never written twice."""
    if seat.user_id or seat.invitee_id or seat.invitee_email:
        Notice.objects.bulk_create(
            [Notice(seat=seat, kind=kind, epoch=epoch, about=about, due=due or timezone.now())],
            ignore_conflicts=True,
        )


def call_on(seat: Seat, epoch: int, now: datetime) -> None:
    """Tell a seat that it is its turn, a while from now if it has not moved by then.

    Reminders follow from `seat.called` and `seat.deadline`. Called again in the same turn with
    another deadline, it moves those that lie ahead; without a deadline it drops them.
    """
    if not seat.user_id:
        return
    reminders = {kind: reminder_due(kind, seat, now) for kind in REMINDERS}
    if seat.called != now:
        _move_reminders(seat, epoch, now, reminders)
    fresh = {Notice.Kind.YOUR_TURN: now + TURN_DELAY} | reminders
    Notice.objects.bulk_create(
        [Notice(seat=seat, kind=kind, epoch=epoch, due=due) for kind, due in fresh.items() if due],
        ignore_conflicts=True,
    )


def _move_reminders(
    seat: Seat, epoch: int, now: datetime, reminders: dict[Notice.Kind, datetime | None]
) -> None:
    """Let a turn's reminders follow its deadline; one already sent speaks again of a later one."""
    for kind, due in reminders.items():
        rows = Notice.objects.filter(seat=seat, kind=kind, epoch=epoch)
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
    whole, last = seat.deadline - seat.called, seat.deadline - LAST_CHANCE
    if kind == Notice.Kind.LAST_CHANCE:
        return max(last, now)
    due = seat.called + REMINDERS[Notice.Kind(kind)] * whole
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


def deliver(now: datetime) -> int:
    """Send what is due, one message for each person; return how many messages left."""
    sent = 0
    for user, kept in _claimed(now):
        wanted = [notice for notice in kept if _is_wanted(notice, user)]
        _close([notice for notice in kept if notice not in wanted], now, sent=False)
        if wanted:
            sent += _send(user, wanted, now)
    return sent


def _claimed(now: datetime) -> list[tuple[User | str, list[Notice]]]:
    """Take due notices for this worker alone, by moving them ten minutes ahead."""
    with transaction.atomic():
        due = notices_due(now)
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True, of=("self",))
        batch = list(due[:BATCH])
        ids = [notice.pk for notice in batch]
        Notice.objects.filter(pk__in=ids).update(due=now + timedelta(minutes=10))
    people: dict[User | str, list[Notice]] = defaultdict(list)
    for notice in batch:
        people[_addressee(notice)].append(notice)
    return list(people.items())


def _addressee(notice: Notice) -> User | str:
    seat = notice.seat
    return seat.user or seat.invitee or seat.invitee_email


def _is_wanted(notice: Notice, to: User | str) -> bool:
    """Look again at the moment of sending: is it still true, and does the person want it?"""
    seat, match = notice.seat, notice.seat.match
    if isinstance(to, User) and (not to.email or not to.is_active):
        return False
    if not to:
        return False
    match notice.kind:
        case Notice.Kind.YOUR_TURN | (
            Notice.Kind.REMINDED_HALF | Notice.Kind.REMINDED_LATE | Notice.Kind.LAST_CHANCE
        ):
            return (
                isinstance(to, User)
                and to.notify == User.Notify.EVERY_TURN
                and seat.to_act
                and match.status == Match.Status.RUNNING
                and not _called_later(notice)
            )
        case Notice.Kind.INVITED:
            return match.status == Match.Status.OPEN and not seat.is_taken
        case Notice.Kind.STARTED:
            # Who must move is told so, and who has moved knows already.
            moved = match.moves.filter(seat=seat.index).exists()
            return match.status == Match.Status.RUNNING and not seat.to_act and not moved
    return True


def _called_later(notice: Notice) -> bool:
    later = Notice.objects.filter(seat=notice.seat, kind=notice.kind, epoch__gt=notice.epoch)
    return later.exists()


def _send(to: User | str, kept: Sequence[Notice], now: datetime) -> int:
    language = to.language if isinstance(to, User) and to.language else settings.LANGUAGE_CODE
    with translation.override(language):
        message = _message(to, kept)
    try:
        message.send()
    except (OSError, ValueError) as failure:  # of a server or connection; an impossible address
        for notice in kept:
            notice.attempts += 1
            notice.error = str(failure)[:500]
            pause = timedelta(minutes=2**notice.attempts)
            notice.due = now + pause if notice.attempts < MOST_ATTEMPTS else None
            notice.save()
        log.warning("mail not sent, will be tried again: %s", failure)
        return 0
    _close(kept, now, sent=True)
    return 1


def _message(to: User | str, kept: Sequence[Notice]) -> EmailMessage:
    """Write one message for all notices of a person, in that person's language."""
    items = [
        {
            "kind": notice.kind,
            "what": notice.get_kind_display(),
            "match": notice.seat.match,
            "seat": notice.seat,
            "address": f"{settings.SITE_URL}/matches/{notice.seat.match_id}/"
            + (f"?link={notice.seat.match.link}" if notice.kind == Notice.Kind.INVITED else ""),
        }
        for notice in kept
    ]
    if len(kept) == 1:
        subject = f"{kept[0].seat.match}: {kept[0].get_kind_display()}"
    else:
        subject = ngettext("%(count)s message", "%(count)s messages", len(kept)) % {
            "count": len(kept)
        }
    body = render_to_string(
        "mail/notices.txt", {"to": to, "items": items, "SITE_URL": settings.SITE_URL}
    )
    address = to.email if isinstance(to, User) else to
    return EmailMessage(
        subject=_("Nilepost: %(subject)s") % {"subject": subject},
        body=body,
        to=[address],
        headers={"Auto-Submitted": "auto-generated"},
    )


def _close(kept: Sequence[Notice], now: datetime, *, sent: bool) -> None:
    ids = [notice.pk for notice in kept]
    Notice.objects.filter(pk__in=ids).update(due=None, sent=now if sent else None, error="")
