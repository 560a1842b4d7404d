"""The rules of Cheops as sentences; every vector of its specification is one test."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.cheops.components import (
    AROUND,
    BOARDS,
    COLOURS,
    CONTENTS,
    ENTRIES,
    EYES,
    FIELD,
    FIELDS,
    FULL,
    HIRE,
    JOKER_PRICE,
    KINDS,
    LAW,
    LAWS,
    NONE,
    SUPPORTS,
    TILE,
    stack_sizes,
)
from games.cheops.rules import CheopsState
from games.engine.contract import OPEN, Move, Refused, read, write
from games.engine.session import Session
from games.engine.table import Line, Silent, Table
from tests.games.cheops.invariants import invariants
from tests.games.cheops.positions import fixture, position
from tests.games.cheops.vectors import run
from tests.vectors import Vector, check, vectors

HERE = Path(__file__).parent
SPEC = list(vectors((HERE / "vectors.md").read_text()))
MORE = list(vectors((HERE / "more_vectors.md").read_text()))


@pytest.mark.parametrize("vector", SPEC + MORE, ids=lambda vector: vector.name)
def test_vector(vector: Vector) -> None:
    assert check(vector, run) == ""


def test_the_vectors_are_those_of_the_specification() -> None:
    spec = (HERE.parents[2] / "docs" / "rules" / "cheops.md").read_text()
    assert list(vectors(spec)) == SPEC
    assert len(SPEC) == 92
    assert len({vector.name for vector in SPEC + MORE}) == len(SPEC + MORE)


# --- the runner is not to be fooled -------------------------------------------------------------


@pytest.mark.parametrize(
    ("vector", "wrong"),
    [
        ({"given": {"fixture": 6}, "expect": {"turn": 1}}, "given: fixture: 6 is not known"),
        ({"given": {"fixture": 3, "gold": 1}, "expect": {"turn": 1}}, "given: unknown key 'gold'"),
        ({"given": {"fixture": 3}, "expect": {"gold": 1}}, "expect: unknown key 'gold'"),
        ({"given": {"fixture": 3}, "expect": {}}, "expect: nothing is expected"),
        ({"given": {"fixture": 3}, "expect": {"turn": 2}}, "turn is 1, not 2"),
        ({"given": {"fixture": 3}, "expect": {"money": {0: 5}}}, "money[0] is 0, not 5"),
        ({"given": {"fixture": 3}, "expect": {"money": {3: 0}}}, "money: 3 is not known"),
        ({"given": {"fixture": 3}, "expect": {"box": ["joker"]}}, "box is [], not ['joker']"),
        (
            {"given": {"fixture": 3, "held": {0: {"exchange": 1}}}, "expect": {"held": {0: {}}}},
            "held[0] is {'exchange': 1}, not {}",
        ),
        (
            {"given": {"fixture": 3}, "expect": {"error": "must_place"}},
            "expect: there is no last action to be refused",
        ),
        (
            {"given": {"fixture": 3}, "do": [{"type": "dance"}], "expect": {"turn": 1}},
            "step 1 (dance): unknown action 'dance'",
        ),
        (
            {"given": {"fixture": 3}, "do": [{"type": "pass_turn"}], "expect": {"turn": 1}},
            "step 1 (pass_turn): refused with must_place",
        ),
        (
            {
                "given": {"fixture": 3},
                "do": [{"type": "place_family", "kind": "son", "field": "1-1"}],
                "expect": {"error": "field_occupied"},
            },
            "step 1 (place_family): accepted, not refused with field_occupied",
        ),
        (
            {"given": {"fixture": 3}, "expect": {"legal_types": ["pass_turn"]}},
            "legal_types is ['place_family'], not ['pass_turn']",
        ),
        (
            {"given": {"fixture": 3}, "expect": {"legal_lacks": [{"type": "place_family"}]}},
            "legal_lacks: {'type': 'place_family'} is legal",
        ),
        (
            {
                "given": {"fixture": 3},
                "expect": {"legal_lacks": [{"type": "repeal_law", "law": "x"}]},
            },
            "legal_lacks: there is no law 'x'",
        ),
        (
            {"given": {"fixture": 3, "sold": {"red": 5}}, "expect": {"turn": 1}},
            "given: sold: 5 is not known",
        ),
        (
            {
                "given": {"fixture": 3},
                "expect": {"legal_has": [{"type": "place_family", "seat": 1}]},
            },
            "legal_has: {'type': 'place_family', 'seat': 1} is not legal",
        ),
        (
            {"given": {"fixture": 3}, "expect": {"default_action": {"type": "pass_turn"}}},
            "default_action is {'type': 'place_family', 'kind': 'grandfather', 'field': '1-1', "
            "'seat': 0}, not {'type': 'pass_turn'}",
        ),
        (
            {
                "given": {"fixture": 3},
                "do": [{"type": "place_family", "kind": "son"}],
                "expect": {"error": "field_occupied"},
            },
            "step 1 (place_family): place_family without field",
        ),
        (
            {
                "given": {"fixture": 3},
                "do": [{"type": "timeout", "kind": "son"}],
                "expect": {"phase": "resolve_treasure"},
            },
            "step 1 (timeout): timeout has no parameters",
        ),
        (
            {"given": {"fixture": 3}, "expect": {"winners": [0], "occupied": {"1-1": False}}},
            "winners is [0, 1, 2], not [0]",
        ),
    ],
)
def test_a_vector_that_does_not_hold_fails_with_its_reason(
    vector: dict[str, Any], wrong: str
) -> None:
    assert check(Vector("X", vector), run) == wrong


def test_a_vector_may_list_the_seats_and_speak_of_parts() -> None:
    given = {"fixture": "FX3", "money": [20, 5, 0], "held": {0: {"exchange": 1, "late_sale": 2}}}
    number = {"colour": "red", "position": 4}
    told = {
        "money": [20, 5, 0],
        "stack_size": [18, 17, 17],
        "held": {0: {"exchange": 1}, 1: {}},
        "new_number": {"colour": "red"},
        "stocks": {2: {}},
        "under": {},
    }
    vector = {"given": {**given, "new_number": number}, "do": None, "expect": told}
    assert check(Vector("X", vector), run) == ""
    untrue: list[dict[str, Any]] = [{"money": [20, 5]}, {"money": {}}, {"new_number": {}}]
    for expect in (*untrue, {"hands": {0: {}}}):
        assert check(Vector("X", {**vector, "expect": expect}), run) != ""


# --- components (§2) ----------------------------------------------------------------------------


def test_the_pyramid_has_66_fields_and_165_adjacent_pairs() -> None:
    assert len(FIELDS) == 66
    assert sum(map(len, AROUND)) == 2 * 165
    assert sorted(map(len, AROUND)) == [2] * 3 + [4] * 27 + [6] * 36
    assert all(spot in AROUND[other] for spot in range(66) for other in AROUND[spot])
    assert [FIELDS[spot] for spot in SUPPORTS[FIELD["3-5"]]] == ["2-5", "2-6"]
    assert [FIELDS[spot] for spot in EYES] == ["3-3", "3-5", "3-7", "5-3", "5-5", "7-3"]
    assert not any(other in EYES for eye in EYES for other in AROUND[eye])


def test_the_price_boards_have_the_check_sums_of_the_rules() -> None:
    entries = [entry for column in ENTRIES for entry in column]
    plain = [entry for entry in entries if entry.low == entry.high and not entry.times]
    assert (len(BOARDS), len(entries), len(plain)) == (16, 80, 68)
    assert sum(entry.low for entry in plain) == 810
    assert [entry.text for entry in entries if entry.times] == ["x5"] * 5
    assert sum(entry.low < entry.high for entry in entries) == 7


def test_the_stacks_are_as_even_as_can_be_front_first() -> None:
    assert [stack_sizes(players) for players in (2, 3, 4, 5)] == [
        [19, 19, 18],
        [18, 17, 17],
        [16, 16, 16],
        [15, 15, 14],
    ]


# --- setup (§3) ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_match_begins_with_two_boards_of_each_type_and_six_laws(players: int) -> None:
    state = CheopsState.setup(players, {}, Table("setup", 0))
    types = [BOARDS[board].partition("-")[0] for board in state.boards]
    assert sorted(types) == ["I", "I", "II", "II", "III", "III"]
    assert len(set(state.boards)) == 6
    assert [spot for spot, content in enumerate(state.pyramid) if content >= LAW] == list(EYES)
    assert state.hands == [[1, 1, 1, 1]] * players
    assert [len(stack) for stack in state.stacks] == stack_sizes(players)
    assert state.money == [0] * players
    assert (state.phase, state.turn(), state.market_price(), state.threshold()) == ("act", 1, 10, 2)
    invariants(state)


def test_the_first_player_is_drawn_by_lot_or_is_seat_0() -> None:
    firsts = {CheopsState.setup(3, {}, Table(f"{seed}", 0)).current for seed in range(40)}
    assert firsts == {0, 1, 2}
    chosen = {"first_player": "seat_0"}
    assert {CheopsState.setup(3, chosen, Table(f"{n}", 0)).current for n in range(40)} == {0}


def test_options_are_kept() -> None:
    options = {"pair_rule": "majority_high", "family_draw": "any_stack", "open_money": 1}
    state = CheopsState.setup(2, options, Table("options", 0))
    assert (state.pair_rule, state.family_draw, state.open_money) == (
        "majority_high",
        "any_stack",
        True,
    )
    state = CheopsState.setup(2, {}, Table("options", 0))
    assert (state.pair_rule, state.family_draw, state.open_money) == (
        "majority_low",
        "front_stack",
        False,
    )


# --- what is said -------------------------------------------------------------------------------


def said(state: CheopsState, *texts: str) -> list[Line]:
    """Play moves and return all lines."""
    table = Table("said", 1)
    for text in texts:
        move = read(text)
        assert move in state.legal(state.current), text
        state.apply(state.current, move, table)
    return table.lines


def test_a_sale_is_told_with_its_price() -> None:
    assert said(fixture(3), "place_family son 1-3", "sell_treasure", "draw_family 1") == [
        Line("laid", {"seat": 0, "tile": "f:son", "field": "1-3", "find": "t:red"}),
        Line("sold", {"seat": 0, "treasure": "t:red", "price": 10}),
        Line("drew", {"seat": 0, "kind": "grandfather"}),
    ]


def test_a_law_is_told_only_when_it_is_turned_up() -> None:
    state = position({"fixture": 3, "pyramid": {"2-3": "f:mother", "2-4": "f:son"}})
    assert said(state, "place_family daughter 3-3") == [
        Line("laid", {"seat": 0, "tile": "f:daughter", "field": "3-3", "find": "l"}),
        Line("turned_up", {"seat": 0, "law": "market_high"}),
        Line("changed_market", {"price": 15}),
    ]


def test_forced_results_are_told_as_forced() -> None:
    forced = {"sold": {"green": 4}, "under": {"red": "must_sell", "blue": "must_keep"}}
    state = position({"fixture": 3, **forced, "hands": {0: {"son": 1}, 1: {"son": 1}}})
    moves = ("place_family son 1-3", "draw_family 1", "end_turn")
    assert [line.key for line in said(state, *moves)] == ["laid", "had_to_sell", "drew"]
    assert [line.key for line in said(state, "place_family son 1-8")] == ["laid", "had_to_keep"]
    state = position({"fixture": 3, "sold": {"red": 4}, "under": {"red": "must_sell"}})
    assert [line.key for line in said(state, "place_family son 1-3")] == ["laid", "discarded"]


def test_the_end_opens_the_purses() -> None:
    given = {"fixture": 2, "sold": {"red": 3, "brown": 4}, "stocks": {1: {"blue": 2}}}
    lines = said(position(given), "place_family son 1-3", "sell_treasure")
    assert lines[2:] == [
        Line("ended_boards_full", {}),
        Line("counted", {"seat": 0, "cash": 10, "stock": 0, "total": 10}),
        Line("counted", {"seat": 1, "cash": 0, "stock": 10, "total": 10}),
        Line("won", {"seat": [0, 1], "points": 10}),
    ]


# --- refusals (§5.7) ----------------------------------------------------------------------------

CODES = {
    *("game_over", "not_your_turn", "wrong_phase", "bad_parameter", "kind_not_in_hand"),
    *("field_occupied", "not_supported", "identical_adjacent", "neighbour_already_hired"),
    *("no_neighbours_left", "cannot_afford", "must_place", "board_full", "sale_forbidden"),
    *("keep_forbidden", "slot_taken", "number_covered", "law_not_in_play", "tile_not_held"),
    *("tile_taken_this_turn", "already_drawn", "not_in_stock", "not_a_treasure", "same_colour"),
    *("hand_full", "stack_empty", "not_front_stack", "must_draw"),
}


def test_every_refusal_of_the_rules_occurs_in_a_vector() -> None:
    expected = {vector.content["expect"].get("error") for vector in SPEC + MORE}
    steps = [step for vector in SPEC + MORE for step in vector.content.get("do", [])]
    expected |= {step.get("error") for step in steps}
    assert expected >= CODES


def refused(given: dict[str, Any], text: str) -> str:
    state = position({"fixture": 3, **given})
    assert read(text) not in state.legal(state.current)
    return state.why_not(state.current, read(text)).key


def test_two_treasures_to_be_exchanged_are_offered_in_one_order_only() -> None:
    """Ten treasures of each of six colours lie there: 1770 pairs, 270 of them of one colour."""
    state = position({"fixture": 3, "turn": 4, "held": {0: {"exchange": 1}}})
    pairs = [move[1:] for move in state.legal(0) if move[0] == "play_exchange_pyramid"]
    assert len(pairs) == len(set(map(frozenset, pairs))) == 1500


def test_an_unfinished_move_is_refused_for_what_it_names() -> None:
    """The site asks why a field alone, or a family member alone, leads nowhere."""
    assert refused({}, "place_family 2-1") == "not_supported"
    assert refused({"pyramid": {"1-1": "f:son"}}, "place_family 1-1") == "field_occupied"
    assert refused({"hands": {0: {"mother": 1}}}, "place_family son") == "kind_not_in_hand"
    beside = {"hands": {0: {"son": 2}}, "pyramid": {"1-3": "f:son"}}
    assert refused(beside, "place_family 1-4") == "identical_adjacent"
    beside_neighbour = {"pyramid": {"1-3": "n"}}
    assert refused(beside_neighbour, "place_family") == "bad_parameter"
    assert refused({}, "hire_neighbour") == "cannot_afford"
    assert refused({}, "play_exchange_pyramid 1-1") == "tile_not_held"
    held = {"turn": 4, "held": {0: {"exchange": 1, "secret_passage": 1, "late_sale": 1}}}
    assert refused(held, "play_exchange_pyramid 3-3") == "not_a_treasure"
    assert refused(held, "play_exchange_stock 3-3") == "not_a_treasure"
    assert refused(held, "play_exchange_stock red") == "not_in_stock"
    assert refused(held, "play_secret_passage 3-3") == "not_a_treasure"
    assert refused(held, "play_secret_passage") == "bad_parameter"
    assert refused(held, "play_late_sale") == "bad_parameter"
    stuck = {**held, "hands": {0: {"son": 1}}, "pyramid": {"1-3": "f:son"}}
    assert refused(stuck, "play_secret_passage 1-4") == "identical_adjacent"
    drawn = {"phase": "wrap_up", "main_done": True, "stacks": {1: [], 2: [], 3: []}}
    assert refused({**drawn, "hands": {0: {"son": 1}}}, "draw_family") == "stack_empty"
    refill = {"phase": "wrap_up", "main_done": True, "hands": {0: {"son": 1}}}
    assert refused(refill, "draw_family") == "bad_parameter"
    number = {"phase": "resolve_law", "pending_law": "new_number", "sold": {"red": 2}}
    assert refused(number, "place_number 2") == "bad_parameter"
    assert refused(number, "place_number red") == "bad_parameter"
    assert refused(number, "place_number red 2") == "number_covered"
    assert refused({"phase": "resolve_law", "pending_law": "joker"}, "keep_law") == "wrong_phase"
    assert refused({"phase": "resolve_law", "pending_law": "joker"}, "buy_joker 3") == (
        "bad_parameter"
    )
    executed = {"phase": "resolve_law", "pending_law": "late_sale"}
    assert refused(executed, "keep_law late_sale") == "bad_parameter"
    assert refused(executed, "play_late_sale red") == "not_in_stock"
    number = {"phase": "resolve_law", "pending_law": "new_number", "sold": {"red": 2}}
    assert refused(number, "place_number red") == "bad_parameter"
    assert refused({"phase": "declare_joker", "joker_owner": 0}, "declare_joker") == "bad_parameter"


def test_a_pair_of_fields_in_the_wrong_order_does_not_exist() -> None:
    held = {"turn": 4, "held": {0: {"exchange": 1}}}
    assert refused(held, "play_exchange_pyramid 11-1 1-1") == "bad_parameter"


def test_a_hand_made_position_is_refused_by_its_laws() -> None:
    """AUTO-1 never leaves these choices open; a position laid out by hand may."""
    pending = {"phase": "resolve_treasure", "pending_treasure": "red", "main_done": True}
    full = position({"fixture": 3, **pending, "sold": {"red": 4}})
    assert full.legal(0) == [("keep_treasure",)]
    assert full.why_not(0, ("sell_treasure",)).key == "board_full"
    barred = position({"fixture": 3, **pending, "under": {"red": "must_keep"}})
    assert barred.why_not(0, ("sell_treasure",)).key == "sale_forbidden"
    forced = position({"fixture": 3, **pending, "under": {"red": "must_sell"}})
    assert forced.why_not(0, ("keep_treasure",)).key == "keep_forbidden"
    assert forced.idle(0) == ("sell_treasure",)
    assert full.idle(0) == ("keep_treasure",)
    assert fixture(3).why_not(0, ()).key == "wrong_phase"


# --- whole matches (§5.8, §8) -------------------------------------------------------------------


def check_step(before: CheopsState, after: CheopsState, move: Move) -> None:
    """13, and the money of 9: what a move does to the counts of the whole table."""
    laid = sum(c >= TILE for c in after.pyramid) - sum(c >= TILE for c in before.pyramid)
    assert laid == (move[0] in ("place_family", "hire_neighbour", "play_secret_passage"))
    earned = (sum(after.sold) - sum(before.sold)) * before.market_price()
    spent = HIRE * (move[0] == "hire_neighbour") + JOKER_PRICE * (move[0] == "buy_joker")
    assert sum(after.money) - sum(before.money) == earned - spent
    assert sum(after.money) <= 315


def follow(state: CheopsState, choices: list[int], table: Table) -> None:
    """Play by index, checking the whole position after every move."""
    for choice in choices:
        if not state.to_act():
            return
        before, moves = state.clone(), state.legal(state.current)
        move = moves[choice % len(moves)]
        state.apply(state.current, move, table)
        invariants(state)
        check_step(before, state, move)


@given(
    players=st.integers(2, 5),
    seed=st.integers(0, 99),
    pair=st.sampled_from(["majority_low", "majority_high"]),
    draw=st.sampled_from(["front_stack", "any_stack"]),
    choices=st.lists(st.integers(0, 2**12), max_size=90),
)
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_invariants_hold_whatever_is_played(
    players: int, seed: int, pair: str, draw: str, choices: list[int]
) -> None:
    options = {"pair_rule": pair, "family_draw": draw}
    table = Table(f"{seed}", 0)
    follow(CheopsState.setup(players, options, table), choices, table)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_invariants_hold_to_the_end_of_matches_played_slowly(players: int) -> None:
    """Keeping everything makes long matches: laws, blockades and empty pyramids are reached."""
    reasons = set()
    for seed in range(2):
        table = Silent(Random(seed))
        state = CheopsState.setup(players, {}, table)
        while state.to_act():
            before, moves = state.clone(), state.legal(state.current)
            move = ("keep_treasure",) if ("keep_treasure",) in moves else table.pick(moves)
            state.apply(state.current, move, table)
            invariants(state)
            check_step(before, state, move)
        reasons.add(state.end_reason)
    assert reasons <= {"boards_full", "pyramid_empty", "blocked"}
    assert "blocked" in reasons or "pyramid_empty" in reasons


# --- timeouts (§10) -----------------------------------------------------------------------------


def test_repealing_by_default_follows_the_order_of_the_rules() -> None:
    state = position(
        {
            "fixture": 3,
            "turn": 9,
            "phase": "resolve_law",
            "pending_law": "repeal",
            "market_tile": "market_low",
            "three_boards": True,
            "sold": {"red": 4},
            "under": {"blue": "blocker", "brown": "must_keep"},
            "new_number": {"colour": "red", "position": 5},
            "held": {0: {"late_sale": 1}, 1: {"exchange": 1}, 2: {"secret_passage": 1}},
            "joker_owner": 2,
        }
    )
    order = []
    while state.phase == "resolve_law":
        move = state.idle(0)
        order.append(move[1])
        state.apply(0, move, Table("order", 0))
        if len(order) < 9:
            state.current, state.phase, state.pending_law = 0, "resolve_law", LAWS.index("repeal")
    assert order == [
        "market_low",
        "three_boards",
        "must_keep",
        "blocker",
        "new_number",
        "exchange",
        "secret_passage",
        "joker",
        "late_sale",
    ]


def test_the_clock_plays_a_whole_match() -> None:
    state = CheopsState.setup(3, {"first_player": "seat_0"}, Table("clock", 0))
    table = Table("clock", 1)
    while state.to_act():
        state.apply(state.current, state.idle(state.current), table)
        invariants(state)
    assert state.end_reason in ("pyramid_empty", "blocked")
    assert state.money == [0, 0, 0]


# --- who sees what (§4.2) -----------------------------------------------------------------------

PURSES = {"money": {0: 30, 1: 10, 2: 0}}


def purses(state: CheopsState, viewer: int | None) -> list[int | None]:
    return [seat["money"] for seat in state.view(viewer)["seats"]]


def test_a_seat_sees_its_own_money_and_no_face_down_law() -> None:
    """T88."""
    state = position({"fixture": 3, **PURSES})
    view = state.view(1)
    assert purses(state, 1) == [None, 10, None]
    assert purses(state, None) == [None, None, None]
    assert view["pyramid"]["3-3"] == "l"
    assert view["stacks"] == [
        {"count": 18, "top": "grandfather", "below": None},
        {"count": 17, "top": "son", "below": None},
        {"count": 17, "top": "daughter", "below": None},
    ]
    assert [seat["score"] for seat in view["seats"]] == [None, None, None]


def test_open_money_shows_every_purse_and_still_no_law() -> None:
    """T89."""
    state = position({"fixture": 3, "options": {"open_money": True}, **PURSES})
    assert purses(state, None) == [30, 10, 0]
    assert state.view(None)["pyramid"]["3-3"] == "l"


def test_when_it_is_finished_everybody_sees_everything() -> None:
    """T90."""
    state = position({"fixture": 3, "phase": "finished", **PURSES})
    assert purses(state, None) == purses(state, OPEN) == [30, 10, 0]
    assert state.view(0)["pyramid"]["3-3"] == "l:market_high"
    assert state.view(None)["out_of_game"] == [
        "market_low",
        "three_boards",
        "must_keep",
        "blocker",
        "late_sale",
        "exchange",
    ]
    assert state.determinize(0, Table("open", 0)).dump() == state.dump()


def test_money_stays_hidden_while_the_joker_is_named() -> None:
    state = position({"fixture": 3, "phase": "declare_joker", "joker_owner": 2, **PURSES})
    assert purses(state, 0) == [30, None, None]


def test_another_world_keeps_what_is_open_and_deals_the_rest_anew() -> None:
    state = position({"fixture": 3, **PURSES})
    worlds = [state.determinize(0, Table(f"{n}", 0)) for n in range(40)]
    eyes = {tuple(world.pyramid[eye] for eye in EYES) for world in worlds}
    assert len(eyes) > 30
    seen = {LAWS[world.pyramid[EYES[0]] - LAW] for world in worlds}
    assert len(seen) > 8
    assert len({tuple(map(tuple, world.stacks)) for world in worlds}) == 40
    assert {tuple(stack[-1] for stack in world.stacks) for world in worlds} == {(0, 2, 3)}
    assert {world.money[0] for world in worlds} == {30}
    assert len({world.money[1] for world in worlds}) > 3
    assert all(cash >= 0 and cash % 5 == 0 for world in worlds for cash in world.money)
    treasures = [content for content in state.pyramid if content < LAW]
    assert all([c for c in world.pyramid if c < LAW] == treasures for world in worlds)


def test_open_money_is_not_guessed() -> None:
    state = position({"fixture": 3, "options": {"open_money": True}, **PURSES})
    assert state.determinize(0, Table("open", 0)).money == [30, 10, 0]


# --- taking back (§5.3) -------------------------------------------------------------------------


def test_a_turn_that_comes_round_to_the_same_seat_cannot_be_taken_back() -> None:
    """All others pass by themselves, so nobody new is called; the turn is over all the same."""
    state = position(
        {
            "fixture": 3,
            "hands": {0: {"son": 2, "mother": 1}, 1: {}, 2: {}},
            "stacks": {1: [], 2: [], 3: []},
        }
    )
    session = Session(CheopsState, "round", state.dump(), 1)
    session.play(0, read("place_family son 1-3"))
    session.play(0, ("keep_treasure",))
    assert (session.state.to_act(), session.state.turn()) == ([0], 4)
    with pytest.raises(Refused, match="nothing_to_undo"):
        session.undo(0)


def test_moves_are_written_with_the_ids_of_the_rules() -> None:
    moves = CheopsState.setup(2, {"first_player": "seat_0"}, Table("ids", 0)).legal(0)
    assert write(moves[0]) == "place_family grandfather 1-1"
    assert len(moves) == 44
    assert {move[1] for move in moves} == set(KINDS)
    assert [CONTENTS[number] for number in (0, LAW, TILE, 22)] == [
        "t:brown",
        "l:market_low",
        "f:grandfather",
        "n",
    ]
    assert (FULL, NONE, len(COLOURS)) == (4, -1, 6)
