"""What people may be called.

Letters and digits of any script, with `_`, `-` and `.` between them: readable in a log line,
safe in an address, and no emoji. Names that look like a guest's, or like nobody's, are the site's.
"""

import secrets
import unicodedata
from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

LONGEST = 30
GUEST_PREFIX = "Guest-"
NOBODYS_PREFIX = "Anon-"  # of people who have gone
# No letters or digits that are easily taken for each other.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"

name_is_readable = RegexValidator(
    # [^\W_] is a letter or digit: a name begins and ends with one.
    r"\A[^\W_](?:[\w.-]*[^\W_])?\Z",
    _("Use letters and digits, with “-”, “_” or “.” between them."),
    code="unreadable",
)


def name_is_no_guests(name: str) -> None:
    """Refuse names that only guests bear, and those who have gone."""
    if name.lower().startswith((GUEST_PREFIX.lower(), NOBODYS_PREFIX.lower())):
        words = _("Names that begin with “Guest-” or “Anon-” are given by the site.")
        raise ValidationError(words, code="guest")


# Alphabets that have letters in common to the eye.
LOOKALIKES = {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC"}


def name_is_no_disguise(name: str) -> None:
    """Refuse a name that looks like another: in wide letters, or with some of another alphabet."""
    letters = [unicodedata.name(letter, "").partition(" ")[0] for letter in name]
    if unicodedata.normalize("NFKC", name) != name or len(LOOKALIKES.intersection(letters)) > 1:
        words = _("Use the plain letters of one alphabet, so that nobody is taken for another.")
        raise ValidationError(words, code="disguise")


# Named in the settings: what is asked of a new name, beside its length.
MEMBER_NAME_VALIDATORS: list[Callable[[str], None]] = [
    name_is_readable,
    name_is_no_guests,
    name_is_no_disguise,
]


def guest_name() -> str:
    """Return a name for a guest; the caller sees to it that it is free."""
    return GUEST_PREFIX + _letters()


def nobodys_name() -> str:
    """Return a name for somebody who has gone; the caller sees to it that it is free."""
    return NOBODYS_PREFIX + _letters()


def _letters() -> str:
    return "".join(secrets.choice(LETTERS) for _letter in range(5))
