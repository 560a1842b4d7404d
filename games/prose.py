"""Keys and arguments become sentences in the reader's language, at the moment of reading.

The stored log, the rules and the moves know no words; a game's Texts and the site's own lines and
refusals below are the only places where sentences stand.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.catalogue import Game, Option
from games.engine.contract import Atom, Move, Options, Refused
from games.engine.table import Line

REFUSALS = {
    "malformed": _("That is not a move."),
    "illegal": _("That is not possible now."),
    "game_over": _("The match has ended."),
    "not_started": _("The match has not begun yet."),
    "not_your_turn": _("It is not your turn."),
    "stale": _("The board has changed since you looked. Here is how it stands now."),
    "nothing_to_undo": _("There is nothing to take back."),
    "undo_blocked": _("This can no longer be taken back: others have gone on from it."),
    "bad_seats": _("This game needs at least %(least)s and at most %(most)s players."),
    "bad_option": _("There is no such option: %(option)s."),
    "bad_pace": _("There is no such pace."),
    "bad_level": _("There is no such bot."),
    "no_such_player": _("There is no player called %(name)s."),
    "bad_address": _("That is no e-mail address."),
    "no_such_game": _("There is no such game."),
    "host_stays": _("You are the host: cancel the table instead of leaving it."),
    "not_finished": _("The match has not ended yet."),
    "not_seated": _("You do not play in this match."),
    "already_seated": _("You already have a seat here."),
    "table_full": _("All seats are taken."),
    "not_open": _("This table is no longer open."),
    "not_host": _("Only the host can do that."),
    "seats_empty": _("Not all seats are taken yet."),
    "not_invited": _("This seat is kept for somebody else."),
    "too_many_invitations": _("That was enough invitations for one day. Go on tomorrow."),
    "too_many_tables": _("You have too many open tables. Start or cancel one first."),
    "caretaker": _("A caretaker plays for you. Say that you are back, then it is your seat again."),
    "no_caretaker": _("No caretaker plays for you."),
    "no_seat_offered": _("No seat is free here any more."),
    "not_alone": _("You are not the only one left."),
    "not_asked": _("There is nothing to decide about your opponent’s time."),
    "no_clock": _("No clock runs for you here."),
    "no_vacations_here": _("This match was opened without vacations."),
    "vacation_overlaps": _("You already have a vacation then."),
    "vacation_spent": _("That is more vacation than you have left this year: %(days)s days."),
    "bad_vacation": _("A vacation begins today or later and lasts whole days."),
    "no_vacation": _("There is no such vacation."),
    "bad_proposal": _("That cannot be proposed."),
    "nobody_to_ask": _("There is nobody else to ask."),
    "already_proposed": _("Something is proposed already. Answer that first."),
    "no_proposal": _("There is nothing to answer any more."),
    "no_nudge": _(
        "Not now: once a day, not in the first twelve hours of a turn, and not in a vacation or a"
        " pause."
    ),
    "not_together": _("You cannot sit at one table with somebody who is there."),
    "not_reliable": _(
        "This table is for people who make at least %(least)s %% of their turns in time. Of your"
        " last turns it was %(share)s %%."
    ),
    "members_only": _("Rated matches are for members. Sign up first."),
    "nothing_said": _("There is nothing to send."),
    "said_too_often": _("That was a lot at once. Wait a little, then try again."),
    "no_reason": _("Give a reason: the players will read it."),
    "no_person": _("Nobody plays this seat: it is a bot's already."),
    "other_move": _("The rules allow that, but the lesson asks for something else now."),
    "too_often": _("That was a lot of new matches from your address. Try again in an hour."),
}
# What the site itself writes into a log. `until` and `since` are moments.
LINES = {
    "site_missed": _("%(seat)s ran out of time: the clock made a neutral turn."),
    "site_ended": _("%(seat)s ran out of time: the turn was ended as it lay."),
    "site_caretaker_timed_out": _(
        "%(seat)s ran out of time again: a caretaker bot plays the seat."
    ),
    "site_caretaker_resigned": _("%(seat)s resigns: a caretaker bot takes over."),
    "site_caretaker_away": _(
        "%(seat)s has been on vacation for a week of this turn: a caretaker bot plays meanwhile."
    ),
    "site_caretaker_removed": _("A caretaker bot takes over the seat of %(seat)s."),
    "site_voided": _("Those who run the site called the match off: %(reason)s"),
    "site_adjourned": _("Those who run the site let the clocks stand until %(until)s: %(reason)s"),
    "site_replaced": _("Those who run the site replace %(seat)s: %(reason)s"),
    "site_back": _("%(seat)s is back."),
    "site_offered": _("A substitute may now take the seat of %(seat)s."),
    "site_relieved": _("%(seat)s makes room for a substitute."),
    "site_substituted": _("%(seat)s takes over the seat."),
    "site_lone": _("Only %(seat)s is left: win by default, or play on against bots."),
    "site_plays_on": _("%(seat)s plays on against bots."),
    "site_by_default": _("%(seat)s wins by default: all others have gone."),
    "site_asleep": _("All players have gone: the match sleeps."),
    "site_abandoned": _("All players were away for two weeks: the match is cancelled."),
    "site_idle": _("Nobody moved for sixty days: the match is cancelled."),
    "site_closes": _("If nothing happens this match will be cancelled on %(until)s."),
    "site_lost_on_time": _("%(seat)s has lost on time."),
    "site_lost_resigned": _("%(seat)s resigns."),
    "site_too_soon": _(
        "%(seat)s ran out of time before both had made two turns: the match is cancelled and"
        " counts for nobody."
    ),
    "site_asked": _("The time of %(seat)s is up. The opponent may grant time or claim the win."),
    "site_granted": _("%(seat)s grants %(other)s time for another turn."),
    "site_vacation": _("%(seat)s is on vacation from %(since)s until %(until)s."),
    "site_vacation_used": _("%(seat)s ran out of time: a day of vacation was used."),
    "site_day_taken": _("%(seat)s needs a day: the clock stands still for 24 hours."),
    "site_proposed_pause": _("%(seat)s proposes a pause of %(days)s days."),
    "site_proposed_end": _("%(seat)s proposes to end the match without a result."),
    "site_proposed_rated": _("%(seat)s proposes to go on rated though a caretaker plays."),
    "site_declined": _("%(seat)s does not agree."),
    "site_paused": _("All agree: the match pauses until %(until)s."),
    "site_agreed": _("All agree: the match ends without a result."),
    "site_stays_rated": _("All agree: the match stays rated though a caretaker plays."),
    "site_absent": _(
        "%(seat)s ran out of time in three matches or more without having been here: for the"
        " rating that counts only once."
    ),
    "site_given_back": _(
        "%(seat)s was away from three matches or more at once: what this one cost the rating is"
        " given back."
    ),
    "site_unrated": _(
        "A caretaker made most turns of a seat: the match counts for nobody’s rating but that of"
        " who left."
    ),
}
DEEDS = frozenset(  # what the player who is named first did; all else befell that player
    f"site_{deed}"
    for deed in (
        *("back", "caretaker_resigned", "day_taken", "declined", "granted", "plays_on"),
        *("proposed_end", "proposed_pause", "proposed_rated", "substituted", "vacation"),
    )
)
LEVELS = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}


def say(game: Game, line: Line, names: Sequence[str]) -> str:
    """Word a line of the log; `names` are the players by seat."""
    if line.key in LINES:
        told = {key: _told(key, value, names) for key, value in line.args.items()}
        return str(LINES[line.key]) % told
    return fill(game, str(game.texts.lines[line.key]), line.args, names)


def is_deed_of(line: Line, seat: int) -> bool:
    """Tell whether the site says of a player what that player did, and so knows."""
    return line.key in DEEDS and line.args["seat"] == seat


def _told(key: str, value: Any, names: Sequence[str]) -> str:
    """Word an argument of a line of the site's own."""
    if key in ("seat", "other"):
        return names[int(value)]
    return moment(datetime.fromisoformat(value)) if key in ("since", "until") else str(value)


def caretaker(name: str) -> str:
    """Name a bot that plays for somebody who is away."""
    return gettext("%(name)s (caretaker)") % {"name": name}


def moment(at: datetime) -> str:
    """Word a moment as weekday, day, time and zone: nobody has to guess whose clock is meant."""
    local = timezone.localtime(at)
    return f"{date_format(local, 'l j F, H:i')} {local.tzname()}"


def label(game: Game, move: Move, names: Sequence[str]) -> str:
    """Word a move, or the beginning of one, as the text of a button."""
    key, args = game.texts.phrase(move)
    return fill(game, str(game.texts.moves[key]), args, names)


def explanations(game: Game) -> tuple[list[str], dict[str, int]]:
    """Give the sentences that explain a game, each once, and the place of each thing's own."""
    said = {key: str(words) for key, words in game.texts.explanations.items()}
    sentences = list(dict.fromkeys(said.values()))
    places = {sentence: place for place, sentence in enumerate(sentences)}
    return sentences, {key: places[words] for key, words in said.items()}


def level(slug: str) -> str:
    """Word the level of a bot; a game may have levels of its own."""
    return str(LEVELS.get(slug, slug))


def variants(game: Game, options: Options) -> list[tuple[str, str]]:
    """Word what was chosen for a match: (the option, the choice) for each option of the game."""
    return [
        (str(option.label), chosen(option, options.get(option.key, option.default)))
        for option in game.options
    ]


def chosen_otherwise(chosen_options: Options, among: Iterable[Option]) -> list[str]:
    """Word those of some options in which a match differs from the game as it leaves the box."""
    return [
        f"{option.label}: {chosen(option, chosen_options[option.key])}"
        for option in among
        if chosen_options.get(option.key, option.default) != option.default
    ]


def changed_rules(game: Game, options: Options) -> list[str]:
    """Word those of them that change the rules, and not only who begins."""
    return chosen_otherwise(options, [one for one in game.options if one.is_variant])


def chosen(option: Option, value: Atom) -> str:
    for choice in option.choices:
        if choice.value == value:
            return str(choice.label)
    return gettext("player %(number)s") % {"number": int(value) + 1}


def refuse(refused: Refused, game: Game | None = None, names: Sequence[str] = ()) -> str:
    """Word a refusal; a game's own words come before the site's."""
    if game and refused.key in game.texts.refusals:
        return fill(game, str(game.texts.refusals[refused.key]), refused.params, names)
    return str(REFUSALS[refused.key]) % refused.params


def fill(game: Game, text: str, args: dict[str, Any], names: Sequence[str]) -> str:
    return text % {key: _worded(game, key, value, names) for key, value in args.items()}


def _worded(game: Game, key: str, value: Any, names: Sequence[str]) -> str:
    if isinstance(value, list):
        return get_text_list([_worded(game, key, item, names) for item in value], gettext("and"))
    if key in game.texts.seats:
        return names[value] if value < len(names) else str(value + 1)
    return str(game.texts.names.get(value, value) if isinstance(value, str) else value)
