"""Every write about people: guests come, sign up, or turn out to be somebody we know."""

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.names import guest_name


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


@transaction.atomic
def guest_merge(guest: User, member: User) -> None:
    """Give a guest's matches to the member who logged in; nobody can be that guest again."""
    # Imported late: games knows accounts, accounts knows of games only this one service.
    from games.services import seats_move

    seats_move(from_user=guest, to_user=member)
    guest.is_active = False
    guest.save(update_fields=["is_active"])


def language_set(user: User, language: str) -> None:
    """Remember the language a user chose, for every browser and for mail."""
    user.language = language
    user.save(update_fields=["language"])
