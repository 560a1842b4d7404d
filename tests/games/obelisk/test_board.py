"""The drawn table of Obelisk: everything legal can be tapped, nothing illegal is ever sent."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from games import choices, prose
from games.catalogue import Scene
from games.clicks import Click
from games.engine.contract import Move, State, matches, read
from games.engine.table import Line, Silent
from games.obelisk.board import board
from games.obelisk.game import GAME
from games.obelisk.pieces import Obelisk, Pile, Stone
from games.obelisk.texts import TEXTS
from tests.boards import Boards, pieces
from tests.games.obelisk.positions import position
from tests.walks import NAMES, Case, Step, record

CASES = [Case(GAME, seats, GAME.chosen({}, seats)) for seats in GAME.seats]
SAMPLE = 24  # positions of each recorded match

every_size = pytest.mark.parametrize("case", CASES, ids=str)


BOARDS = Boards(GAME)
drawn, page, clicks = BOARDS.drawn, BOARDS.page, BOARDS.clicks
within_reach = BOARDS.within_reach


def turns(case: Case) -> Iterator[Step]:
    yield from record(case).sample(SAMPLE)


@every_size
def test_every_legal_move_can_be_made_by_tapping_and_no_other(case: Case) -> None:
    """Only ending the turn is a button of the page around the board."""
    for step in turns(case):
        legal = set(step.state.legal(step.seat)) - {("end_turn",)}
        assert within_reach(step.state, step.seat) == legal


@pytest.mark.slow
@every_size
def test_what_is_held_fits_a_legal_move_and_what_is_refused_has_words(case: Case) -> None:
    for step in turns(case):
        moves = step.state.legal(step.seat)
        for hold in [(), *{move[:2] for move in moves}, *{move[1:2] for move in moves}]:
            for click in clicks(step.state, step.seat, hold):
                if click.kind in ("hold", "anew"):
                    assert any(matches(read(click.text), move) for move in moves)
                if click.kind == "why":
                    assert read(click.text) not in moves
                    refused = step.state.why_not(step.seat, read(click.text))
                    assert refused.key in TEXTS.refusals


@every_size
def test_a_seat_that_is_not_to_act_can_only_ask_why(case: Case) -> None:
    for step in turns(case):
        for seat in set(range(case.seats)) - set(step.state.to_act()):
            assert {click.kind for click in clicks(step.state, seat)} <= {"why"}


@every_size
def test_spectators_and_players_of_a_finished_match_have_nothing_to_tap(case: Case) -> None:
    over = record(case).end.state
    for state, seat in [(over, 0), (over, None), (record(case).steps[-1].state, None)]:
        assert [piece for piece in pieces(drawn(state, seat)) if piece.click] == []
        assert "<a " not in page(drawn(state, seat))


@every_size
@pytest.mark.parametrize("language", ["en", "nl"])
def test_everything_one_can_point_at_has_a_name(case: Case, language: str) -> None:
    with override(language):
        for step in turns(case):
            for piece in pieces(drawn(step.state, step.seat)):
                assert piece.label.strip(), piece
                assert piece.explain == "" or piece.explain in TEXTS.explanations


@every_size
def test_dutch_labels_differ_from_english_ones(case: Case) -> None:
    step = record(case).steps[len(record(case).steps) // 2]
    labels = {}
    for language in ("en", "nl"):
        with override(language):
            labels[language] = {piece.label for piece in pieces(drawn(step.state, step.seat))}
    both = labels["en"] & labels["nl"]
    assert {label for label in both if not label.isdigit()} == set()


@every_size
def test_a_drawing_shows_nothing_its_viewer_cannot_know(case: Case) -> None:
    for step in turns(case):
        for seat in range(case.seats):
            twin = step.state.determinize(seat, Silent(Random(seat)))
            assert page(drawn(twin, seat)) == page(drawn(step.state, seat))


@every_size
def test_each_card_is_printed_once(case: Case) -> None:
    """So that a card can be followed from where it was to where it went."""
    for step in turns(case):
        text = page(drawn(step.state, step.seat))
        keys = [part.split('"')[0] for part in text.split('data-key="')[1:]]
        assert sorted(keys) == sorted(set(keys))


def test_names_of_players_are_escaped() -> None:
    state = record(CASES[1]).steps[-1].state
    names = ("<script>alert(1)</script>", '"><img src=x>', "it's & more")
    for seat in (0, None):
        text = page(board(Scene(state.view(seat), [], (), (), names)))
        assert "<script>" not in text
        assert "<img" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_any_hold_that_fits_a_move_can_be_drawn_and_worded() -> None:
    """Holds come from addresses: odd ones must not break the page."""
    for case in CASES:
        for step in record(case).sample(8):
            for move in step.state.legal(step.seat)[::7]:
                for hold in {move[a:b] for a in range(len(move)) for b in range(a, len(move) + 1)}:
                    if hold:
                        key, args = TEXTS.phrase(hold)
                        assert str(TEXTS.moves[key]) % args
                    assert page(drawn(step.state, step.seat, hold))


# --- single scenes -----------------------------------------------------------------------------


CARDS = ["Y1a", "Y2a", "Y3a", "RJ", "B1a", "B2a", "BJ"]


def duel(**given: Any) -> State:
    seats = {0: {"hand": ["Y1a", "Y2a", "Y3a", "RJ"]}, 1: {"hand": ["B1a", "B2a", "BJ"]}}
    given = {"players": 2, "overseer": 0, "seats": seats, **given}
    return position(given, CARDS)


def piles(state: State, hold: Move = ()) -> list[Pile]:
    drawing = drawn(state, 0, hold)
    assert drawing.quarry
    return list(drawing.quarry.piles)


def test_a_pile_shows_the_camels_of_the_cheapest_way_to_it() -> None:
    assert [pile.price for pile in piles(duel())] == [0, 0, 1, 2, 2, 1, 0]


def test_a_pile_that_can_be_reached_both_ways_asks_for_the_direction() -> None:
    state = duel()
    assert piles(state)[3].click == Click("take 3", "hold")
    drawing = drawn(state, 0, ("take", 3))
    assert drawing.quarry
    assert [(way.click, way.price) for way in drawing.quarry.ways] == [
        (Click("take 3 cw", "post"), 2),
        (Click("take 3 ccw", "post"), 3),
    ]


def test_a_card_in_the_hand_lights_the_cards_it_can_be_traded_for() -> None:
    opponent = drawn(duel(), 0, ("Y1a",)).others[0]
    assert [card.click for card in opponent.hand] == [
        Click("trade Y1a B1a", "post"),
        Click("trade Y1a B2a", "post"),
        Click("trade Y1a BJ", "post"),
    ]


def test_a_joker_on_a_bare_foundation_asks_for_its_value() -> None:
    seats = {
        0: {"hand": ["Y1a", "Y2a", "Y3a", "RJ"], "obelisks": [{"base": "down", "cards": []}]},
        1: {"hand": ["B1a", "B2a", "BJ"]},
    }
    state = duel(seats=seats)
    (obelisk,) = own_obelisks(state, ("RJ",))
    assert obelisk.click == Click("build RJ 0 top", "hold")
    (obelisk,) = own_obelisks(state, ("build", "RJ", 0, "top"))
    assert [value.click for value in obelisk.values] == [
        Click(f"build RJ 0 top {value}", "post") for value in range(1, 6)
    ]


def own_obelisks(state: State, hold: Move = ()) -> tuple[Obelisk, ...]:
    me = drawn(state, 0, hold).me
    assert me
    return me.obelisks


def test_a_card_that_fits_at_both_ends_can_be_built_at_both_ends() -> None:
    seats = {
        0: {
            "hand": ["Y1a", "Y2a", "Y3a", "RJ"],
            "obelisks": [{"base": "down", "cards": ["R4a", "R3a"]}],
        },
        1: {"hand": ["B1a", "B2a", "BJ"]},
    }
    (obelisk,) = own_obelisks(duel(seats=seats, turn={"double_ended": 1}), ("RJ",))
    assert obelisk.click == Click("build RJ 0 top 2", "post")
    assert obelisk.bottom
    assert obelisk.bottom.click == Click("build RJ 0 bottom 5", "post")
    assert (obelisk.above, obelisk.below) == (Stone("", "R", 2), Stone("", "R", 5))


def test_what_happened_since_the_last_turn_is_marked() -> None:
    recap = (
        Line("took", {"seat": 1, "card": "B1a", "pile": 2, "spot": 3}),
        Line("traded", {"seat": 1, "other": 0, "give": "Y1a", "get": "B2a"}),
    )
    marked = {
        piece.key or piece.label
        for piece in pieces(drawn(duel(), 0, (), recap))
        if "marked" in piece.css
    }
    assert marked == {"B1a", "Y1a", "B2a", "overseer", "pile-2"}


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("build RJ 0 top 3", "Build red joker as a 3 on obelisk 1"),
        ("build R4a 2 bottom", "Build red 4 at the bottom of obelisk 3"),
        ("take 6 ccw", "Take from pile 7, counter-clockwise"),
        ("buy_market 1", "Buy the market of Bram for a camel"),
        ("play_action market_pick_1 1 B3a 2 G4a", "Play Market Raid: take blue 3 and green 4"),
        ("free_trade_2 Y1a BJ", "Play Free Trade: give yellow 1 for blue joker"),
        ("R4a", "You hold red 4"),
    ],
)
def test_moves_and_holds_are_worded_for_people(move: str, words: str) -> None:
    with override("en"):
        assert prose.label(GAME, read(move), NAMES) == words


def test_every_refusal_has_its_paragraph_in_the_rules() -> None:
    page = render_to_string("games/obelisk/rules.html")
    assert [key for key in TEXTS.refusals if f'id="refusal-{key}"' not in page] == []


def test_what_can_be_done_with_a_held_thing_is_said_and_no_more() -> None:
    def said(state: State, hold: Move) -> str:
        with override("en"):
            return choices.held(GAME, hold, state.legal(0), NAMES).explanation

    seats = {
        0: {
            "hand": ["Y1a", "Y2a", "Y3a", "RJ"],
            "actions": ["free_move_1"],
            "obelisks": [{"base": "down", "cards": ["Y2b"]}],
        },
        1: {"hand": ["B1a", "B2a", "BJ"]},
    }
    state = duel(seats=seats)
    assert said(state, ("Y1a",)) == (
        "Lay it as a new foundation. Build it on a lit obelisk."
        " Trade it for a lit card and pay a camel."
    )
    assert said(state, ("Y2a",)) == (
        "Lay it as a new foundation. Trade it for a lit card and pay a camel."
    )
    assert said(state, ("take", 3)) == "Choose which way round the overseer goes."
    # What a card is for is said where that is more than its uses.
    assert said(state, ("free_move_1",)) == (
        "This turn the overseer may go to any pile, free of camels."
    )


def test_an_obelisk_can_be_chosen_before_the_card_that_goes_on_it() -> None:
    obelisks = [{"base": "down", "cards": cards} for cards in (["Y2b"], ["G5a"], [])]
    seats = {
        0: {"hand": ["Y1a", "Y3a", "G4a", "RJ"], "obelisks": obelisks},
        1: {"hand": ["B1a", "B2a", "BJ"]},
    }
    state = position({"players": 2, "overseer": 0, "seats": seats}, [*CARDS, "G4a"])
    assert [one.click for one in own_obelisks(state)] == [
        Click(f"build {number} top", "hold") for number in range(3)
    ]

    def fits(number: int) -> list[str]:
        me = drawn(state, 0, ("build", number, "top")).me
        assert me
        assert [one.click.kind == "drop" for one in me.obelisks if one.click][number]
        return [card.click.text for card in me.hand if card.click and card.click.lit]

    with override("en"):
        held = choices.held(GAME, ("build", 1, "top"), state.legal(0), NAMES)
    assert (held.label, held.explanation) == (
        "Build on obelisk 2: which card?",
        "Choose a lit card.",
    )
    assert [fits(number)[0] for number in range(2)] == ["build Y1a 0 top", "build G4a 1 top"]
    assert "build RJ 2 top" in fits(2)  # and its value comes next


def test_what_is_asked_for_is_not_spoken_of_as_if_it_were_held() -> None:
    with override("en"):
        for verb in ("lay_foundation", "build", "trade"):
            held = choices.held(GAME, (verb,), duel().legal(0), NAMES)
            assert held.explanation == "Choose a lit card."


def test_what_was_played_for_a_turn_stands_beside_its_player_until_it_ends() -> None:
    def effects(state: State, viewer: int) -> list[list[str]]:
        with override("en"):
            drawing = drawn(state, viewer)
        areas = [drawing.me, *drawing.others]
        return [[effect.label for effect in area.effects] for area in areas if area]

    assert effects(duel(), 0) == [[], []]
    state = duel(turn={"double_ended": 1, "off_color": 2})
    both = ["Top and Bottom: this turn", "Odd Stone: this turn"]
    assert effects(state, 0) == [both, []]
    assert effects(state, 1) == [[], both]
    assert "Odd Stone: this turn" in page(drawn(state, 0))


def test_the_last_round_of_two_speaks_of_no_market() -> None:
    piles = dict.fromkeys((1, 2), 0)
    state = duel(last_round="trigger", final_turns_left=1, piles=piles)
    with override("en"):
        assert drawn(state, 0).banner == "Last round: after this turn Bram has one more."


def listed(state: State, hold: Move = ()) -> list[str]:
    reader = choices.Reader(GAME, state.view(0), NAMES)
    with override("en"):
        verbs = choices.verbs(reader, state.legal(0), hold)
        return [entry.label for verb in verbs for entry in verb.entries]


def test_the_list_of_moves_says_what_a_pile_gives_and_what_the_way_costs() -> None:
    piles = {1: [4, "R2a"], 3: [4, "GJ"]}
    state = position({"players": 2, "overseer": 0, "piles": piles, "seats": {}}, ["R2a", "GJ"])
    assert listed(state, ("take", 1))[0] == "Take from pile 2, clockwise (red 2)"
    assert listed(state, ("take", 3)) == [
        "Take from pile 4, clockwise (green joker, 2 camels)",
        "Take from pile 4, counter-clockwise (green joker, 3 camels)",
    ]


def test_the_list_of_moves_names_the_action_cards_to_choose_from() -> None:
    seats = {0: {"hand": ["G1a", "Y1a"], "obelisks": [{"base": "down", "cards": ["G2a"]}]}}
    state = position({"players": 3, "seats": seats}, ["G1a", "G2a", "Y1a"])
    state.apply(0, read("build G1a 0 top"), Silent(Random(1)))
    assert listed(state)[:3] == [
        "Choose the action card in place 1 (Top and Bottom)",
        "Choose the action card in place 2 (Green Foundation)",
        "Choose the action card in place 3 (Yellow Foundation)",
    ]


def test_a_choice_that_a_duty_forbids_to_decline_is_still_shown_as_a_choice() -> None:
    seats = {0: {"hand": ["G1a"], "obelisks": [{"base": "down", "cards": ["G2a"]}]}}
    given = {"players": 3, "seats": seats, "turn": {"takes_left": 0}}
    state = position(given, ["G1a", "G2a"])
    state.apply(0, read("build G1a 0 top"), Silent(Random(1)))
    display = drawn(state, 0).display
    assert display
    assert [card.click for card in display.cards if card] == [
        Click(f"pick_action {slot}", "post") for slot in range(3)
    ]
    assert display.decline
    assert display.decline.click == Click("decline_action", "why")
