"""Which e-mail addresses mail can be sent to: fewer than those that look like an address."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _


def address_is_mailable(address: str) -> None:
    """Refuse what no mail server can be given: some domains cannot be written for it."""
    try:
        validate_email(address)
        address.rpartition("@")[2].encode("idna")
        is_mailable = address.isprintable()
    except (ValidationError, UnicodeError):
        is_mailable = False
    if not is_mailable:
        raise ValidationError(_("That is no e-mail address."), code="unmailable")
