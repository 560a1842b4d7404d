"""The form behind the settings page."""

import zoneinfo

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User


def zone_choices() -> list[tuple[str, str]]:
    """Return every place with a time zone of its own, without the historical aliases."""
    places = sorted(name for name in zoneinfo.available_timezones() if "/" in name)
    return [
        ("", "UTC"),
        *((name, name.replace("_", " ")) for name in places if not name.startswith("Etc/")),
    ]


class SettingsForm(forms.ModelForm):
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, required=False)

    class Meta:
        model = User
        fields = ("language", "time_zone", "theme", "notify")
        labels = {
            "language": _("Language"),
            "theme": _("Colours"),
            "notify": _("Mail me"),
        }
