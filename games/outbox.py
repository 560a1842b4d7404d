"""The outbox: what is due is looked at again, gathered into one mail per person, and sent once.

Any number of workers may run this at the same time, and any of them may be killed at any moment. A
notice is claimed by moving its due time ahead (a lease), and handed over to the mail server only
if that lease still holds. Why a mail is never sent twice, and what that costs: see
docs/decisions/0005-mail-at-most-once.md.
"""

import logging
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.mail import EmailMessage, get_connection
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from accounts.models import Delivery, User
from accounts.servers import never_left
from games.correspondence import Claim, Mail, mail_for, test_mail_for
from games.models import Notice
from games.notices import REMINDERS
from games.queries import notices_due, readers_due
from games.verdicts import (
    Never,
    Reader,
    has_verified_address,
    leaves_at,
    may_invite,
    reader_of,
)

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=10)  # a worker that died before the hand-over is replaced after this
MOST_ATTEMPTS = 8
MOST_TESTS = 5  # a day
BATCH = 200


class Lost(Exception):  # noqa: N818 - not an error: somebody else does the work
    """Another worker has taken over what this one had claimed."""


def deliver(now: datetime) -> int:
    """Send what is due, one mail for each person; return how many mails left."""
    due = readers_due(now)[:BATCH]
    people = dict.fromkeys((user, "" if user else address) for user, address in due)
    server, sent = get_connection(), 0
    try:
        for user, address in people:
            claim = _claim_of_person(user, now) if user else _claim_of_address(address, now)
            sent += bool(claim and _send(claim, server))
    finally:
        server.close()
    return sent


# --- claiming --------------------------------------------------------------------------------


@transaction.atomic
def _claim_of_person(user_id: int, now: datetime) -> Claim | None:
    """Take a person's due notices that may leave now; put off or drop the others."""
    user = _locked(User.objects.filter(pk=user_id)).first()
    if user is None:  # another worker is writing to this person
        return None
    reader, leaving = reader_of(user, now), []
    for notice in notices_due(now).filter(reader=user):
        try:
            moment = leaves_at(notice, reader)
        except Never:
            _set_due(notice, None)
            continue
        if moment > now:
            _set_due(notice, moment)
        else:
            leaving.append(notice)
    if leaving and not reader.is_snoozed:
        leaving += _still_waiting(reader)
    return _leased(user, leaving, now)


def _still_waiting(reader: Reader) -> list[Notice]:
    """Take along what would be told soon or waits for a calm hour: one mail for all of it."""
    waiting = Notice.objects.filter(reader=reader.user, due__gt=reader.now, attempts=0).exclude(
        kind__in=REMINDERS  # their moment belongs to a deadline
    )
    found = []
    for notice in waiting.select_related("seat__match", "seat__user"):
        try:
            leaves_at(notice, reader)
        except Never:
            continue
        found.append(notice)
    return found


@transaction.atomic
def _claim_of_address(address: str, now: datetime) -> Claim | None:
    """Take the invitations to an address that belongs to nobody we know."""
    theirs = {"reader": None, "seat__invitee_email": address}
    leaving = []
    for notice in _locked(notices_due(now).filter(**theirs)):
        if address and may_invite(notice):
            leaving.append(notice)
        else:
            _set_due(notice, None)
    return _leased(address, leaving, now)


def _locked(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Lock rows that no other worker has; SQLite gives a writer the whole database instead."""
    if connection.features.has_select_for_update_skip_locked:
        return rows.select_for_update(skip_locked=True, of=("self",))
    return rows


def _leased(to: User | str, leaving: Sequence[Notice], now: datetime) -> Claim | None:
    """Keep notices from other workers for a while; one that failed too often is given up."""
    kept = []
    for notice in leaving:
        notice.attempts += 1
        if notice.attempts <= MOST_ATTEMPTS:
            notice.due = now + LEASE
            kept.append(notice)
        else:
            notice.due, notice.error = None, notice.error or "No worker lived to send it."
        notice.save(update_fields=["attempts", "due", "error"])
    return Claim(to=to, notices=tuple(kept), now=now) if kept else None


def _set_due(notice: Notice, due: datetime | None) -> None:
    notice.due = due
    notice.save(update_fields=["due"])


# --- sending ---------------------------------------------------------------------------------


def _send(claim: Claim, server: Any) -> bool:
    """Write a mail and hand it over; whatever fails before the hand-over is tried again."""
    try:
        mail = mail_for(claim)
        server.open()
    except Exception as failure:  # one broken match or a dead server must not stop the others
        log.warning("mail to %s not sent, will be tried again", claim.to, exc_info=True)
        _put_off(claim, failure)
        return False
    try:
        delivery = _handed_over(claim, mail)
    except Lost:
        log.info("another worker changed what is told to %s", claim.to)
        _give_back(claim)
        return False
    except IntegrityError:
        log.info("a mail to %s has left before", claim.to)
        _ours(claim).filter(pk=mail.named_after or 0).update(due=None)
        _give_back(claim)
        return False
    return sent_by(server, mail.message, delivery) or _settled(claim, delivery)


@transaction.atomic
def _handed_over(claim: Claim, mail: Mail) -> Delivery:
    """Write down that a mail leaves, if it is still ours to send; from here on never again."""
    delivery = handed(mail, claim.to if isinstance(claim.to, User) else None, claim.now)
    told = {"due": None, "sent": claim.now, "delivery": delivery, "error": ""}
    if _ours(claim).update(**told) != len(claim.notices):
        raise Lost
    return delivery


def _ours(claim: Claim) -> QuerySet[Notice]:
    """Find what of a claim nobody has changed or taken over since."""
    pks = [notice.pk for notice in claim.notices]
    return Notice.objects.filter(pk__in=pks, due=claim.now + LEASE)


def _give_back(claim: Claim) -> None:
    """Let the next tick tell the rest at once: one moved deadline keeps no other waiting."""
    _ours(claim).update(due=claim.now)


def handed(mail: Mail, user: User | None, now: datetime, *, is_test: bool = False) -> Delivery:
    """Record a mail as on its way; one of the same name may only follow one that failed."""
    fresh = {"to": mail.message.to[0], "subject": mail.message.subject[:200], "created": now}
    again = Delivery.objects.filter(message_id=mail.message_id, state=Delivery.State.FAILED)
    if again.update(state=Delivery.State.HANDED, error="", **fresh):
        return Delivery.objects.get(message_id=mail.message_id)
    return Delivery.objects.create(message_id=mail.message_id, user=user, is_test=is_test, **fresh)


def sent_by(server: Any, message: EmailMessage, delivery: Delivery) -> bool:
    """Give a mail to the server and write down what became of it."""
    besides = sys.exception()
    try:
        server.send_messages([message])
    except Exception as failure:  # of whichever server is configured
        log.warning("mail %s not sent: %s", delivery.pk, failure)
        server.close()
        if never_left(failure, besides):
            delivery.state = Delivery.State.FAILED
        delivery.error = str(failure)[:500]
    else:
        delivery.state = Delivery.State.SENT
    delivery.save(update_fields=["state", "error"])
    return delivery.state == Delivery.State.SENT


def _settled(claim: Claim, delivery: Delivery) -> bool:
    """A mail that certainly did not leave is tried again; one that perhaps did, is not."""
    if delivery.state == Delivery.State.FAILED:
        _put_off(claim, delivery.error)
    return False


def _put_off(claim: Claim, failure: object) -> None:
    """Try again later, each time twice as late."""
    for notice in claim.notices:
        notice.sent, notice.error = None, str(failure)[:500]
        is_last = notice.attempts >= MOST_ATTEMPTS
        notice.due = None if is_last else claim.now + timedelta(minutes=2**notice.attempts)
        notice.save(update_fields=["sent", "due", "error"])


# --- a test ----------------------------------------------------------------------------------


def send_test(user: User, now: datetime) -> str:
    """Send somebody a mail to see whether it arrives: sent, failed, often, nowhere, unconfirmed."""
    if not user.email:
        return "nowhere"
    if not has_verified_address(user):  # it may be somebody else's
        return "unconfirmed"
    tests = user.deliveries.filter(is_test=True, created__gt=now - timedelta(days=1))
    if tests.count() >= MOST_TESTS:
        return "often"
    mail = test_mail_for(user, now)
    delivery = handed(mail, user, now, is_test=True)
    server = get_connection()
    try:
        return "sent" if sent_by(server, mail.message, delivery) else "failed"
    finally:
        server.close()
