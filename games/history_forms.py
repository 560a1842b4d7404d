"""Which past matches to show, and what to tell the moderators."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.days import DayField
from games.catalogue import Game, shelf
from games.models import Holder, Report
from games.talk import LONGEST_REPORT

DAY = forms.DateInput(attrs={"type": "date"})


class HistoryForm(forms.Form):
    """Filters of a history. Values it does not know are ignored: an address may be old."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    opponent = forms.CharField(label=_("Opponent"), required=False, max_length=30)
    result = forms.ChoiceField(label=_("Result"), required=False)
    rated = forms.ChoiceField(label=_("Rated"), required=False)
    variant = forms.ChoiceField(label=_("Variant"), required=False)
    since = DayField(label=_("From"), required=False, widget=DAY)
    until = DayField(label=_("Until"), required=False, widget=DAY)

    def __init__(self, asked: Mapping[str, Any]) -> None:
        super().__init__(asked, auto_id="filter_%s", label_suffix="")
        game = shelf().get(str(asked.get("game", "")))
        choices: dict[str, list[tuple[str, Any]]] = {
            "game": [(box.slug, box.title) for box in shelf().values()],
            "result": [("won", _("won")), ("lost", _("not won")), ("left", _("left"))],
            "rated": [("yes", _("rated")), ("no", _("unrated"))],
            "variant": variants_of(game) if game else [],
        }
        for name, known in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
            field.choices = [("", _("all")), *known]
        if not choices["variant"]:
            del self.fields["variant"]

    def asked(self) -> dict[str, Any]:
        """Give what was asked for: an opponent's name, and conditions on holders."""
        self.is_valid()
        asked = self.cleaned_data
        conditions: dict[str, Any] = {}
        if asked.get("game"):
            conditions["seat__match__game_slug"] = asked["game"]
        if asked.get("rated"):
            conditions["seat__match__rated"] = asked["rated"] == "yes"
        if asked.get("variant"):
            key, _colon, value = asked["variant"].partition(":")
            conditions[f"seat__match__options__{key}"] = int(value) if value.isdigit() else value
        if asked.get("since"):
            conditions["seat__match__finished__date__gte"] = asked["since"]
        if asked.get("until"):
            conditions["seat__match__finished__date__lt"] = asked["until"] + timedelta(days=1)
        conditions |= RESULTS.get(asked.get("result", ""), {})
        return {"opponent": asked.get("opponent"), "conditions": conditions}


RESULTS: dict[str, dict[str, Any]] = {
    "won": {"ended": Holder.Ended.PLAYED, "seat__rank": 1},
    "lost": {"ended": Holder.Ended.PLAYED, "seat__rank__gt": 1},
    "left": {"ended__in": [how for how in Holder.Ended if how != Holder.Ended.PLAYED]},
}


def variants_of(game: Game) -> list[tuple[str, str]]:
    """List the variants of a game, each as `option:choice`."""
    return [
        (f"{option.key}:{choice.value}", f"{option.label}: {choice.label}")
        for option in game.options
        if option.is_variant
        for choice in option.choices
    ]


class ReportForm(forms.Form):
    reason = forms.ChoiceField(label=_("What is wrong?"), choices=Report.Reason.choices)
    words = forms.CharField(
        label=_("What happened?"),
        required=False,
        max_length=LONGEST_REPORT,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
