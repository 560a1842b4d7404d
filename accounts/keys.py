"""allauth's second step and passkeys, with our words on their forms and refusals."""

import struct
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.entrance import Worded
from accounts.models import User

# What the reader of a key stumbles over in one that no browser made.
NONSENSE = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    struct.error,
)


class KeyRing(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code or key is wrong, too old, or was used already."),
    }

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's name
        keys = Authenticator.objects.filter(user=user, type=type)
        return gettext("Key %(number)s") % {"number": keys.count() + 1}


class AppForm(Worded, ActivateTOTPForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code of the app")


class CodeForm(Worded, AuthenticateForm):  # type: ignore[misc]
    pass


class CodeAgainForm(Worded, ReauthenticateForm):  # type: ignore[misc]
    pass


class Credential(forms.JSONField):
    """What a browser tells of a key. Of no use a second time, it is never printed again."""

    widget = forms.HiddenInput

    def bound_data(self, data: Any, initial: Any) -> None:
        return None


class Careful(forms.Form):
    """A key of nonsense is refused like a wrong one."""

    credential = Credential()

    def full_clean(self) -> None:
        try:
            super().full_clean()
        except NONSENSE:
            self.add_error("credential", get_adapter().validation_error("incorrect_code"))


class LoginKeyForm(Careful, LoginWebAuthnForm):  # type: ignore[misc]
    pass


class SecondKeyForm(Careful, AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class KeyAgainForm(Careful, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class KeyForm(Careful, Worded, AddWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True


class KeyNameForm(Worded, EditWebAuthnForm):  # type: ignore[misc]
    pass
