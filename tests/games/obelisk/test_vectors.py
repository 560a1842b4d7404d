"""Every vector of the rules, one test each; and the runner itself, which must overlook nothing."""

import re
from pathlib import Path

import pytest

from tests.vectors import Vector, adapter, blocks, check, main, vectors

HERE = Path(__file__).parent
RULES = HERE.parents[2] / "docs" / "rules" / "obelisk.md"
FILES = (HERE / "vectors.md", HERE / "more_vectors.md")
FOUND = [vector for file in FILES for vector in vectors(file.read_text())]
RUN = adapter("obelisk")


@pytest.mark.parametrize("vector", FOUND, ids=lambda vector: vector.name)
def test_vector(vector: Vector) -> None:
    assert RUN
    assert check(vector, RUN) == ""


def test_the_vectors_are_those_of_the_rules() -> None:
    in_rules = [vector.content for vector in vectors(RULES.read_text())]
    assert [vector.content for vector in vectors(FILES[0].read_text())] == in_rules
    assert len(in_rules) == 67


def test_every_refusal_of_the_rules_is_shown_by_a_vector() -> None:
    table = RULES.read_text().split("| code | message (English) |")[1].split("\n\n")[0]
    codes = set(re.findall(r"^\| (\w+) \|", table, flags=re.MULTILINE))
    shown = {
        step["error"] for one in FOUND for step in one.content.get("do", []) if "error" in step
    }
    assert codes == shown
    assert len(codes) == 39


# --- the runner ------------------------------------------------------------------------------

TAKE = "{type: take, pile: 1}"


def outcome(content: str) -> str:
    """Run one vector that is given as YAML."""
    assert RUN
    (vector,) = vectors(f"```yaml\n- id: X\n{content}\n```")
    return check(vector, RUN)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("  do: [{type: take, pile: 1}]\n  expect: {overseer: 2}", "overseer: 1, not 2"),
        ("  do: [{type: take, pile: 4}]", "step 1 (take): refused with pile_not_adjacent"),
        (
            "  do: [{type: take, pile: 4, error: pile_empty}]",
            "step 1 (take): refused with pile_not_adjacent, not pile_empty",
        ),
        (
            "  do: [{type: take, pile: 1, error: pile_empty}]",
            "step 1 (take): accepted, not refused with pile_empty",
        ),
        ("  do: [{type: dance}]", "step 1: unknown action 'dance'"),
        ("  do: [take]", "step 1: unknown action None"),
        ("  do: [{type: take, pile: 1, speed: 3}]", "step 1: unknown key 'speed'"),
        ("  do: [{type: take}]", "step 1: take without pile"),
        ("  do: [{type: take, pile: [1]}]", "step 1: [1] is neither a number nor a name"),
        ("  do: [{type: take, pile: 1, seat: 3}]", "step 1: seat: cannot be 3"),
        ("  do: [{type: lay_foundation, card: 5}]", "step 1: card is no card but 5"),
        (
            "  do: [{type: build, card: R1a, obelisk: 0, end: left}]",
            "step 1: end: cannot be 'left'",
        ),
        ("  do: [{type: take, pile: 1, direction: up}]", "step 1: direction: cannot be 'up'"),
        (
            "  given: {seats: {0: {hand: [R2a], obelisks: [{cards: [R3a]}]}}}\n"
            "  do: [{type: build, card: R2a, obelisk: 0, value: 3}]",
            "step 1: value: R2a is no joker",
        ),
        (
            "  given: {seats: {0: {obelisks: [{base: foundation_red, face_down: true}]}}}\n"
            "  expect: {built: 0}",
            "seats.0.obelisks.0: face_down: cannot be True",
        ),
        (
            "  given: {players: 2}\n  do: [{type: trade, give: [R1a, R2a], get: B1a}]",
            "step 1: a trade is one card for one",
        ),
        (
            "  do: [{type: play_action, card: market_pick_1, picks: [], swap: []}]",
            "step 1: picks and swap together",
        ),
        ("  given: {}", "nothing is done and nothing expected"),
        ("  expect: {error: game_over}", "expect: there is no last action to be refused"),
        (
            "  do: [{type: take, pile: 1}]\n  expect: {error: pile_empty}",
            "step 1 (take): accepted, not refused with pile_empty",
        ),
        ("  expect: [1]", "expect: not a mapping but [1]"),
        ("  expect: {weather: fine}", "unknown expectation 'weather'"),
        ("  expect: {overseer.1: 0}", "unknown expectation 'overseer.1'"),
        ("  expect: {hand.3: []}", "hand.3: there is no number 3"),
        ("  expect: {hand.x: []}", "hand.x: there is no number x"),
        ("  expect: {obelisk.0.0: []}", "obelisk.0.0: there is no number 0"),
        ("  expect: {camels: [1, 1]}", "camels: 3 values, not 2"),
        ("  expect: {camels: [1, 1, 2]}", "camels.2: 1, not 2"),
        ("  expect: {pending_action: 0}", "pending_action: false, not 0"),
        ("  expect: {direction: cw}", "direction: null, not cw"),
        ("  expect: {hand: 1}", "hand.0: 0, not 1"),
        ("  expect: {hand.0: {}}", "hand.0: [], not {}"),
        ("  expect: {overseer_in: [1, 2]}", "overseer_in: 0 is not in [1, 2]"),
        ("  expect: {undoable: true}", "undoable: false, not true"),
        ("  expect: {obelisks.0: [{cards: []}]}", "obelisk_count.0: 0, not 1"),
        ("  expect: {actions.draw: 2}", "draw: 3, not 2"),
        (
            "  given: {seats: {0: {obelisks: [{}, {}]}}}\n  expect: {obelisks.0: [{cards: []}]}",
            "obelisk_count.0: 2, not 1",
        ),
        (
            "  given: {seats: {0: {hand: [R1a]}}}\n  expect: {hand.0: [R1a, R1a]}",
            "hand.0: [R1a], not [R1a, R1a]",
        ),
        ("  weather: fine\n  expect: {overseer: 0}", "vector: unknown key 'weather'"),
        ("  kind: party\n  expect: {overseer: 0}", "unknown kind 'party'"),
        ("  given: {weather: 1}\n  expect: {overseer: 0}", "given: unknown key 'weather'"),
        ("  given: {players: 6}\n  expect: {overseer: 0}", "players: cannot be 6"),
        ("  given: {players: true}\n  expect: {overseer: 0}", "players: cannot be True"),
        ("  given: {expert: 1}\n  expect: {overseer: 0}", "expert: cannot be 1"),
        ("  given: {seats: [1]}\n  expect: {overseer: 0}", "seats: needs 3 entries"),
        ("  given: {seats: 1}\n  expect: {overseer: 0}", "seats: not a mapping but 1"),
        ("  given: {seats: {5: {}}}\n  expect: {overseer: 0}", "seats: cannot be 5"),
        (
            "  given: {seats: {0: {shoes: 2}}}\n  expect: {overseer: 0}",
            "seats.0: unknown key 'shoes'",
        ),
        (
            "  given: {seats: {0: {hand: [R6a]}}}\n  expect: {overseer: 0}",
            "seats.0.hand: there is no card 'R6a'",
        ),
        (
            "  given: {seats: {0: {hand: R1a}}}\n  expect: {overseer: 0}",
            "seats.0.hand: not a list but 'R1a'",
        ),
        (
            "  given: {seats: {0: {hand: [R1a, R2a, R1a]}}}\n  expect: {overseer: 0}",
            "seats.0.hand: R1a stands there twice",
        ),
        (
            "  given: {piles: {3: [R1a, 2, R1a]}}\n  expect: {overseer: 0}",
            "piles.3: R1a stands there twice",
        ),
        (
            "  given: {seats: {0: {hand: [free_move_1]}}}\n  expect: {overseer: 0}",
            "seats.0.hand: only building cards lie there",
        ),
        (
            "  given: {draw: [R1a]}\n  expect: {overseer: 0}",
            "draw: only action cards lie there",
        ),
        ("  given: {display: [null]}\n  expect: {overseer: 0}", "display: needs three slots"),
        (
            "  given: {seats: {0: {camels: -1}}}\n  expect: {overseer: 0}",
            "seats.0.camels: not a number but -1",
        ),
        (
            "  given: {seats: {0: {obelisks: [{cards: [R5a, R3a]}]}}}\n  expect: {overseer: 0}",
            "seats.0.obelisks.0: the values of ['R5a', 'R3a'] do not fall one by one",
        ),
        (
            "  given: {seats: {0: {obelisks: [{cards: [R5a=4]}]}}}\n  expect: {overseer: 0}",
            "seats.0.obelisks.0: R5a=4 cannot be",
        ),
        (
            "  given: {seats: {0: {obelisks: [{cards: [RJ=7]}]}}}\n  expect: {overseer: 0}",
            "seats.0.obelisks.0: RJ=7 cannot be",
        ),
        (
            "  given: {seats: {0: {obelisks: [{cards: [RJ]}]}}}\n  expect: {overseer: 0}",
            "seats.0.obelisks.0: the values of ['RJ'] do not fall one by one",
        ),
        (
            "  given: {piles: {0: 60, 1: 60}}\n  expect: {overseer: 0}",
            "given: there are not so many unnamed cards",
        ),
        ("  given: {turn: {mood: 1}}\n  expect: {overseer: 0}", "turn: unknown key 'mood'"),
        (
            "  given: {overseer: 1, quarry: {overseer: 2}}\n  expect: {overseer: 0}",
            "given: 'overseer' twice",
        ),
        (
            "  given: {players: 2, phase: setup_market}\n  expect: {overseer: 0}",
            "given: two players have no market to choose",
        ),
        ("  kind: setup", "expect: nothing is expected"),
        ("  kind: setup\n  expect: {6: {hand: 5}}", "players: cannot be 6"),
        (
            "  kind: setup\n  expect: {2: {camels: [3, 2]}}",
            "2 players: camels.1: 3, not 2",
        ),
        (
            "  kind: overseer_start\n  tops: [R3a, R4a]\n  expect: {overseer_in: [0]}",
            "overseer_in: [1], not [0]",
        ),
        ("  do: [{type: undo}]", "step 1 (undo): refused with nothing_to_undo"),
        (
            "  expect: {legal_has: [{type: take, pile: 3}]}",
            "legal_has: {'type': 'take', 'pile': 3} is not legal",
        ),
        (
            f"  expect: {{legal_lacks: [{TAKE}]}}",
            "legal_lacks: {'type': 'take', 'pile': 1} is legal",
        ),
        ("  expect: {legal_lacks: [{type: dance}]}", "legal_lacks: unknown action 'dance'"),
        ("  expect: {legal_has: [{type: take, plie: 1}]}", "legal_has: unknown key 'plie'"),
        ("  expect: {legal_types: [take, end_turn]}", "legal_types: [take], not [take, end_turn]"),
    ],
)
def test_a_vector_that_does_not_hold_is_reported_with_the_reason(content: str, why: str) -> None:
    if "do:" not in content and "expect" not in content:
        content += "\n  do: []"
    assert outcome(content) == why


@pytest.mark.parametrize(
    "content",
    [
        "  given: {match: {players: 4}, quarry: {overseer: 3}, actions: {discard: [off_color_1]}}\n"
        "  expect: {players: 4, adjacent: [4, 2], discard: 1, mode: market}",
        "  given: {piles: [1, 1, 1, 1, 1, 1, [R1a]], camels: [0, 2, 1], hands: {1: [Y1a]}}\n"
        "  expect: {tops.6: R1a, camels.1: 2, hand: [[], [Y1a], []], quarry_count: 7}",
        "  given: {seats: {0: {obelisks: [{cards: [R3a, RJ]}], hand: [G5a]}, 1: null}}\n"
        "  expect: {obelisk: {0: {0: [R3a, RJ=2]}}, seats: {0: {hand: [G5a], camels: 1}},"
        " points.0: [2], face_down.0.0: true}",
        "  given: {seats: {0: {obelisks: [{base: B4a}]}}}\n"
        "  expect: {foundation.0.0: B4a, base.0.0: down, obelisk_color.0.0: null}",
        "  given: {turn: {off_color: 1, off_used: {0: 1}, direction: ccw, must_buy: true},"
        " seats: {0: {obelisks: [{}]}}}\n"
        "  expect: {turn: {off_color: 1, direction: ccw, must_buy: true}, off_used: {0: 1}}",
        f"  do: [{TAKE}, {{type: timeout}}]\n  expect: {{active: 1, undoable: false}}",
        "  given: {seats: {0: {hand: [R1a]}}}\n"
        "  do: [{type: lay_foundation, card: R1a}, {type: undo}]\n  expect: {hand.0: [R1a]}",
        "  kind: setup\n  given: {players: 5, first_player: seat, first_seat: 3, expert: true}\n"
        "  expect: {active: 3, expert: true, hand: 5, obelisk_count: 0, empty_piles: 0}",
        "  kind: setup_choice\n  given: {seats: {0: {hand: [R1a, R2a, R3a],"
        " setup_choice: [R1a, R3a]}}}\n  expect: {chosen.0: true, setup_choice.0: [R3a, R1a]}",
        "  do: [{type: take, pile: 1}, {type: take, pile: 5}]\n"
        "  expect: {error: pile_not_adjacent, overseer: 1, takes_left: 1}",
        "  given: {options: {expert: true}, obelisks: {1: [{cards: [B5a]}]}, takes_left: 0}\n"
        "  do:\n  expect: {expert: true, takes_left: 0, scores: [0, 0, 0], obelisk.1.0: [B5a]}",
        '  kind: setup\n  expect: {"2": {hand: 5}, "3": {market: 2}}',
        "  given: {players: 2, seats: {0: {depot: [R1a]}}, phase: over}\n"
        "  expect: {depot: [[R1a], []], game_over: true, winner: null}",
        "  given: {seats: {0: {obelisks: [{cards: [{card: RJ, value: 3}, {card: R2a}]}, {}]}}}\n"
        "  expect: {obelisks.0: [{cards: [RJ=3, R2a], color: R}, {cards: [], finished: false}]}",
        # §9 leaves out the invariants that count the cards: one may lie in two places
        "  given: {seats: {0: {hand: [R1a]}, 1: {market: [R1a]}}, piles: {1: [0, R1a]}}\n"
        "  do: [{type: lay_foundation, card: R1a}]\n"
        "  expect: {hand.0: [], market.1: [R1a], pile_count.1: 1}",
        # said of a card that could not be otherwise
        "  given: {seats: {0: {hand: [R2a, R4a], obelisks: [{cards: [R3a], face_down: true}]}}}\n"
        "  do: [{type: build, card: R2a, obelisk: 0, value: 2}]",
        "  do: [{type: take, pile: 9, error: pile_empty},"
        " {type: lay_foundation, card: Z9z, error: card_not_available}]",
    ],
)
def test_all_ways_of_writing_a_vector_are_understood(content: str) -> None:
    assert outcome(content) == ""


def test_a_yellow_card_is_no_truth_and_a_doubled_key_no_vector() -> None:
    (yellow,) = vectors("```yaml\n- {id: A, expect: {color: Y, x: off, n: 1_0, t: True, o: }}\n```")
    assert yellow.content["expect"] == {"color": "Y", "x": "off", "n": "1_0", "t": True, "o": None}
    for text in (
        "```yaml\n- {id: A, expect: {a: 1, a: 2}}\n```",
        '```jsonl\n{"id": "A", "expect": {"a": 1, "a": 2}}\n```',
        '```json\n[{"id": "A", "expect": {"a": 1, "a": 2}}]\n```',
    ):
        (doubled,) = vectors(text)
        assert "the key 'a' stands there twice" in doubled.fault


def test_only_lists_of_vectors_are_read_and_one_mistake_hides_no_other() -> None:
    text = """
~~~ yaml
- id: one
  expect: {overseer: 0}
- id: broken
  do:
    - {type: take, pile: 1}
    - {type: take
  expect: {overseer: 0}
- id: three
  expect: {overseer: 0}
- expect: {overseer: 0}
~~~
```yaml
cards: {R: red}
```
```yaml
this: is: no yaml
```
```yaml
- just
- a list
```
```yaml
id: lone
expect: {overseer: 0}
```
```python
- id: code
```
```yaml
- {id: misspelt, rule: a question that is not understood, expct: {overseer: 0}}
```
```jsonl
{"id": "json", "expect": {"overseer": 0}}
{"id": "json2", "expect": {}}
{"id": "json3", "expect": {}
```
```yaml
- id: unclosed
  do: []"""
    found = [(vector.name, vector.fault.partition(":")[0]) for vector in vectors(text)]
    assert found == [
        ("one", ""),
        ("broken", "cannot be read"),
        ("three", ""),
        ("block at line 2, item 4", "is no vector"),
        ("lone", ""),
        ("misspelt", ""),
        ("json", ""),
        ("json2", ""),
        ("json3", "cannot be read"),
        ("unclosed", ""),
    ]
    assert [language for _, language, _ in blocks(text)] == ["yaml"] * 5 + [
        "python",
        "yaml",
        "jsonl",
        "yaml",
    ]


def test_comments_merged_maps_and_fences_in_lists_hide_no_vector() -> None:
    text = """
- A list item:

      ```jsonl
      // a word about it
      # and another
      {"id": "json", "expect": {"overseer": 0}}
      {"id": "json2",
       "expect": {"overseer": 0}}
      ```

```yaml
# as in
- {id: one, given: &here {players: 2, expert: true}, expect: {overseer: 0}}
- {id: two, given: {<<: *here, players: 3}, expect: {overseer: 0}}
```
```yaml
id: first
expect: {overseer: 0}
---
id: second
expect: {overseer: 0}
```
"""
    found = list(vectors(text))
    assert [(vector.name, vector.fault.partition(":")[0]) for vector in found] == [
        ("json", ""),
        ("json2", ""),
        ("one", ""),
        ("two", ""),
        ("first", ""),
        ("second", ""),
    ]
    assert found[3].content["given"] == {"players": 3, "expert": True}


def test_vectors_are_found_under_keys_in_several_documents_and_in_nameless_blocks() -> None:
    text = """
```yaml
section: 9
vectors:
  - {id: listed, expect: {overseer: 0}}
more: {quarry: [{id: deeper, do: []}]}
```
```yaml
named: {do: [], expect: {overseer: 0}}
cards: {R: red}
---
- {id: second, note: of two documents, why: a remark, ref: A1, expect: {overseer: 0}}
```
```yaml
id: lone
do: []
---
- {id: third, do: []}
```
```
- {id: nameless, expect: {overseer: 0}}
```
```
- what a player may expect
```
"""
    found = list(vectors(text))
    names = ["listed", "deeper", "named", "second", "lone", "third", "nameless"]
    assert [vector.name for vector in found] == names
    assert found[3].content == {"id": "second", "expect": {"overseer": 0}}


def test_a_crash_is_a_failure_with_a_reason() -> None:
    def crash(vector: dict[str, object]) -> None:
        raise KeyError("hand")

    assert check(Vector("X", {}), crash) == "malformed: KeyError: 'hand'"


def test_the_command_reports_and_tells_by_its_exit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.md"
    file.write_text("```yaml\n- {id: A, expect: {overseer: 0}}\n- {id: B, expect: {built: 1}}\n```")
    assert main(["obelisk", str(file)]) == 1
    assert capsys.readouterr().out == "ok A\nFAILED B: built: 0, not 1\n1 passed, 1 failed\n"
    file.write_text("```yaml\n- {id: A, expect: {overseer: 0}}\n```")
    assert main(["obelisk", str(file)]) == 0
    assert capsys.readouterr().out == "ok A\n1 passed, 0 failed\n"
    file.write_text("Nothing here.")
    assert main(["obelisk", str(file)]) == 1
    assert "FAILED some.md: holds no vectors" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "usage"),
        (["obelisk", "missing.md"], "cannot be read"),
        (["senet", "README.md"], "no vectors for a game called 'senet'"),
        (["../x", "README.md"], "no vectors for a game called '../x'"),
    ],
)
def test_the_command_explains_wrong_arguments(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert why in capsys.readouterr().err
