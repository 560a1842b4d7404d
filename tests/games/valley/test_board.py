"""The drawn table of Valley of the Kings: all that is legal can be tapped, nothing else is sent."""

import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from games import prose
from games.catalogue import Part, Scene
from games.choices import Reader, end_of, held, verbs
from games.clicks import Click
from games.engine.contract import Move, State, matches, read
from games.engine.table import Line, Silent
from games.valley import chart
from games.valley.board import board
from games.valley.components import AREAS, CELLS, IN_PLAY, MAP, SHAPES
from games.valley.game import GAME
from games.valley.tally import tally
from games.valley.texts import MOVES, REFUSALS, TEXTS
from tests.boards import Boards
from tests.games.valley.positions import position
from tests.games.valley.test_map import inside
from tests.walks import NAMES, Case, Step, record

CASES = [Case(GAME, seats, GAME.chosen({}, seats)) for seats in GAME.seats]
ENDS = {(verb,) for verb in TEXTS.ends}

every_size = pytest.mark.parametrize("case", CASES, ids=str)


BOARDS = Boards(GAME)
drawn, page = BOARDS.drawn, BOARDS.page


def links(text: str) -> Iterator[tuple[str, str]]:
    """Every link of a printed board: what it sends, and its other attributes."""
    for attributes in re.findall(r"<a ([^>]*)>", text):
        yield unescape(re.search(r'href="\?hold=([^"]*)"', attributes)[1]), attributes  # type: ignore[index]


def clicks(state: State, seat: int | None, hold: Move = ()) -> list[Click]:
    found = []
    for sent, attributes in links(page(drawn(state, seat, hold))):
        text = sent.replace("+", " ")
        kind = "post" if "hx-post" in attributes else "get"
        found.append(Click(text, kind))
    return found


def within_reach(state: State, seat: int) -> set[Move]:
    """Tap on everything, with everything that can be held: which moves are made?"""
    legal = state.legal(seat)
    made: set[Move] = set()
    seen: set[Move] = {()}
    waiting: list[Move] = [()]
    while waiting:
        for click in clicks(state, seat, waiting.pop()):
            if click.kind == "post":
                made.add(read(click.text))
            elif click.text and read(click.text) not in seen:
                hold = read(click.text)
                seen.add(hold)
                if any(matches(hold, move) for move in legal):
                    waiting.append(hold)
    return made


PHASES: dict[str, dict[str, Any]] = {
    "auction": {"bids": {0: {"v4": 1}}},
    "overseers_open": {"round": 1, "overseers": {}},
    "overseers_secret": {"orders": {0: {"o0": "13-A"}}},
    "workers": {},
    "steal": {"overseers": {0: ["12-A", "12-B"]}, "workers": {0: ["12-C", "4-A"]}},
    "takeover": {"overseers": {0: ["12-A", "12-B"]}, "workers": {0: ["12-C", "12-E"]}},
    "build": {"stock": {0: "RRWWS"}},
}


def moment(phase: str, **given: Any) -> State:
    """A position in which a phase offers something."""
    return position(
        {
            "players": 3,
            "phase": phase,
            "owner": {4: 0, 13: 0, 8: 1, 12: 2},
            "blocks": {4: ["RRRR....."], 12: ["GGGGGGGGG", "KK.."], 8: ["WWWWWWWWW", "WWWW", "W"]},
            "overseers": {0: ["4-A", 16], 2: ["12-D", 16]},
            "workers": {0: ["4-B", "13-A", 16], 1: ["8-A"], 2: [22]},
            **PHASES[phase],
            **given,
        }
    )


every_phase = pytest.mark.parametrize("phase", PHASES)


@every_phase
def test_every_legal_move_can_be_made_by_tapping_and_no_other(phase: str) -> None:
    """Only closing a turn is a button of the page around the board."""
    state = moment(phase)
    assert within_reach(state, 0) == set(state.legal(0)) - ENDS


@every_phase
def test_what_is_tapped_leads_on_or_is_refused_in_words(phase: str) -> None:
    state = moment(phase)
    legal = state.legal(0)
    holds = [(), *{move[:2] for move in legal[:-1]}, *legal[:: max(1, len(legal) // 6)]]
    for hold in holds[:14]:
        for click in clicks(state, 0, hold):
            move = read(click.text) if click.text else ()
            if click.kind == "post":
                assert move in legal
            elif move and not any(matches(move, one) for one in legal):
                assert state.why_not(0, move).key in REFUSALS


@every_phase
def test_whoever_is_not_called_has_nothing_to_tap(phase: str) -> None:
    state = moment(phase)
    if phase == "overseers_secret":
        state = moment(phase, confirmed=[2])
    for seat in (2, None):
        assert clicks(state, seat) == []


@every_size
def test_the_end_shows_everything_and_offers_nothing(case: Case) -> None:
    over = record(case).end.state
    for seat in (0, None):
        assert clicks(over, seat) == []
        assert drawn(over, seat).end


@every_size
@pytest.mark.parametrize("language", ["en", "nl"])
def test_everything_one_can_tap_has_a_name(case: Case, language: str) -> None:
    with override(language):
        for step in turns(case):
            for _sent, attributes in links(page(drawn(step.state, step.seat))):
                assert re.search(r'aria-label="[^"]+"', attributes)
            explained = re.findall(r'data-explain="([^"]*)"', page(drawn(step.state, step.seat)))
            assert set(explained) <= set(TEXTS.explanations)


def turns(case: Case) -> Iterator[Step]:
    yield from record(case).sample(10)


@every_phase
def test_a_drawing_shows_nothing_its_viewer_cannot_know(phase: str) -> None:
    state = moment(phase)
    for seat in range(3):
        twin = state.determinize(seat, Silent(Random(seat)))
        assert page(drawn(twin, seat)) == page(drawn(state, seat))


@every_phase
def test_each_piece_is_printed_once(phase: str) -> None:
    """So that it can be followed from where it was to where it went."""
    keys = re.findall(r'data-key="([^"]*)"', page(drawn(moment(phase), 0)))
    assert sorted(keys) == sorted(set(keys))


@every_phase
def test_any_hold_that_fits_a_move_can_be_drawn_and_worded(phase: str) -> None:
    """Holds come from addresses: odd ones must not break the page."""
    state = moment(phase)
    legal = state.legal(0)
    for move in legal[:: max(1, len(legal) // 5)]:
        for hold in {move[a:b] for a in range(len(move)) for b in range(a + 1, len(move) + 1)}:
            key, args = TEXTS.phrase(hold)
            assert str(TEXTS.moves[key]) % args
            assert page(drawn(state, 0, hold))


def test_names_of_players_are_escaped() -> None:
    names = ("<script>alert(1)</script>", '"><img src=x>', "it's & more")
    for phase in PHASES:
        state = moment(phase)
        text = page(board(Scene(state.view(0), state.legal(0), (), (), names)))
        assert "<script>" not in text
        assert "<img" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


# --- the map ----------------------------------------------------------------------------------


def sites(text: str) -> dict[int, str]:
    """What is said about each site of the map."""
    found = re.findall(r'class="site [^"]*"[^>]*aria-label="Site (\d+)([^"]*)"', text)
    return {int(site): unescape(rest) for site, rest in found}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_sites_are_drawn_and_those_out_of_play_are_closed(players: int) -> None:
    with override("en"):
        told = sites(page(drawn(position({"phase": "auction", "players": players}), None)))
    closed = {site for site, rest in told.items() if rest == ", not in play"}
    assert set(told) == set(range(1, 16))
    assert set(told) - closed == set(IN_PLAY[players])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_less_than_four_the_tips_of_the_board_are_folded_away(players: int) -> None:
    """So that all else is drawn larger; what can be reached stays in the picture."""
    folded = players < 4
    drawing = drawn(position({"phase": "auction", "players": players}), None)
    left, top, wide, high = map(int, drawing.box.split())
    assert wide == (1148 if folded else 1500)
    for area in AREAS:
        x, y = chart.ground(players).labels[area]
        assert left + 40 <= x <= left + wide - 40
        assert top + 40 <= y <= top + high - 40
    for site in IN_PLAY[players]:
        shown = chart.SITE[site]
        assert left <= shown["x"] <= left + wide - shown["w"]
        assert top <= shown["y"] <= top + high - shown["w"]
    closed = len(re.findall(r'href="#vk-(?:small|large)-closed"', drawing.picture))
    assert closed == {2: 3, 3: 0, 4: 0}[players]


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("count", range(1, 9))
def test_figures_in_an_area_stand_inside_it_and_on_no_site(area: int, count: int) -> None:
    places = chart.muster(area, count)
    assert len(places) == count
    boxes = [(site["x"], site["y"], site["w"]) for site in chart.SITE.values()]
    boxes.append((MAP["pharaoh"]["x"], MAP["pharaoh"]["y"], MAP["pharaoh"]["size"]))
    for x, y, size in places:
        assert 30 <= size <= 76
        corners = [(x, y), (x + size, y), (x, y + size), (x + size, y + size)]
        assert all(inside(chart.AREA[area]["polygon"], *corner) for corner in corners)
        for left, top, wide in boxes:
            apart = x + size <= left or left + wide <= x or y + size <= top or top + wide <= y
            assert apart


def test_a_site_says_what_it_is_worth_needs_and_who_stands_there() -> None:
    with override("en"):
        told = sites(page(drawn(moment("workers"), 0)))
    assert told[4] == (
        ", large. owner: Anna. needs 9 × red, 1 × any colour for single-coloured: 11 points. "
        "Anna: 1 overseer, 1 worker"
    )
    assert told[12] == (
        ", large. owner: Cleo. needs 2 × black, 1 × any colour for layered: 9 points. "
        "Cleo: 1 overseer"
    )
    assert told[8] == (", large. owner: Bram. finished: single-coloured, 11 points. Bram: 1 worker")
    assert told[13] == ", small. owner: Anna. needs all 5 blocks; up to 4 points. Anna: 1 worker"
    assert told[3] == ", small. nobody owns it"


def test_a_figure_in_the_hand_shows_what_every_way_costs() -> None:
    state = moment("workers")
    with override("en"):
        told = sites(page(drawn(state, 0, ("worker_move", 0))))  # stands on 4-B
    prices = {
        site: int(rest.rpartition("way: ")[2]) for site, rest in told.items() if "way" in rest
    }
    assert prices == {2: 3, 3: 2, 4: 0, 6: 2, 7: 3, 8: 2, 10: 3, 11: 3, 12: 2, 13: 2, 14: 2, 15: 2}
    assert drawn(state, 0).points == "6 of 6 points left"
    assert drawn(state, 0).pips == (True,) * 6


def test_orders_show_their_way_price_and_the_points_that_are_left() -> None:
    drawing = drawn(moment("overseers_secret"), 0)
    with override("en"):
        assert [(one.here, one.there, one.price) for one in drawing.figures] == [
            ("4-A", "13-A", "2 p."),
            ("area 16", "", ""),
        ]
    assert drawing.points == "4 of 6 points left"
    assert drawing.secret
    assert [order.seat for order in drawing.waiting] == [1, 2]
    assert page(drawing).count('class="plan"') == 1
    assert 'class="plan"' not in page(drawn(moment("overseers_secret"), 1))


def test_a_blank_tablet_of_somebody_else_looks_like_any_other() -> None:
    state = moment("auction", queue=[1, 2], bids={0: {"v4": 1, "b1": 1, "b2": 3}})
    faces = {
        viewer: [[one.face for one in group.laid] for group in drawn(state, viewer).groups]
        for viewer in (0, 1)
    }
    assert faces[0] == [["v4", "blank"], [], ["blank"], []]
    assert faces[1] == [["back", "back"], [], ["back"], []]


def test_a_tap_on_an_empty_cell_lays_the_block_that_suits_its_level() -> None:
    state = moment("build")
    drawing = drawn(state, 0)
    assert [sheet.site for sheet in drawing.sheets] == [4, 13]
    first = {click.text for click in clicks(state, 0) if click.kind == "post"}
    assert "build_block 4 1 5 red" in first  # as the level has begun
    assert "build_block 4 1 4 sand" in first  # hidden: what is fewest
    assert "build_block 13 1 0 red" in first  # fresh: what is most
    held = {click.text for click in clicks(state, 0, ("build_block", "white"))}
    assert "build_block 4 1 5 white" in held


def test_sites_that_can_be_robbed_or_won_open_by_themselves() -> None:
    for phase, workers, button in (("steal", 1, False), ("takeover", 2, True)):
        (sheet,) = drawn(moment(phase), 0).sheets
        assert (sheet.site, sheet.owner_seat, sheet.button is not None) == (12, 2, button)
        (crew,) = sheet.crews
        assert (crew.seat, crew.overseers, crew.workers) == (0, 2, workers)
    assert {click.text for click in clicks(moment("steal"), 0) if click.kind == "post"} == {
        "steal_block 12 2 0",
        "steal_block 12 2 1",
    }


def test_what_happened_since_the_last_turn_is_marked() -> None:
    recap = (
        Line("took_over", {"seat": 1, "other": 0, "site": 12}),
        Line("walked_area", {"seat": 1, "place": 20, "price": 1}),
        Line("laid", {"seat": 1, "count": 2}),
    )
    text = page(drawn(moment("workers"), 0, (), recap))
    assert len(re.findall(r'class="site [^"]*marked', text)) == 1
    assert len(re.findall(r'class="area a20 marked', text)) == 1


# --- the summary of a round -------------------------------------------------------------------


def test_a_round_that_is_over_is_summed_up() -> None:
    state = moment("auction", queue=[2], bids={0: {"v4": 1}, 1: {"v4": 1, "v1": 2}})
    table = Silent(Random(1))
    state.apply(2, ("bid_confirm",), table)
    with override("en"):
        summary = drawn(state, 0).summary
    assert summary
    assert (summary.title, summary.is_open) == ("This round so far", False)
    assert [row.text for row in summary.rows] == [
        "Anna wins group 1 with 4 (Bram 4)",
        "Bram wins group 2 with 1",
        "Nobody buys group 3",
        "Nobody buys group 4",
    ]
    while state.view(None)["round"] == 2:
        seat = state.to_act()[0]
        state.apply(seat, state.idle(seat), table)
    with override("en"):
        summary = drawn(state, 0).summary
    assert summary
    assert (summary.title, summary.is_open) == ("Round 2 is over", True)
    assert [row.text for row in summary.rows][4:] == [
        "Anna leaves blocks to the pharaoh: 1",
        "Bram leaves blocks to the pharaoh: 5",
    ]


def test_what_one_stole_on_a_site_is_told_together_where_it_happened() -> None:
    state = moment(
        "steal",
        players=2,
        owner={12: 1},
        blocks={12: ["GGGGGGGGG", "KR.."]},
        overseers={0: ["12-A", "12-B"], 1: [16, 16]},
        workers={0: ["12-C"], 1: []},
        stock={},
    )
    table = Silent(Random(1))
    for move in (
        ("steal_block", 12, 2, 0),
        ("steal_block", 12, 2, 1),
        ("steal_end",),
        ("take_over", 12),
    ):
        state.apply(0, move, table)
    with override("en"):
        summary = drawn(state, 0).summary
    assert summary
    assert [(row.text, row.blocks.count("<svg")) for row in summary.rows] == [
        ("Anna robs Bram on site 12", 2),
        ("Anna takes site 12 over from Bram", 0),
    ]


STORY = [
    ({"event": "claimed", "seat": 0, "site": 13}, "Anna claims site 13"),
    ({"event": "bounced", "seat": 1, "place": "13-A"}, "Bram is pushed back from 13-A"),
    ({"event": "taken_over", "seat": 0, "other": 1, "site": 8}, "Anna takes site 8 over from Bram"),
    (
        {"event": "finished", "seat": 2, "site": 4, "kind": "motley"},
        "Cleo finishes site 4: motley",
    ),
    ({"event": "fed", "seat": None, "count": 1}, "1 block for the pharaoh"),
    ({"event": "fed", "seat": 1, "count": 3}, "Bram leaves blocks to the pharaoh: 3"),
    (
        {"event": "stolen", "seat": 0, "other": 1, "site": 8, "block": "red"},
        "Anna robs Bram on site 8",
    ),
]


@pytest.mark.parametrize(("event", "text"), STORY, ids=lambda value: str(value)[:20])
def test_every_event_has_words(event: dict[str, Any], text: str) -> None:
    view = moment("build").view(0)
    view["story"] = [event]
    with override("en"):
        summary = board(Scene(view, [], (), (), NAMES)).summary
    assert summary
    assert [row.text for row in summary.rows] == [text]


def test_the_final_table_names_the_pyramids() -> None:
    with override("en"):
        parts = tally(moment("build").view(0))
    assert parts == [[], [Part("site 8, single-coloured", 11)], []]


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("bid_place v4 2", "Lay tablet 4 on group 2"),
        ("bid_place 2", "Lay on group 2: which tablet?"),
        ("bid_confirm", "Confirm your bid"),
        ("overseer_move 0 8-C", "Overseer 1 to space 8-C"),
        ("overseer_move 1 16", "Overseer 2 to area 16"),
        ("overseer_move 8-C", "To space 8-C: which overseer?"),
        ("worker_move 4", "Worker 5: where to?"),
        ("worker_move 16", "To area 16: which worker?"),
        ("steal_block 12 2 0", "Steal from site 12: level 2, cell 1"),
        ("take_over 8", "Take site 8 over"),
        ("build_block red", "Lay a block: red. Where?"),
        ("build_block 4 1 3 red", "Site 4, level 1, cell 4: red"),
        ("8-C", "8-C"),
    ],
)
def test_moves_and_holds_are_worded_for_people(move: str, words: str) -> None:
    with override("en"):
        assert prose.label(GAME, read(move), NAMES) == words


def test_every_phrase_is_used() -> None:
    """No text is left over from a move that does not exist."""
    used = {"unknown"}
    for phase in PHASES:
        for move in moment(phase).legal(0):
            for length in range(1, len(move) + 1):
                used.add(TEXTS.phrase(move[:length])[0])
            used.add(TEXTS.phrase((move[0], move[-1]))[0])
    assert set(MOVES) - used == set()


def test_long_lists_are_folded_up_by_site() -> None:
    state = moment("workers")
    with override("en"):
        reader = Reader(GAME, state.view(0), NAMES)
        (verb,) = verbs(reader, state.legal(0), ("worker_move", 0))
    assert [entry.label for entry in verb.entries][:2] == [
        "Worker 1 to area 16",
        "Worker 1 to area 17",
    ]
    assert [fold.title for fold in verb.folds] == [f"Site {site}" for site in IN_PLAY[3]]
    assert sum(len(fold.entries) for fold in verb.folds) + len(verb.entries) == sum(
        move[:2] == ("worker_move", 0) for move in state.legal(0)
    )


@every_phase
def test_closing_a_turn_is_one_button_in_every_phase(phase: str) -> None:
    state = moment(phase)
    assert end_of(GAME, state.legal(0)) == state.legal(0)[-1]
    assert end_of(GAME, []) is None


def test_every_cell_of_a_site_can_be_pointed_at() -> None:
    state = moment("build", stock={0: "RRRRRRRRRR"})
    with override("en"):
        text = page(drawn(state, 0))
    for site in (4, 13):
        first_level = sum(cell.level == 1 for cell in CELLS[SHAPES[site]])
        found = re.findall(rf'aria-label="Site {site}, level 1, cell (\d+):', text)
        assert [int(cell) for cell in found] == list(range(1, first_level + 1))


def test_the_help_explains_every_refusal_at_a_place_of_its_own() -> None:
    text = render_to_string("games/valley/rules.html")
    assert [key for key in TEXTS.refusals if text.count(f'id="refusal-{key}"') != 1] == []


def test_the_area_that_is_chosen_first_is_told_from_those_that_may_be_chosen() -> None:
    state = position({"phase": "workers", "players": 2})
    svg = drawn(state, 0, ("worker_move", 20)).picture
    areas = re.findall(r'class="area a(\d+) ([^"]*)"', svg)
    assert [area for area, css in areas if "chosen" in css.split()] == ["20"]


@pytest.mark.parametrize(
    ("phase", "hold", "said"),
    [
        ("workers", ("worker_move", 0), "Each line crossed costs a point"),
        ("build", ("build_block", "red"), "Blocks to build with this round"),
        ("auction", ("bid_place", "v4"), "Counts 4."),
    ],
)
def test_what_is_in_hand_says_what_matters_about_it(phase: str, hold: Move, said: str) -> None:
    given = {"stock": {0: "R"}, "owner": {13: 0}, "workers": {0: ["13-A"]}}
    state = position({"phase": phase, "players": 2, **(given if phase == "build" else {})})
    assert held(GAME, hold, state.legal(0), ("Anna", "Bram")).explanation.startswith(said)
