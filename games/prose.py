"""Keys and arguments become sentences in the reader's language, at the moment of reading.

The stored log, the rules and the moves know no words; a game's Texts and the site's own refusals
below are the only places where sentences stand.
"""

from collections.abc import Sequence
from typing import Any

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
    "too_many_tables": _("You have too many open tables. Start or cancel one first."),
    "too_often": _("That was a lot of new matches from your address. Try again in an hour."),
}
LEVELS = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}


def say(game: Game, line: Line, names: Sequence[str]) -> str:
    """Word a line of the log; `names` are the players by seat."""
    return fill(game, str(game.texts.lines[line.key]), line.args, names)


def label(game: Game, move: Move, names: Sequence[str]) -> str:
    """Word a move, or the beginning of one, as the text of a button."""
    key, args = game.texts.phrase(move)
    return fill(game, str(game.texts.moves[key]), args, names)


def level(slug: str) -> str:
    """Word the level of a bot; a game may have levels of its own."""
    return str(LEVELS.get(slug, slug))


def variants(game: Game, options: Options) -> list[tuple[str, str]]:
    """Word what was chosen for a match: (the option, the choice) for each option of the game."""
    return [
        (str(option.label), _choice(option, options.get(option.key, option.default)))
        for option in game.options
    ]


def _choice(option: Option, value: Atom) -> str:
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
