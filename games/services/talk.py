"""What people say around a match: messages, notes, complaints. No match is changed by it."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.ties import apart_from
from games import notices
from games.engine.contract import Refused
from games.models import Match, Message, Notebook, Notice, Report
from games.queries import seat_of
from games.talk import LONGEST_MESSAGE, LONGEST_NOTE

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
MESSAGES_PER_MINUTE = 10
MESSAGES_PER_DAY = 300
REPORTS_PER_DAY = 10


@transaction.atomic
def message_write(*, match: Match, user: User, text: str) -> Message:
    """Say something to the others at the table, and tell those who do not look."""
    text = " ".join(text.split())[:LONGEST_MESSAGE]
    mine = seat_of(match, user)
    if mine is None:
        raise Refused("not_seated")
    if not text:
        raise Refused("nothing_said")
    now = timezone.now()
    said = Message.objects.filter(author=user)
    if said.filter(at__gt=now - MINUTE).count() >= MESSAGES_PER_MINUTE:
        raise Refused("said_too_often")
    if said.filter(at__gt=now - DAY).count() >= MESSAGES_PER_DAY:
        raise Refused("said_too_often")
    message = Message.objects.create(match=match, author=user, text=text)
    read = dict(Notebook.objects.filter(match=match).values_list("user", "read"))
    deaf = apart_from(user) | {user.pk}
    for seat in match.seats.all():
        if seat.user and seat.user_id not in deaf:
            # Told once until the reader has looked again.
            epoch, due = read.get(seat.user.pk, 0), now + notices.delay_of(seat.user)
            notices.post(seat, Notice.Kind.CHAT, epoch, about=mine, due=due)
    messages_read(match=match, user=user, upto=message.pk)
    return message


def messages_read(*, match: Match, user: User, upto: int) -> None:
    """Remember how far a player has read; what was about to be mailed need not be."""
    book, _made = Notebook.objects.get_or_create(match=match, user=user)
    if upto > book.read:
        Notebook.objects.filter(pk=book.pk, read__lt=upto).update(read=upto)
        waiting = Notice.objects.filter(seat__match=match, reader=user, kind=Notice.Kind.CHAT)
        waiting.filter(sent=None).update(due=None)


def note_write(*, match: Match, user: User, text: str) -> None:
    """Keep a player's private notes about a match."""
    if seat_of(match, user) is None:
        raise Refused("not_seated")
    kept = {"text": text.strip()[:LONGEST_NOTE]}
    Notebook.objects.update_or_create(match=match, user=user, defaults=kept)


def report_write(
    *, reporter: User, about: User, match: Match | None, reason: str, words: str
) -> Report:
    """Complain about somebody to the moderators."""
    since = timezone.now() - DAY
    made = Report.objects.filter(reporter=reporter, created__gt=since)
    if made.count() >= REPORTS_PER_DAY:
        raise Refused("said_too_often")
    return Report.objects.create(
        reporter=reporter, about=about, match=match, reason=reason, words=words
    )
