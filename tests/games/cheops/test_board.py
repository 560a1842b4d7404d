"""The drawn table of Cheops: everything legal can be tapped, nothing illegal is ever sent."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from games import prose
from games.catalogue import Part, Scene
from games.cheops.board import Drawing, board
from games.cheops.game import GAME
from games.cheops.pieces import Block
from games.cheops.settlement import Cell, tally
from games.cheops.texts import TEXTS
from games.choices import Reader, verbs
from games.clicks import Click
from games.engine.contract import Move, matches, read
from games.engine.table import Line, Silent
from tests.boards import Boards, pieces
from tests.games.cheops.positions import position
from tests.walks import NAMES, Case, Step, record

CASES = [Case(GAME, seats, GAME.chosen({}, seats)) for seats in GAME.seats]
SAMPLE = 30  # positions of each recorded match

every_size = pytest.mark.parametrize("case", CASES, ids=str)


BOARDS = Boards(GAME)
drawn, page, clicks = BOARDS.drawn, BOARDS.page, BOARDS.clicks
within_reach = BOARDS.within_reach


def turns(case: Case) -> Iterator[Step]:
    yield from record(case).sample(SAMPLE)


@every_size
def test_every_legal_move_can_be_made_by_tapping_and_no_other(case: Case) -> None:
    for step in turns(case):
        assert within_reach(step.state, step.seat) == set(step.state.legal(step.seat))


TILES = {0: {"exchange": 1, "late_sale": 2, "secret_passage": 2}}
FEW = ["10-1", "10-2", "11-1", "9-2", "8-3"]  # so that not thousands of swaps are tapped


@pytest.mark.parametrize(
    "given",
    [
        {"held": TILES, "stocks": {0: {"green": 1, "blue": 1}}, "money": {0: 20}},
        {
            "held": {0: {"exchange": 1}},
            "stocks": {0: {"green": 1}},
            "under": {"black": "must_sell"},
        },
        {"phase": "wrap_up", "main_done": True, "held": TILES, "stocks": {0: {"red": 2}}},
        *[
            {"phase": "resolve_law", "pending_law": law, "stocks": {0: {"red": 2}}}
            for law in ("late_sale", "secret_passage", "exchange", "new_number", "blocker", "joker")
        ],
        {"phase": "resolve_law", "pending_law": "joker", "money": {0: 25}},
        {"phase": "resolve_law", "pending_law": "repeal", "held": TILES, "three_boards": True},
        {"phase": "declare_joker", "joker_owner": 0, "end_reason": "blocked"},
        {"hands": {0: {}}, "money": {0: 20}},
    ],
)
def test_every_law_and_every_tile_is_used_by_tapping(given: dict[str, Any]) -> None:
    state = position({"fixture": 3, "turn": 9, "fill_except": FEW, **given})
    assert within_reach(state, 0) == set(state.legal(0))


@pytest.mark.slow
@every_size
def test_what_is_held_fits_a_legal_move_and_what_is_refused_has_words(case: Case) -> None:
    for step in turns(case):
        moves = step.state.legal(step.seat)
        for hold in [(), *{move[:2] for move in moves}, *{(move[0], move[-1]) for move in moves}]:
            for click in clicks(step.state, step.seat, hold):
                if click.kind in ("hold", "anew"):
                    assert any(matches(read(click.text), move) for move in moves)
                if click.kind == "why":
                    assert read(click.text) not in moves
                    refused = step.state.why_not(step.seat, read(click.text))
                    assert refused.key in TEXTS.refusals


@every_size
def test_only_whose_turn_it_is_has_anything_to_tap(case: Case) -> None:
    for step in turns(case):
        for seat in (*range(case.seats), None):
            if seat not in step.state.to_act():
                assert "<a " not in page(drawn(step.state, seat))
    assert "<a " not in page(drawn(record(case).end.state, 0))


@every_size
@pytest.mark.parametrize("language", ["en", "nl"])
def test_everything_one_can_point_at_has_a_name(case: Case, language: str) -> None:
    with override(language):
        for step in turns(case):
            for piece in pieces(drawn(step.state, step.seat)):
                assert piece.label or getattr(piece, "title", "") or getattr(piece, "text", "")
                assert piece.explain == "" or piece.explain in TEXTS.explanations


@every_size
def test_dutch_labels_differ_from_english_ones(case: Case) -> None:
    step = record(case).steps[len(record(case).steps) // 2]
    labels = {}
    for language in ("en", "nl"):
        with override(language):
            labels[language] = {piece.label for piece in pieces(drawn(step.state, step.seat))}
    assert labels["en"] & labels["nl"] <= {""}


@every_size
def test_a_drawing_shows_nothing_its_viewer_cannot_know(case: Case) -> None:
    for step in turns(case):
        for seat in range(case.seats):
            twin = step.state.determinize(seat, Silent(Random(seat)))
            assert page(drawn(twin, seat)) == page(drawn(step.state, seat))


@every_size
def test_each_piece_is_printed_once(case: Case) -> None:
    for step in turns(case):
        text = page(drawn(step.state, step.seat))
        keys = [part.split('"')[0] for part in text.split('data-key="')[1:]]
        assert sorted(keys) == sorted(set(keys))


def test_names_of_players_are_escaped() -> None:
    names = ("<script>alert(1)</script>", '"><img src=x>', "it's & more")
    held = {1: {"exchange": 1}}
    for phase in ("act", "finished"):
        state = position({"fixture": 3, "phase": phase, "held": held, "stocks": {0: {"black": 1}}})
        for seat in (0, None):
            text = page(board(Scene(state.view(seat), [], (), (), names)))
            assert "<script>" not in text
            assert "<img" not in text
            assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_any_hold_that_fits_a_move_can_be_drawn_and_worded() -> None:
    """Holds come from addresses: odd ones must not break the page."""
    for case in CASES:
        for step in record(case).sample(8):
            for move in step.state.legal(step.seat)[::17]:
                for hold in {move[a:b] for a in range(len(move)) for b in range(a, len(move) + 1)}:
                    if hold:
                        key, args = TEXTS.phrase(hold)
                        assert str(TEXTS.moves[key]) % args
                    assert page(drawn(step.state, step.seat, hold))


# --- single scenes ------------------------------------------------------------------------------


def block(drawing: Drawing, field: str) -> Block:
    (found,) = (one for one in drawing.blocks if one.key == f"at-{field}")
    return found


def test_a_family_member_in_hand_lights_where_it_fits_and_tells_why_elsewhere() -> None:
    state = position({"fixture": 3, "pyramid": {"1-3": "f:son", "1-4": "f:mother"}})
    with override("en"):
        drawing = drawn(state, 0, ("place_family", "son"))
    assert block(drawing, "1-6").click == Click("place_family son 1-6", "post")
    beside, above, high = (block(drawing, field) for field in ("1-2", "2-3", "2-4"))
    assert beside.click == Click("place_family son 1-2", "why")
    assert (beside.sign, above.sign, high.sign) == ("barred", "barred", "loose")
    assert beside.words == "An identical tile lies next to that field."
    assert high.words == "Both fields below must be occupied first."
    assert (block(drawing, "1-6").words, block(drawing, "1-3").words) == ("", "")
    assert beside.label == (
        "row 1, block 2: a blue treasure. An identical tile lies next to that field."
    )
    assert high.label == (
        "row 2, block 4: a red treasure. Both fields below must be occupied first."
    )


def test_a_block_tapped_first_lights_the_family_members_that_fit_there() -> None:
    state = position({"fixture": 3, "pyramid": {"1-3": "f:son"}})
    me = drawn(state, 0, ("place_family", "1-4")).me
    assert me
    assert [tile.click for tile in me.hand] == [
        Click("place_family grandfather 1-4", "post"),
        Click("place_family mother 1-4", "post"),
        Click("place_family son 1-4", "why"),
        Click("place_family daughter 1-4", "post"),
    ]


def choices(given: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    state = position({"fixture": 3, "phase": "resolve_treasure", "main_done": True, **given})
    with override("en"):
        return [(button.title, button.lines) for button in drawn(state, 0).choices]


def test_sell_or_keep_shows_both_consequences_in_piastres() -> None:
    given = {"pending_treasure": "red", "sold": {"red": 2}, "stocks": {0: {"red": 2}}}
    assert choices(given) == [
        (
            "Sell: 10 at once",
            (
                "After that red pays 30 instead of 0.",
                "Your 2 in stock: 60 instead of 0; +70 altogether.",
            ),
        ),
        ("Keep: +0 as prices stand", ("Your 3 in stock would pay 3 × 0 = 0.",)),
    ]


def test_sell_or_keep_says_what_it_does_to_the_others() -> None:
    stocks = {0: {"black": 1}, 1: {"black": 2}, 2: {"black": 1}}
    given = {"pending_treasure": "black", "sold": {"black": 3}, "stocks": stocks}
    assert choices(given) == [
        (
            "Sell: 10 at once",
            (
                "After that black pays 20/40 instead of 15/30.",
                "Your 1 in stock: 40 instead of 30; +20 altogether.",
                "Others: Bram +10, Cleo +10.",
                "The price board is full then.",
            ),
        ),
        (
            "Keep: +30 as prices stand",
            ("Your 2 in stock would pay 2 × 30 = 60.", "Others: Bram +30."),
        ),
    ]


def test_a_first_treasure_and_a_price_that_stays_are_said_plainly() -> None:
    given = {"pending_treasure": "green", "sold": {"green": 1}}
    assert choices(given) == [
        ("Sell: 10 at once", ("After that green still pays 10.",)),
        ("Keep: +10 as prices stand", ("It would be your only one and pay 10.",)),
    ]
    assert choices({**given, "stocks": {0: {"green": 1}}})[0][1][1] == "Your 1 in stock: still 10."


def test_keeping_counts_what_one_more_does_to_a_multiplier() -> None:
    given = {"pending_treasure": "blue", "sold": {"blue": 2}, "stocks": {0: {"blue": 1}}}
    assert choices(given)[1] == (
        "Keep: +15 as prices stand",
        ("Your 2 in stock would pay 2 × 10 = 20.",),
    )


def titles(given: dict[str, Any], hold: Move = ()) -> list[str]:
    with override("en"):
        return [button.title for button in drawn(position(given), 0, hold).choices]


def test_what_tiles_take_from_the_stock_is_asked_in_words() -> None:
    """On a phone the stock lies below the sheet; so its colours are buttons as well."""
    law = {"fixture": 3, "phase": "resolve_law", "main_done": True, "stocks": {0: {"red": 2}}}
    assert titles({**law, "pending_law": "late_sale"}) == ["Sell red", "Hold the tile"]
    assert titles({**law, "pending_law": "exchange"}) == ["Hold the tile"]
    swapping = ("play_exchange_pyramid",)
    assert titles({**law, "pending_law": "exchange"}, swapping) == ["Swap red", "Hold the tile"]
    repealing = {**law, "pending_law": "repeal", "three_boards": True, "under": {"red": "blocker"}}
    with override("en"):
        laws = drawn(position(repealing), 0).choices
    assert [(button.title, button.lines) for button in laws] == [
        ("Third board", ("for all",)),
        ("Seal", ("red",)),
    ]


def test_a_sale_that_ends_the_match_says_so() -> None:
    given = {"pending_treasure": "red", "sold": {"red": 3, "blue": 4}}
    assert choices(given)[0] == (
        "Sell: 10 at once",
        ("After that red pays 15 instead of 30.", "The match ends at once."),
    )
    given = {"pending_treasure": "red", "sold": {"red": 3}}
    assert choices(given)[0][1][-1] == "The price board is full then."


def test_the_purse_is_shown_to_its_owner_only() -> None:
    state = position({"fixture": 3, "money": {0: 35, 1: 40, 2: 45}})
    drawing = drawn(state, 1)
    assert drawing.me
    assert drawing.me.money == 40
    assert [area.money for area in drawing.others] == [None, None]


def test_idle_turns_are_counted_beside_the_end() -> None:
    with override("en"):
        assert drawn(position({"fixture": 3, "idle_turns": 1}), 0).idle == (
            "Nobody has laid a tile for 1 of 3 turns."
        )


def test_what_happened_since_the_last_turn_is_marked() -> None:
    recap = (
        Line("laid", {"seat": 1, "tile": "f:son", "field": "1-3", "find": "t:red"}),
        Line("sold", {"seat": 1, "treasure": "t:red", "price": 10}),
    )
    drawing = drawn(position({"fixture": 3}), 0, (), recap)
    marked = {piece.key for piece in pieces(drawing) if "marked" in piece.css}
    assert marked == {"at-1-3"}
    assert [column.colour for column in drawing.columns if "marked" in column.css] == ["red"]


def test_the_window_on_the_pyramid_opens_where_tiles_can_be_laid() -> None:
    assert drawn(position({"fixture": 3}), 0).look == "0.50 0.93"
    assert drawn(position({"fixture": 3, "fill_except": ["11-1"]}), 0).look == "0.50 0.06"
    assert drawn(position({"fixture": 3, "fill_except": []}), 0).look == "0.50 0.93"


def test_a_price_board_says_what_its_number_comes_to() -> None:
    stocks = {0: {"blue": 1, "black": 1}, 2: {"blue": 2}}
    with override("en"):
        columns = drawn(
            position({"fixture": 3, "sold": {"blue": 2, "black": 3}, "stocks": stocks}), 1
        ).columns
    assert {column.colour: column.head.words for column in columns if column.head.words} == {
        "blue": "5 × 3 treasures in all stocks = 15 each.",
        "black": "Anna has most and gets less: 15, the others 30.",
    }
    assert [column.note for column in columns] == ["", "×3=15", "", "", "=30", ""]


# --- the settlement -----------------------------------------------------------------------------

FINISHED = {
    "fixture": 3,
    "phase": "finished",
    "end_reason": "boards_full",
    "sold": {"blue": 2, "black": 3},
    "stocks": {0: {"blue": 3, "black": 2}, 1: {"blue": 2, "black": 1}, 2: {"blue": 1}},
    "money": {0: 10, 1: 20, 2: 30},
}


def test_the_settlement_spells_out_multipliers_and_majorities() -> None:
    with override("en"):
        table = drawn(position(FINISHED), 0).table
    assert table
    rows = {row.colour: row for row in table.rows}
    assert rows["blue"].words == "5 × 6 treasures in all stocks = 30 each"
    assert rows["black"].words == "Anna has most and gets less: 15, the others 30"
    assert [(cell.count, cell.value) for cell in rows["black"].cells] == [(2, 15), (1, 30), (0, 30)]
    assert rows["red"].words == ""
    assert (table.cash, table.totals, table.ranks) == ((10, 20, 30), (130, 110, 60), (1, 2, 3))


def test_the_settlement_names_the_other_rule_and_a_shared_lead() -> None:
    high = {**FINISHED, "options": {"pair_rule": "majority_high"}}
    shared = {**FINISHED, "stocks": {0: {"black": 1}, 1: {"black": 1}}}
    with override("en"):
        words = [_words(given, "black") for given in (high, shared)]
    assert words == [
        "Anna has most and gets more: 30, the others 15",
        "Nobody alone has most: everybody gets 30",
    ]


def _words(given: dict[str, Any], colour: str) -> str:
    table = drawn(position(given), None).table
    assert table
    (row,) = (row for row in table.rows if row.colour == colour)
    return row.words


def test_the_joker_is_marked_in_the_settlement() -> None:
    given = {**FINISHED, "joker_owner": 2, "joker_colour": "black"}
    table = drawn(position(given), 0).table
    assert table
    assert table.rows[4].cells == (Cell(2, 15, False), Cell(1, 30, False), Cell(1, 30, True))


def test_the_points_of_the_final_table_add_up() -> None:
    state = position(FINISHED)
    with override("en"):
        parts = tally(state.view(None))
    assert parts[0] == [Part("cash", 10), Part("treasures", 120)]
    assert [(sum(part.points for part in own),) for own in parts] == state.scores()


# --- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("place_family son 1-3", "Lay the son on row 1, block 3"),
        ("place_family son", "Lay the son: where?"),
        ("place_family 1-3", "Lay on row 1, block 3: whom?"),
        (
            "play_exchange_pyramid 1-1 11-1",
            "Swap the treasures on row 1, block 1 and row 11, block 1",
        ),
        ("play_exchange_stock 1-1", "Swap the treasure on row 1, block 1: for which of yours?"),
        ("place_number black 3", "Place the 20 on number 3 of black"),
        ("repeal_law three_boards", "Repeal Third board"),
        ("dance 3", "dance 3"),
    ],
)
def test_moves_and_holds_are_worded_for_people(move: str, words: str) -> None:
    with override("en"):
        assert prose.label(GAME, read(move), NAMES) == words


def test_every_refusal_has_its_paragraph_in_the_rules() -> None:
    text = render_to_string("games/cheops/rules.html")
    assert [key for key in TEXTS.refusals if f'id="refusal-{key}"' not in text] == []


def test_ones_own_stock_stands_beside_its_price() -> None:
    state = position({"players": 3, "stocks": {0: {"brown": 3}, 1: {"green": 2}}})
    shown = {seat: [column.own for column in drawn(state, seat).columns] for seat in (0, 1, None)}
    assert shown == {0: [3, 0, 0, 0, 0, 0], 1: [0, 0, 0, 2, 0, 0], None: [0] * 6}


@pytest.mark.parametrize(("open_money", "purses"), [(False, "purse"), (True, "open_purse")])
def test_a_purse_is_called_hidden_only_where_it_is(open_money: bool, purses: str) -> None:
    drawing = drawn(position({"fixture": 3, "options": {"open_money": open_money}}), 0)
    assert [area.purse for area in drawing.others] == [purses] * 2
    assert drawing.me
    assert drawing.me.purse == ("open_money" if open_money else "money")
    assert f'data-explain="{purses}"' in page(drawing)
    assert {purses, drawing.me.purse} <= TEXTS.explanations.keys()


def test_the_list_of_moves_says_what_lies_where_a_tile_is_laid() -> None:
    state = position({"fixture": 3, "pyramid": {"2-3": "f:mother", "2-4": "f:son"}})
    with override("en"):
        reader = Reader(GAME, state.view(0), NAMES)
        listed = verbs(reader, state.legal(0), ("place_family", "daughter"))
    labels = [entry.label for verb in listed for entry in verb.entries]
    assert "Lay the daughter on row 1, block 2 (a blue treasure)" in labels
    assert "Lay the daughter on row 3, block 3 (a law tile)" in labels
