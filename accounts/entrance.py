"""allauth's forms for signing up, logging in, addresses and passwords, with our words on them.

Those for second steps and passkeys are in keys.py; they take their words from here too.
"""

from typing import Any

from allauth.account import forms as allauth_forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

LONGEST_ADDRESS = 254
LABELS = {
    "login": _("Username or e-mail address"),
    "username": _("Username"),
    "email": _("E-mail address"),
    "password": _("Password"),
    "oldpassword": _("Present password"),
    "password1": _("New password"),
    "password2": _("New password once more"),
    "code": _("Code"),
    "name": _("Name"),
    "passwordless": _("It alone logs me in, without a password"),
}
HELP_TEXTS = {
    "username": _("Everybody sees it. You can change it later."),
    "password1": _("At least eight characters; not your name, and none that everybody uses."),
    "passwordless": _("It must then ask for your finger, your face or its own code."),
}


class Worded:
    """Words the fields: a label says what belongs there, so nothing is printed into them."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            field.help_text = HELP_TEXTS.get(name, field.help_text)
            field.widget.attrs.pop("placeholder", None)
            if name in {"login", "username"}:
                field.widget.attrs |= {"autocomplete": "username", "autocapitalize": "none"}


class SignUp(Worded, allauth_forms.SignupForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = LABELS["password"]
        self.fields["email"].help_text = _(
            "For mails when it is your turn, and for a new password. Nobody else sees it."
        )


class LogIn(Worded, allauth_forms.LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # SQLite looks up no text that does not end; no address is longer.
        self.fields["login"].validators.append(MaxLengthValidator(LONGEST_ADDRESS))

    def user_credentials(self) -> dict[str, Any]:
        """No name holds an “@”: an address is looked up as an address alone.

        Looked up as a name as well, an address that somebody has would take longer to refuse.
        """
        credentials: dict[str, Any] = super().user_credentials()
        if credentials.get("email"):
            credentials.pop("username", None)
        return credentials


class IsItYou(Worded, allauth_forms.ReauthenticateForm):  # type: ignore[misc]
    pass


class NewAddress(Worded, allauth_forms.AddEmailForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New e-mail address")


class ChangePassword(Worded, allauth_forms.ChangePasswordForm):  # type: ignore[misc]
    pass


class FirstPassword(Worded, allauth_forms.SetPasswordForm):  # type: ignore[misc]
    pass


class ForgottenPassword(Worded, allauth_forms.ResetPasswordForm):  # type: ignore[misc]
    pass


class PasswordFromMail(Worded, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    pass
