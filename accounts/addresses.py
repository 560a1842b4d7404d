"""E-mail addresses: which can be written to, and whose they are.

Fewer can be written to than look like an address; and two people may name the same one, for
signing up must not tell whether an address is known.
"""

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

from accounts.models import User


def is_mailable(address: str) -> bool:
    """Tell whether a mail server can be given an address: some domains cannot be written for it."""
    try:
        validate_email(address)
        address.rpartition("@")[2].encode("idna")
    except (ValidationError, UnicodeError):
        return False
    return address.isprintable()


def address_is_mailable(address: str) -> None:
    """Refuse an address, in a form, that no mail can be sent to."""
    if not is_mailable(address):
        raise ValidationError(_("That is no e-mail address."), code="unmailable")


def addresses_read_by(user: object) -> set[str]:
    """Give the addresses whose kept mail a user may read: confirmed, or named by nobody else."""
    if not isinstance(user, User):
        return set()
    rows = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    addresses = {email.lower() for email in rows}
    named = User.objects.exclude(pk=user.pk).filter(email__iexact=user.email)
    if user.email and not named.exists():
        addresses.add(user.email.lower())
    return addresses
