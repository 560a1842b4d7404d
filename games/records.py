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

from games.catalogue import shelf
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
MOVE = re.compile(r"(?P<number>[0-9]{1,5})\. (?P<seat>[0-9]): (?P<text>[^#]+?)(?: +#.*)?")
PLACE = re.compile(r"place (?P<rank>[0-9]), points (?P<score>-?[0-9]+(?: -?[0-9]+)*)")


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
    for seat, (rank, score) in enumerate(record.places):
        yield f"result {seat}: place {rank}, points {' '.join(map(str, score))}"


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
            fields[two["key"]] = two["value"]
        else:
            raise Unreadable(number, "neither a field nor a move")
    try:
        return _put_together(fields, moves)
    except (KeyError, ValueError) as missing:
        raise Unreadable(len(lines), f"missing or malformed: {missing}") from None


def _put_together(fields: dict[str, str], moves: list[Made]) -> Record:
    """Build the record from its fields; a KeyError or ValueError tells what is wrong."""
    return Record(
        game=fields["game"],
        version=int(fields["version"]),
        seed=bytes.fromhex(fields["seed"]).hex(),
        commitment=fields["commitment"],
        ending=fields["ending"],
        names=_numbered(fields, "seat"),
        options={
            key.removeprefix("option "): int(value) if value.lstrip("-").isdecimal() else value
            for key, value in fields.items()
            if key.startswith("option ")
        },
        moves=moves,
        places=[_place(value) for value in _numbered(fields, "result")],
    )


def _numbered(fields: dict[str, str], kind: str) -> list[str]:
    count = sum(key.startswith(f"{kind} ") for key in fields)
    return [fields[f"{kind} {number}"] for number in range(count)]


def _place(value: str) -> Place:
    found = PLACE.fullmatch(value)
    if found is None:
        raise ValueError(value)
    return Place(int(found["rank"]), [int(points) for points in found["score"].split()])


# --- checking --------------------------------------------------------------------------------


def differences(record: Record) -> list[Difference]:
    """Play a record again from its seed; tell what does not fit."""
    if record.game not in shelf():
        return [Difference("game", f"there is no game “{record.game}” here")]
    found = []
    if sha256(bytes.fromhex(record.seed)).hexdigest() != record.commitment:
        found.append(Difference("commitment", "the seed does not fit the promise"))
    game = shelf()[record.game]
    try:
        options = game.chosen(record.options, len(record.names))
    except Refused as refused:
        return [*found, Difference("options", f"refused: {refused.key} {refused.params}")]
    session, _said = Session.start(game.state, record.seed, len(record.names), options)
    for number, move in enumerate(record.moves, 1):
        try:
            session.play(move.seat, read(move.text))
        except Refused as refused:
            told = f"move {number} ({move.seat}: {move.text}): {refused.key}"
            return [*found, Difference("moves", told)]
    return [*found, *_result(record, session)]


def _result(record: Record, session: Session) -> Iterator[Difference]:
    """Compare the end. A match called off by clock or agreement has no result in the rules."""
    is_over = not session.state.to_act()
    if is_over != (record.ending == PLAYED):
        yield Difference("ending", f"{record.ending}, but the rules say: {is_over=}")
    elif is_over:
        scores = session.state.scores()
        places = [Place(*one) for one in zip(ranks(scores), map(list, scores), strict=True)]
        if places != record.places:
            yield Difference("result", f"{places}, recorded {record.places}")
