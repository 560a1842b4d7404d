"""A match as a text: complete, readable, and believed only as far as the rules confirm it."""

from dataclasses import replace
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue import shelf
from games.engine.contract import write
from games.engine.session import Session, ranks
from games.queries import Difference
from games.records import Made, Place, Record, Unreadable, differences, read_record, written
from games.services import match_resign
from tests.site.people import duel, person, play_turn, session_of

SEED = "5e" * 32


def played(slug: str) -> Record:
    """A whole match of a game, its neutral moves throughout."""
    game = shelf()[slug]
    seats = game.seats[0]
    options = game.chosen({}, seats)
    session, _said = Session.start(game.state, SEED, seats, options)
    moves = []
    while called := session.state.to_act():
        move = session.state.idle(called[0])
        moves.append(Made(called[0], write(move)))
        session.play(called[0], move)
    scores = session.state.scores()
    return Record(
        game=slug,
        version=game.version,
        seed=SEED,
        commitment=sha256(bytes.fromhex(SEED)).hexdigest(),
        names=[f"Player {seat}" for seat in range(seats)],
        options=options,
        moves=moves,
        places=[Place(*one) for one in zip(ranks(scores), map(list, scores), strict=True)],
    )


@pytest.mark.parametrize("slug", sorted(shelf()))
def test_what_is_written_is_read_again_and_fits(slug):
    record = played(slug)
    again = read_record(written(record))
    assert again == record
    assert differences(again) == []


@pytest.mark.django_db
def test_a_finished_match_is_downloaded_and_the_command_confirms_it(client, tmp_path):
    match = duel(person("Anna"), person("Bob"))
    while match.status == "running":
        play_turn(match, session_of(match).state.to_act()[0])
        match.refresh_from_db()
    answer = client.get(f"/matches/{match.pk}/record.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    name = f"nilepost-obelisk-{match.pk}.txt"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    text = answer.content.decode()
    first = match.moves.order_by("pk").first()
    for line in (
        "Nilepost record 1",
        "seat 0: Anna",
        "seat 1: Bob",
        "option first_player: 0",
        f"commitment: {match.commitment}",
        f"seed: {match.seed}",
        f"1. 0: {first.text}",
        "ending: played",
    ):
        assert line in text.splitlines()
    file = tmp_path / name
    file.write_text(text)
    told = StringIO()
    call_command("replay", str(file), stdout=told)
    assert told.getvalue() == "1 played again, 0 differ\n"


@pytest.mark.django_db
def test_a_match_that_was_ended_otherwise_says_so_and_the_rest_is_checked(client):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    play_turn(match, 0)
    match_resign(match_id=match.pk, user=anna)
    record = read_record(client.get(f"/matches/{match.pk}/record.txt").content.decode())
    assert (record.ending, [place.rank for place in record.places]) == ("called", [2, 1])
    assert differences(record) == []


def test_of_a_match_that_was_called_the_points_still_follow_from_the_moves():
    record = played("obelisk")
    del record.moves[-1]
    record.ending, record.places = "called", [Place(2, [0, 3]), Place(1, [0, 3])]
    assert differences(record) == []
    record.places[1] = Place(1, [5, 3])
    told = "seat 1: place 1, points 0 3, recorded: place 1, points 5 3"
    assert differences(record) == [Difference("result", told)]


def test_a_record_of_older_rules_is_checked_by_those_of_today_and_says_so(monkeypatch):
    record = played("obelisk")
    newer = replace(shelf()["obelisk"], version=2)
    monkeypatch.setitem(shelf(), "obelisk", newer)
    assert differences(record) == []
    record.places[0] = Place(1, [99, 0])
    told = "played by version 1 of the rules, checked by 2"
    assert differences(record)[0] == Difference("version", told)


FORGED = [
    ("seed: 5e", "seed: 5f", ["commitment", "moves"]),
    ("commitment: 99", "commitment: 00", ["commitment"]),
    ("game: obelisk", "game: checkers", ["game"]),
    ("version: 1", "version: 2", ["version"]),
    ("version: 1", "version: 0", ["version"]),
    ("option expert: 0", "option expert: 7", ["options"]),
    ("ending: played", "ending: called", ["ending"]),
    ("points ", "points 9", ["result"]),
    ("1. 0: ", "1. 1: ", ["moves"]),
]


@pytest.mark.parametrize(("old", "new", "keys"), FORGED, ids=[new for _, new, _ in FORGED])
def test_whatever_is_forged_is_found(old, new, keys, tmp_path):
    text = written(played("obelisk"))
    assert old in text
    forged = text.replace(old, new, 1)
    if new == "seed: 5f":
        assert differences(read_record(forged))[0].key == "commitment"
    else:
        assert [one.key for one in differences(read_record(forged))] == keys
    file = tmp_path / "forged.txt"
    file.write_text(forged)
    with pytest.raises(CommandError, match="do not give"):
        call_command("replay", str(file), stdout=StringIO())


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Nilepost record 1", "Nilepost record 9", "line 1: a record begins with"),
        ("2. ", "3. ", "move 2 was expected"),
        ("game: ", "game: obelisk\ngame: ", "“game” stands here twice"),
        ("seed: 5e", "seed: xx", "line 10: “seed” cannot be “xx5e5e"),
        ("ending: played", "ending: planned", "“ending” cannot be “planned”"),
        ("seat 1: Player 1\n", "", "“seat 1” is missing"),
        ("result 1: ", "result 2: ", "“result 1” is missing"),
        ("ending: played", "ending: played\nresult 2: place 1, points 0", "“seat 2” is missing"),
        ("game: ", "gain: 3\ngame: ", "line 2: there is no field “gain”"),
        ("version: ", "vérsion: ", "neither a field nor a move"),
        ("ending: played", "", "“ending” is missing"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(old, new, why, tmp_path):
    file = tmp_path / "no.txt"
    file.write_text(written(played("sakkara")).replace(old, new, 1))
    with pytest.raises(CommandError, match=f"is no record: .*{why}"):
        call_command("replay", str(file), stdout=StringIO())


@pytest.mark.parametrize(
    ("old", "new"),
    [("game: obelisk", "game: \x1b[31mred"), ("1. 0: ", "1. 0: \x1b[2J" + "9" * 400)],
)
def test_what_a_file_says_commands_no_terminal(old, new, tmp_path):
    file, said = tmp_path / "hostile.txt", StringIO()
    file.write_text(written(played("obelisk")).replace(old, new, 1))
    with pytest.raises(CommandError):
        call_command("replay", str(file), stdout=said)
    [told, _count] = said.getvalue().splitlines()
    assert (told.isprintable(), "\\x1b" in told, len(told) < 400) == (True, True, True)


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_no_line_out_of_place_breaks_the_check(chosen):
    lines = written(played("sakkara")).splitlines()
    for _change in range(chosen.draw(st.integers(1, 3))):
        place = chosen.draw(st.integers(0, len(lines) - 1))
        key = lines[place].partition(":")[0]
        value = st.sampled_from(["", "9" * 5000, "--5", "-1", "²", "9: 9", "\x1b"]) | st.text()
        said = st.builds(lambda value, key=key: f"{key}: {value}", value)
        lines[place] = chosen.draw(st.sampled_from(lines) | said)
    try:
        found = differences(read_record("\n".join(lines)))
    except Unreadable:
        return
    assert all(isinstance(one, Difference) for one in found)


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path):
    noise = tmp_path / "noise"
    noise.write_bytes(b"\xff\xfe\x00")
    for file in (tmp_path / "nowhere", noise):
        with pytest.raises(CommandError, match="cannot be read"):
            call_command("replay", str(file), stdout=StringIO())


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text):
    for start in ("", "Nilepost record 1\n"):
        with pytest.raises(Unreadable):
            read_record(start + text)


def test_the_document_shows_the_form_that_is_written():
    text = Path("docs/records.md").read_text()
    example = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    fields = [line.partition(":")[0] for line in example if ": " in line and line[0].islower()]
    record = played("obelisk")
    record.about = dict.fromkeys(("match", "pace", "rated", "started", "finished"), "x")
    lines = [line for line in written(record).splitlines() if line and line[0].islower()]
    assert fields == [line.partition(":")[0] for line in lines]
