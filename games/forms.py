"""Forms around tables: what a new match shall be, and which open tables one looks for.

The number of players decides how many opponents are asked for; the game's box decides the rest.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.addresses import address_is_mailable
from accounts.models import User
from games import clock, prose
from games.catalogue import Game, Option, Words, shelf
from games.engine.contract import Atom
from games.queries import member_called
from games.services import Opponent

LONGEST_ADDRESS = 254


class OpponentRow(NamedTuple):
    """What is asked about one opponent: what kind, and who."""

    number: int
    kind: forms.BoundField
    who: forms.BoundField | None


class OptionRow(NamedTuple):
    option: Option
    field: forms.BoundField


STARTS = (12, 24, 48, 72, 120, 168, 240, 336, 504, 720)  # hours
INCREMENTS = (12, 24, 36, 48, 72, 120, 168, 336)
LEAST_IN_TIME = (80, 90, 95)  # per cent that a host may ask for


def length_field(label: Any, hours: tuple[int, ...], usual: int) -> forms.TypedChoiceField:
    """Ask for a length of time."""
    return forms.TypedChoiceField(
        label=label,
        choices=lambda: [(hour, clock.worded(hour * clock.HOUR)) for hour in hours],
        coerce=lambda hour: int(hour) * clock.HOUR,
        initial=usual,
        required=False,
    )


class NewMatchForm(forms.Form):
    """Everything the host decides. Errors stand at their fields; nothing typed is lost."""

    once = forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)
    pace = forms.ChoiceField(
        label=_("Pace"), widget=forms.RadioSelect, initial=clock.DEFAULT_PACE, choices=()
    )
    start = length_field(_("To start with"), STARTS, 72)
    increment = length_field(_("More for every turn"), INCREMENTS, 24)
    cap = length_field(_("At most"), STARTS, 120)
    weekends = forms.BooleanField(
        label=_("Free weekends"),
        required=False,
        help_text=_("The clock stands still on each player’s own two weekend days."),
    )
    no_vacations = forms.BooleanField(
        label=_("No vacations"),
        required=False,
        help_text=_("The clock runs on while a player is on vacation."),
    )
    courtesy = forms.BooleanField(
        label=_("Courtesy"),
        required=False,
        help_text=_("Who runs out of time may be granted more by the other."),
    )
    private = forms.BooleanField(
        label=_("Private"),
        required=False,
        help_text=_("Not shown in the lobby; only the players and those with the link see it."),
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        help_text=_("Counts for the rating. Needs a clock and people on all seats."),
    )

    least_in_time = forms.TypedChoiceField(
        label=_("Reliability"),
        choices=lambda: [
            ("", _("anybody")),
            *(
                (least, _("at least %(least)s %% of turns in time") % {"least": least})
                for least in LEAST_IN_TIME
            ),
        ],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Of the last 100 turns. Who has made fewer than ten may join too."),
    )

    def __init__(
        self,
        posted: Mapping[str, Any] | None,
        *,
        game: Game,
        seats: int,
        user: object,
        **kwargs: Any,
    ) -> None:
        super().__init__(posted, **kwargs)
        self.game, self.opponents_asked = game, seats - 1
        self.member = user if isinstance(user, User) and not user.is_guest else None
        self.fields["seats"] = seats_field(game, seats)
        pace = self.fields["pace"]
        assert isinstance(pace, forms.ChoiceField)  # noqa: S101 - for the type checker
        pace.choices = [(slug, clock.LABELS[slug]) for slug in (*clock.PACES, clock.CUSTOM)]
        if self.member is None:
            del self.fields["rated"]
        if seats > 2:  # of two alone the time of one is the other's affair
            del self.fields["courtesy"]
        for number in range(1, seats):
            self._ask_for_opponent(number)
        for option in game.options:
            self.fields[f"option_{option.key}"] = option_field(option, seats)

    def _ask_for_opponent(self, number: int) -> None:
        kinds: list[tuple[str, Words]] = [
            ("open", _("Anybody, from the lobby")),
            ("link", _("Somebody with my private link")),
        ]
        if self.member:
            kinds.append(("person", _("Somebody I invite")))
        kinds += [
            (f"bot-{slug}", _("Bot, %(level)s") % {"level": prose.level(slug)})
            for slug in self.game.levels
        ]
        first = self.initial.get("opponent_1", "open")
        self.fields[f"opponent_{number}"] = forms.ChoiceField(
            label=_("Opponent %(number)s") % {"number": number},
            choices=kinds,
            initial="link" if first == "link" else "open",  # they cannot be mixed
            error_messages={"required": _("Choose who shall sit here.")},
        )
        if self.member:
            self.fields[f"who_{number}"] = forms.CharField(
                label=_("Username or e-mail address"),
                required=False,
                max_length=LONGEST_ADDRESS,
                widget=forms.TextInput(attrs={"list": "favourites"}),
                error_messages={
                    "max_length": _("That is too long for a name or an e-mail address.")
                },
            )

    def opponent_rows(self) -> Iterator[OpponentRow]:
        for number in range(1, self.opponents_asked + 1):
            who = self[f"who_{number}"] if self.member else None
            yield OpponentRow(number, self[f"opponent_{number}"], who)

    def option_rows(self) -> Iterator[OptionRow]:
        for option in self.game.options:
            yield OptionRow(option, self[f"option_{option.key}"])

    def pace_rows(self) -> Iterator[tuple[forms.boundfield.BoundWidget, Words]]:
        known: list[Words] = [pace.explanation for pace in clock.PACES.values()]
        known.append(_("Whatever suits you, from half a day to thirty days."))
        yield from zip(self["pace"], known, strict=True)

    def own_pace(self) -> list[forms.BoundField]:
        return [self["start"], self["increment"], self["cap"]]

    def clock_options(self) -> list[forms.BoundField]:
        names = ("weekends", "no_vacations", "courtesy")
        return [self[name] for name in names if name in self.fields]

    def chosen_pace(self) -> clock.Pace:
        """Give the pace that was chosen; whether one's own is fair is seen in `clean`."""
        return self._pace(self.cleaned_data) or clock.PACES[clock.DEFAULT_PACE]

    def _pace(self, cleaned: Mapping[str, Any]) -> clock.Pace | None:
        slug = cleaned.get("pace", "")
        if slug != clock.CUSTOM:
            return clock.PACES.get(slug)
        lengths = {name: cleaned.get(name) for name in ("start", "increment", "cap")}
        if not all(lengths.values()):
            return None
        return clock.Pace(slug=slug, **lengths)  # type: ignore[arg-type]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        invited: set[str] = set()
        for number in range(1, self.opponents_asked + 1):
            if cleaned.get(f"opponent_{number}") == "person" and f"who_{number}" in cleaned:
                self._check_invited(number, cleaned[f"who_{number}"], invited)
        kinds = self._kinds(cleaned)
        if "open" in kinds and (cleaned.get("private") or "link" in kinds):
            self.add_error(
                "private",
                _("A private table has no open seats: choose “with my private link” for them."),
            )
        pace = self._pace(cleaned)
        if cleaned.get("pace") == clock.CUSTOM and (pace is None or not pace.is_fair):
            self.add_error("cap", _("This must be no less than the start and a turn’s more."))
        if cleaned.get("rated") and self._is_never_rated(cleaned, kinds):
            self.add_error("rated", _("Only matches with a clock and without bots can be rated."))
        return cleaned

    def _kinds(self, cleaned: Mapping[str, Any]) -> list[str]:
        numbers = range(1, self.opponents_asked + 1)
        return [str(cleaned.get(f"opponent_{number}", "")) for number in numbers]

    def _is_never_rated(self, cleaned: Mapping[str, Any], kinds: list[str]) -> bool:
        pace = self._pace(cleaned)
        return any(kind.startswith("bot-") for kind in kinds) or (
            pace is not None and pace.start is None
        )

    def _check_invited(self, number: int, who: str, invited: set[str]) -> None:
        """Find the person meant, or say what is wrong with the name."""
        if refusal := self._why_not_invite(who, invited):
            self.add_error(f"who_{number}", str(refusal))

    def _why_not_invite(self, who: str, invited: set[str]) -> Words | None:
        if not who:
            return _("Whom do you invite? Give a username or an e-mail address.")
        person = member_called(who)
        if self.member and who.lower() in (self.member.username.lower(), self.member.email.lower()):
            return _("That is you.")
        if person is None and "@" not in who:
            return _("There is no player called %(name)s.") % {"name": who[:60]}
        if person is None:
            try:
                address_is_mailable(who)
            except ValidationError as error:
                return str(error.message)
        known = person.username.lower() if person else who.lower()
        if known in invited:
            return _("You invite the same person twice.")
        invited.add(known)
        return None

    def opponents(self) -> list[Opponent]:
        return [
            self._opponent(kind, self.cleaned_data.get(f"who_{number}", ""))
            for number, kind in enumerate(self._kinds(self.cleaned_data), 1)
        ]

    def _opponent(self, kind: str, who: str) -> Opponent:
        if kind == "person":
            return Opponent("person", who)
        if kind.startswith("bot-"):
            return Opponent("bot", kind.removeprefix("bot-"))
        return Opponent("open")

    def is_private(self) -> bool:
        return self.cleaned_data["private"] or "link" in self._kinds(self.cleaned_data)

    def options(self) -> dict[str, Atom]:
        return {
            option.key: self.cleaned_data[f"option_{option.key}"] for option in self.game.options
        }


def seats_field(game: Game, asked: int) -> forms.TypedChoiceField:
    """Let the number of players be chosen."""
    words = _("This game needs at least %(least)s and at most %(most)s players.")
    return forms.TypedChoiceField(
        label=_("Players"),
        choices=[(number, str(number)) for number in game.seats],
        coerce=int,
        initial=asked,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": words % {"least": game.seats[0], "most": game.seats[-1]}},
    )


def option_field(option: Option, seats: int) -> forms.TypedChoiceField:
    """Ask for one variant of the game."""
    choices: list[tuple[Atom, Words]] = [(choice.value, choice.label) for choice in option.choices]
    if option.any_seat:
        choices += [(0, _("you"))]
        choices += [(seat, _("opponent %(number)s") % {"number": seat}) for seat in range(1, seats)]
    values = {str(value): value for value, _label in choices}
    return forms.TypedChoiceField(
        label=str(option.label),
        choices=choices,
        coerce=values.__getitem__,
        initial=option.default,
        widget=forms.RadioSelect if len(choices) <= 3 else forms.Select,
    )


class LobbyForm(forms.Form):
    """Which open tables to show. Values it does not know are ignored: an address may be old."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    seats = forms.ChoiceField(label=_("Players"), required=False)
    pace = forms.ChoiceField(label=_("Pace"), required=False)
    rated = forms.ChoiceField(label=_("Rated"), required=False)

    def __init__(self, asked: Mapping[str, Any]) -> None:
        super().__init__(asked, auto_id="filter_%s", label_suffix="")
        games = shelf().values()
        most = max((game.seats[-1] for game in games), default=2)
        choices: dict[str, list[tuple[str, Words]]] = {
            "game": [(game.slug, game.title) for game in games],
            "seats": [(str(number), str(number)) for number in range(2, most + 1)],
            "pace": list(clock.LABELS.items()),
            "rated": [("yes", _("rated")), ("no", _("unrated"))],
        }
        for name, known in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
            field.choices = [("", _("all")), *known]

    def conditions(self) -> dict[str, Any]:
        """Give what was asked for as filters on matches."""
        self.is_valid()
        asked = self.cleaned_data
        wanted = {
            "game_slug": asked.get("game"),
            "seats_wanted": asked.get("seats"),
            "pace_slug": asked.get("pace"),
        }
        conditions: dict[str, Any] = {name: value for name, value in wanted.items() if value}
        if asked.get("rated"):
            conditions["rated"] = asked["rated"] == "yes"
        return conditions
