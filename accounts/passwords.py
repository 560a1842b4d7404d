"""Django's rules for passwords; their refusals in our words."""

from django.contrib.auth import password_validation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class LongEnough(password_validation.MinimumLengthValidator):
    def get_error_message(self) -> str:
        words = ngettext(
            "This is too short: at least %(n)s character.",
            "This is too short: at least %(n)s characters.",
            self.min_length,
        )
        return words % {"n": self.min_length}


class NotLikeOneself(password_validation.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return _("This is too much like your name or your address.")


class NotCommon(password_validation.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return _("Too many people use this password.")
