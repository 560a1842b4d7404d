"""How strong people are, for two to five at a table: pure sums on openskill's Plackett-Luce.

Who stayed to the end is rated against the others who did, by the final order. Who left is last for
his own rating and counts for nobody else's, except where two play: there leaving is losing. Who
came in as a substitute can only gain. Where a caretaker made most of a seat's turns the others are
not rated, unless they agreed to go on. Who was away from everything at once loses once. Knows no
rows and no clock.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

MODEL = PlackettLuce()
LEAST_MATCHES = 5  # before somebody stands on a leaderboard

# Why a match did less, or more, to a rating than the final order says.
LEFT, SUBSTITUTE, ABSENT, CARETAKER = "left", "substitute", "absent", "caretaker"


class Strength(NamedTuple):
    """What is believed of somebody: the middle, and how far off it may be."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def points(self) -> int:
        """The middle as people read it: 1500 to begin with."""
        return round(1500 + 40 * (self.mu - MODEL.mu))

    @property
    def spread(self) -> int:
        """How many points it may be off in either direction; 19 times of 20 it is less."""
        return round(80 * self.sigma)


class Part(NamedTuple):
    """How one person took part in a match."""

    user: int
    rank: int  # of the seat, at the end
    stayed: bool = True
    is_substitute: bool = False
    is_excused: bool = False  # was away everywhere at once, and that has counted elsewhere


class Verdict(NamedTuple):
    strength: Strength
    note: str = ""


def verdicts(
    parts: Sequence[Part],
    before: Mapping[int, Strength],
    *,
    is_duel: bool,
    is_nursed: bool = False,
) -> dict[int, Verdict]:
    """Say what a match does to everybody who took part; `is_nursed`: a caretaker played a seat."""
    stayed = [part for part in parts if part.stayed and not part.is_substitute]
    began = [part for part in parts if not part.is_substitute]
    by_order = _rated({part.user: part.rank for part in (began if is_duel else stayed)}, before)
    found = {}
    for part in parts:
        old = before[part.user]
        if part.is_substitute:
            new = _rated({one.user: one.rank for one in (*stayed, part)}, before)[part.user]
            gains = part.stayed and new.mu > old.mu
            found[part.user] = Verdict(new if gains else old, SUBSTITUTE)
        elif part.is_excused:
            found[part.user] = Verdict(old, ABSENT)
        elif not part.stayed:
            found[part.user] = Verdict(_last(began, before)[part.user], LEFT)
        elif is_nursed:
            found[part.user] = Verdict(old, CARETAKER)
        else:
            found[part.user] = Verdict(by_order[part.user])
    return found


def _last(began: Sequence[Part], before: Mapping[int, Strength]) -> dict[int, Strength]:
    """Rate as if all who left had come last together."""
    bottom = 1 + max(part.rank for part in began)
    return _rated({part.user: part.rank if part.stayed else bottom for part in began}, before)


def _rated(ranks: Mapping[int, int], before: Mapping[int, Strength]) -> dict[int, Strength]:
    if len(ranks) < 2:
        return {user: before[user] for user in ranks}
    users = sorted(ranks)  # one order, so that the same match gives the same last digit
    teams = [[MODEL.rating(mu=before[user].mu, sigma=before[user].sigma)] for user in users]
    rated = MODEL.rate(teams, ranks=[ranks[user] for user in users])
    return {
        user: Strength(team[0].mu, team[0].sigma) for user, team in zip(users, rated, strict=True)
    }
