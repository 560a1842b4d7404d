"""The forms by which those who run the site rule on a match.

Each asks for what its service needs, and for a reason.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import services
from games.catalogue import Words
from games.models import Match
from games.queries import member_called
from games.services.moderation import LONGEST_ADJOURNMENT, LONGEST_REASON


class Ruling(forms.Form):
    """Whatever is done to a match needs a reason; the fields are the arguments of the service."""

    title: Words
    service: Callable[..., None]
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("The players read it in the log of the match."),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, match: Match, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.match = match

    def rule(self, by: User) -> None:
        """Do it; trusts that the form is valid."""
        type(self).service(match_id=self.match.pk, by=by, **self.cleaned_data)


class VoidForm(Ruling):
    title = _("Call the match off")
    service = staticmethod(services.match_void)


class AdjournForm(Ruling):
    title = _("Let the clocks stand")
    service = staticmethod(services.match_adjourn)
    days = forms.IntegerField(
        label=_("Days"), min_value=1, max_value=LONGEST_ADJOURNMENT, initial=7
    )


class ReplaceForm(Ruling):
    title = _("Replace a player")
    service = staticmethod(services.seat_replace)
    seat = forms.TypedChoiceField(label=_("Seat"), coerce=int)
    user = forms.CharField(
        label=_("New player"),
        help_text=_("The name of a member; empty: a bot takes care of the seat."),
        required=False,
    )

    def __init__(self, match: Match, *args: Any, **kwargs: Any) -> None:
        super().__init__(match, *args, **kwargs)
        seats = [(seat.index, f"{seat.index}: {seat.name}") for seat in match.seats.all()]
        self.fields["seat"].choices = seats  # type: ignore[attr-defined]

    def clean_user(self) -> User | None:
        name = self.cleaned_data["user"].strip()
        user = member_called(name) if name else None
        if name and user is None:
            raise forms.ValidationError(_("There is no member of this name."))
        return user


RULINGS: dict[str, type[Ruling]] = {
    "void": VoidForm,
    "adjourn": AdjournForm,
    "replace": ReplaceForm,
}
