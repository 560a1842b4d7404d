"""What surrounds the rules of Obelisk: taking back, half-written moves, duties shown, timeouts."""

from typing import Any

import pytest

from games.engine.contract import Move, Refused, read, write
from games.engine.session import Session
from games.obelisk.duties import can_meet
from games.obelisk.rules import ObeliskState
from tests.games.obelisk.staging import DUEL, at, board, listed, play, refused, started

# --- taking back (§5.3, undo in short) ------------------------------------------------------


def sealed(session: Session, text: str) -> bool:
    """Make a move; tell whether it can no longer be taken back."""
    play(session, text)
    return not session.drafts


def test_a_take_is_sealed_by_the_card_it_uncovers() -> None:
    assert sealed(at(piles={1: 2}), "take 1")
    assert not sealed(at(piles={1: 1}), "take 1")


def test_a_pick_is_sealed_by_the_card_it_draws() -> None:
    given: dict[str, Any] = {
        "seats": {0: {"hand": ["Y1a", "Y2a"]}},
        "turn": {"pending_action": True},
    }
    assert sealed(at(**given), "pick_action 0")
    assert not sealed(at(**given, draw=[]), "pick_action 0")
    assert not sealed(at(**given), "decline_action")


def test_an_action_card_is_sealed_only_by_the_reshuffle_it_forces() -> None:
    seats = {0: {"hand": ["Y1a", "Y2a"], "actions": ["off_color_1"]}}
    assert not sealed(at(seats=seats), "play_action off_color_1")
    gap = [None, "free_move_1", "extra_move_1"]
    assert sealed(at(seats=seats, display=gap, draw=[]), "play_action off_color_1")


def test_discards_are_shuffled_before_they_are_drawn_again() -> None:
    discard = ["free_move_2", "double_ended_1", "off_color_1", "market_swap_1", "market_pick_2"]
    seats = {0: {"hand": ["Y1a", "Y2a"]}}
    start = at(seats=seats, turn={"pending_action": True}, draw=[], discard=discard).snapshot
    drawn = set()
    for seed in range(20):
        session = Session(ObeliskState, f"seed {seed}", start, 1)
        play(session, "pick_action 0")
        drawn.add(board(session).display[0])
        assert len(board(session).draw) == len(discard) - 1
    assert len(drawn) > 2


@pytest.mark.parametrize(
    "text",
    [
        "lay_foundation Y1a",
        "build Y1a 0 top",
        "place_market Y1a",
        "buy_market 1",
        "play_action market_pick_1 1 B1a",
        "play_action market_swap_1 1 B1a 2 G1a",
        "play_action market_recall_1",
        "play_action foundation_red",
        "play_action free_move_1",
        "play_action extra_move_1",
    ],
)
def test_everything_else_in_a_market_turn_can_be_taken_back(text: str) -> None:
    actions = ["market_pick_1", "market_swap_1", "market_recall_1", "foundation_red"]
    own = {"hand": ["Y1a", "Y2a"], "actions": [*actions, "free_move_1", "extra_move_1"]}
    session = at(
        seats={
            0: {**own, "market": ["Y5a"], "obelisks": [{}]},
            1: {"market": ["B1a"]},
            2: {"market": ["G1a"]},
        }
    )
    before = session.state.dump()
    assert not sealed(session, text)
    session.undo(0)
    assert session.state.dump() == before


@pytest.mark.parametrize("text", ["trade Y1a B1a", "play_action free_trade_1 Y1a B1a"])
def test_trades_can_be_taken_back(text: str) -> None:
    seats = {0: {**DUEL[0], "actions": ["free_trade_1"]}, 1: DUEL[1]}
    assert not sealed(at(players=2, seats=seats), text)


def test_the_end_of_a_turn_and_of_the_match_are_sealed() -> None:
    turn = {"takes_left": 0, "built": 1, "marketed": 1}
    assert sealed(at(seats={0: {"hand": ["Y1a"]}}, turn=turn), "end_turn")
    assert sealed(at(seats={0: {"hand": ["Y1a"]}}, last_round="limited"), "end_turn")


def test_the_last_to_choose_a_market_may_begin_and_that_is_another_turn() -> None:
    session = started(3, first_player=2)
    turns = [session.state.turn()]
    for seat in range(3):
        session.play(seat, session.state.idle(seat))
        turns.append(session.state.turn())
    assert session.state.to_act() == [2]
    assert turns == ["setup_market"] * 3 + ["turn"]


# --- half-written and forged moves ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("dance", "illegal"),
        ("7", "illegal"),
        ("take", "pile_empty"),
        ("take R1a", "pile_empty"),
        ("take 99", "pile_empty"),
        ("take -1", "pile_empty"),
        ("take 1 cw", "illegal"),
        ("lay_foundation", "card_not_available"),
        ("lay_foundation 3", "card_not_available"),
        ("build", "card_not_available"),
        ("build Y1a", "not_consecutive"),
        ("build Y1a 0", "not_consecutive"),
        ("build Y1a 1", "illegal"),
        ("build Y1a 1 top 4", "illegal"),
        ("build Y1a 1 bottom", "illegal"),
        ("build Y1a 5 top", "obelisk_not_found"),
        ("build Y1a -1 top", "obelisk_not_found"),
        ("build Y1a top", "obelisk_not_found"),
        ("build Y1a 0 left", "illegal"),
        ("build RJ 1 top", "joker_value_required"),
        ("build RJ 1 top many", "joker_value_required"),
        ("build RJ 0 top", "illegal"),
        ("build RJ 0 top 9", "joker_value_wrong"),
        ("pick_action 0", "nothing_to_choose"),
        ("place_market", "card_not_available"),
        ("buy_market", "market_empty"),
        ("buy_market 9", "market_empty"),
        ("buy_market Y1a", "market_empty"),
        ("play_action", "card_not_available"),
        ("play_action 5", "card_not_available"),
        ("play_action Y1a", "card_not_available"),
        ("play_action off_color_1 now", "illegal"),
        ("play_action market_pick_1", "bad_pick_count"),
        ("play_action market_pick_1 1", "bad_pick_count"),
        ("play_action market_pick_1 1 B1a 2", "bad_pick_count"),
        ("play_action market_pick_1 9 B1a", "card_not_available"),
        ("play_action market_pick_1 B1a 1", "card_not_available"),
        ("play_action market_pick_1 2 G1a 1 B1a", "illegal"),
        ("trade", "wrong_mode"),
        ("end_turn now", "must_take"),
        ("choose_market", "wrong_phase"),
    ],
)
def test_a_spoiled_move_of_a_market_turn_is_explained(text: str, why: str) -> None:
    obelisks = [{"cards": ["R4a"]}, {}]
    session = at(
        seats={
            0: {
                "hand": ["Y1a", "RJ", "Y2a"],
                "actions": ["off_color_1", "market_pick_1"],
                "obelisks": obelisks,
            },
            1: {"market": ["B1a"]},
            2: {"market": ["G1a"]},
        }
    )
    assert refused(session, text) == why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("take 1", "direction_required"),
        ("take 1 up", "direction_required"),
        ("take 1 3", "direction_required"),
        ("play_action free_trade_1 Y1a B1a now", "bad_trade_count"),
        ("trade", "card_not_available"),
        ("trade Y1a", "not_enough_camels"),
        ("trade Y1a B1a", "not_enough_camels"),
        ("trade 4 B1a", "card_not_available"),
        ("build Y1a", "obelisk_not_found"),
        ("play_action free_trade_1", "bad_trade_count"),
        ("play_action free_trade_1 Y1a", "bad_trade_count"),
        ("play_action free_trade_1 B1a Y1a", "card_not_available"),
        ("play_action free_trade_1 Y1a B1a Y2a 7", "card_not_available"),
        ("play_action free_trade_1 Y2a B1a Y1a B2a", "illegal"),
    ],
)
def test_a_spoiled_move_of_a_duel_is_explained(text: str, why: str) -> None:
    seats = {0: {**DUEL[0], "actions": ["free_trade_1"], "camels": 0}, 1: DUEL[1]}
    assert refused(at(players=2, seats=seats), text) == why


def test_under_free_move_a_direction_is_too_much() -> None:
    session = at(players=2, seats=DUEL, turn={"free_move": 1})
    assert refused(session, "take 1 cw") == "illegal"


def test_a_choice_in_another_order_than_the_hand_is_no_other_choice() -> None:
    session = started(3)
    chosen = session.state.legal(0)[0]
    assert refused(session, write((chosen[0], chosen[2], chosen[1]))) == "illegal"
    assert refused(session, "choose_market R1a Z9z") == "invalid_choice"


def test_not_even_nothing_at_all_is_a_move() -> None:
    nothing: Move = ()
    assert at().state.why_not(0, nothing).key == "illegal"
    assert at().state.why_not(1, nothing).key == "not_your_turn"


# --- the reserve for duties (§5.4) ----------------------------------------------------------


@pytest.mark.parametrize(
    ("open_duties", "enough", "too_little"),
    [
        # each a number of cards, of action cards and of foundations among these
        ("both", [(2, 0, 0), (3, 0, 0), (1, 1, 0), (1, 2, 1), (0, 2, 1)], [(1, 0, 0), (0, 2, 0)]),
        ("both", [(0, 3, 2)], [(0, 1, 1), (0, 0, 0), (0, 3, 0)]),
        ("build", [(1, 0, 0), (2, 0, 0), (0, 1, 1)], [(0, 0, 0), (0, 4, 0)]),
        ("market", [(1, 0, 0), (0, 1, 0), (0, 1, 1)], [(0, 0, 0)]),
        ("none", [(0, 0, 0), (-1, -1, -1)], []),
    ],
)
def test_open_duties_need_these_cards(
    open_duties: str, enough: list[tuple[int, int, int]], too_little: list[tuple[int, int, int]]
) -> None:
    build, market = open_duties in ("both", "build"), open_duties in ("both", "market")
    assert [can_meet(build, market, *cards) for cards in enough] == [True] * len(enough)
    assert [can_meet(build, market, *cards) for cards in too_little] == [False] * len(too_little)


# --- the checklist of duties ----------------------------------------------------------------


def duties(session: Session) -> dict[str, tuple[bool, int]]:
    listed = session.state.view(None)["duties"]
    return {duty["key"]: (duty["open"], duty["left"]) for duty in listed}


def test_the_duties_of_a_market_turn_are_listed() -> None:
    hand = ["R1a", "R2a", "R3a", "R4a", "R5a", "B1a", "B2a", "B3a"]
    session = at(
        seats={
            0: {"hand": hand, "camels": 3},
            1: {"market": ["G1a"], "camels": 0},
            2: {"camels": 0},
        }
    )
    assert duties(session) == {
        "take": (True, 2),
        "build": (True, 1),
        "market": (True, 1),
        "hand": (True, 2),
        "buy": (True, 1),
    }
    play(session, "lay_foundation R1a", "place_market R2a", "buy_market 1", "take 1")
    assert duties(session) == {
        "take": (True, 1),
        "build": (False, 0),
        "market": (False, 0),
        "hand": (True, 2),
        "buy": (False, 0),
    }


def test_duties_that_are_met_are_closed() -> None:
    hand = ["R1a", "R2a", "R3a", "R4a", "R5a", "B1a"]
    met = {"takes_left": 0, "built": 1, "marketed": 1}
    assert duties(at(seats={0: {"hand": hand}}, turn=met)) == {
        "take": (False, 0),
        "build": (False, 0),
        "market": (False, 0),
        "hand": (False, 0),
    }
    one_short = at(seats={0: {"hand": [*hand, "B2a"]}}, turn={**met, "takes_left": 1})
    assert duties(one_short)["hand"] == (True, 1)
    assert duties(one_short)["take"] == (True, 1)


def test_the_trigger_and_the_limited_turn_have_fewer_duties() -> None:
    assert set(duties(at(last_round="trigger"))) == {"take", "build"}
    assert duties(at(last_round="limited")) == {}


def test_a_duel_shows_how_many_cards_may_still_be_built() -> None:
    assert duties(at(players=2, seats=DUEL)) == {"take": (True, 1), "depot": (False, 0)}


def test_at_the_end_everything_is_shown_and_ranked() -> None:
    session = at(
        seats={0: {"hand": ["R1a"]}, 1: {"obelisks": [{"cards": ["B2a"]}]}}, last_round="limited"
    )
    play(session, "end_turn")
    for viewer in (0, 2, None):
        view = session.state.view(viewer)
        assert (view["phase"], view["active"], view["turn"], view["duties"]) == (
            "over",
            None,
            None,
            [],
        )
        assert [seat["hand"] for seat in view["seats"]] == [["R1a"], [], []]
        assert [seat["rank"] for seat in view["seats"]] == [2, 1, 2]
        assert view["seats"][1]["obelisks"][0]["foundation"]
    assert board(session).breakdown() == [[], [1], []]


# --- timeouts (§10) -------------------------------------------------------------------------


def automatic(session: Session) -> list[str]:
    """Play the automatic turn of the seat to act; list its moves."""
    (seat,) = session.state.to_act()
    moves = []
    while seat in session.state.to_act():
        moves.append(session.state.idle(seat))
        session.play(seat, moves[-1])
    return [write(move) for move in moves]


def test_the_last_two_cards_that_are_no_jokers_become_the_market() -> None:
    hand = ["R1a", "R2a", "R3a", "RJ", "B1a", "G1a"]
    few = ["BJ", "Y1a", "YJ"]
    session = at(phase="setup_market", hands={0: hand, 1: few, 2: ["B2a", "GJ", "B3a"]})
    assert [write(session.state.idle(seat)) for seat in range(3)] == [
        "choose_market B1a G1a",
        "choose_market Y1a YJ",
        "choose_market B2a B3a",
    ]


def test_a_normal_turn_takes_builds_markets_and_ends() -> None:
    obelisks: list[dict[str, Any]] = [{}, {"cards": ["R5a"]}, {"cards": ["R5b", "RJ", "R3b"]}]
    session = at(
        overseer=6,
        seats={0: {"hand": ["G1a", "R2a", "R4a", "GJ"], "obelisks": obelisks}, 1: {}},
    )
    assert automatic(session) == [
        "take 0",
        "take 1",
        "build R2a 2 top",
        "place_market G1a",
        "end_turn",
    ]


def test_without_a_fitting_card_one_goes_onto_a_bare_foundation() -> None:
    session = at(seats={0: {"hand": ["GJ", "G1a", "R2a"], "obelisks": [{"cards": ["R5a"]}, {}]}})
    assert automatic(session)[2:] == [
        "build G1a 1 top",
        "pick_action 0",
        "place_market R2a",
        "end_turn",
    ]


@pytest.mark.parametrize(
    ("own", "moves"),
    [
        ({"hand": ["GJ", "R2a"]}, ["lay_foundation R2a", "place_market GJ"]),
        (
            {"hand": ["GJ"], "actions": ["off_color_1"]},
            ["lay_foundation GJ", "place_market off_color_1"],
        ),
        (
            {"actions": ["off_color_1", "foundation_red"]},
            ["play_action foundation_red", "place_market off_color_1"],
        ),
        (
            {"actions": ["foundation_yellow", "foundation_red"]},
            ["play_action foundation_yellow", "place_market foundation_red"],
        ),
    ],
)
def test_else_a_foundation_is_laid(own: dict[str, list[str]], moves: list[str]) -> None:
    session = at(seats={0: own, 1: {"hand": ["B1a"]}}, turn={"takes_left": 0})
    assert automatic(session) == [*moves, "end_turn"]


def test_the_fullest_market_is_bought_and_the_hand_cut_down() -> None:
    hand = ["R1a", "RJ", "R3a", "R4a", "R5a"]
    session = at(
        active=1,
        seats={
            0: {"market": ["G1a", "G2a"], "camels": 0},
            1: {"hand": hand, "camels": 4},
            2: {"market": ["B1a"], "camels": 0},
            3: {"market": ["Y1a", "Y2a"], "camels": 0},
        },
        players=4,
        turn={"takes_left": 0, "built": 1},
    )
    assert automatic(session) == ["buy_market 3", "place_market R1a", "end_turn"]
    nearest = at(
        seats={
            0: {"hand": hand, "camels": 3},
            1: {"market": ["B1a"], "camels": 0},
            2: {"market": ["Y1a"], "camels": 0},
        },
        turn={"takes_left": 0, "built": 1, "marketed": 1},
    )
    assert automatic(nearest) == ["buy_market 1", "end_turn"]
    session = at(
        seats={0: {"hand": [*hand, "B1a", "B2a", "B3a"]}},
        turn={"takes_left": 0, "built": 1, "marketed": 1},
    )
    assert automatic(session) == ["place_market R1a", "place_market R3a", "end_turn"]


def test_a_limited_turn_builds_what_fits_then_on_bare_foundations() -> None:
    obelisks: list[dict[str, Any]] = [{"cards": ["R3a"]}, {"cards": ["G5a", "G4a"]}, {}]
    hand = ["GJ", "R2a", "B3a", "B2a", "Y5a"]
    session = at(last_round="limited", seats={0: {"hand": hand, "obelisks": obelisks}})
    assert automatic(session) == [
        "build R2a 0 top",
        "build GJ 1 top 3",
        "build B3a 2 top",
        "build B2a 2 top",
        "end_turn",
    ]


def test_two_players_take_the_free_neighbour_and_end() -> None:
    assert automatic(at(players=2, seats=DUEL, piles={1: 0})) == ["take 2 cw", "end_turn"]
    session = at(players=2, seats=DUEL, turn={"direction": "ccw"})
    assert automatic(session) == ["take 6 ccw", "end_turn"]
    free = at(players=2, seats=DUEL, turn={"free_move": 1})
    assert automatic(free) == ["take 1", "end_turn"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("expert", [0, 1])
def test_a_match_of_absent_players_comes_to_its_end(seats: int, expert: int) -> None:
    session = started(seats, expert=expert)
    turns = 0
    while called := session.state.to_act():
        move = session.state.idle(called[0])
        turns += move == ("end_turn",)
        session.play(called[0], move)
    assert turns <= {2: 69, 3: 30, 4: 27, 5: 24}[seats] + seats - 1  # §5.7


def test_a_stored_match_is_the_same_match() -> None:
    session = at(seats={0: {"hand": ["R1a", "R2a"]}})
    play(session, "lay_foundation R1a")
    again = Session.resume(ObeliskState, "seed", session.snapshot, 1, session.drafts)
    assert again.state.dump() == session.state.dump()
    with pytest.raises(Refused, match="not_your_turn"):
        session.play(1, read("take 1"))
    assert listed(session, "take") == ["take 1", "take 6"]
