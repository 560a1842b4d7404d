"""Signed tickets in the addresses of a mail: each allows one thing, for one person, and no more.

A ticket asks for less mail, or takes that back. It logs nobody in and shows nothing of a match, so
a mail that is passed on gives nothing away.
"""

from dataclasses import dataclass
from enum import Enum

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from accounts.wishes import Topic

SALT = "mail-ticket"


class Scope(Enum):
    TURNS = "turns"
    SNOOZE = "snooze"
    MATCH = "match"
    ALL = "all"
    # What else a mail can be about; of somebody we do not know only the address is invited.
    COURSE = Topic.COURSE.value
    TABLES = Topic.TABLES.value
    INVITATIONS = Topic.INVITATIONS.value
    NUDGES = Topic.NUDGES.value
    CHAT = Topic.CHAT.value
    VACATION = Topic.VACATION.value

    @property
    def topic(self) -> Topic | None:
        return Topic(self.value) if self.value in Topic.values else None


@dataclass(frozen=True)
class Ticket:
    scope: Scope
    user: int | None = None
    match: int | None = None
    address: str = ""  # of nobody we know


def ticket_address(
    scope: Scope, *, user: User | None = None, match: int | None = None, address: str = ""
) -> str:
    content = [scope.value, user.pk if user else None, match, address]
    text = signing.Signer(salt=SALT).sign_object(content)
    return f"{settings.SITE_URL}{reverse('mail_ticket', args=[text])}"


def read_ticket(text: str) -> Ticket | None:
    """Read a ticket; None: not ours, or tampered with."""
    try:
        scope, user, match, address = signing.Signer(salt=SALT).unsign_object(text)
        return Ticket(Scope(scope), user, match, address)
    except (signing.BadSignature, ValueError, TypeError):
        return None
