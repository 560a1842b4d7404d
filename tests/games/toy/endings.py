"""The ways a match of the toy can end; a playthrough shows each of them."""

from games.engine.session import ranks
from tests.toy import Scarabs

ENDINGS = {
    "won_alone": lambda end: ranks(end.scores()).count(1) == 1,
    "won_by_cards_left": lambda end: _leaders(end) > 1 == ranks(end.scores()).count(1),
    "shared": lambda end: ranks(end.scores()).count(1) > 1,
    "jewels_gone": lambda end: not any(end.jewels),
}


def _leaders(end: Scarabs) -> int:
    points = [score[0] for score in end.scores()]
    return points.count(max(points))
