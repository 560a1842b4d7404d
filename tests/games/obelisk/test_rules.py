"""The rules of Obelisk beyond the vectors: rulings A1-A33, setup, log, undo, views.

A position is built from a `given` as in the vectors, moves are made by their text.
"""

from typing import Any

import pytest

from games.engine.contract import Refused, write
from games.engine.session import Session
from games.obelisk import components
from games.obelisk.components import BUILDING, NAMES, NUMBER, action_cards
from games.obelisk.layout import starting_spots
from games.obelisk.rules import ObeliskState
from tests.games.obelisk.staging import DUEL, at, board, listed, play, refused, spoken, started

# --- components (§2) -------------------------------------------------------------------------


def test_the_box_holds_84_building_cards_and_20_action_cards() -> None:
    assert len(NAMES) == len(set(NAMES)) == 104
    assert len(components.BUILDING_NAMES) == 84
    assert components.BUILDING_NAMES[:6] == ("R1a", "R1b", "R1c", "R1d", "R2a", "R2b")
    assert [NAMES[card] for card in range(BUILDING) if not components.VALUE[card]] == [
        "RJ",
        "BJ",
        "GJ",
        "YJ",
    ]
    assert [sum(components.COLOR[card] == hue for card in range(BUILDING)) for hue in range(4)] == (
        [21] * 4
    )


@pytest.mark.parametrize(("players", "count"), [(2, 14), (3, 18), (4, 18), (5, 18)])
def test_a2_action_cards_of_the_other_mode_leave_the_game(players: int, count: int) -> None:
    kinds = {components.KIND[card] for card in action_cards(players)}
    assert len(action_cards(players)) == count
    assert ("free_trade" in kinds) == (players == 2)
    assert ("market_pick" in kinds) == (players > 2)


# --- setup (§3) ------------------------------------------------------------------------------


def test_a1_chance_or_the_host_decides_who_begins() -> None:
    seeds = [Session.start(ObeliskState, str(number), 2, {})[0] for number in range(20)]
    assert {board(session).active for session in seeds} == {0, 1}
    assert [board(started(2, first_player=seat)).active for seat in (0, 1)] == [0, 1]
    session = started(5, first_player=3)
    while board(session).phase == "setup_market":
        seat = session.state.to_act()[0]
        session.play(seat, session.state.idle(seat))
    assert session.state.to_act() == [3]


def test_a3_choices_are_secret_and_the_quarry_comes_after_them() -> None:
    session = started(3)
    assert session.state.to_act() == [0, 1, 2]
    assert len(session.state.legal(0)) == 21
    chosen = session.state.legal(1)[0]
    lines = session.play(1, chosen)
    assert spoken(lines) == [("chose_market", {"seat": 1})]
    assert session.state.to_act() == [0, 2]
    assert session.state.legal(1) == []
    view = session.state.view(0)
    assert (view["quarry"], view["display"], view["active"], view["turn"]) == (None,) * 4
    assert [seat["chosen"] for seat in view["seats"]] == [False, True, False]
    assert [seat["choice"] for seat in view["seats"]] == [None] * 3
    assert session.state.view(1)["seats"][1]["choice"] == list(chosen[1:])
    assert session.state.view(None)["seats"][1]["hand"] is None


def test_a3_a_choice_is_taken_back_by_undo_until_the_last_one_reveals_all() -> None:
    session = started(3)
    first, second = session.state.legal(0)[:2]
    session.play(0, first)
    assert refused(session, write(second), seat=0) == "not_your_turn"
    session.undo(0)
    session.play(0, second)
    session.play(1, session.state.legal(1)[0])
    lines = session.play(2, session.state.legal(2)[0])
    assert [line.key for line in lines] == [
        "chose_market",
        "opened_market",
        "opened_market",
        "opened_market",
        "placed_overseer",
        "began",
    ]
    assert lines[1].args == {"seat": 0, "cards": list(second[1:])}
    assert board(session).markets[0] == [NUMBER[str(name)] for name in second[1:]]
    with pytest.raises(Refused, match="nothing_to_undo"):
        session.undo(0)


def test_a4_a_joker_on_top_counts_nothing() -> None:
    tops = [NUMBER[name] for name in ("RJ", "B1a", "BJ", "G1a", "GJ", "Y1a", "YJ")]
    assert starting_spots(tops) == [1, 3, 5]


def test_the_overseer_starts_on_a_highest_top_and_it_is_said() -> None:
    for seed in range(20):
        session, lines = Session.start(ObeliskState, str(seed), 2, {})
        state = board(session)
        tops = [pile[-1] for pile in state.piles]
        assert state.overseer in starting_spots(tops)
        assert spoken(lines) == [
            ("placed_overseer", {"pile": state.overseer, "spot": state.overseer + 1}),
            ("began", {"seat": state.active}),
        ]


def test_without_options_every_obelisk_scores() -> None:
    assert [board(started(2, **options)).expert for options in ({}, {"expert": 1})] == [False, True]


# --- quarry ----------------------------------------------------------------------------------


def test_a5_pile_sizes_are_public() -> None:
    view = at(piles={3: 0}).state.view(None)
    assert [pile["count"] for pile in view["quarry"]["piles"]] == [5, 5, 5, 0, 5, 5, 5]
    assert view["quarry"]["piles"][3]["top"] is None
    assert view["quarry"]["empty"] == 1


def test_a6_steps_of_a_turn_mix_in_any_order() -> None:
    session = at(seats={0: {"hand": ["R5a", "R4a", "G1a"]}})
    play(session, "lay_foundation G1a", "take 1", "build R5a 0 top", "place_market R4a", "take 2")
    play(session, "end_turn")
    assert session.state.to_act() == [1]


def test_a7_the_last_pile_is_its_own_neighbour() -> None:
    session = at(players=5, overseer=2, piles=[0, 0, 3, 0, 0, 0, 0], last_round="trigger")
    assert listed(session, "take") == ["take 2"]


def test_a8_an_extra_move_keeps_the_direction() -> None:
    session = at(players=2, seats=DUEL, turn={"takes_left": 2}, camels=[0, 6])
    assert listed(session, "take") == ["take 1 cw", "take 6 ccw"]
    play(session, "take 6 ccw")
    assert listed(session, "take") == ["take 5 ccw"]
    assert refused(session, "take 0 cw") == "wrong_direction"


def test_a9_free_move_lasts_the_turn_and_needs_no_direction() -> None:
    seats = {0: {"hand": ["Y1a", "Y2a", "Y3a"], "actions": ["free_move_1"]}, 1: DUEL[1]}
    session = at(players=2, seats=seats, turn={"takes_left": 2}, pile_camels={4: 0})
    play(session, "play_action free_move_1")
    assert listed(session, "take") == [f"take {pile}" for pile in range(7)]
    play(session, "take 0", "take 4")
    assert board(session).direction == ""


def test_a31_a32_empty_spots_are_skipped_for_nothing() -> None:
    session = at(players=2, seats=DUEL, piles={1: 0, 2: 0, 0: 0}, overseer=0)
    lines = play(session, "take 4 cw")
    assert spoken(lines)[0] == (
        "paid_camels",
        {"seat": 0, "camels": 1, "piles": [3], "spots": [4]},
    )
    assert board(session).camels == [2, 3]


# --- building --------------------------------------------------------------------------------


def test_a10_a_joker_has_five_values_on_a_bare_foundation_and_one_elsewhere() -> None:
    obelisks = [{"base": "down"}, {"base": "down", "cards": ["R4a"]}]
    session = at(seats={0: {"hand": ["RJ", "Y1a", "Y2a"], "obelisks": obelisks}})
    assert listed(session, "build RJ") == [f"build RJ 0 top {value}" for value in range(1, 6)] + [
        "build RJ 1 top 3"
    ]
    assert refused(session, "build RJ 0 top") == "joker_value_required"
    assert refused(session, "build RJ 1 top 2") == "joker_value_wrong"


def test_a10_a_joker_has_no_value_as_a_foundation() -> None:
    session = at(seats={0: {"hand": ["RJ", "Y1a", "Y2a"]}})
    play(session, "lay_foundation RJ")
    assert session.state.view(0)["seats"][0]["obelisks"] == [
        {
            "foundation": "RJ",
            "face_down": True,
            "color": None,
            "cards": [],
            "finished": False,
            "points": 0,
        }
    ]


def test_a11_the_reserve_counts_cards_to_come_but_no_purchase() -> None:
    session = at(
        seats={0: {"hand": ["R1a"]}, 1: {"market": ["B1a", "B2a"]}}, turn={"takes_left": 0}
    )
    assert listed(session, "") == ["buy_market 1"]
    play(session, "buy_market 1")
    assert listed(session, "lay") == [f"lay_foundation {name}" for name in ("R1a", "B1a", "B2a")]


def test_a12_the_trigger_turn_has_no_hand_limit() -> None:
    hand = ["R1a", "R2a", "R3a", "R4a", "R5a", "B1a", "B2a"]
    turn = {"takes_left": 0, "built": 1, "marketed": 1}
    assert refused(at(seats={0: {"hand": hand}}, turn=turn), "end_turn") == "hand_limit"
    session = at(seats={0: {"hand": hand}}, turn=turn, last_round="trigger")
    play(session, "end_turn")
    assert session.state.to_act() == []


def test_a13_a_gap_is_filled_by_the_next_discard() -> None:
    session = at(
        seats={0: {"hand": ["R1a", "R2a"], "actions": ["off_color_1", "off_color_2"]}},
        display=["free_move_1", None, "extra_move_1"],
        draw=[],
    )
    lines = play(session, "play_action off_color_1")
    assert spoken(lines) == [
        ("played_action", {"seat": 0, "card": "off_color_1"}),
        ("reshuffled_actions", {}),
        ("turned_up", {"card": "off_color_1", "slot": 1}),
    ]
    play(session, "play_action off_color_2")
    assert session.state.view(None)["discard"] == ["off_color_2"]


def test_a14_a_limited_turn_is_free_and_skipped_with_an_empty_hand() -> None:
    session = at(
        players=4,
        last_round="trigger",
        seats={
            0: {"hand": ["R1a"]},
            1: {"actions": ["foundation_red"]},
            2: {"hand": ["B1a"]},
            3: {},
        },
        turn={"takes_left": 0, "built": 1},
    )
    assert spoken(play(session, "end_turn")) == [
        ("ended_turn", {"seat": 0}),
        ("skipped_turn", {"seat": 1}),
    ]
    assert listed(session, "") == ["lay_foundation B1a", "end_turn"]
    assert spoken(play(session, "end_turn")) == [
        ("ended_turn", {"seat": 2}),
        ("skipped_turn", {"seat": 3}),
        ("won", {"seat": [0, 1, 2, 3], "points": 0}),
    ]


def test_a15_a_seat_that_holds_every_camel_when_its_turn_starts_must_buy() -> None:
    given: dict[str, Any] = {
        "seats": {0: {"hand": ["R1a"]}, 1: {"camels": 3}, 2: {"market": ["G1a"], "camels": 0}},
        "turn": {"takes_left": 0, "built": 1, "marketed": 1},
        "camels": {0: 0},
    }
    session = at(**given)
    play(session, "end_turn")
    assert board(session).must_buy
    alone = at(**{**given, "seats": {**given["seats"], 2: {"camels": 0}}})
    play(alone, "end_turn")
    assert not board(alone).must_buy


def test_a16_an_empty_market_cannot_be_bought() -> None:
    assert refused(at(), "buy_market 1") == "market_empty"


def test_a17_a_coloured_foundation_is_a_build_and_needs_no_depot_card() -> None:
    seats = {0: {**DUEL[0], "actions": ["foundation_red"]}, 1: DUEL[1]}
    session = at(players=2, seats=seats)
    assert listed(session, "lay") == []
    lines = play(session, "play_action foundation_red")
    assert spoken(lines) == [
        ("played_action", {"seat": 0, "card": "foundation_red"}),
        ("placed_foundation", {"seat": 0, "card": "foundation_red", "obelisk": 0, "number": 1}),
    ]
    assert board(session).built == 1


def test_a18_a19_each_off_color_card_allows_one_odd_card_per_obelisk() -> None:
    session = at(
        seats={
            0: {
                "hand": ["G3a", "B2a", "R1a", "Y5a"],
                "actions": ["off_color_1", "off_color_2"],
                "obelisks": [{"base": "foundation_red", "cards": ["R4a"]}],
            }
        },
    )
    play(session, "play_action off_color_1", "build G3a 0 top")
    assert refused(session, "build B2a 0 top") == "off_color_used"
    play(session, "play_action off_color_2", "build B2a 0 top", "build R1a 0 top")
    assert session.state.view(None)["seats"][0]["obelisks"][0] == {
        "foundation": "foundation_red",
        "face_down": False,
        "color": "R",
        "cards": [["R4a", 4], ["G3a", 3], ["B2a", 2], ["R1a", 1]],
        "finished": True,
        "points": 10,
    }


def test_a20_a_finished_obelisk_grows_at_the_bottom_and_earns_nothing_more() -> None:
    obelisks = [{"base": "down", "cards": ["R2a", "R1a"]}]
    session = at(
        seats={
            0: {"hand": ["R3a", "RJ", "Y1a"], "obelisks": obelisks, "actions": ["double_ended_1"]}
        }
    )
    play(session, "play_action double_ended_1")
    lines = play(session, "build R3a 0 bottom", "build RJ 0 bottom 4")
    place = {"obelisk": 0, "number": 1}
    assert spoken(lines) == [
        ("built_below", {"seat": 0, "card": "R3a", "value": 3, **place}),
        ("built_joker_below", {"seat": 0, "card": "RJ", "value": 4, **place}),
    ]
    assert not board(session).pending_action
