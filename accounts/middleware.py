"""Speak each user's language and time zone, keep the visit alive, keep guests from members' pages.

Reading the user costs two queries. A view that writes no words (such as a poll that mostly
answers 204) says so with `@wordless` and is left alone.
"""

import datetime
import zoneinfo
from collections.abc import Callable
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone, translation

from accounts.services import language_heard, user_seen

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
    else:
        language_heard(request.user, translation.get_language() or "")
    if request.user.time_zone:
        timezone.activate(zoneinfo.ZoneInfo(request.user.time_zone))
    renew(request.session)
    if "seen" not in request.GET:  # that is a page asking for news by itself
        user_seen(request.user, timezone.now())


def renew(session: SessionBase) -> None:
    """Let the session's year begin again, at most once a week: each time costs a write."""
    now = timezone.now()
    renewed = session.get("renewed")
    if renewed is None or now - datetime.datetime.fromisoformat(renewed) > RENEW_AFTER:
        session["renewed"] = now.isoformat()


# Pages about passwords, addresses and keys: a guest has none of these before signing up.
MEMBERS_ONLY = ("account_change_", "account_set_", "account_email", "mfa_", "usersessions_")
FOR_STRANGERS = ("mfa_login_webauthn", "mfa_authenticate", "account_email_verification_sent")


class MembersMiddleware:
    """Send guests who open a page for members to the sign-up page."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: View, *_args: Any
    ) -> HttpResponseRedirect | None:
        name = request.resolver_match.view_name if request.resolver_match else None
        if not name or not name.startswith(MEMBERS_ONLY) or name in FOR_STRANGERS:
            return None
        is_guest = request.user.is_authenticated and request.user.is_guest
        return redirect("account_signup") if is_guest else None
