"""Who thinks for which bot: a lease on a seat, taken and given back without the match's lock."""

from datetime import datetime, timedelta

from django.db.models import Q

from games.models import Seat


def thought_claim(*, seat: Seat, now: datetime, lease: timedelta) -> bool:
    """Reserve the thinking for a bot's seat, so that two workers do not think the same thought."""
    free = Q(thinking_until=None) | Q(thinking_until__lt=now)
    claimed = Seat.objects.filter(free, pk=seat.pk, to_act=True).update(thinking_until=now + lease)
    return bool(claimed)


def thought_release(*, seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(thinking_until=None)
