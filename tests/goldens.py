"""Golden playthroughs: `python -m tests.goldens [slug ...]` writes them, tests compare with them.

A golden is a whole match as text: what was chosen, each move with its lines in English, scores and
endings. Written anew, a match keeps its recorded moves as long as they are legal, so that the
difference shows what a change of the rules or of the words has done.
"""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import django
from django.utils.translation import override

from games.catalogue import Game
from games.engine.contract import Refused, read, write
from games.engine.session import Session
from games.engine.table import Line
from games.prose import say
from tests.walks import GAMES, NAMES, Case, Draft, own, record, walk

FOLDER = Path(__file__).parent / "playthroughs"
MOST_SEEDS = 500  # matches that are tried in search of a rare ending


class Golden(NamedTuple):
    case: Case
    seed: str
    moves: list[Draft]


# --- the text of a match ---------------------------------------------------------------------


def paths(game: Game) -> list[Path]:
    return sorted((FOLDER / game.slug).glob("*.txt"))


def parse(game: Game, text: str) -> Golden:
    """Read what was chosen and which moves were made; all else follows from that."""
    header, story, _footer = text.split("\n\n")
    chosen = dict(line.split(": ") for line in header.splitlines())
    seats, seed = int(chosen["seats"]), chosen["seed"]
    options = {option.key: read(chosen[option.key])[0] for option in game.options}
    turns = [line.split(": ") for line in story.splitlines() if not line.startswith(" ")]
    return Golden(
        Case(game, seats, options), seed, [(int(seat), read(move)) for seat, move in turns]
    )


def told(golden: Golden) -> str:
    """Play a match and write it down; an illegal move is Refused."""
    case, seed, moves = golden
    session, lines = case.start(seed)
    with override("en"):
        story = sentences(case.game, lines)
        for seat, move in moves:
            story.append(f"{seat}: {write(move)}")
            story += sentences(case.game, session.play(seat, move))
    header = {"game": case.game.slug, "seed": seed, "seats": case.seats} | case.options
    scores = [" ".join(map(str, score)) for score in session.state.scores()]
    footer = {"scores": ", ".join(scores), "endings": ", ".join(endings(case.game, session))}
    return "\n".join([*pairs(header), "", *story, "", *pairs(footer), ""])


def sentences(game: Game, lines: list[Line]) -> list[str]:
    return [
        f"  {'' if line.to is None else f'(to {NAMES[line.to]}) '}{say(game, line, NAMES)}"
        for line in lines
    ]


def pairs(values: dict[str, Any]) -> list[str]:
    return [f"{key}: {value}" for key, value in values.items()]


# --- endings ---------------------------------------------------------------------------------


def named_endings(game: Game) -> dict[str, Callable[[Any], bool]]:
    """Find the endings a game's tests name: each is a fact about a final position."""
    module = own(game, "endings")
    return module.ENDINGS if module else {}


def endings(game: Game, session: Session) -> list[str]:
    if session.state.to_act():
        return ["unfinished"]
    return [name for name, is_met in named_endings(game).items() if is_met(session.state)]


# --- writing ---------------------------------------------------------------------------------


def wanted(game: Game) -> Iterator[tuple[str, Case]]:
    """Name the matches every game has: each number of seats, and each choice of each option."""
    for seats in game.seats:
        yield str(seats), Case(game, seats, game.chosen({}, seats))
    for number, option in enumerate(game.options):
        others = [choice.value for choice in option.choices if choice.value != option.default]
        for value in others + [1] * option.any_seat:
            seats = game.seats[number % len(game.seats)]
            yield (
                f"{seats}-{option.key}-{value}",
                Case(game, seats, game.chosen({option.key: value}, seats)),
            )


def new(case: Case, seed: str = "1") -> Golden:
    return Golden(case, seed, [(step.seat, step.move) for step in record(case, seed).steps])


def refreshed(golden: Golden) -> Golden:
    """Keep the recorded moves while they are legal, then play on."""
    case, seed, moves = golden
    session, _lines = case.start(seed)
    kept = []
    for seat, move in moves:
        try:
            session.play(seat, move)
        except Refused:
            break
        kept.append((seat, move))
    more = [(step.seat, step.move) for step in walk(case, seed, session)]
    return Golden(case, seed, kept + more)


def rare(game: Game, ending: str) -> Golden:
    """Look for a match that ends in a certain way."""
    for seed in range(1, MOST_SEEDS):
        seats = game.seats[seed % len(game.seats)]
        case = Case(game, seats, game.chosen({}, seats))
        if ending in endings(game, record(case, str(seed)).end):
            return new(case, str(seed))
    raise SystemExit(f"{game.slug}: no match of {MOST_SEEDS} ends with {ending}")


def write_goldens(game: Game) -> Iterator[str]:
    folder = FOLDER / game.slug
    folder.mkdir(parents=True, exist_ok=True)
    goldens = {path: refreshed(parse(game, path.read_text())) for path in paths(game)}
    for name, case in wanted(game):
        goldens.setdefault(folder / f"{name}.txt", new(case))
    texts = {path: told(golden) for path, golden in goldens.items()}
    for ending in named_endings(game):
        if not any(ending in shown(text) for text in texts.values()):
            texts[folder / f"{ending}.txt"] = told(rare(game, ending))
    for path, text in texts.items():
        before = path.read_text() if path.exists() else ""
        path.write_text(text)
        yield f"{path.relative_to(FOLDER)}: {'unchanged' if text == before else 'written'}"


def shown(text: str) -> list[str]:
    """Read which endings a golden shows."""
    return text.rstrip().rpartition("endings: ")[2].split(", ")


def main(slugs: list[str]) -> None:
    unknown = set(slugs) - {game.slug for game in GAMES}
    if unknown:
        raise SystemExit(f"no such game: {', '.join(sorted(unknown))}")
    for game in GAMES:
        if not slugs or game.slug in slugs:
            for report in write_goldens(game):
                sys.stdout.write(report + "\n")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main(sys.argv[1:])
