"""The section “Notifications” of the settings page: it brings its own form and addresses."""

from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse

from accounts.models import User
from accounts.notification_form import NotificationForm
from games.verdicts import has_verified_address

register = template.Library()

MAILS_SHOWN = 10


@register.inclusion_tag("account/settings/_notifications.html", takes_context=True)
def notifications(
    context: template.Context, user: User, form: NotificationForm | None = None
) -> dict[str, Any]:
    names = {"iCalendar": "feed_calendar", "Atom": "feed_atom", "JSON": "feed_json"}
    return {
        "csrf_token": context.get("csrf_token"),
        "user": user,
        "form": form or NotificationForm(instance=user),
        "is_verified": has_verified_address(user),
        "is_dead": bool(user.email) and user.dead_address.lower() == user.email.lower(),
        "mails": user.deliveries.all()[:MAILS_SHOWN],
        "feeds": [
            (label, settings.SITE_URL + reverse(name, args=[user.feed_key]))
            for label, name in names.items()
            if user.feed_key
        ],
    }
