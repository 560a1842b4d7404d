"""The contract: the one text form of moves, and states as values that can be copied and stored."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import LONGEST_MOVE, Move, Refused, State, copied, matches, read, write
from games.engine.search import playout
from games.engine.table import Silent
from tests.toy import Scarabs

atoms = (
    st.integers(-999_999_999, 999_999_999)
    | st.sampled_from(["3-11", "15-A"])
    | st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,15}", fullmatch=True)
)


def new_game(seats: int = 3, seed: int = 1) -> Scarabs:
    return Scarabs.setup(seats, {"tie": "lot", "rounds": 3}, Silent(Random(seed)))


def refusal(state: State, seat: int, move: Move) -> tuple[str, dict[str, Any]]:
    refused = state.why_not(seat, move)
    return refused.key, refused.params


# --- moves as text ---------------------------------------------------------------------------


def test_a_move_is_written_as_its_atoms_in_a_row() -> None:
    assert write(("build", "R4a", 0, "top", -3)) == "build R4a 0 top -3"


def test_numbers_are_read_as_numbers_and_words_as_words() -> None:
    assert read("build R4a 0 top -3") == ("build", "R4a", 0, "top", -3)
    assert [type(atom) for atom in read("a 1 b2 _3")] == [str, int, str, str]


def test_a_place_on_a_board_is_a_word() -> None:
    assert read("carve 3-11 15-A 7") == ("carve", "3-11", "15-A", 7)
    assert write(("carve", "3-11")) == "carve 3-11"


@given(st.lists(atoms, min_size=1, max_size=8).map(tuple))
def test_whatever_is_written_is_read_back(move: Move) -> None:
    assert read(write(move)) == move


@given(st.text(st.sampled_from("ab_R019- \n\0é٣"), max_size=12))
def test_a_text_is_refused_or_is_exactly_what_would_be_written(text: str) -> None:
    try:
        read_back = write(read(text))
    except Refused:
        return
    assert read_back == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "take  3",
        " take 3",
        "take 3 ",
        "take\t3",
        "take\n3",
        "take 3\n",
        "take\r\n3",
        "take\u00a03",  # a space that does not break
        "take \u0663",  # an Arabic-Indic 3: int() would read it
        "take \uff13",  # a full-width 3
        "take \u00b2",
        "prendre é",
        "take \u0430",  # a Cyrillic a
        "take 00",
        "take 007",
        "take -0",
        "take -00",
        "take +3",
        "take --3",
        "take 3.0",
        "take 1e3",
        "take 1_000",
        "take 0x10",
        "take 3a",
        "take 1234567890",  # ten digits
        "take -1234567890",
        "take \0",
        "take\x003",
        "take 3;",
        "take <b>",
        "take 'a'",
        "take a-b",
        "take 3-0",
        "take 0-3",
        "take 3-a",
        "take 3-",
        "take 3--1",
        "take -3-1",
        "take 123-4",
        "take 3-4-5",
        "take a.b",
        "take \U0001f409",
        "take \ud800",  # half of a pair
        "a" * (LONGEST_MOVE + 1),
        "1 " * 100_000,
    ],
)
def test_a_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        read(text)
    assert (caught.value.key, caught.value.params) == ("malformed", {})


def test_the_longest_text_is_read() -> None:
    assert read("a" * LONGEST_MOVE) == ("a" * LONGEST_MOVE,)
    assert read("take 123456789") == ("take", 123456789)


@pytest.mark.parametrize(
    ("hold", "is_met"),
    [
        ((), True),
        (("build",), True),
        (("R4a",), True),
        (("build", "R4a"), True),
        (("R4a", "top"), True),
        (("build", "R4a", 0, "top"), True),
        (("R4a", "build"), False),
        (("build", "build"), False),
        (("build", "B4a"), False),
        (("build", "R4a", 0, "top", "top"), False),
        (("0",), False),
    ],
)
def test_a_hold_is_met_by_moves_with_its_atoms_in_order(hold: Move, is_met: bool) -> None:
    assert matches(hold, ("build", "R4a", 0, "top")) is is_met


# --- refusals --------------------------------------------------------------------------------


def test_a_refusal_carries_its_key_and_parameters() -> None:
    refused = Refused("too_far", steps=3)
    assert (str(refused), refused.key, refused.params) == ("too_far", "too_far", {"steps": 3})


@dataclass(slots=True)
class Plain(State):
    """As little as a State can be: one seat says how often it wants to go on."""

    left: int = 2
    heap: list[int] = field(default_factory=list)

    @classmethod
    def setup(cls, seats: int, options: Any, table: Any) -> "Plain":
        return cls()

    def to_act(self) -> list[int]:
        return [0] if self.left else []

    def legal(self, seat: int) -> list[Move]:
        return [("one",), ("two",)] if self.left else []

    def apply(self, seat: int, move: Move, table: Any) -> None:
        self.left -= 1

    def view(self, seat: int | None) -> dict[str, Any]:
        return {"left": self.left}

    def determinize(self, seat: int, table: Any) -> "Plain":
        return self.clone()

    def scores(self) -> list[tuple[int, ...]]:
        return [(0,)]


def test_without_words_of_its_own_a_game_still_says_why_not() -> None:
    assert refusal(Plain(), 0, ("three",)) == ("illegal", {})
    assert refusal(Plain(), 1, ("one",)) == ("not_your_turn", {})
    assert refusal(Plain(left=0), 0, ("one",)) == ("game_over", {})


def test_without_a_choice_of_its_own_an_idle_seat_makes_the_first_legal_move() -> None:
    assert Plain().idle(0) == ("one",)


def test_without_a_name_of_its_own_every_turn_is_the_same() -> None:
    assert Plain().turn() == 0


def test_the_toy_words_its_refusals() -> None:
    state = new_game()
    assert refusal(state, 0, ("bid", "c9z")) == ("not_in_hand", {"card": "c9z"})
    assert refusal(state, 0, ("dance",)) == ("illegal", {})
    state.bids[0] = state.hands[0].pop()
    assert refusal(state, 0, ("bid", state.hands[0][0])) == ("not_your_turn", {})
    state.active, state.bids[0] = 1, ""
    assert refusal(state, 1, ("end",)) == ("take_first", {})
    state.took = True
    assert refusal(state, 1, ("take", 0)) == ("one_jewel", {})
    assert refusal(state, 1, ("buy", "c9z", 0)) == ("not_in_hand", {"card": "c9z"})
    state.rounds = 0
    assert refusal(state, 1, ("end",)) == ("game_over", {})


# --- states as values ------------------------------------------------------------------------


def test_a_copy_shares_nothing_that_can_change() -> None:
    value: dict[str, Any] = {
        "a": [[1, 2], [3]],
        "b": {"c": [{"d": [4]}]},
        "e": None,
        "f": [],
        "g": "h",
        "i": [5],
    }
    twin = copied(value)
    assert twin == value
    value["a"][0].append(9)
    value["b"]["c"][0]["d"].append(9)
    value["f"].append(9)
    value["i"].append(9)
    value["j"] = 9
    assert twin == {
        "a": [[1, 2], [3]],
        "b": {"c": [{"d": [4]}]},
        "e": None,
        "f": [],
        "g": "h",
        "i": [5],
    }


def test_a_clone_is_equal_and_independent() -> None:
    state = new_game()
    before = state.dump()
    twin = state.clone()
    assert (type(twin), twin.dump()) == (Scarabs, before)
    playout(twin, Silent(Random(2)))
    assert state.dump() == before
    assert twin.dump() != before


def test_a_dump_is_independent_of_the_state() -> None:
    state = new_game()
    dumped = state.dump()
    text = json.dumps(dumped)
    playout(state, Silent(Random(2)))
    assert json.dumps(dumped) == text


def test_a_loaded_state_is_equal_and_independent_of_the_dump() -> None:
    dumped = new_game().dump()
    text = json.dumps(dumped)
    state = Scarabs.load(dumped)
    assert state.dump() == dumped
    playout(state, Silent(Random(2)))
    assert json.dumps(dumped) == text


def test_a_dump_survives_json() -> None:
    state = new_game()
    assert Scarabs.load(json.loads(json.dumps(state.dump()))).dump() == state.dump()


def test_a_field_added_later_gets_its_default_in_old_matches() -> None:
    assert Plain.load({"left": 1}).dump() == {"left": 1, "heap": []}


def test_a_field_that_no_longer_exists_is_an_error() -> None:
    with pytest.raises(TypeError):
        Plain.load({"left": 1, "right": 2})
