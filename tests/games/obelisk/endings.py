"""The ways a match of Obelisk can end (docs/rules/obelisk.md §6); a playthrough shows each."""

from games.engine.session import ranks
from games.obelisk.rules import ObeliskState


def _winners(end: ObeliskState) -> int:
    return ranks(end.scores()).count(1)


def _leaders(end: ObeliskState) -> int:
    points = [score[0] for score in end.scores()]
    return points.count(max(points))


ENDINGS = {
    "won_by_points": lambda end: _leaders(end) == 1,
    "won_by_camels": lambda end: _leaders(end) > 1 == _winners(end),
    "shared": lambda end: _winners(end) > 1,
}
