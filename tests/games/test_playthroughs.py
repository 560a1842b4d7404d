"""Whole matches, replayed line by line: a change of rules or words shows as a difference.

`make goldens` writes them anew; what changed is then reviewed like code.
"""

from pathlib import Path

import pytest

from games.catalogue import Game
from games.engine.contract import Refused
from tests import goldens
from tests.toy import TOY
from tests.walks import GAMES, LONGEST

EVERY = [(game, path) for game in GAMES for path in goldens.paths(game)]


def named(value: object) -> str:
    return value.stem if isinstance(value, Path) else getattr(value, "slug", "")


def golden(name: str) -> str:
    return (goldens.FOLDER / "toy" / f"{name}.txt").read_text()


@pytest.mark.parametrize(("game", "path"), EVERY, ids=named)
def test_a_playthrough_is_repeated_line_by_line(game: Game, path: Path) -> None:
    text = path.read_text()
    assert goldens.told(goldens.parse(game, text)).splitlines() == text.splitlines()


@pytest.mark.parametrize(("game", "path"), EVERY, ids=named)
def test_a_playthrough_reaches_the_end(game: Game, path: Path) -> None:
    assert "unfinished" not in goldens.shown(path.read_text())


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_there_is_a_playthrough_for_all_seats_and_options(game: Game) -> None:
    have = {path.stem for path in goldens.paths(game)}
    assert {name for name, _case in goldens.wanted(game)} - have == set()


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_there_is_a_playthrough_for_every_ending(game: Game) -> None:
    shown = {end for path in goldens.paths(game) for end in goldens.shown(path.read_text())}
    assert set(goldens.named_endings(game)) - shown == set()


def test_every_folder_of_playthroughs_belongs_to_a_game() -> None:
    folders = {folder.name for folder in goldens.FOLDER.iterdir() if any(folder.iterdir())}
    assert folders - {game.slug for game in GAMES} == set()


# --- the writing of goldens ------------------------------------------------------------------


def test_writing_anew_changes_nothing_while_the_rules_are_the_same() -> None:
    written = goldens.parse(TOY, golden("3"))
    assert goldens.refreshed(written) == written


def test_recorded_moves_are_kept_up_to_the_first_that_is_no_longer_legal() -> None:
    written = goldens.parse(TOY, golden("3"))
    spoilt = written._replace(moves=[*written.moves[:5], (0, ("dance",)), *written.moves[5:]])
    with pytest.raises(Refused):
        goldens.told(spoilt)
    again = goldens.refreshed(spoilt)
    assert again.moves[:5] == written.moves[:5]
    assert 5 < len(again.moves) < LONGEST
    assert "unfinished" not in goldens.shown(goldens.told(again))


def test_a_playthrough_that_stops_early_is_called_unfinished() -> None:
    written = goldens.parse(TOY, golden("3"))
    early = goldens.told(written._replace(moves=written.moves[:-1]))
    assert goldens.shown(early) == ["unfinished"]
