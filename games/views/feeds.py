"""A person's deadlines for other programs: iCalendar, Atom and JSON, at private addresses.

The key in the address is the permission. A feed tells which matches wait and until when; it shows
nothing of a position, and its key opens nothing else.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from icalendar import Alarm, Calendar, Event, Timezone

from accounts.middleware import wordless
from accounts.models import User
from games.letters import until
from games.models import Seat
from games.notices import LAST_CHANCE
from games.queries import seats_waiting_for

KEY_LENGTH = 43
Feed = Callable[[User], HttpResponse]


def _feed(write: Feed) -> Callable[[HttpRequest, str], HttpResponse]:
    """Find whose key it is and speak that person's language, in that person's zone."""

    @wordless
    @never_cache
    @require_safe
    @wraps(write)
    def view(request: HttpRequest, key: str) -> HttpResponse:
        user = User.objects.filter(feed_key=key, is_active=True).first()
        if user is None or len(key) != KEY_LENGTH:
            raise Http404
        with translation.override(user.tongue), timezone.override(user.zone):
            return write(user)

    return view


@_feed
def calendar(user: User) -> HttpResponse:
    """One event for each deadline: the last quarter of an hour, announced at the last chance."""
    diary = Calendar()
    diary.add("prodid", f"-//{settings.SITE_NAME}//deadlines//")
    diary.add("version", "2.0")
    diary.add("x-wr-calname", _title(user))
    diary.add_component(Timezone.from_tzid("UTC"))  # a calendar must not be empty
    for seat in seats_waiting_for(user):
        if seat.deadline:
            diary.add_component(_event(seat, seat.deadline))
    return HttpResponse(diary.to_ical(), content_type="text/calendar; charset=utf-8")


def _event(seat: Seat, deadline: datetime) -> Event:
    event, alarm = Event(), Alarm()
    event.add("uid", f"m{seat.match_id}.s{seat.index}@{settings.SITE_HOST}")
    event.add("dtstamp", seat.called or deadline)
    event.add("dtstart", deadline - timedelta(minutes=15))
    event.add("dtend", deadline)
    event.add("summary", _("Your turn: %(match)s") % {"match": seat.match})
    event.add("url", _address(seat))
    alarm.add("action", "DISPLAY")
    alarm.add("description", str(seat.match))
    alarm.add("trigger", -LAST_CHANCE, parameters={"RELATED": "END"})
    event.add_component(alarm)
    return event


@_feed
def atom(user: User) -> HttpResponse:
    now = timezone.now()
    seats = list(seats_waiting_for(user))
    context = {
        "title": _title(user),
        "site": settings.SITE_URL,
        "host": settings.SITE_HOST,
        "user": user,
        "updated": max((seat.called for seat in seats if seat.called), default=user.date_joined),
        "entries": [(seat, _address(seat), _words(seat, now)) for seat in seats],
    }
    xml = render_to_string("games/deadlines.atom", context)
    return HttpResponse(xml, content_type="application/atom+xml; charset=utf-8")


@_feed
def listing(user: User) -> HttpResponse:
    turns = [
        {
            "match": seat.match_id,
            "game": seat.match.game_slug,
            "title": str(seat.match),
            "address": _address(seat),
            "called": seat.called,
            "deadline": seat.deadline,
        }
        for seat in seats_waiting_for(user)
    ]
    return JsonResponse({"title": _title(user), "turns": turns})


def _title(user: User) -> str:
    return _("%(site)s: the turns of %(name)s") % {
        "site": settings.SITE_NAME,
        "name": user.username,
    }


def _address(seat: Seat) -> str:
    return f"{settings.SITE_URL}/matches/{seat.match_id}/"


def _words(seat: Seat, now: datetime) -> str:
    if seat.deadline is None:
        return _("It is your turn. There is no clock in this match.")
    return _("It is your turn, until %(deadline)s.") % {"deadline": until(seat.deadline, now)}
