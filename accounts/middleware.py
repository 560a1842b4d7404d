"""Speak each user's language and time zone, and keep the visit alive.

Reading the user costs two queries. A view that writes no words (such as a poll that mostly
answers 204) says so with `@wordless` and is left alone.
"""

import datetime
import zoneinfo
from collections.abc import Callable
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

RENEW_AFTER = datetime.timedelta(days=7)

View = Callable[..., HttpResponse]


def wordless(view: View) -> View:
    """Mark a view whose answer depends on no language and no time zone."""
    view.wordless = True  # type: ignore[attr-defined]
    return view


class PreferencesMiddleware:
    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_view(self, request: HttpRequest, view: View, *_args: Any) -> None:
        if not getattr(view, "wordless", False):
            prefer(request)


def prefer(request: HttpRequest) -> None:
    """Speak as the user likes; a wordless view that finds words after all calls this itself."""
    if not request.user.is_authenticated:
        return
    if request.user.language:
        translation.activate(request.user.language)
        request.LANGUAGE_CODE = translation.get_language() or "en"
    if request.user.time_zone:
        timezone.activate(zoneinfo.ZoneInfo(request.user.time_zone))
    renew(request.session)


def renew(session: SessionBase) -> None:
    """Let the session's year begin again, at most once a week: each time costs a write."""
    now = timezone.now()
    renewed = session.get("renewed")
    if renewed is None or now - datetime.datetime.fromisoformat(renewed) > RENEW_AFTER:
        session["renewed"] = now.isoformat()
