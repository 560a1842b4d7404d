"""What every template may print: the name of the site and whether it keeps its own mail."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    return {
        "SITE_NAME": settings.SITE_NAME,
        "SITE_URL": settings.SITE_URL,
        "outbox_is_open": settings.EMAIL_BACKEND == settings.EMBEDDED_MAILBOX
        and settings.DEBUG_OUTBOX,
    }
