"""Vacations: announced days on which a player's clocks stand still, in all matches at once."""

from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.clock import DAY, YEARLY_VACATION
from games.engine.contract import Refused
from games.models import Match, Vacation
from games.queries import matches_with_clock, vacation_days
from games.services.change import Change
from games.services.transaction import changing


def days_left(user: User, at: datetime) -> int:
    """Count the days of vacation a user may still begin in the year of a moment."""
    return YEARLY_VACATION - vacation_days(user, at.astimezone(user.zone).year)


def vacation_start(*, user: User, begins: datetime, days: int) -> Vacation:
    """Go on vacation: now or later, for some whole days; all opponents are told."""
    now = timezone.now()
    if days < 1 or begins < now - DAY:
        raise Refused("bad_vacation")
    with transaction.atomic(durable=True):
        vacation = vacation_take(user=user, begins=begins, now=now, days=days, by_itself=False)
    vacation_spread(user=user, now=now, vacation=vacation)
    return vacation


def vacation_end(*, user: User, vacation_id: int) -> None:
    """Come back early, or stay at home: days that have begun are spent."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        User.objects.select_for_update().get(pk=user.pk)
        vacation = Vacation.objects.filter(user=user, match=None, pk=vacation_id).first()
        if vacation is None or vacation.ends <= now:
            raise Refused("no_vacation")
        begun = max(0, ceil((now - vacation.begins) / DAY))
        if begun:
            vacation.ends = vacation.begins + begun * DAY
            vacation.save()
        else:
            vacation.delete()
    vacation_spread(user=user, now=now)


def day_take(*, match_id: int, user: User) -> Change:
    """Take one day of the yearly vacation for this match alone, from now on."""
    with changing(match_id) as change:
        seat = change.person(user)
        if seat.deadline is None or seat.asked:
            raise Refused("no_clock")
        if not change.match.vacations:
            raise Refused("no_vacations_here")
        vacation_take(
            user=user, begins=change.now, now=change.now, match=change.match, by_itself=False
        )
        change.__dict__.pop("vacations", None)  # read them again
        change.deadlines_moved = True
        change.announce("day_taken", seat=seat.index)
    return change


def vacation_take(
    *,
    user: User,
    begins: datetime,
    now: datetime,
    days: int = 1,
    match: Match | None = None,
    by_itself: bool = True,
) -> Vacation:
    """Spend days of the allowance; two matches that do it at once do it one after the other."""
    User.objects.select_for_update().get(pk=user.pk)
    ends = begins + timedelta(days=days)
    overlap = Vacation.objects.filter(user=user, match=None, begins__lt=ends, ends__gt=begins)
    if by_itself and (known := overlap.first()):
        # Another match has just taken it, or it was to begin soon: then it begins now, so that
        # this deadline moves too and no sweep meets it again.
        known.begins = min(known.begins, begins)
        known.save()
        return known
    if match is None and overlap.exists():
        raise Refused("vacation_overlaps")
    left = days_left(user, begins)
    if days > left:
        raise Refused("vacation_spent", days=left)
    return Vacation.objects.create(
        user=user, match=match, begins=begins, ends=ends, by_itself=by_itself
    )


def vacation_spread(
    *, user: User, now: datetime, vacation: Vacation | None = None, besides: int = 0
) -> None:
    """Set the clocks of all matches of a player by a vacation that began, ended or was announced.

    Were this cut short, the sweep would find the true deadline before it did anything.
    """
    for match_id in matches_with_clock(user).exclude(pk=besides).values_list("pk", flat=True):
        with changing(match_id, now) as change:
            seat = next((one for one in change.seats if one.user_id == user.pk), None)
            if seat is None or change.match.status != Match.Status.RUNNING:
                change.drop()
                continue
            change.deadlines_moved = change.is_sweep = True
            if vacation and change.match.vacations:
                begins, ends = vacation.begins.isoformat(), vacation.ends.isoformat()
                change.announce("vacation", seat=seat.index, since=begins, until=ends)
