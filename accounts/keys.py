"""allauth's second step and passkeys, with our words on their forms and refusals."""

from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class KeyRing(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is wrong, too old, or was used already."),
    }

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's name
        keys = Authenticator.objects.filter(user=user, type=type)
        return gettext("Key %(number)s") % {"number": keys.count() + 1}


class Worded:
    """A label says what belongs there, so nothing is printed into the field."""

    fields: dict[str, Any]
    label = _("Code")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = self.label
        self.fields["code"].widget.attrs.pop("placeholder", None)


class AppForm(Worded, ActivateTOTPForm):  # type: ignore[misc]
    label = _("Code of the app")


class CodeForm(Worded, AuthenticateForm):  # type: ignore[misc]
    pass


class CodeAgainForm(Worded, ReauthenticateForm):  # type: ignore[misc]
    pass


class KeyForm(AddWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
        alone = self.fields["passwordless"]
        alone.initial = True
        alone.label = _("It alone logs me in, without a password")
        alone.help_text = _("It must then ask for your finger, your face or its own code.")


class KeyNameForm(EditWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
