"""The log as a story: sentences turn by turn, and what happened since one was last here.

Gets only lines that its reader may hear.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache, partial
from itertools import groupby
from typing import NamedTuple

import orjson
from django.utils.translation import get_language

from games import prose
from games.catalogue import Game
from games.chairs import Player
from games.engine.table import Line
from games.models import Move
from games.queries import Told
from games.sitters import Sitter, named

Place = Callable[[Told], int]


@dataclass(frozen=True)
class Reader:
    """Who is told the story: a seat (None: a spectator) of a game played by these people."""

    game: Game
    players: tuple[Player, ...]
    seat: int | None

    @cached_property
    def _always(self) -> tuple[Sitter, ...]:
        """List who sits there, if it was they from the first line on; else nobody."""
        is_so = all(len(player.sitters) <= 1 for player in self.players)
        return tuple(player.at_line(0) for player in self.players) if is_so else ()

    def did(self, told: Told) -> bool:
        """Tell whether a line says what the reader did, and not what came of secret choices."""
        if told.seat is None or told.seat != self.seat:
            return False
        key, args, _to = told.line
        is_news = self.game.texts.outcomes.get(key)
        return is_news is None or (not is_news and args.get("seat") == self.seat)

    def names_at(self, told: Told) -> tuple[str, ...]:
        """Name those who sat at the table when a line was said."""
        return named(self._always or [player.at_line(told.number) for player in self.players], told)


class Sentence(NamedTuple):
    text: str
    touches_me: bool
    place: int  # of its line, so that a page knows which are new; in a replay of its step


class Turn(NamedTuple):
    """What one seat did in a row, or the site."""

    name: str  # empty: the table was laid, or the site speaks
    is_site: bool
    is_mine: bool
    by_clock: bool
    at: datetime | None
    sentences: tuple[Sentence, ...]


def line_of(told: Told) -> int:
    """Number a line; 0: the site speaks. Numbers of moves count what others lay out in secret."""
    return told.number if told.move else 0


def turns(reader: Reader, log: Sequence[Told], place: Place = line_of) -> tuple[Turn, ...]:
    """Put a log into sentences, turn by turn."""
    told = []
    for (seat, name, is_site), group in groupby(log, partial(_speaker, reader)):
        lines = list(group)
        told.append(
            Turn(
                is_site=is_site,
                name=name,
                is_mine=seat is not None and seat == reader.seat,
                by_clock=any(one.by == Move.By.CLOCK for one in lines),
                at=lines[-1].at,
                sentences=sentences(reader, lines, place),
            )
        )
    return tuple(told)


def _speaker(reader: Reader, told: Told) -> tuple[int | None, str, bool]:
    name = "" if told.seat is None else reader.names_at(told)[told.seat]
    return told.seat, name, told.line.key in prose.LINES


def sentences(
    reader: Reader, lines: Iterable[Told], place: Place = line_of
) -> tuple[Sentence, ...]:
    language, found = get_language(), []
    for told in lines:
        names = reader.names_at(told)
        key, args = told.line.key, orjson.dumps(told.line.args)
        text, names_me = _worded(reader.game, names, reader.seat, language, key, args)
        found.append(Sentence(text, names_me and not reader.did(told), place(told)))
    return tuple(found)


@lru_cache(20_000)
def _worded(
    game: Game,
    names: tuple[str, ...],
    seat: int | None,
    language: str | None,
    key: str,
    args: bytes,
) -> tuple[str, bool]:
    """Word a line in the language that is spoken now; most were worded for the page before."""
    line = Line(key, orjson.loads(args), None)
    return prose.say(game, line, names), seat is not None and _names(game, line, seat)


def _names(game: Game, line: Line, seat: int) -> bool:
    """Tell whether a line is about a seat."""
    seats = (line.args[key] for key in game.texts.seats if key in line.args)
    return any(seat in one if isinstance(one, list) else seat == one for one in seats)


def recap(reader: Reader, lines: Iterable[Told]) -> tuple[Sentence, ...]:
    """Tell what happened, and first what was done to the reader."""
    return tuple(sorted(sentences(reader, lines), key=lambda one: not one.touches_me))


def news(reader: Reader, log: Sequence[Told]) -> list[Told]:
    """Find what is new: since the reader's last turn; for a spectator, the last turn."""
    if reader.seat is not None:
        told = _since_last_turn(reader, log)
        return [one for one in told if not prose.is_deed_of(one.line, reader.seat)]
    groups = [list(told) for _, told in groupby(log, lambda told: told.seat)]
    return groups[-1] if groups and groups[-1][0].seat is not None else []


def _since_last_turn(reader: Reader, log: Sequence[Told]) -> list[Told]:
    """Cut from a log what happened between the reader's previous turn and the present one."""
    begin = len(log)
    while begin and (log[begin - 1].seat is None or reader.did(log[begin - 1])):  # or the site
        begin -= 1
    while begin and not reader.did(log[begin - 1]):
        begin -= 1
    return [told for told in log[begin:] if told.at is not None and not reader.did(told)]


def chapters(reader: Reader, log: Sequence[Told], steps: Mapping[int, int]) -> tuple[Turn, ...]:
    """Tell a whole match, each sentence numbered by the step of the replay it belongs to."""
    numbered, step = [], 0
    for told in log:
        step = steps.get(told.move, step) if told.move else step  # the site speaks after a move
        numbered.append(told._replace(move=step))
    return turns(reader, numbered, place=lambda told: told.move or 0)
