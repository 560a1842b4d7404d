"""What templates print of people: their drawn faces, their browsers, how long they take."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.avatars import Avatar, avatar_of
from accounts.models import Tie, User
from accounts.ties import people_tied

register = template.Library()

# The first that occurs is meant: most browsers also claim to be those below them.
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


@register.inclusion_tag("account/_avatar.html")
def avatar(name: str) -> dict[str, Avatar]:
    return {"avatar": avatar_of(name)}


@register.simple_tag
def favourites(user: object) -> list[str]:
    """Name a user's favourites."""
    if not isinstance(user, User):
        return []
    tied = people_tied(user, Tie.Kind.FAVOURITE)
    return list(tied.values_list("username", flat=True))


@register.filter
def lasting(seconds: float) -> str:
    """Say how long something took, in the largest unit that fits."""
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    hours = round(minutes / 60)
    if hours < 48:
        return ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours}
    days = round(hours / 24)
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days}


@register.filter
def browser(agent: str) -> str:
    """Say what somebody logged in with: "Firefox, Linux"."""
    found = [_first(BROWSERS, agent), _first(SYSTEMS, agent)]
    return ", ".join(name for name in found if name) or _("Unknown browser")


def _first(names: dict[str, str], agent: str) -> str:
    return next((name for mark, name in names.items() if mark in agent), "")
