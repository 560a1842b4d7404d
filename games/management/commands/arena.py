"""Bots against bots: how often does one kind of player win against another, and how fast?

One seat is played by the first kind, all others by the second; every deal is played once from
each seat. Nothing is stored: the arena needs no database, no broker and no site.
"""

from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import sqrt
from random import Random
from time import thread_time
from typing import Any, NamedTuple

import django
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.catalogue import Game, shelf, the_game
from games.engine.contract import Atom, Refused, State
from games.engine.search import Mind, choose
from games.engine.session import ranks
from games.engine.table import Silent
from games.tasks import TURN_SECONDS

RANDOM = "random"  # plays any legal move


class Player(NamedTuple):
    """A level of a game, or `random`; with a time of its own if `seconds` is not None."""

    name: str
    seconds: float | None = None

    def __str__(self) -> str:
        return self.name if self.seconds is None else f"{self.name}@{self.seconds:g}"

    def mind(self, game: Game) -> tuple[Mind, float]:
        """Give the player's mind and its seconds per decision."""
        if self.name == RANDOM:
            return Mind(), 0.0
        return game.mind, game.levels[self.name] if self.seconds is None else self.seconds


Pairing = tuple[Player, Player]


class Bout(NamedTuple):
    """One match to be played; the pickled form of it is all that a worker gets."""

    slug: str
    seats: int
    options: dict[str, Atom]
    pairing: Pairing
    seed: str
    hero: int  # the seat of the first kind


@dataclass(slots=True)
class Effort:
    """The time one kind of player spent."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0  # decision
    longest_turn: float = 0.0

    def add(self, other: "Effort") -> None:
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.longest_turn = max(self.longest_turn, other.longest_turn)


@dataclass(slots=True)
class Outcome:
    share: float  # of the victory: 1, 0 or a part of a shared one
    scores: tuple[float, float]  # of the hero, and the mean of the others
    efforts: tuple[Effort, Effort] = field(default_factory=lambda: (Effort(), Effort()))


def play(bout: Bout) -> Outcome:
    """Play one match and tell how the hero did."""
    game = the_game(bout.slug)
    dealing = Silent(Random(f"{bout.seed}:deal"))
    thinking = Silent(Random(f"{bout.seed}:{bout.hero}:{bout.pairing}"))
    state = game.state.setup(bout.seats, bout.options, dealing)
    minds = [player.mind(game) for player in bout.pairing]
    efforts = Effort(), Effort()
    mover, spent = -1, 0.0
    while called := state.to_act():
        seat = called[0]
        if seat != mover:
            mover, spent = seat, 0.0
        side = int(seat != bout.hero)
        mind, seconds = minds[side]
        seconds = min(seconds, max(0.0, TURN_SECONDS - spent) / 2)
        began = thread_time()
        move = choose(state, seat, thinking, mind, seconds=seconds)
        took = thread_time() - began
        spent += took
        efforts[side].add(Effort(1, took, took, spent))
        state.apply(seat, move, dealing)
    return _outcome(state, bout.hero, efforts)


def _outcome(state: State, hero: int, efforts: tuple[Effort, Effort]) -> Outcome:
    scores = state.scores()
    places = ranks(scores)
    share = 1 / places.count(1) if places[hero] == 1 else 0.0
    others = [score[0] for seat, score in enumerate(scores) if seat != hero]
    return Outcome(share, (scores[hero][0], sum(others) / len(others)), efforts)


def interval(share: float, games: int) -> tuple[float, float]:
    """Give Wilson's 95 % interval of a share."""
    z = 1.96
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def report(outcomes: Iterable[Outcome], seats: int, pairing: Pairing) -> Iterator[str]:
    """Sum the matches of a pairing up, in three lines."""
    played = list(outcomes)
    share = sum(outcome.share for outcome in played) / len(played)
    low, high = interval(share, len(played))
    yield (
        f"{pairing[0]} v {pairing[1]}, {seats} seats, {len(played)} games: "
        f"wins {share:.1%} (95 %: {low:.1%} to {high:.1%}; fair share {1 / seats:.1%})"
    )
    for side, player in enumerate(pairing):
        effort = Effort()
        for outcome in played:
            effort.add(outcome.efforts[side])
        mean = sum(outcome.scores[side] for outcome in played) / len(played)
        yield (
            f"  {player}: mean score {mean:.1f}, {effort.decisions / effort.seconds:,.0f} "
            f"decisions/s, {1000 * effort.seconds / effort.decisions:.2f} ms each, "
            f"longest {effort.longest:.2f} s, longest turn {effort.longest_turn:.2f} s"
        )


def pairing_of(text: str) -> Pairing:
    """Read `hard:easy` or `hard@0.2:easy`."""
    players = [_player(part) for part in text.split(":")]
    if len(players) != 2:
        raise ArgumentTypeError(f"{text!r} is not a pairing such as hard:easy or hard@0.2:easy")
    return players[0], players[1]


def _player(text: str) -> Player:
    name, at, seconds = text.partition("@")
    try:
        return Player(name, float(seconds) if at else None)
    except ValueError:
        raise ArgumentTypeError(f"{seconds!r} is not a number of seconds") from None


def option_of(text: str) -> tuple[str, Atom]:
    """Read `expert=1`."""
    key, _, value = text.partition("=")
    return key, int(value) if value.isdecimal() else value


class Command(BaseCommand):
    help = "Lets bots play each other and prints how often the first of each pairing wins."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", help="which game, e.g. obelisk")
        parser.add_argument("--seats", type=int, help="default: the fewest the game allows")
        parser.add_argument(
            "--pairing",
            type=pairing_of,
            action="append",
            help="e.g. hard:easy or hard@0.2:random; may be repeated; default: neighbouring levels",
        )
        parser.add_argument("--games", type=int, default=200, help="per pairing, default 200")
        parser.add_argument("--seconds", type=float, help="per decision, for all that think")
        parser.add_argument("--jobs", type=int, default=1, help="matches played side by side")
        parser.add_argument("--seed", default="arena", help="for other deals")
        parser.add_argument(
            "--option", type=option_of, action="append", default=[], help="e.g. expert=1"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        game, seats, options = self._table(given)
        if given["games"] < 1 or given["jobs"] < 1:
            raise CommandError("At least one game and one job, please.")
        for pairing in given["pairing"] or ladder(game):
            for player in pairing:
                if player.name != RANDOM and player.name not in game.levels:
                    raise CommandError(f"There is no level {player.name!r} in {game.slug}.")
            pair = timed(game, pairing, given["seconds"])
            bouts = [
                Bout(game.slug, seats, options, pair, f"{given['seed']}:{n // seats}", n % seats)
                for n in range(given["games"])
            ]
            for line in report(_played(bouts, given["jobs"]), seats, pair):
                self.stdout.write(line)
            self.stdout.flush()

    def _table(self, given: dict[str, Any]) -> tuple[Game, int, dict[str, Atom]]:
        if given["game"] not in shelf():
            raise CommandError(f"There is no game {given['game']!r}; there are {[*shelf()]}.")
        game = the_game(given["game"])
        seats = game.seats[0] if given["seats"] is None else given["seats"]
        try:
            return game, seats, game.chosen(dict(given["option"]), seats)
        except Refused as refused:
            raise CommandError(f"{refused.key}: {refused.params}") from None


def ladder(game: Game) -> list[Pairing]:
    """Pair each level with the one below, the lowest with chance."""
    names = [RANDOM, *sorted(game.levels, key=lambda name: game.levels[name])]
    return [(Player(above), Player(below)) for below, above in pairwise(names)]


def timed(game: Game, pairing: Pairing, seconds: float | None) -> Pairing:
    """Give players that think and have no time of their own these seconds."""
    if seconds is None:
        return pairing
    one, other = (
        player._replace(seconds=seconds)
        if player.seconds is None and game.levels.get(player.name, 0)
        else player
        for player in pairing
    )
    return one, other


def _played(bouts: list[Bout], jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        yield from map(play, bouts)
        return
    with ProcessPoolExecutor(jobs, initializer=partial(django.setup, set_prefix=False)) as pool:
        yield from pool.map(play, bouts)
