"""Signing up and logging in as a guest, the settings page, and the development outbox.

All other account pages are allauth's own views with our templates.
"""

from allauth.account import views as allauth_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.webauthn import views as webauthn_views
from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.addresses import addresses_read_by
from accounts.forms import SECTIONS
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


def login_webauthn(request: HttpRequest) -> HttpResponse:
    step_aside(request)
    return webauthn_views.login_webauthn(request)


def authenticate(request: HttpRequest) -> HttpResponse:
    """Ask for the second step of logging in."""
    step_aside(request)
    return mfa_views.authenticate(request)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest, section: str = "") -> HttpResponse:
    """Show how a user wants the site, section by section; save the one that was sent."""
    user = get_object_or_404(
        User, pk=request.user.pk
    )  # a refused form must not change the page's user
    forms = {
        slug: form(
            request.POST if slug == section and request.method == "POST" else None,
            instance=user,
            auto_id=f"{slug}-%s",
        )
        for slug, form in SECTIONS.items()
    }
    if section and section not in forms:
        raise Http404
    if not section or request.method != "POST":
        return render(request, "account/settings.html", {"forms": forms})
    if not forms[section].is_valid() or (user.is_guest and section == "profile"):
        return render(request, "account/settings.html", {"forms": forms, "refused": section})
    return settings_saved(request, forms[section].save(), section)


def settings_saved(request: HttpRequest, user: User, section: str) -> HttpResponse:
    """Say so in the language just chosen, and go back to where the form was."""
    with translation.override(user.language or translation.get_language()):
        messages.success(request, _("Your settings are saved."))
    back = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(back, request.get_host(), request.is_secure())
    if not ours or not back.startswith("/"):  # redirect() takes a mere word for a name
        back = f"{reverse('account_settings')}#{section}"
    response = redirect(back)
    if section == "look":
        remember_language(response, user)
    return response


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


@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """Show the mail that a site without a mail server keeps, to those whom it is addressed to."""
    return render(request, "account/outbox.html", {"mails": _kept_for(request)[:MAILS_SHOWN]})


@require_safe
@csp(  # type: ignore[arg-type]
    {
        "default-src": [NONE],
        "style-src": [UNSAFE_INLINE],
        "base-uri": [NONE],
        "form-action": [NONE],
        "frame-ancestors": [NONE],
    }
)
def outbox_mail(request: HttpRequest, mail_id: int) -> HttpResponse:
    """Show one as a mail program does that loads no pictures: its style is written into it."""
    mail = get_object_or_404(_kept_for(request).exclude(html=""), pk=mail_id)
    return HttpResponse(mail.html)


def _kept_for(request: HttpRequest) -> QuerySet[Mail]:
    if settings.EMAIL_BACKEND != settings.EMBEDDED_MAILBOX:
        raise Http404
    if settings.DEBUG_OUTBOX or request.user.is_superuser:
        return Mail.objects.all()
    return Mail.objects.filter(to__in=addresses_read_by(request.user))
