"""The ways a match of Cheops can end (docs/rules/cheops.md §6); a playthrough shows each."""

from games.cheops.components import FULL, NONE
from games.engine.session import ranks

ENDINGS = {
    "boards_full": lambda end: end.end_reason == "boards_full",
    "three_boards_full": lambda end: end.sold.count(FULL) == 3,
    "pyramid_empty": lambda end: end.end_reason == "pyramid_empty",
    "blocked": lambda end: end.end_reason == "blocked",
    "joker_named": lambda end: end.joker_colour != NONE,
    "won_alone": lambda end: ranks(end.scores()).count(1) == 1,
    "shared": lambda end: ranks(end.scores()).count(1) > 1,
}
