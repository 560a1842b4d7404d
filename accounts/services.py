"""Every write about people: guests come, sign up, turn out to be somebody we know, or go."""

import secrets
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Delivery, OptOut, Tie, User
from accounts.names import guest_name, nobodys_name
from config.trouble import by_the_way

SEEN_AGAIN = timedelta(minutes=5)


def guest_create() -> User:
    """Make a guest with a free name and no password."""
    while True:
        guest = User(username=guest_name(), is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:  # the name is taken: draw another
            continue
        return guest


def guest_merge(guest: User, member: User) -> None:
    """Give all that is a guest's to the member who logged in; nobody can be that guest again.

    At a table where both sat, the guest gets up: the others would wait for nobody.
    """
    # Imported late: games knows accounts, accounts knows of games only these three services.
    from games.services import belongings_move, matches_leave, tables_part

    with transaction.atomic():
        belongings_move(guest=guest, member=member)
        _guest_close(guest, member)
    matches_leave(user=guest)
    tables_part(user=member)


def _guest_close(guest: User, member: User) -> None:
    """Let a member know whom the guest knew, and who knew the guest; close the guest's account."""
    known = Tie.objects.filter(user=member).values("other")
    Tie.objects.filter(user=guest).exclude(other=member).exclude(other__in=known).update(
        user=member
    )
    known_to = Tie.objects.filter(other=member).values("user")
    Tie.objects.filter(other=guest).exclude(user=member).exclude(user__in=known_to).update(
        other=member
    )
    Tie.objects.filter(Q(user=guest) | Q(other=guest)).delete()
    guest.is_active = False
    guest.save(update_fields=["is_active"])
    lessons_settle([member], guest.lessons)


# What stays of a user who has gone: the row itself, and since when.
KEPT = ("id", "date_joined")


@transaction.atomic
def user_anonymise(user: User) -> None:
    """Leave of a user a row that says nothing: a new name, no address, nobody can log in."""
    for session in UserSession.objects.filter(user=user):
        session.end()
    for theirs in (EmailAddress, Authenticator, Delivery):
        theirs.objects.filter(user=user).delete()
    user.api_keys.all().delete()
    Tie.objects.filter(Q(user=user) | Q(other=user)).delete()
    user.groups.clear()
    user.user_permissions.clear()
    for field in User._meta.concrete_fields:
        if field.name not in KEPT:
            setattr(user, field.name, field.get_default())
    user.is_active = False
    user.set_unusable_password()
    while True:
        user.username = nobodys_name()
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError:  # the name is taken: draw another
            continue
        return


def user_seen(user: User, now: datetime) -> None:
    """Remember that somebody was here, at most once in some minutes: each time costs a write."""
    if user.seen is None or now - user.seen >= SEEN_AGAIN:
        user.seen = now
        with by_the_way():
            User.objects.filter(pk=user.pk).update(seen=now)


def language_set(user: User, language: str) -> None:
    """Remember the language a user chose, for every browser and for mail."""
    user.language = language
    user.save(update_fields=["language"])


def language_heard(user: User, language: str) -> None:
    """Remember what a browser asked for, to send mail in it to who chose no language."""
    if user.tongue != language:
        user.heard = language
        with by_the_way():
            User.objects.filter(pk=user.pk).update(heard=language)


def lessons_settle(users: Iterable[User], slugs: Collection[str]) -> None:
    """Remember lessons that users have done or do not want: they are not offered again."""
    changed = [user for user in users if not set(slugs) <= set(user.lessons)]
    for user in changed:
        user.lessons = sorted({*user.lessons, *slugs})
    User.objects.bulk_update(changed, ["lessons"])


def feeds_reset(user: User) -> None:
    """Give a user's private feeds a new address; the old one is dead at once."""
    user.feed_key = secrets.token_urlsafe(32)
    user.save(update_fields=["feed_key"])


def address_died(address: str, reason: str) -> None:
    """Stop all mail to an address that bounced, until its owner sets another or mends it."""
    known = User.objects.filter(email__iexact=address)
    if not known.update(dead_address=address):
        OptOut.objects.get_or_create(address=address.lower())  # it was invited
    newest = Delivery.objects.filter(to__iexact=address).first()
    if newest:
        newest.state, newest.error = Delivery.State.BOUNCED, reason[:500]
        newest.save(update_fields=["state", "error"])


def address_revived(user: User) -> None:
    """Let mail go again to an address whose owner says that it works."""
    user.dead_address = ""
    user.save(update_fields=["dead_address"])
