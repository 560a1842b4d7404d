"""Signing up and logging in as a guest, the settings page, and the development outbox.

All other account pages are allauth's own views with our templates.
"""

from allauth.account import views as allauth_views
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.forms import SettingsForm
from accounts.models import Mail, User

MAILS_SHOWN = 50


def step_aside(request: HttpRequest) -> None:
    """Let a guest use the pages allauth keeps for strangers; the adapter still finds the guest."""
    if request.user.is_authenticated and request.user.is_guest:
        request.guest = request.user  # type: ignore[attr-defined]
        request.user = AnonymousUser()


def signup(request: HttpRequest) -> HttpResponse:
    step_aside(request)
    try:
        return allauth_views.signup(request)
    except IntegrityError:
        # The form was posted twice at once: this time it meets the row of the first and says so.
        return allauth_views.signup(request)


def login(request: HttpRequest) -> HttpResponse:
    step_aside(request)
    return allauth_views.login(request)


@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and save how a user wants the site: language, time zone, colours, mail."""
    form = SettingsForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        user = form.save()
        with translation.override(user.language or translation.get_language()):
            messages.success(request, _("Your settings are saved."))
        response = redirect("account_settings")
        remember_language(response, user)
        return response
    return render(request, "account/settings.html", {"form": form})


def remember_language(response: HttpResponse, user: User) -> None:
    """Keep the language in this browser too, for pages that are shown without a user."""
    if user.language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            user.language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)


def outbox(request: HttpRequest) -> HttpResponse:
    """Show the mail that a site without a mail server keeps, to those whom it is addressed to."""
    if settings.EMAIL_BACKEND != settings.EMBEDDED_MAILBOX:
        raise Http404
    mails = Mail.objects.all()
    if not settings.DEBUG_OUTBOX and not request.user.is_staff:
        email = getattr(request.user, "email", "")
        mails = mails.filter(to=email.lower()) if email else mails.none()
    return render(request, "account/outbox.html", {"mails": mails[:MAILS_SHOWN]})
