"""What templates print of people: their drawn faces, and the browsers they use."""

from django import template
from django.utils.translation import gettext as _

from accounts.avatars import Avatar, avatar_of

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


@register.filter
def browser(agent: str) -> str:
    """Say what somebody logged in with: "Firefox, Linux"."""
    found = [_first(BROWSERS, agent), _first(SYSTEMS, agent)]
    return ", ".join(name for name in found if name) or _("Unknown browser")


def _first(names: dict[str, str], agent: str) -> str:
    return next((name for mark, name in names.items() if mark in agent), "")
