"""The legal moves as words to choose from: the same moves that the board lights.

A list short enough to read: many moves of one kind are chosen from step by step, each step a hold.
Knows no game and no rule; what is legal it is told.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

from games import prose
from games.catalogue import Game
from games.engine.contract import Move, View, matches, write

MOST_BUTTONS = 12  # of one kind of move


class Entry(NamedTuple):
    """A whole move to be made, or a step towards some."""

    label: str
    move: str = ""
    hold: str = ""


class Fold(NamedTuple):
    """Part of a list that is still long when all but one step has been taken."""

    title: str
    entries: tuple[Entry, ...]


class Verb(NamedTuple):
    title: str  # empty: the one entry says it all
    entries: tuple[Entry, ...]
    folds: tuple[Fold, ...] = ()


class Held(NamedTuple):
    label: str
    move: str  # what is held is a whole move already: one press makes it
    explanation: str


def end_of(game: Game, moves: Sequence[Move]) -> Move | None:
    """Find the move that ends a turn: the one that is legal, or the only one the game has."""
    ends: list[Move] = [(verb,) for verb in game.texts.ends if verb in game.texts.moves]
    return next((end for end in ends if end in moves), ends[0] if len(ends) == 1 else None)


class Reader(NamedTuple):
    """Who reads the list: what may be seen, and what the players are called."""

    game: Game
    view: View
    names: Sequence[str]

    def word(self, start: Move) -> str:
        label = prose.label(self.game, start, self.names)
        found = self.game.texts.finds(start, self.view)
        return f"{label} ({found})" if found else label


def verbs(reader: Reader, moves: Iterable[Move], hold: Move) -> tuple[Verb, ...]:
    """Sort what can be done with what is held by its verb."""
    game = reader.game
    kinds: dict[object, list[Move]] = {}
    for move in moves:
        if move[0] not in game.texts.ends and matches(hold, move):
            kinds.setdefault(move[0], []).append(move)
    return tuple(_verb(reader, found, hold) for found in kinds.values())


def _verb(reader: Reader, found: list[Move], hold: Move) -> Verb:
    title = "" if len(found[0]) == 1 else reader.word(found[0][:1])
    starts = {move: [move] for move in found}
    if len(found) > MOST_BUTTONS:
        length = next(n for n in count(1) if len({move[:n] for move in found}) > 1)
        starts = {}
        for move in found:
            starts.setdefault(move[:length], []).append(move)
    entries = {start: _entry(reader, start, starts[start], hold) for start in starts}
    if len(entries) <= MOST_BUTTONS:
        return Verb(title, tuple(entries.values()))
    folds: dict[str, list[Entry]] = {}
    for start, entry in entries.items():
        folds.setdefault(reader.game.texts.heading(start), []).append(entry)
    loose = tuple(folds.pop("", ()))
    return Verb(title, loose, tuple(Fold(name, tuple(folded)) for name, folded in folds.items()))


def _entry(reader: Reader, start: Move, leads_to: list[Move], hold: Move) -> Entry:
    if len(leads_to) == 1:
        return Entry(reader.word(leads_to[0]), move=write(leads_to[0]))
    rest = list(hold)  # what is held beyond this step goes on being held
    for atom in start:
        if rest and rest[0] == atom:
            del rest[0]
    return Entry(reader.word(start), hold=write((*start, *rest)))


def held(game: Game, hold: Move, moves: Iterable[Move], names: Sequence[str]) -> Held:
    """Word what was picked up."""
    try:
        label = prose.label(game, hold, names)
    except KeyError:  # a part, in a game that words only moves
        label = " ".join(str(game.texts.names.get(str(atom), atom)) for atom in hold)
    return Held(label, write(hold) if hold in moves else "", _explanation(game, hold, moves))


def _explanation(game: Game, hold: Move, moves: Iterable[Move]) -> str:
    """Say what can be done with what is held; and what it is, where the game does not say all.

    Where nothing is held but the beginning of a move, say what it asks for.
    """
    said = game.texts.explanations
    asked = game.texts.phrase(hold)[0]
    if asked in game.texts.asks:
        return str(game.texts.asks[asked])
    verbs = {str(move[0]): None for move in moves if matches(hold, move)}
    uses = [str(said[verb]) for verb in verbs if verb in said]
    itself = [str(said[atom]) for atom in map(str, hold) if atom in said and atom not in verbs]
    return " ".join(uses if len(uses) == len(verbs) else itself[:1] + uses)
