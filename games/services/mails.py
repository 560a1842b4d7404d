"""Less mail or more: what a ticket from a mail, or a button on a page, changes."""

from datetime import date

from accounts.models import OptOut, User
from accounts.notification_form import morning
from games.models import Seat
from games.tickets import Scope, Ticket


def mail_less(ticket: Ticket, user: User | None, *, until: date) -> None:
    """Do what a ticket allows. Doing it twice changes nothing more."""
    if ticket.address:
        OptOut.objects.get_or_create(address=ticket.address.lower())
    elif user is None:
        return
    elif ticket.scope == Scope.MATCH:
        seat_mute(match_id=ticket.match or 0, user_id=user.pk, muted=True)
    elif ticket.scope == Scope.TURNS:
        _change(user, notify=User.Notify.NONE)
    elif ticket.scope == Scope.SNOOZE:
        _change(user, snoozed_until=morning(user, until))
    elif ticket.scope == Scope.ALL:
        _change(user, unsubscribed=True)
    elif ticket.scope.topic:
        _change(user, declined=sorted({*user.declined, ticket.scope.topic}))


def mail_more(ticket: Ticket, user: User | None, *, before: str = "") -> None:
    """Take back what a ticket did; turns are told again as they were before."""
    if ticket.address:
        OptOut.objects.filter(address=ticket.address.lower()).delete()
    elif user is None:
        return
    elif ticket.scope == Scope.MATCH:
        seat_mute(match_id=ticket.match or 0, user_id=user.pk, muted=False)
    elif ticket.scope == Scope.TURNS:
        is_known = before in User.Notify.values and before != User.Notify.NONE
        _change(user, notify=before if is_known else User.Notify.EVERY_TURN)
    elif ticket.scope == Scope.SNOOZE:
        _change(user, snoozed_until=None)
    elif ticket.scope == Scope.ALL:
        _change(user, unsubscribed=False)
    elif ticket.scope.topic:
        _change(user, declined=sorted({*user.declined} - {ticket.scope.topic}))


def seat_mute(*, match_id: int, user_id: int, muted: bool) -> None:
    Seat.objects.filter(match=match_id, user=user_id).update(muted=muted)


def _change(user: User, **wishes: object) -> None:
    for name, value in wishes.items():
        setattr(user, name, value)
    user.save(update_fields=list(wishes))
