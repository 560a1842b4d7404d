"""A guest turns out to be a member: what the guest did is the member's from now on.

Were anything left behind, the member could neither take it along nor have it blanked.
"""

from django.db import transaction

from accounts.models import User
from games.models import Holder, Match, Message, Notebook, Notice, Report, Seat, Vacation


@transaction.atomic
def belongings_move(*, guest: User, member: User) -> None:
    """Give all that is a guest's to a member, but for matches in which the member sits already."""
    _seats_move(guest, member)
    books = Notebook.objects.filter(user=member).values("match")
    Notebook.objects.filter(user=guest).exclude(match__in=books).update(user=member)
    Match.objects.filter(host=guest).update(host=member)
    Message.objects.filter(author=guest).update(author=member)
    Report.objects.filter(reporter=guest).update(reporter=member)
    Report.objects.filter(about=guest).update(about=member)
    Vacation.objects.filter(user=guest).update(user=member)
    Notice.objects.filter(who=guest).update(who=member)


def _seats_move(guest: User, member: User) -> None:
    """Move seats with who held them and what is to be told there, and seats that are kept."""
    both = Seat.objects.filter(user=member).values("match")
    mine = Seat.objects.filter(user=guest).exclude(match__in=both)
    # Locked: whoever is changing one of these would write the guest's name back.
    list(Match.objects.select_for_update().filter(pk__in=mine.values("match")).order_by("pk"))
    told = Holder.objects.filter(user=member).values("seat")  # once, the same may have been told
    waiting = Notice.objects.filter(reader=guest).exclude(seat__match__in=both)
    waiting.exclude(seat__in=told).update(reader=member)
    Holder.objects.filter(user=guest).exclude(seat__match__in=both).update(user=member)
    Seat.objects.filter(invitee=guest).exclude(match__in=both).update(invitee=member)
    mine.update(user=member)
