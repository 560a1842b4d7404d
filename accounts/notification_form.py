"""The form behind the section “Notifications” of the settings page."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.days import DayField
from accounts.models import User
from accounts.section_form import SectionForm
from accounts.wishes import Topic

DELAYS = (0, 5, 15, 30, 60, 180)
HOURS = (1, 2, 3, 6, 12, 24, 48)


def delay_choices() -> list[tuple[int, Any]]:
    words = ngettext_lazy("after %(n)s minute", "after %(n)s minutes", "n")
    return [(n, words % {"n": n} if n else _("at once")) for n in DELAYS]


def hour_choices() -> list[tuple[int, Any]]:
    words = ngettext_lazy("%(n)s hour", "%(n)s hours", "n")
    return [(n, words % {"n": n}) for n in HOURS]


def whole_number(text: object) -> int:
    return int(str(text))


class NotificationForm(SectionForm):
    besides = ("declined", "snoozed_until")

    notify = forms.ChoiceField(
        label=_("Mail me"), choices=User.Notify.choices, widget=forms.RadioSelect
    )
    mail_delay = forms.TypedChoiceField(
        label=_("Tell me that it is my turn"),
        help_text=_("Whoever has moved by then gets no mail."),
        choices=delay_choices,
        coerce=whole_number,
    )
    mail_hours = forms.TypedChoiceField(
        label=_("At most one mail in"), choices=hour_choices, coerce=whole_number
    )
    digest_hour = forms.TypedChoiceField(
        label=_("Hour of the daily mail"),
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        coerce=whole_number,
    )
    topics = forms.MultipleChoiceField(
        label=_("Also tell me about"),
        choices=Topic.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    snooze = DayField(
        label=_("Snooze until"),
        help_text=_("No turn mails before this day; the last chance is told all the same."),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    class Meta:
        model = User
        fields = ("notify", "mail_delay", "mail_hours", "digest_hour", "unsubscribed")
        labels = {"unsubscribed": _("No mail at all, not even the last chance")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        user = self.instance
        self.initial["topics"] = [topic for topic in Topic.values if topic not in user.declined]
        if user.snoozed_until and user.snoozed_until > timezone.now():
            self.initial["snooze"] = user.snoozed_until.astimezone(user.zone).date()

    def save(self, commit: bool = True) -> User:
        user, wanted, day = self.instance, self.cleaned_data["topics"], self.cleaned_data["snooze"]
        user.declined = [topic for topic in Topic.values if topic not in wanted]
        user.snoozed_until = morning(user, day) if day else None
        return super().save(commit)


def morning(user: User, day: date) -> datetime:
    """Give the moment at which a snooze until this day ends: the hour of the daily mail."""
    return datetime.combine(day, time(user.digest_hour), tzinfo=user.zone)
