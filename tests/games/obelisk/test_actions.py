"""Markets, action cards and trades of Obelisk beyond the vectors: rulings A21-A33."""

from games.engine.contract import OPEN
from games.engine.session import Session
from tests.games.obelisk.staging import DUEL, at, board, listed, play, refused, spoken


def markets(*actions: str) -> Session:
    return at(
        seats={
            0: {"hand": ["Y1a", "Y2a"], "market": ["Y3a"], "actions": list(actions)},
            1: {"market": ["B1a", "free_move_1"]},
            2: {"market": ["G1a"]},
        }
    )


def test_a21_a_pick_takes_one_or_two_cards_from_different_markets() -> None:
    session = markets("market_pick_1")
    assert listed(session, "play_action") == [
        "play_action market_pick_1 1 B1a",
        "play_action market_pick_1 1 free_move_1",
        "play_action market_pick_1 2 G1a",
        "play_action market_pick_1 1 B1a 2 G1a",
        "play_action market_pick_1 1 free_move_1 2 G1a",
    ]
    assert spoken(play(session, "play_action market_pick_1 1 free_move_1 2 G1a"))[1:] == [
        ("picked_market", {"seat": 0, "other": 1, "card": "free_move_1"}),
        ("picked_market", {"seat": 0, "other": 2, "card": "G1a"}),
    ]


def test_a22_recall_takes_the_whole_market_back() -> None:
    session = markets("market_recall_1", "market_recall_2")
    lines = play(session, "place_market Y1a", "play_action market_recall_1")
    assert spoken(lines)[1:] == [
        ("played_action", {"seat": 0, "card": "market_recall_1"}),
        ("recalled_market", {"seat": 0, "cards": ["Y3a", "Y1a"]}),
    ]
    assert board(session).market_waived
    assert len(play(session, "play_action market_recall_2")) == 1


def test_a23_a_swap_is_between_two_others() -> None:
    session = markets("market_swap_1")
    assert listed(session, "play_action") == [
        "play_action market_swap_1 1 B1a 2 G1a",
        "play_action market_swap_1 1 free_move_1 2 G1a",
    ]
    lines = play(session, "play_action market_swap_1 1 free_move_1 2 G1a")
    assert spoken(lines)[1:] == [
        ("swapped_markets", {"seat": 0, "other": [1, 2], "cards": ["free_move_1", "G1a"]})
    ]


def test_a24_an_extra_move_must_be_used() -> None:
    session = at(
        seats={0: {"hand": ["Y1a"], "actions": ["extra_move_1"]}},
        turn={"takes_left": 0, "built": 1, "marketed": 1},
    )
    play(session, "play_action extra_move_1")
    assert refused(session, "end_turn") == "must_take"


def test_a25_an_earned_card_comes_before_anything_else() -> None:
    session = at(seats={0: {"hand": ["R1a", "Y1a"], "obelisks": [{"base": "down"}]}})
    lines = play(session, "build R1a 0 top")
    assert [line.key for line in lines] == ["built", "finished_obelisk"]
    assert listed(session, "") == [f"pick_action {slot}" for slot in range(3)] + ["decline_action"]
    assert spoken(play(session, "pick_action 0")) == [
        ("picked_action", {"seat": 0, "card": "double_ended_2"}),
        ("turned_up", {"card": "free_move_2", "slot": 0}),
    ]


def test_a26_an_action_card_serves_the_market_but_no_trade() -> None:
    session = at(
        seats={0: {"hand": ["Y1a"], "actions": ["off_color_1"]}},
        turn={"takes_left": 0, "built": 1},
    )
    play(session, "place_market off_color_1", "end_turn")
    duel = at(
        players=2, seats={0: {**DUEL[0], "actions": ["off_color_1"]}, 1: DUEL[1]}, camels=[6, 0]
    )
    assert len(listed(duel, "trade")) == 9
    assert refused(duel, "trade off_color_1 B1a") == "card_not_available"


def test_a27_the_last_turn_of_two_players_is_a_full_one() -> None:
    session = at(players=2, seats=DUEL, active=1, last_round="full", piles={0: 0, 3: 0})
    assert refused(session, "end_turn") == "must_take"
    play(session, "take 1 cw", "end_turn")
    assert board(session).phase == "over"


def test_a28_a33_the_trigger_frees_from_the_market_only() -> None:
    session = at(
        piles={1: ["R1a"], 4: 0, 5: 0},
        seats={0: {"hand": ["Y1a"]}, 1: {"market": ["B1a"], "hand": ["B2a"]}},
    )
    assert [line.key for line in play(session, "take 1")] == ["took", "triggered_last_round"]
    assert refused(session, "end_turn") == "must_take"
    play(session, "take 2")
    assert refused(session, "end_turn") == "must_build"
    lines = play(session, "buy_market 1", "lay_foundation Y1a", "end_turn")
    assert lines[0].args == {"seat": 0, "other": 1, "cards": ["B1a"]}
    assert board(session).last_round == "limited"


def test_a29_only_cards_for_building_are_played_in_a_limited_turn() -> None:
    actions = [
        *("free_move_1", "extra_move_1", "double_ended_1", "off_color_1", "foundation_red"),
        *("market_pick_1", "market_recall_1", "market_swap_1"),
    ]
    session = at(last_round="limited", seats={0: {"hand": ["R1a"], "actions": actions}})
    assert listed(session, "play_action") == [
        "play_action double_ended_1",
        "play_action off_color_1",
        "play_action foundation_red",
    ]


def test_a30_two_players_see_each_others_foundations() -> None:
    seats = {0: {"hand": ["Y1a", "Y2a", "Y3a", "Y4a"]}, 1: DUEL[1]}
    session = at(players=2, seats=seats)
    place = {"obelisk": 0, "number": 1}
    assert spoken(play(session, "lay_foundation Y4a")) == [
        ("laid_open_foundation", {"seat": 0, "card": "Y4a", **place})
    ]
    assert session.state.view(None)["seats"][0]["obelisks"][0]["foundation"] == "Y4a"


def test_with_more_players_nobody_learns_which_card_is_a_foundation() -> None:
    session = at(seats={0: {"hand": ["Y1a", "Y2a", "Y3a"]}})
    assert spoken(play(session, "lay_foundation Y1a")) == [
        ("laid_foundation", {"seat": 0, "obelisk": 0, "number": 1})
    ]
    seen = [session.state.view(viewer)["seats"][0] for viewer in (0, 1, None, OPEN)]
    assert [seat["obelisks"][0]["foundation"] for seat in seen] == ["Y1a", None, None, "Y1a"]
    assert [seat["hand"] for seat in seen] == [["Y2a", "Y3a"], None, None, ["Y2a", "Y3a"]]
    assert [seat["hand_count"] for seat in seen] == [2] * 4


def test_two_players_trade_and_pay_the_other() -> None:
    seats = {0: {**DUEL[0], "actions": ["free_trade_1"]}, 1: DUEL[1]}
    session = at(players=2, seats=seats)
    assert spoken(play(session, "trade Y1a B2a")) == [
        ("traded", {"seat": 0, "other": 1, "give": "Y1a", "get": "B2a"})
    ]
    assert board(session).camels == [2, 4]
    assert len(listed(session, "play_action free_trade_1")) == 9 + 9
    lines = play(session, "play_action free_trade_1 Y2a B1a B2a Y1a")
    assert spoken(lines)[1:] == [
        ("freely_traded", {"seat": 0, "other": 1, "give": ["Y2a", "B2a"], "get": ["B1a", "Y1a"]})
    ]
    view = session.state.view(None)
    assert [seat["hand"] for seat in view["seats"]] == [
        ["Y3a", "B1a", "Y1a"],
        ["B3a", "Y2a", "B2a"],
    ]


def test_either_player_trades_with_the_other_one() -> None:
    seats = {0: DUEL[0], 1: {**DUEL[1], "actions": ["free_trade_1"]}}
    session = at(players=2, active=1, seats=seats)
    lines = play(session, "trade B1a Y1a", "play_action free_trade_1 B2a Y2a")
    assert spoken(lines) == [
        ("traded", {"seat": 1, "other": 0, "give": "B1a", "get": "Y1a"}),
        ("played_action", {"seat": 1, "card": "free_trade_1"}),
        ("freely_traded", {"seat": 1, "other": 0, "give": ["B2a"], "get": ["Y2a"]}),
    ]
    assert board(session).camels == [4, 2]


def test_camels_on_a_pile_go_to_the_taker() -> None:
    session = at(players=2, seats=DUEL, pile_camels={1: 2}, camels=[1, 3], piles={1: [4, "R5a"]})
    assert spoken(play(session, "take 1 cw")) == [
        ("took", {"seat": 0, "card": "R5a", "pile": 1, "spot": 2}),
        ("collected_camels", {"seat": 0, "camels": 2, "pile": 1, "spot": 2}),
    ]


def test_a_turn_counts_what_was_done_in_it() -> None:
    session = markets("double_ended_1", "off_color_1", "off_color_2", "free_move_2")
    board(session).camels[0] = 2
    session = Session(type(session.state), "seed", session.state.dump(), 1)
    play(session, "place_market Y1a", "place_market off_color_2", "buy_market 1", "buy_market 2")
    play(session, "play_action double_ended_1", "play_action off_color_1", "lay_foundation Y2a")
    play(session, "play_action free_move_2", "take 3")
    assert session.state.view(None)["turn"] == {
        "takes_left": 1,
        "built": 1,
        "marketed": 2,
        "market_waived": False,
        "bought": 2,
        "must_buy": False,
        "free_move": 1,
        "double_ended": 1,
        "off_color": 1,
        "direction": None,
        "pending_action": False,
    }
