"""What must hold when the weeks are over: nothing is stuck, and the books agree with the mails."""

from datetime import datetime

from accounts.models import Delivery
from games.models import Match, Notice, Seat
from tests.simulation.observer import GRACE, Observer, event_of


def stuck(now: datetime) -> list[str]:
    """List the matches in which nobody can ever do anything, or something should have happened."""
    found = [str(match) for match in Match.objects.filter(status="open") if not _closes(match, now)]
    for match in Match.objects.filter(status="running").prefetch_related("seats"):
        awaited = [seat for seat in match.seats.all() if seat.to_act]
        if match.asleep:
            is_alive = _closes(match, now)
        else:
            is_alive = bool(awaited) and all(_waits(seat, match, now) for seat in awaited)
        if not is_alive:
            found.append(str(match))
    return found


def _waits(seat: Seat, match: Match, now: datetime) -> bool:
    """A person is awaited, and not for ever."""
    if seat.bot or not seat.user_id:
        return False
    if seat.deadline is None:
        return match.expires is None or _closes(match, now)
    return seat.deadline + GRACE > now


def _closes(match: Match, now: datetime) -> bool:
    return match.expires is not None and match.expires > now and match.look_again is not None


def claimed() -> list[str]:
    """List what somebody began and nobody finished, after time enough to do so."""
    notices = Notice.objects.filter(attempts__gt=0, due__isnull=False)
    thoughts = Seat.objects.filter(thinking_until__isnull=False, to_act=True).exclude(bot="")
    return [str(event_of(notice)) for notice in notices] + [str(seat.pk) for seat in thoughts]


def disagreements(observer: Observer) -> list[str]:
    """Compare the books with the mails: each sent one arrived, each other one is in the gap."""
    found = []
    for mail in Delivery.objects.all():
        arrived = mail.message_id in observer.names
        in_gap = mail.message_id in observer.gaps
        as_it_should = {
            Delivery.State.SENT: arrived and not in_gap,
            Delivery.State.HANDED: in_gap,
            Delivery.State.FAILED: not arrived and not in_gap,
        }
        if not as_it_should[Delivery.State(mail.state)]:
            found.append(f"{mail.message_id}: {mail.state}, {arrived=}, {in_gap=}")
    known = set(Delivery.objects.values_list("message_id", flat=True))
    found += [f"{name}: not in the books" for name in observer.names - known]
    left = Delivery.State.SENT, Delivery.State.HANDED
    told = Notice.objects.filter(sent__isnull=False)
    return found + [str(event_of(notice)) for notice in told.exclude(delivery__state__in=left)]
