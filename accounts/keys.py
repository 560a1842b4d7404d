"""allauth's forms for the second step and for passkeys, with our words on their fields."""

from typing import Any

from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django.utils.translation import gettext_lazy as _


class AppForm(ActivateTOTPForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code of the app")
        self.fields["code"].widget.attrs["placeholder"] = ""


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
