"""The record of a match: one readable text that holds all of it and can be played again.

The form is described in docs/records.md. What is read here may come from anywhere: it is believed
only as far as the rules and the seed confirm it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from sys import maxsize
from typing import NamedTuple

import orjson

from games import prose
from games.catalogue import Game, shelf
from games.engine.contract import Atom, Refused, read
from games.engine.session import Session, ranks
from games.models import Match, Move, Seat
from games.queries import Difference, record_of, seats_with_holders
from games.sitters import Sitter, at_move, sitters_of

FIRST_LINE = "Nilepost record 1"
CARETAKER = "caretaker"  # a bot that moved for a person
PLAYED, CALLED = "played", "called"  # how it ended: by the rules, or by clock or agreement
MOST_MOVES = 20_000
FIELD = re.compile(r"(?P<key>[a-z]+(?: [a-z0-9_]+)?): *(?P<value>.*)")
NUMBER = re.compile("-?[0-9]{1,9}")
SCORE = "-?[0-9]{1,6}"
FORMS = {  # the fields, and what they may say
    "version": "[0-9]{1,4}",
    "game|match|pace|rated|started|finished|seat [0-9]": ".*",
    "option [a-z0-9_]+": f"{NUMBER.pattern}|[a-z_][a-z0-9_]*",
    "commitment|seed": "[0-9a-f]{64}",
    "ending": f"{PLAYED}|{CALLED}",
    "result [0-9]": f"place [1-9], points {SCORE}(?: {SCORE})*",
}
MOVE = re.compile(r"(?P<number>[0-9]{1,5})\. (?P<seat>[0-9]): (?P<text>[^#]+?)(?: +#.*)?")


class Unreadable(Exception):  # noqa: N818 - an answer about a text, not an error of ours
    """A text that is no record: the line and what is wrong there."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


class Made(NamedTuple):
    """A move as the record tells it."""

    seat: int
    text: str
    by: str = Move.By.PLAYER


class Place(NamedTuple):
    rank: int
    score: list[int]

    def __str__(self) -> str:
        return f"place {self.rank}, points {' '.join(map(str, self.score))}"


@dataclass(kw_only=True)
class Record:
    game: str
    version: int
    seed: str
    commitment: str
    ending: str = PLAYED
    names: list[str] = field(default_factory=list)
    options: dict[str, Atom] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)  # number, pace, times: nothing rests on it
    moves: list[Made] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


# --- writing ---------------------------------------------------------------------------------


def record_from(match: Match) -> Record:
    """Put the record of a finished match together; trusts that it may be seen."""
    state = match.game.state.load(orjson.loads(match.snapshot))
    seats, moves = seats_with_holders(match), record_of(match)
    sitters = [sitters_of(seat) for seat in seats]
    return Record(
        game=match.game_slug,
        version=match.version,
        seed=match.seed,
        commitment=match.commitment,
        ending=CALLED if state.to_act() else PLAYED,
        names=[_names(*seated, moves) for seated in zip(seats, sitters, strict=True)],
        options=match.options,
        about={
            "match": str(match.pk),
            "pace": match.pace_slug,
            "rated": "yes" if match.rated else "no",
            "started": _time(match.started),
            "finished": _time(match.finished),
        },
        moves=[Made(move.seat, move.text, _by(sitters[move.seat], move)) for move in moves],
        places=[Place(seat.rank or 0, seat.score or [0]) for seat in seats],
    )


def _names(seat: Seat, sitters: Sequence[Sitter], moves: Sequence[Move]) -> str:
    """Name who sat on a seat, and from which move on somebody else did."""
    names: list[str] = []
    former = None
    for number, place in enumerate((*(move.pk for move in moves), maxsize), 1):
        sitter = at_move(sitters, place)
        if sitter is not former:
            is_bot = seat.bot and not sitter.is_person
            name = f"{sitter.name} (bot, {seat.bot})" if is_bot else sitter.name
            names.append(f"from move {number} {name}" if names else name)
        former = sitter
    return ", ".join(names)


def _by(sitters: Sequence[Sitter], move: Move) -> str:
    is_caretaker = move.by == Move.By.BOT and at_move(sitters, move.pk).is_person
    return CARETAKER if is_caretaker else move.by


def name_of(match: Match) -> str:
    """Give the name of the file a record is kept in."""
    return f"nilepost-{match.game_slug}-{match.pk}.txt"


def written(record: Record) -> str:
    """Write a record as text."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield FIRST_LINE
    yield f"game: {record.game}"
    yield f"version: {record.version}"
    yield from (f"{key}: {value}" for key, value in record.about.items())
    yield from (f"seat {seat}: {name}" for seat, name in enumerate(record.names))
    yield from (f"option {key}: {value}" for key, value in sorted(record.options.items()))
    yield f"commitment: {record.commitment}"
    yield f"seed: {record.seed}"
    yield ""
    for number, move in enumerate(record.moves, 1):
        by = "" if move.by == Move.By.PLAYER else f"  # {move.by}"
        yield f"{number}. {move.seat}: {move.text}{by}"
    yield ""
    yield f"ending: {record.ending}"
    yield from (f"result {seat}: {place}" for seat, place in enumerate(record.places))


def _time(moment: datetime | None) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if moment else ""


# --- reading ---------------------------------------------------------------------------------


def read_record(text: str) -> Record:
    """Read a record; refuses what `written` could not have written."""
    fields: dict[str, str] = {}
    moves: list[Made] = []
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise Unreadable(1, f"a record begins with “{FIRST_LINE}”")
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        if one := MOVE.fullmatch(line.rstrip()):
            if int(one["number"]) != len(moves) + 1 or len(moves) == MOST_MOVES:
                raise Unreadable(number, f"move {len(moves) + 1} was expected")
            moves.append(Made(int(one["seat"]), one["text"]))
        elif two := FIELD.fullmatch(line.rstrip()):
            if two["key"] in fields:
                raise Unreadable(number, f"“{two['key']}” stands here twice")
            fields[two["key"]] = _said(two["key"], two["value"], number)
        else:
            raise Unreadable(number, "neither a field nor a move")
    try:
        return _put_together(fields, moves)
    except KeyError as missing:
        raise Unreadable(len(lines), f"“{missing.args[0]}” is missing") from None


def _said(key: str, value: str, line: int) -> str:
    """Take what a field says; one that nobody knows says nothing."""
    form = next((form for known, form in FORMS.items() if re.fullmatch(known, key)), None)
    if form is None:
        raise Unreadable(line, f"there is no field “{key}”")
    if not re.fullmatch(form, value):
        raise Unreadable(line, f"“{key}” cannot be “{value}”")
    return value


def _put_together(fields: dict[str, str], moves: list[Made]) -> Record:
    """Build the record from its fields; a KeyError tells which one is missing."""
    seats = max(_count(fields, kind) for kind in ("seat ", "result "))
    options = {key: value for key, value in fields.items() if key.startswith("option ")}
    return Record(
        game=fields["game"],
        version=int(fields["version"]),
        seed=fields["seed"],
        commitment=fields["commitment"],
        ending=fields["ending"],
        names=[fields[f"seat {seat}"] for seat in range(seats)],
        options={key.removeprefix("option "): _atom(value) for key, value in options.items()},
        moves=moves,
        places=[_place(fields[f"result {seat}"]) for seat in range(seats)],
    )


def _count(fields: dict[str, str], kind: str) -> int:
    return sum(key.startswith(kind) for key in fields)


def _atom(value: str) -> Atom:
    return int(value) if NUMBER.fullmatch(value) else value


def _place(value: str) -> Place:
    rank, points = value.removeprefix("place ").split(", points ")
    return Place(int(rank), [int(one) for one in points.split()])


# --- checking --------------------------------------------------------------------------------


def differences(record: Record) -> list[Difference]:
    """Play a record again from its seed; tell what does not fit."""
    game = shelf().get(record.game)
    if game is None:
        return [Difference("game", f"there is no game “{record.game}” here")]
    if not 1 <= record.version <= game.version:
        told = f"version {record.version} of the rules is not known here, only up to {game.version}"
        return [Difference("version", told)]
    found = [*_broken_promise(record), *_otherwise(record, game)]
    if found and record.version < game.version:
        told = f"played by version {record.version} of the rules, checked by {game.version}"
        found.insert(0, Difference("version", told))
    return found


def _broken_promise(record: Record) -> Iterator[Difference]:
    if sha256(bytes.fromhex(record.seed)).hexdigest() != record.commitment:
        yield Difference("commitment", "the seed does not fit the promise")


def _otherwise(record: Record, game: Game) -> Iterator[Difference]:
    """Follow the moves as far as the rules go along with them, then compare the end."""
    seats = len(record.names)
    try:
        options = game.chosen(record.options, seats)
    except Refused as refused:
        yield Difference("options", prose.refuse(refused, game))
        return
    session, _said = Session.start(game.state, record.seed, seats, options)
    for number, move in enumerate(record.moves, 1):
        try:
            session.play(move.seat, read(move.text))
        except Refused as refused:
            why = prose.refuse(refused, game, record.names)
            yield Difference("moves", f"move {number} ({move.seat}: {move.text}): {why}")
            return
    yield from _ended_otherwise(record, session)


def _ended_otherwise(record: Record, session: Session) -> Iterator[Difference]:
    """Compare the end. The places of a match that was called are the word of its site."""
    is_over = not session.state.to_act()
    if is_over != (record.ending == PLAYED):
        told = "is over" if is_over else "goes on"
        yield Difference("ending", f"{record.ending}, but after its last move the match {told}")
        return
    scores = session.state.scores()
    places = ranks(scores) if is_over else [place.rank for place in record.places]
    results = map(Place, places, map(list, scores))
    for seat, (place, recorded) in enumerate(zip(results, record.places, strict=True)):
        if place != recorded:
            yield Difference("result", f"seat {seat}: {place}, recorded: {recorded}")
