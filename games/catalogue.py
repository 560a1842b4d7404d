"""The shelf: what a game's box says, and how the site finds every box.

A game is a package `games/<slug>/` whose game.py holds `GAME = Game(...)`. The catalogue walks
the packages on first use, so a new game is added by adding its files and nothing else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from django.template.exceptions import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.functional import Promise

import games
from games.engine.contract import Atom, Move, Options, Refused, State, View
from games.engine.search import Mind
from games.engine.table import Line

Words = str | Promise  # a text in the reader's language


class Choice(NamedTuple):
    value: Atom
    label: Words


@dataclass(frozen=True, kw_only=True)
class Option:
    """One variant of a game: what the host may choose and what it means in one line."""

    key: str
    label: Words
    explanation: Words
    choices: tuple[Choice, ...]
    default: Atom
    any_seat: bool = False  # a seat number may be chosen as well
    is_variant: bool = True  # changes the rules, not only who begins

    def allows(self, value: Atom, seats: int) -> bool:
        return value in [choice.value for choice in self.choices] or (
            self.any_seat and type(value) is int and 0 <= value < seats
        )


@dataclass(frozen=True, kw_only=True)
class Texts:
    """The words of a game. Placeholders are named: `%(seat)s lays %(card)s`.

    An argument in `seats` is a seat number and becomes the player's name; any other text that
    `names` knows becomes that name; lists are joined. `phrase` gives the key (in `moves`) and the
    arguments for a move or for the beginning of one.
    """

    names: Mapping[str, Words]
    lines: Mapping[str, Words]
    moves: Mapping[str, Words]
    refusals: Mapping[str, Words]
    explanations: Mapping[str, Words]  # one sentence for every component, by its id
    phrase: Callable[[Move], tuple[str, dict[str, Any]]]
    seats: frozenset[str] = frozenset({"seat", "other"})
    ends: tuple[str, ...] = ("end_turn", "end")  # verbs that end a turn: they share one button
    heading: Callable[[Move], str] = lambda move: ""  # under which a long list is folded up
    # What is to be had where a move of the list goes, as far as its reader sees it.
    finds: Callable[[Move, View], str] = lambda move, view: ""
    # What the beginning of a move asks for, by the key of its phrase.
    asks: Mapping[str, Words] = field(default_factory=dict)
    # Lines of what came of secret choices: news also to whoever made the last of them (True: all of
    # them, False: those about others).
    outcomes: Mapping[str, bool] = field(default_factory=dict)


class Scene(NamedTuple):
    """What a board is drawn from: nothing but what this viewer may know."""

    view: View
    moves: list[Move]  # what the viewer may do now; empty for a spectator
    hold: Move = ()  # the beginning of a move the viewer has picked up
    recap: tuple[Line, ...] = ()  # what happened since the viewer's last turn, to be marked
    names: tuple[str, ...] = ()  # of the seats


class Part(NamedTuple):
    """Points of a final score and what they were for."""

    label: Words
    points: int


class Opening(NamedTuple):
    """A position that a lesson begins with: a match replayed from its seed.

    `moves` has lines of moves, a turn or part of one in each: the seat, then the texts of its
    moves separated by commas. The pupil sits on seat 0 and is to move.
    """

    seats: int
    seed: str
    options: Options = MappingProxyType({})
    moves: str = ""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing that a lesson asks for, and what it says once it is done.

    `wanted` are holds: a legal move that matches one of them does it. With a `refusal` the pupil
    is to try something in vain: it is done when the rules refuse with that key.
    """

    ask: Words
    wanted: tuple[str, ...]
    told: Words
    refusal: str = ""
    opening: Opening | None = None  # None: goes on from the step before
    replies: str = ""  # what the others do before this step begins: lines as in an opening


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """The first lesson of a game: a few moves on a real board, two minutes in all."""

    steps: tuple[Step, ...]

    @property
    def opening(self) -> Opening:
        first = self.steps[0].opening
        assert first is not None  # noqa: S101 - there is nothing to go on from
        return first


@dataclass(frozen=True, kw_only=True, eq=False)  # there is one box of each game
class Game:
    slug: str
    title: Words
    summary: Words  # one sentence for the shelf
    seats: range
    state: type[State]
    texts: Texts
    board: Callable[[Scene], Any]
    minutes: int  # of thinking in a whole match, to tell players what they start
    # How often a match calls on somebody, by the number of seats; secret choices count once.
    turns: Mapping[int, int]
    lesson: Lesson
    tally: Callable[[View], list[list[Part]]] | None = None  # whence each seat's points came
    material: object = None  # what is in the box, where the help page lists it
    options: tuple[Option, ...] = ()
    mind: Mind = field(default_factory=Mind)
    levels: Mapping[str, float] = field(  # seconds of thought per decision
        default_factory=lambda: {"easy": 0.0, "medium": 0.3, "hard": 1.5}
    )
    version: int = 1

    @property
    def usual_level(self) -> str:
        """Name the level in the middle: of a bot that nobody has chosen a level for."""
        levels = list(self.levels)
        return levels[len(levels) // 2]

    def chosen(self, options: Options, seats: int) -> dict[str, Atom]:
        """Complete and check the options of a match."""
        if seats not in self.seats:
            raise Refused("bad_seats", least=self.seats[0], most=self.seats[-1])
        known = {option.key: option for option in self.options}
        for key, value in options.items():
            if key not in known or not known[key].allows(value, seats):
                raise Refused("bad_option", option=key[:40])
        return {key: options.get(key, option.default) for key, option in known.items()}


@cache
def shelf() -> dict[str, Game]:
    """Find every game, by slug, in the order of their titles."""
    found = {}
    for box in Path(games.__path__[0]).glob("*/game.py"):  # imports no other package
        game: Game = import_module(f"games.{box.parent.name}.game").GAME
        found[game.slug] = game
    return dict(sorted(found.items()))


def the_game(slug: str) -> Game:
    """Take one game from the shelf; an unknown slug is a KeyError."""
    return shelf()[slug]


@cache
def template_of(slug: str, part: str) -> str:
    """Name a template that a game brings with it, or nothing if it does not."""
    name = f"games/{slug}/{part}.html"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return ""
    return name
