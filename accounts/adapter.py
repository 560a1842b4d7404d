"""Where allauth asks us: a guest who signs up keeps the row, one who logs in hands it over.

Its mails leave within the request, so a mail server that is away must not break the page.
"""

import logging
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.forms import BaseForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.addresses import address_is_mailable
from accounts.models import User
from accounts.services import guest_merge
from accounts.stationery import note

log = logging.getLogger(__name__)


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest who sits at this browser, if any."""
    user = getattr(request, "guest", request.user)
    return user if isinstance(user, User) and user.is_guest else None


def at_home(link: str) -> str:
    """Let a link lead to the address that the site has in its settings."""
    return settings.SITE_URL + urlunsplit(("", "", *urlsplit(link)[2:]))


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _("This address and this password do not belong together."),
        "username_password_mismatch": _("This name and this password do not belong together."),
        "username_taken": _("This name is taken."),
        "too_many_login_attempts": _("Too many attempts have failed. Try again later."),
        "enter_current_password": _("That is not your present password."),
        "incorrect_password": _("That is not your password."),
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """An IPv4 address stays one that came in by a door for IPv6: else they would all be one."""
        address = ip_address(super().get_client_ip(request))
        return str(getattr(address, "ipv4_mapped", None) or address)

    def new_user(self, request: HttpRequest) -> User:
        return guest_of(request) or User()

    def save_user(
        self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True
    ) -> User:
        user.is_guest = False
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def clean_email(self, email: str) -> str:
        address_is_mailable(email)
        return email

    def render_mail(self, *args: Any, **kwargs: Any) -> EmailMessage:
        """Give every mail an HTML part, made from its words."""
        message: EmailMultiAlternatives = super().render_mail(*args, **kwargs)
        title = str(message.subject).removeprefix(app_settings.EMAIL_SUBJECT_PREFIX)
        words = str(message.body).removesuffix(settings.SITE_NAME)
        message.attach_alternative(note(title, words), "text/html")
        return message

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links lead to the site, whatever host the request named."""
        links = {name: at_home(link) for name, link in context.items() if name.endswith("_url")}
        try:
            super().send_mail(template_prefix, email, context | links)
        except OSError as failure:  # every failure of a mail server or its connection
            log.warning("mail %s not sent: %s", template_prefix, failure)
            words = gettext("The mail could not be sent just now. Please ask for it again later.")
            messages.error(self.request, words)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Back to where the way to the page began, not to the empty form."""
        return f"{reverse('account_settings')}#security"

    def login(self, request: HttpRequest, user: User) -> None:
        guest = guest_of(request)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            guest_merge(guest, user)
