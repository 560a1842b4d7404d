"""The forms of the settings page: one for each section, each saved by itself."""

import zoneinfo

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import name_is_no_guests
from accounts.notification_form import NotificationForm


def zone_choices() -> list[tuple[str, str]]:
    """Return every place with a time zone of its own, without the historical aliases."""
    places = sorted(name for name in zoneinfo.available_timezones() if "/" in name)
    return [
        ("", "UTC"),
        *((name, name.replace("_", " ")) for name in places if not name.startswith("Etc/")),
    ]


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": _("Name")}
        help_texts = {"username": _("Everybody sees it, in past matches too. You log in with it.")}

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        name_is_no_guests(name)
        taken = User.objects.exclude(pk=self.instance.pk).filter(username__iexact=name)
        if taken.exists():
            raise forms.ValidationError(_("This name is taken."), code="unique")
        return name


class LookForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("language", "theme")
        labels = {"language": _("Language"), "theme": _("Colours")}


class ZoneForm(forms.ModelForm):
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, required=False)

    class Meta:
        model = User
        fields = ("time_zone",)


class BoardForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("confirm_turn", "animation")
        labels = {
            "confirm_turn": _("Ask before my turn ends"),
            "animation": _("Show where things went by moving them"),
        }
        help_texts = {
            "confirm_turn": _("Until a turn ends you can take back what you did."),
            "animation": _("Off, whatever you choose here, if your system asks for stillness."),
        }


# The sections of the page that are a form, by the last part of their address.
SECTIONS: dict[str, type[forms.ModelForm]] = {
    "profile": ProfileForm,
    "look": LookForm,
    "zone": ZoneForm,
    "board": BoardForm,
    "notifications": NotificationForm,
}
