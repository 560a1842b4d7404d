"""The matches of the simulation: all games, two to four seats, people and bots, every pace."""

from copy import deepcopy
from itertools import cycle
from random import Random
from typing import NamedTuple

from games.models import Match, Move
from games.services import Opponent, changing, match_create, match_join
from tests.simulation.people import Person


class Plan(NamedTuple):
    """A kind of table: so many people, bots and empty seats, and how often among twenty."""

    games: tuple[str, ...]
    people: int
    often: int
    bots: int = 0
    empty: int = 0
    left: int = 0  # moves to the end; none: it begins now


TWO, MORE = ("sakkara", "obelisk", "valley", "cheops"), ("obelisk", "valley", "cheops")
PLANS = (
    Plan(TWO, people=2, often=6),
    Plan(TWO, people=1, bots=1, often=4),
    Plan(MORE, people=3, often=4),
    Plan(MORE, people=2, bots=1, often=2),
    Plan(MORE, people=1, bots=2, often=1),
    Plan(TWO, people=1, empty=1, often=1),
    Plan(TWO, people=2, often=1, left=6),
    Plan(TWO, people=1, bots=1, often=1, left=8),
)
PACES = ("brisk", "standard", "leisurely", "leisurely", "friends")


def plans(count: int) -> list[Plan]:
    """List the tables to open, the kinds mixed."""
    twenty = [plan for plan in PLANS for _ in range(plan.often)]
    mixed = twenty[::3] + twenty[1::3] + twenty[2::3]
    return [mixed[number % len(mixed)] for number in range(count)]


def opened(count: int, people: list[Person], chance: Random) -> list[Match]:
    """Open tables and seat everybody, through the services a page would call."""
    boxes: dict[tuple[str, ...], cycle[str]] = {
        games: cycle(games) for games in {plan.games for plan in PLANS}
    }
    return [opened_one(plan, next(boxes[plan.games]), people, chance) for plan in plans(count)]


def opened_one(plan: Plan, game: str, people: list[Person], chance: Random) -> Match:
    host, *others = chance.sample(people, plan.people)
    seats = [Opponent("open")] * (len(others) + plan.empty) + [Opponent("bot", "easy")] * plan.bots
    match = match_create(
        user=host.user,
        game=game,
        opponents=seats,
        pace=chance.choice(PACES),
        weekends=chance.random() < 0.3,
        vacations=chance.random() < 0.8,
        courtesy=chance.random() < 0.3,
        rated=chance.random() < 0.3,
    )
    for other in others:
        match_join(match_id=match.pk, user=other.user)
    if plan.left:
        play_up_to(match.pk, plan.left)
    return match


def play_up_to(match_id: int, left: int) -> None:
    """Bring a match near its end by neutral moves, all in one change."""
    with changing(match_id) as change:
        ahead, total = deepcopy(change.running), 0
        while called := ahead.state.to_act():
            ahead.play(called[0], ahead.state.idle(called[0]))
            total += 1
        for _ in range(total - left):
            state = change.running.state
            seat = state.to_act()[0]
            by = Move.By.BOT if change.seats[seat].bot else Move.By.PLAYER
            change.play(seat, state.idle(seat), by)
