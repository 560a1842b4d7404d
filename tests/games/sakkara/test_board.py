"""The drawn table of Sakkara: everything legal can be tapped, nothing illegal is ever sent."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from games.catalogue import Part, Scene
from games.choices import held
from games.clicks import DROP, Click
from games.engine.contract import Move, State, matches, read
from games.engine.table import Line, Silent
from games.sakkara.board import board
from games.sakkara.components import FIELD, FIELDS, MOTIFS, NAMES, SPELLS, TIERS
from games.sakkara.game import GAME
from games.sakkara.pieces import Field
from games.sakkara.tally import tally
from games.sakkara.texts import TEXTS
from tests.boards import Boards, pieces
from tests.games.sakkara.positions import position
from tests.walks import NAMES as PLAYERS
from tests.walks import Case, Step, cases, record

CASES = [case for case in cases(GAME) if case.options["start_player"] == "random"][::3]
SAMPLE = 24  # positions of each recorded match
RICH = ["horse", "bird", "ox", "snake", "stair", "ship", "grain", "pyramid_tip", "cross", "braid"]

every_case = pytest.mark.parametrize("case", CASES, ids=str)


BOARDS = Boards(GAME)
drawn, page, clicks = BOARDS.drawn, BOARDS.page, BOARDS.clicks
within_reach = BOARDS.within_reach


def turns(case: Case) -> Iterator[Step]:
    yield from record(case).sample(SAMPLE)


def rich(**given: Any) -> State:
    """A position in which a hand can do nearly everything."""
    usual = {
        "workers": {"W": ["c4", "f2"], "B": ["e4", "g7"]},
        "hand": {"W": RICH, "B": ["moon", "eye"]},
        "laid": {"W": {"ship": 0, "grain": 0}, "B": {"ship": 1, "grain": 1}},
        "board": {"d4": ["moon"] * 3, "c3": ["ship"], "c5": ["ox", "eye"], "f3": ["cross"] * 4},
    }
    return position({**usual, **given})


@every_case
def test_every_legal_move_can_be_made_by_tapping_and_no_other(case: Case) -> None:
    """Only ending the turn is a button of the page around the board."""
    for step in turns(case):
        legal = set(step.state.legal(step.seat)) - {("end_turn",)}
        assert within_reach(step.state, step.seat) == legal


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"moved": {"worker": 0, "dir": "N"}},
        {"phase": "horse_step", "moved": {"worker": 0, "dir": "E"}},
        {"phase": "horse_step", "moved": {"worker": 1, "dir": "S"}},
        {"phase": "horse_step", "moved": {"worker": 0, "dir": "S"}},
        {"phase": "horse_step", "moved": {"worker": 0, "dir": "W"}},
        {"phase": "discard", "hand": {"W": [*RICH, "eye"]}},
        {"phase": "snake_pick"},
        {"phase": "place_returns", "returns": ["ox"] * 10},
    ],
)
def test_a_hand_that_can_do_everything_is_within_reach(given: dict[str, Any]) -> None:
    state = rich(**given)
    assert within_reach(state, 0) == set(state.legal(0)) - {("end_turn",)}


@every_case
def test_what_is_held_fits_a_legal_move_and_what_is_refused_has_words(case: Case) -> None:
    for step in turns(case):
        moves = step.state.legal(step.seat)
        for hold in [(), *{move[:2] for move in moves}]:
            for click in clicks(step.state, step.seat, hold):
                if click.kind in ("hold", "anew"):
                    assert any(matches(read(click.text), move) for move in moves)
                if click.kind == "why":
                    assert read(click.text) not in moves
                    assert step.state.why_not(step.seat, read(click.text)).key in TEXTS.refusals


@every_case
def test_who_is_not_to_act_has_nothing_to_tap(case: Case) -> None:
    over = record(case).end.state
    waiting = [(step.state, 1 - step.seat) for step in turns(case)]
    for state, seat in [*waiting, (over, 0), (over, None), (record(case).steps[-1].state, None)]:
        assert [piece for piece in pieces(drawn(state, seat)) if piece.click] == []
        assert "<a " not in page(drawn(state, seat))


@every_case
@pytest.mark.parametrize("language", ["en", "nl"])
def test_everything_one_can_point_at_has_a_name(case: Case, language: str) -> None:
    with override(language):
        for step in turns(case):
            for piece in pieces(drawn(step.state, step.seat)):
                assert piece.label.strip(), piece
                assert piece.explain == "" or piece.explain in TEXTS.explanations


@every_case
def test_a_drawing_shows_nothing_its_viewer_cannot_know(case: Case) -> None:
    for step in turns(case):
        for seat in (0, 1):
            twin = step.state.determinize(seat, Silent(Random(seat)))
            assert page(drawn(twin, seat)) == page(drawn(step.state, seat))


def test_each_worker_is_printed_once_so_that_it_can_be_followed() -> None:
    text = page(drawn(rich(), 0))
    keys = re.findall(r'data-key="([^"]+)"', text)
    assert sorted(keys) == ["worker-0-0", "worker-0-1", "worker-1-0", "worker-1-1"]


def test_names_of_players_are_escaped() -> None:
    names = ("<script>alert(1)</script>", '"><img src=x>')
    for seat in (0, None):
        text = page(board(Scene(rich().view(seat), [], (), (), names)))
        assert "<script>" not in text
        assert "<img" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_any_hold_that_fits_a_move_can_be_drawn_and_worded() -> None:
    """Holds come from addresses: odd ones must not break the page."""
    states = [rich(), rich(phase="place_returns", returns=["ox"] * 7), rich(phase="snake_pick")]
    for state in states:
        for move in state.legal(0)[::5]:
            for hold in {move[a:b] for a in range(len(move)) for b in range(a, len(move) + 1)}:
                assert page(drawn(state, 0, hold))
                if hold:
                    key, args = TEXTS.phrase(hold)
                    assert key not in TEXTS.moves or str(TEXTS.moves[key]) % args


# --- single scenes -----------------------------------------------------------------------------


def field(state: State, name: str, hold: Move = ()) -> Field:
    return drawn(state, 0, hold).fields[FIELD[name]]


def test_a_worker_is_picked_up_put_back_or_exchanged() -> None:
    state = rich()
    assert field(state, "c4").click == Click("move 0", "hold")
    assert field(state, "c4", ("move", 0)).click == DROP
    assert field(state, "f2", ("move", 0)).click == Click("move 1", "hold")
    assert field(state, "f2", ("play_ox",)).click == Click("play_ox f2", "why")


def test_a_field_one_worker_can_reach_is_entered_by_one_tap() -> None:
    assert field(rich(), "c3").click == Click("move 0 N", "post")
    assert field(rich(), "a1").click is None


def test_a_field_out_of_reach_says_so_for_the_worker_picked_up_or_for_both() -> None:
    state = position({"workers": {"W": ["c4", "e4"]}})

    def far(hold: Move) -> set[str]:
        spots = enumerate(drawn(state, 0, hold).fields)
        return {FIELDS[spot] for spot, one in spots if one.words.endswith("Too far for a step.")}

    men = {FIELDS[spot] for spots in state.view(0)["workers"] for spot in spots}
    first, second = {"c3", "c5", "b4", "d4"}, {"e3", "e5", "d4", "f4"}
    assert far(()) == set(FIELDS) - men - first - second
    assert far(("move", 0)) == set(FIELDS) - men - first
    assert far(("play_ox",)) == set()


def test_a_field_both_workers_can_reach_asks_which() -> None:
    state = position({"workers": {"W": ["c4", "e4"]}})
    assert field(state, "d4").click == Click("move", "hold")
    assert [(move, click.text) for move, click in choices(state, ("move",))] == [
        (("move", 0), "move 0"),
        (("move", 1), "move 1"),
    ]
    assert field(state, "d4", ("move", 1)).click == Click("move 1 W", "post")


def choices(state: State, hold: Move) -> list[tuple[Move, Click]]:
    from games.sakkara.taps import Taps

    return Taps(Scene(state.view(0), state.legal(0), hold, (), PLAYERS)).choices()


def test_a_stack_that_is_too_high_shows_a_stair_and_spends_one_if_there_is_one() -> None:
    high = field(rich(), "d4")
    assert (high.sign, high.click) == ("stair", Click("move 0 E stair", "post"))
    assert "you need a stair" in high.label
    without = field(rich(hand={"W": []}), "d4")
    assert (without.sign, without.click) == ("stair", Click("move 0 E", "why"))


def test_a_stack_shows_its_height_and_what_is_known_of_it() -> None:
    state = position({"board": {"d4": ["?eye", "moon", "ox"]}})
    assert field(state, "d4").stack == ("", "moon", "ox")
    assert field(state, "d4").label == "d4: ox, 3 cards. Too far for a step."
    assert '<text x="84" y="29">3</text>' in field(state, "d4").html
    buried = drawn(state, 0).buried
    assert [(stack.field, [card and card.motif for card in stack.cards]) for stack in buried] == [
        ("d4", ["ox", "moon", None])
    ]


def test_with_memory_stacks_nothing_buried_is_listed() -> None:
    state = position({"memory_stacks": True, "board": {"d4": ["eye", "moon", "ox"]}})
    assert drawn(state, 0).buried == ()


def test_returned_cards_are_cut_before_they_are_put_down() -> None:
    state = rich(phase="place_returns", returns=["ox", "moon", "eye", "ship", "ship", "grain"])
    heap = drawn(state, 0).heap
    assert heap
    assert [(cut.count, cut.label, cut.click) for cut in heap.cuts] == [
        (3, "the lowest 3", Click("place_stack 3", "hold")),
        (6, "all 6", Click("place_stack 6", "hold")),
    ]
    assert field(state, "a1").click == Click("place_stack 6 a1", "post")
    assert field(state, "a1", ("place_stack", 3)).click == Click("place_stack 3 a1", "post")
    assert (field(state, "b4").sign, field(state, "b4").click) == (
        "shut",
        Click("place_stack 6 b4", "why"),
    )


def test_a_horse_in_hand_lights_the_field_it_would_ride_to_and_a_tap_there_takes_the_card() -> None:
    state = rich(moved={"worker": 0, "dir": "S"}, board={"c5": ["eye"]})
    hold = ("play_horse",)
    lit = {name for name in FIELDS if (click := field(state, name, hold).click) and click.lit}
    assert lit == {"c5"}
    assert field(state, "c5", hold).click == Click("play_horse take", "post")


def test_a_hand_stands_in_full_size_until_it_would_need_a_second_row() -> None:
    few, many = (rich(hand={"W": ["moon"] * count}) for count in (11, 12))
    assert ["crowded" in drawn(state, 0).css.split() for state in (few, many)] == [False, True]
    assert "crowded" not in drawn(many, 1).css.split()


def test_the_pile_of_the_turn_lies_open_with_what_was_destroyed_on_top() -> None:
    state = rich(pile=["stair"], destroyed={"grain": 1, "ship": 1})
    heap = drawn(state, None).heap
    assert heap
    assert [tile.motif for tile in heap.tiles] == ["stair", "grain", "ship"]


def test_a_hand_is_sorted_by_what_its_cards_are_good_for() -> None:
    me = drawn(rich(), 0).me
    assert me
    assert {group.name: [tile.motif for tile in group.tiles] for group in me.hand} == {
        "needed now": ["ship", "grain", "stair", "braid"],
        "needed later": ["cross", "pyramid_tip"],
        "to play": ["snake", "horse", "bird", "ox"],
    }


def test_a_snake_is_picked_up_before_it_bites() -> None:
    """Because it cannot be taken back."""
    me = drawn(rich(), 0).me
    assert me
    snake = next(tile for group in me.hand for tile in group.tiles if tile.motif == "snake")
    assert snake.click == Click("play_snake", "hold")
    assert choices(rich(), ("play_snake",)) == [(("play_snake",), Click("play_snake", "post"))]


def test_a_spell_lights_up_when_it_can_be_cast_and_shows_the_cards_at_hand() -> None:
    me = drawn(rich(), 0).me
    assert me
    spells = dict(zip(SPELLS, me.spells, strict=True))
    assert spells["fire_storm"].click == Click("cast_fire_storm", "hold")
    assert spells["drought"].motifs == (("double_stripe", False), ("cross", True), ("eye", False))
    assert spells["drought"].click == Click("cast_drought double_stripe cross eye", "why")


def test_spells_that_can_be_cast_stand_by_the_hand_and_say_so() -> None:
    drawing = drawn(rich(), 0)
    assert [(chip.label, chip.click) for chip in drawing.ready] == [
        ("fire storm", Click("cast_fire_storm", "hold"))
    ]
    assert drawing.me
    assert [spell.label for spell in drawing.me.spells[:2]] == [
        "fire storm: pyramid tip, cross, braid. Can be cast now.",
        "whirlwind: pyramid tip, eye, moon",
    ]
    assert drawn(rich(), 1).ready == ()


def test_equal_cards_of_a_hand_lie_fanned() -> None:
    me = drawn(rich(hand={"W": ["braid", "braid", "moon", "braid"]}), 0).me
    assert me
    assert [(group.css, [(tile.motif, tile.css) for tile in group.tiles]) for group in me.hand] == [
        ("now", [("braid", ""), ("braid", "twin")]),
        ("later", [("moon", "")]),
        ("spare", [("braid", "")]),
    ]


def test_a_storm_shows_what_it_would_sweep() -> None:
    swept = [
        FIELDS[spot]
        for spot, one in enumerate(drawn(rich(), 0, ("cast_fire_storm", 0, "row")).fields)
        if "swept" in one.css
    ]
    assert swept == ["a4", "b4", "d4", "e4", "f4", "g4"]
    around = drawn(rich(), 0, ("cast_whirlwind", 1)).fields
    assert sum("swept" in one.css for one in around) == 8


def test_a_pyramid_shows_what_stands_and_what_is_missing() -> None:
    state = rich(pyramid={"B": {"hewn_stone": 2, "stair": 1}})
    other = drawn(state, 0).other
    assert other
    assert len(other.slots) == 14
    assert [slot.motif for slot in other.slots if slot.filled] == [
        "hewn_stone",
        "hewn_stone",
        "stair",
    ]
    assert other.built == "3 of 14 built"
    assert other.lack == "tier 1 can be built"
    me = drawn(state, 0).me
    assert me
    assert me.lack == "tier 1 waits for: ship, grain 0/1"


@pytest.mark.parametrize(
    ("given", "words"),
    [({"stall": 41, "turn_number": 60}, "41 turns"), ({"turn_number": 225}, "225 turns"), ({}, "")],
)
def test_the_end_of_a_match_that_nobody_finishes_is_announced(
    given: dict[str, Any], words: str
) -> None:
    banner = drawn(rich(**given), 0).banner
    assert bool(banner) == bool(words)
    assert words in banner


def test_what_happened_since_the_last_turn_is_marked() -> None:
    recap = (
        Line("pushed", {"seat": 1, "cards": 2, "field": "a1", "target": "a2"}),
        Line("built", {"seat": 1, "card": "stair"}),
    )
    drawing = drawn(rich(pyramid={"B": {"stair": 1}}), 0, (), recap)
    marked = [FIELDS[spot] for spot, one in enumerate(drawing.fields) if "marked" in one.css]
    assert marked == ["a1", "a2"]
    assert drawing.other
    assert {slot.motif for slot in drawing.other.slots if "marked" in slot.css} == {"stair"}


def test_the_final_table_counts_the_cards_of_every_tier() -> None:
    tier = {"hewn_stone": 4, "stair": 2, "braid": 2, "double_stripe": 1}
    state = rich(phase="game_over", reason="stall", pyramid={"W": {**tier, "eye": 1}})
    with override("en"):
        parts = [[(str(part.label), part.points) for part in own] for own in tally(state.view(0))]
    assert parts == [[("tier 1", 9), ("tier 2", 1)], []]
    assert all(isinstance(part, Part) for own in tally(state.view(None)) for part in own)


# --- pages and art -------------------------------------------------------------------------------


def test_every_motif_and_colour_is_drawn() -> None:
    symbols = render_to_string("games/sakkara/_symbols.html")
    wanted = {f"sk-{name}" for name in (*NAMES, *(motif.colour for motif in MOTIFS), "unseen")}
    assert wanted <= set(re.findall(r'<symbol id="([^"]+)"', symbols))
    texts = symbols + page(drawn(rich(pile=["stair"]), 0, ("move", 0)))
    ids = set(re.findall(r' id="([^"]+)"', texts))
    assert set(re.findall(r'href="#([^"]+)"', texts)) <= ids


@pytest.mark.parametrize("language", ["en", "nl"])
def test_the_help_page_explains_every_refusal_and_draws_only_what_exists(language: str) -> None:
    with override(language):
        text = render_to_string("games/sakkara/rules.html", {"game": GAME})
    ids = re.findall(r' id="([^"]+)"', text)
    assert {f"refusal-{key}" for key in TEXTS.refusals} <= set(ids)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert 'style="' not in text


def test_the_help_page_counts_the_cards_as_the_box_does() -> None:
    with override("en"):
        text = render_to_string("games/sakkara/rules.html", {"game": GAME})
        for motif in MOTIFS:
            assert f"<b>{TEXTS.names[motif.name]}</b> ×{motif.copies}" in text


def test_the_help_page_lists_tiers_and_spells_as_the_box_does() -> None:
    with override("en"):
        text = render_to_string("games/sakkara/rules.html", {"game": GAME})
    cells = re.findall(r'<tr><th scope="row">(\d)</th><td>(.*?)</td><td>(.*?)</td></tr>', text)
    assert [
        (int(number), supplies.count("#sk-grain"), re.findall(r"(\d) × ([a-z ]+)<", cards))
        for number, supplies, cards in cells
    ] == [
        (
            number,
            tier.grain,
            [
                (str(count), str(TEXTS.names[name]))
                for name, count in Counter(name for row in tier.slots for name in row).items()
            ],
        )
        for number, tier in enumerate(TIERS, 1)
    ]
    recipes = re.findall(r"<div><dt>([^<]+) <span>(.*?)</span></dt>", text)
    assert [
        (name.lower().replace(" ", "_"), tuple(re.findall(r'#sk-(\w+)" x=', faces)))
        for name, faces in recipes
    ] == list(SPELLS.items())


@pytest.mark.parametrize(
    ("motif", "words"),
    [
        ("hewn_stone", "hewn stone: 4 belong in tier 1. Building it costs a helping hand."),
        ("braid", "braid: 2 belong in tier 1. Part of: fire storm."),
        ("eye", "eye: One belongs in tier 2. Part of: whirlwind, drought."),
    ],
)
def test_what_a_card_is_for_is_read_from_the_tables(motif: str, words: str) -> None:
    with override("en"):
        assert str(TEXTS.explanations[motif]) == words


def test_the_lid_needs_nothing_from_elsewhere() -> None:
    path = Path(GAME.board.__code__.co_filename).parents[2] / "templates/games/sakkara/cover.html"
    assert "<use" not in path.read_text()
    assert 'class="' not in path.read_text()


@pytest.mark.parametrize(
    ("hold", "said"),
    [
        (("play_horse",), "After your step: one or two fields further in the same direction."),
        (("cast_drought",), "Your opponent loses one laid grain."),
        (("cast_drought", "cross"), "Your opponent loses one laid grain."),
    ],
)
def test_a_card_or_spell_in_hand_says_what_it_does(hold: Move, said: str) -> None:
    hand = [*SPELLS["drought"], "horse"]
    state = position(
        {
            "hand": {"W": hand},
            "laid": {"B": {"grain": 1}},
            "moved": {"worker": 0, "dir": "S"},
            "board": {"a2": ["moon"]},
        }
    )
    assert held(GAME, hold, state.legal(0), PLAYERS).explanation == said


def test_the_help_says_how_stacks_begin_and_whose_the_limits_are() -> None:
    """docs/rules/sakkara.md §3 and §5.7."""
    told = " ".join(render_to_string("games/sakkara/rules.html").split())
    assert "at first in stacks of one or two" in told
    assert "Both limits are ours" in told
