"""The forms of the settings page: one for each section, each saved by itself."""

import zoneinfo
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import MEMBER_NAME_VALIDATORS
from accounts.notification_form import NotificationForm
from accounts.section_form import SectionForm


def zone_choices() -> list[tuple[str, str]]:
    """Return every place with a time zone of its own, without the historical aliases."""
    places = sorted(name for name in zoneinfo.available_timezones() if "/" in name)
    return [
        ("", "UTC"),
        *((name, name.replace("_", " ")) for name in places if not name.startswith("Etc/")),
    ]


class ProfileForm(SectionForm):
    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": _("Name")}
        help_texts = {"username": _("Everybody sees it, in past matches too. You log in with it.")}

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        for check in MEMBER_NAME_VALIDATORS:
            check(name)
        taken = User.objects.exclude(pk=self.instance.pk).filter(username__iexact=name)
        if taken.exists():
            raise forms.ValidationError(_("This name is taken."), code="unique")
        return name


class LookForm(SectionForm):
    class Meta:
        model = User
        fields = ("language", "theme")
        labels = {"language": _("Language"), "theme": _("Colours")}


class ZoneForm(SectionForm):
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, required=False)

    class Meta:
        model = User
        fields = ("time_zone",)


HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]
LONGEST_NIGHT = 9  # hours


def weekend_choices() -> list[tuple[int, str]]:
    """Name every two days that follow each other, by the first."""
    return [
        (day, gettext("%(one)s and %(other)s") % {"one": WEEKDAYS[day], "other": WEEKDAYS[after]})
        for day, after in ((day, (day + 1) % 7) for day in range(7))
    ]


class ClockForm(SectionForm):
    """When the clocks of a player's matches stand still."""

    quiet_from = forms.TypedChoiceField(label=_("Quiet from"), choices=HOURS, coerce=int)
    quiet_until = forms.TypedChoiceField(label=_("Quiet until"), choices=HOURS, coerce=int)
    weekend = forms.TypedChoiceField(
        label=_("My weekend"),
        choices=weekend_choices,
        coerce=int,
        help_text=_("In matches whose clock stands still on weekends."),
    )

    class Meta:
        model = User
        fields = ("quiet", "quiet_from", "quiet_until", "weekend", "vacation_by_itself")
        labels = {
            "quiet": _("Let my clocks stand still at night"),
            "vacation_by_itself": _("Use a vacation day before I lose on time"),
        }
        help_texts = {
            "quiet": _(
                "In your time zone, at most nine hours. A change counts from your next turn."
            ),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        hours = {"quiet_from", "quiet_until"} & cleaned.keys()
        if len(hours) == 2 and cleaned.get("quiet"):
            night = (cleaned["quiet_until"] - cleaned["quiet_from"]) % 24
            if not 1 <= night <= LONGEST_NIGHT:
                self.add_error("quiet_until", _("Quiet hours last one to nine hours."))
        return cleaned


class BoardForm(SectionForm):
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


class PrivacyForm(SectionForm):
    class Meta:
        model = User
        fields = ("shown_to",)
        labels = {"shown_to": _("Who sees my profile and my past matches")}
        help_texts = {
            "shown_to": _("Public matches themselves can be watched and replayed by everybody.")
        }


# The sections of the page that are a form, by the last part of their address.
SECTIONS: dict[str, type[SectionForm]] = {
    "profile": ProfileForm,
    "look": LookForm,
    "zone": ZoneForm,
    "clock": ClockForm,
    "board": BoardForm,
    "privacy": PrivacyForm,
    "notifications": NotificationForm,
}
