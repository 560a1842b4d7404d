"""Recorded random games, for the tests that apply by themselves to every game of the catalogue.

A case is a game with a number of seats and options; its record is one match, move by move. Half of
the moves are random, half follow the game's own rule of thumb, so that both odd and sensible
positions are reached.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations, product
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from games.catalogue import Game, Option, shelf
from games.engine.contract import OPEN, Atom, Move, State
from games.engine.search import choose
from games.engine.session import Session
from games.engine.table import Line, Silent
from tests.toy import TOY

GAMES: list[Game] = [*shelf().values(), TOY]
NAMES = ("Anna", "Bram", "Cleo", "Daan", "Eva")
LONGEST = 2000  # moves; a match that takes more will never end
MANY = 12  # combinations of options that are all tried; of more, enough to meet every pair

Draft = tuple[int, Move]


class Case(NamedTuple):
    game: Game
    seats: int
    options: dict[str, Atom]

    def __str__(self) -> str:
        chosen = [f"{key}={value}" for key, value in self.options.items()]
        return "-".join([self.game.slug, str(self.seats), *chosen])

    @property
    def is_usual(self) -> bool:
        """Played as the game comes out of the box."""
        return self.options == self.game.chosen({}, self.seats)

    def start(self, seed: str) -> tuple[Session, list[Line]]:
        return Session.start(self.game.state, seed, self.seats, self.options)


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a recorded match, and the move that was made in it."""

    case: Case
    seed: str
    snapshot: dict[str, Any]
    epoch: int
    drafts: tuple[Draft, ...]
    state: State  # clone it before changing it
    seat: int
    move: Move
    lines: list[Line]
    sealed: bool

    def session(self) -> Session:
        """Take the match up at this position."""
        rules = self.case.game.state
        return Session.resume(rules, self.seed, self.snapshot, self.epoch, self.drafts)


class Record(NamedTuple):
    case: Case
    seed: str
    steps: list[Step]
    end: Session

    def sample(self, count: int) -> Sequence[Step]:
        """Some steps, spread evenly, with the first of them."""
        return self.steps[:: max(1, len(self.steps) // count)]


_records: dict[str, Record] = {}


def record(case: Case, seed: str = "1") -> Record:
    """Play a case to its end; every test of the run gets the same record."""
    key = f"{case}:{seed}"
    if key not in _records:
        session, _lines = case.start(seed)
        _records[key] = Record(case, seed, list(walk(case, seed, session)), session)
    return _records[key]


def walk(case: Case, seed: str, session: Session) -> Iterator[Step]:
    """Play a match on to its end."""
    random = Random(f"{case}:{seed}")
    for _ in range(LONGEST):
        called = session.state.to_act()
        if not called:
            return
        seat = random.choice(called)
        if random.random() < 0.5:
            move = random.choice(session.state.legal(seat))
        else:
            move = choose(session.state, seat, Silent(random), case.game.mind, seconds=0)
        yield take(case, seed, session, seat, move)
    raise AssertionError(f"{case} has not ended after {LONGEST} moves")


def take(case: Case, seed: str, session: Session, seat: int, move: Move) -> Step:
    """Make a move and write down where it was made."""
    snapshot, epoch, drafts = session.snapshot, session.epoch, tuple(session.drafts)
    state = session.state.clone()
    lines = session.play(seat, move)
    sealed = session.epoch != epoch
    return Step(case, seed, snapshot, epoch, drafts, state, seat, move, lines, sealed)


def cases(game: Game) -> list[Case]:
    return [Case(game, seats, options) for seats in game.seats for options in rows(game, seats)]


def rows(game: Game, seats: int) -> list[dict[str, Atom]]:
    """List combinations of options: all, or if there are many, so that every pair occurs."""
    values = {option.key: _values(option, seats) for option in game.options}
    every = [dict(zip(values, row, strict=True)) for row in product(*values.values())]
    if len(every) <= MANY:
        return every
    chosen: list[dict[str, Atom]] = []
    missing = set().union(*map(_pairs, every))
    while missing:
        chosen.append(max(every, key=lambda row: len(_pairs(row) & missing)))
        missing -= _pairs(chosen[-1])
    return chosen


def _values(option: Option, seats: int) -> list[Atom]:
    return [choice.value for choice in option.choices] + [seats - 1] * option.any_seat


def _pairs(row: dict[str, Atom]) -> set[tuple[tuple[str, Atom], ...]]:
    return set(combinations(row.items(), min(2, len(row))))


def own(game: Game, name: str) -> ModuleType | None:
    """Find what a game's own tests add to those for all games: invariants, endings, budget."""
    package = f"tests.games.{game.slug}"
    found = find_spec(package) and find_spec(f"{package}.{name}")
    return import_module(f"{package}.{name}") if found else None


def every_case() -> list[Case]:
    return [case for game in GAMES for case in cases(game)]


def viewers(case: Case) -> list[int | None]:
    return [*range(case.seats), None, OPEN]


def strings(value: Any) -> list[str]:
    """List all texts in a JSON value, sorted."""
    if isinstance(value, dict | list):
        items = value.values() if isinstance(value, dict) else value
        return sorted(text for item in items for text in strings(item))
    return [value] if isinstance(value, str) else []
