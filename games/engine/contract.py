"""The contract between the rules of a game and everything else.

A game is one subclass of State. Nothing here knows a particular game, Django, a clock or a
file: a State changes in place, holds only JSON shapes, and asks a Table for chance and speech.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from games.engine.table import Table

Atom = int | str
Move = tuple[Atom, ...]  # ("place", 3, 7): a verb, then ints or identifiers
View = dict[str, Any]  # JSON: all that one viewer may know, and no more
Options = Mapping[str, Atom]  # the variants chosen for this match

OPEN = -1  # a viewer to whom everything is shown: used only once a match is over

LONGEST_MOVE = 200  # characters; no game comes near it
# A number, a place on a board (`3-11`, `15-A`) or a word.
_ATOM = re.compile(
    r"(?P<number>0|-?[1-9][0-9]{0,8})|[1-9][0-9]?-(?:[1-9][0-9]?|[A-Z])|[A-Za-z_][A-Za-z0-9_]*"
)


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """A move that the rules do not allow: a key and parameters, worded by the game's texts."""

    def __init__(self, key: str, **params: Atom) -> None:
        super().__init__(key)
        self.key = key
        self.params = params


def write(move: Move) -> str:
    """Give the one text form of a move: forms, log rows, goldens and tests all use it."""
    return " ".join(map(str, move))


def read(text: str) -> Move:
    """Parse the text form of a move, refusing whatever `write` could not have written."""
    if len(text) > LONGEST_MOVE:
        raise Refused("malformed")
    return tuple(map(_atom, text.split(" ")))


def _atom(text: str) -> Atom:
    match = _ATOM.fullmatch(text)
    if not match:
        raise Refused("malformed")
    return int(text) if match["number"] else text


def matches(hold: Move, move: Move) -> bool:
    """Tell whether the atoms of a hold occur in the move, in that order."""
    atoms = iter(move)
    return all(atom in atoms for atom in hold)


def copied(value: Any) -> Any:
    """Copy a JSON value; lists are homogeneous, so the first item tells the kind of all."""
    if type(value) is list:
        if value and type(value[0]) in (list, dict):
            return [copied(item) for item in value]
        return value[:]
    if type(value) is dict:
        return {key: copied(item) for key, item in value.items()}
    return value


class State(ABC):
    """One position of one game. Subclasses are `@dataclass(slots=True)`.

    Fields hold int, str, bool, None, homogeneous lists and dicts with str keys, nothing else.
    Seats are 0..n-1. Session and search are the only callers of `apply`.
    """

    __slots__ = ()

    @classmethod
    @abstractmethod
    def setup(cls, seats: int, options: Options, table: "Table") -> Self:
        """Lay out a new match."""

    @abstractmethod
    def to_act(self) -> list[int]:
        """List the seats that must decide now, ascending; none once the match is over."""

    @abstractmethod
    def legal(self, seat: int) -> list[Move]:
        """List what the seat may do now: the only judge of legality, never empty for `to_act`."""

    @abstractmethod
    def apply(self, seat: int, move: Move, table: "Table") -> None:
        """Carry out a move in place. Trusts that it is legal.

        Whoever sees something of it is told so in a line: a draft of which somebody hears nothing
        is kept from them altogether.
        """

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """Build what a seat may know (None: a spectator, OPEN: everything, after the end)."""

    @abstractmethod
    def determinize(self, seat: int, table: "Table") -> Self:
        """Copy the position with all that the seat cannot know dealt anew."""

    @abstractmethod
    def scores(self) -> list[tuple[int, ...]]:
        """Give each seat's (points, tie-breaks...) as if the match ended now; more is better."""

    def why_not(self, seat: int, move: Move) -> Refused:
        """Word the refusal of a move that `legal` does not list; never judges legality itself."""
        if not self.to_act():
            return Refused("game_over")
        if seat not in self.to_act():
            return Refused("not_your_turn")
        return Refused("illegal")

    def turn(self) -> Atom:
        """Name the turn in progress, where the same seat may have two turns in a row."""
        return 0

    def idle(self, seat: int) -> Move:
        """Choose the neutral move that is made for a seat whose clock ran out."""
        return self.legal(seat)[0]

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        for name in type(self).__match_args__:  # type: ignore[attr-defined]
            setattr(twin, name, copied(getattr(self, name)))
        return twin

    def dump(self) -> dict[str, Any]:
        return {field.name: copied(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def load(cls, dumped: dict[str, Any]) -> Self:
        return cls(**{name: copied(value) for name, value in dumped.items()})
