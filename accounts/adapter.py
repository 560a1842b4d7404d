"""Where allauth asks us: a guest who signs up keeps the row, one who logs in hands it over.

Its mails leave within the request, so a mail server that is away must not break the page.
"""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.addresses import address_is_mailable
from accounts.models import User
from accounts.services import guest_merge

log = logging.getLogger(__name__)


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest who sits at this browser, if any."""
    user = getattr(request, "guest", request.user)
    return user if isinstance(user, User) and user.is_guest else None


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
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

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as failure:  # every failure of a mail server or its connection
            log.warning("mail %s not sent: %s", template_prefix, failure)
            words = _("The mail could not be sent just now. Please ask for it again later.")
            messages.error(self.request, words)

    def login(self, request: HttpRequest, user: User) -> None:
        guest = guest_of(request)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            guest_merge(guest, user)
