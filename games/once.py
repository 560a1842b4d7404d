"""A form posted twice makes one match: every printed form has a name, kept with what it made."""

import re
import secrets

from accounts.models import User


def once_value() -> str:
    """Name one printed form."""
    return secrets.token_hex(12)


def once_of(user: User, posted: str) -> str:
    """Bind the posted name to its user; a forged one can only name a form of one's own."""
    known = posted if re.fullmatch("[0-9a-f]{24}", posted) else once_value()
    return f"{known}-{user.pk}"
