"""Somebody leaves the site for good: what is theirs goes, what others need stays without a name.

The row of the user stays and says nothing any more, so that matches, logs, results and ratings of
everybody else remain whole.
"""

import re
from contextlib import suppress

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts.models import Delivery, Mail, OptOut, User
from accounts.services import user_anonymise
from games.engine.contract import Refused
from games.models import Match, Message, Notebook, Notice, Seat, Vacation
from games.queries import tables_of
from games.services.moderation import numbered
from games.services.seats import match_resign
from games.services.tables import match_cancel, match_leave


def person_leave(*, user: User) -> None:
    """Resign everywhere, then forget who it was. Cut short, it can be done again."""
    matches_leave(user=user)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        _take_away(user)
        user_anonymise(user)
        _rename_in_audit(user)


def matches_leave(*, user: User) -> None:
    """Give up every seat of somebody who will not come back, so that nobody waits for them."""
    for match in tables_of(user):
        close = match_cancel if match.host_id == user.pk else match_leave
        with suppress(Refused):  # it has begun or closed meanwhile
            close(match_id=match.pk, user=user)
    playing = Seat.objects.filter(user=user, bot="", match__status=Match.Status.RUNNING)
    for match_id in list(playing.values_list("match", flat=True)):
        with suppress(Refused):
            match_resign(match_id=match_id, user=user)


def _take_away(user: User) -> None:
    """Delete what was only theirs, and blank what they said."""
    named = EmailAddress.objects.filter(user=user)
    for address in {user.email, *named.values_list("email", flat=True)} - {""}:
        if not User.objects.exclude(pk=user.pk).filter(email__iexact=address).exists():
            Mail.objects.filter(to__iexact=address).delete()
    # An address that was never confirmed may be somebody else's, and so are its invitations.
    for address in named.filter(verified=True).values_list("email", flat=True):
        Seat.objects.filter(invitee_email__iexact=address).update(invitee_email="")
        Delivery.objects.filter(to__iexact=address, user=None).delete()
        OptOut.objects.filter(address__iexact=address).delete()
    Seat.objects.filter(invitee=user).update(invitee=None)
    Message.objects.filter(author=user).update(text="")
    Notebook.objects.filter(user=user).delete()
    Vacation.objects.filter(user=user).delete()
    Notice.objects.filter(reader=user).update(due=None)


def _rename_in_audit(user: User) -> None:
    """Put the new name where the audit log names somebody, whatever the name was on that day."""
    mark = numbered(user).removeprefix(user.username)
    for entry in LogEntry.objects.filter(change_message__contains=mark):
        words = re.sub(rf"\S+{re.escape(mark)}", numbered(user), entry.change_message)
        LogEntry.objects.filter(pk=entry.pk).update(change_message=words)
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User))
    about.filter(object_id=str(user.pk)).update(object_repr=user.username)
