"""The rules of Valley of the Kings as sentences; every vector of its specification is one test."""

import re
from pathlib import Path
from typing import Any

import pytest

from games.engine.contract import OPEN, Move, Refused, read, write
from games.engine.session import Session
from games.engine.table import Line, Table
from games.valley.components import COLOURS, NONE, SMALL, START
from games.valley.rules import ValleyState
from games.valley.scoring import outlook
from games.valley.visibility import rounds_left
from tests.games.valley.positions import position
from tests.games.valley.vectors import PARAMETERS, run
from tests.vectors import Vector, check, vectors

HERE = Path(__file__).parent
RULES = (HERE.parents[2] / "docs" / "rules" / "valley.md").read_text()
SPEC = list(vectors((HERE / "vectors.md").read_text()))
MORE = list(vectors((HERE / "more_vectors.md").read_text()))


@pytest.mark.parametrize("vector", SPEC + MORE, ids=lambda vector: vector.name)
def test_vector(vector: Vector) -> None:
    assert check(vector, run) == ""


def test_the_vectors_are_those_of_the_specification() -> None:
    assert [vector.content for vector in vectors(RULES)] == [vector.content for vector in SPEC]
    assert len(SPEC) == 110
    assert len({vector.name for vector in SPEC + MORE}) == len(SPEC + MORE)


def test_every_refusal_of_the_rules_is_shown_by_a_vector() -> None:
    table = RULES.split("| code | English | Dutch |")[1].split("\n\n")[0]
    codes = set(re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE))
    errors = [
        step["error"]
        for vector in SPEC + MORE
        for step in vector.content.get("do", [])
        if "error" in step
    ]
    shown = {error["code"] if isinstance(error, dict) else error for error in errors}
    assert shown == codes
    assert len(codes) == 32


# --- the runner is not to be fooled -------------------------------------------------------------

AUCTION = {"given": {"phase": "auction"}}
SECRET = {"phase": "overseers_secret"}
PLACE = {"seat": 0, "type": "bid_place", "tablet": "v1", "group": 1}


@pytest.mark.parametrize(
    ("vector", "wrong"),
    [
        ({"expect": 1}, "one question is needed, not 0"),
        ({"cost": [16, 17], "adjoining": "8-C", "expect": 1}, "one question is needed, not 2"),
        ({"cost": [16, 17]}, "expect is missing"),
        ({"cost": [16, 17], "given": {}, "expect": 1}, "unknown key 'given'"),
        ({"cost": [16, 17], "expect": 1}, "cost is 2, not 1"),
        ({"cost": [16], "expect": 1}, "cost: two places are needed"),
        ({"cost": [16, "8-M"], "expect": 1}, "cost: '8-M' is no place"),
        ({"adjoining": "8-C", "expect": 20}, "adjoining is 16, not 20"),
        ({"pyramid": ["RRRR"], "expect": {}}, "pyramid: 1 levels"),
        ({"pyramid": ["RRR.", "R"], "expect": {}}, "pyramid: it is not finished"),
        (
            {"pyramid": ["RRRR", "R"], "expect": {"kind": "motley", "points": 1}},
            "pyramid is {'kind': 'mono', 'points': 4}, not {'kind': 'motley', 'points': 1}",
        ),
        (
            {"pyramid": ["RRRR", "R"], "options": ["fun"], "expect": {}},
            "options: 'fun' is not known",
        ),
        ({"setup": {}, "expect": {}}, "setup: players and options are needed, and nothing else"),
        (
            {"setup": {"players": 2}, "expect": {"bag": 149}},
            "expect (seed 1): bag is 150, not 149",
        ),
        ({**AUCTION, "do": []}, "nothing is expected"),
        ({"do": [], "expect": {}}, "given: a map is needed, not None"),
        ({"given": {}, "do": [], "expect": {}}, "given: phase is missing"),
        (
            {"given": {"phase": "dinner"}, "do": [], "expect": {}},
            "given: phase: 'dinner' is not known",
        ),
        (
            {"given": {"phase": "build", "gold": 1}, "do": [], "expect": {}},
            "given: unknown key 'gold'",
        ),
        (
            {"given": {"phase": "build", "stock": {0: 200}}, "do": [], "expect": {}},
            "given: more than 33 blocks are red",
        ),
        (
            {"given": {"phase": "build", "stock": {0: "X"}}, "do": [], "expect": {}},
            "given: stock: there is no colour 'X'",
        ),
        (
            {"given": {"phase": "build", "stock": {0: None}}, "do": [], "expect": {}},
            "given: stock: None is no pile",
        ),
        (
            {"given": {"phase": "build", "blocks": {13: ["RRR"]}}, "do": [], "expect": {}},
            "given: blocks: 'RRR' is not level 1 of site 13",
        ),
        (
            {"given": {"phase": "build", "blocks": {13: ["RRRR", ".", "."]}}, "do": []},
            "given: blocks: 3 levels on site 13",
        ),
        (
            {"given": {"phase": "build", "overseers": {0: [16, 16, 16]}}, "do": []},
            "given: overseers: 3 figures",
        ),
        (
            {"given": {"phase": "build", "confirmed": [0]}, "do": []},
            "given: confirmed: nobody confirms in build",
        ),
        (
            {"given": {"phase": "overseers_secret", "players": 2, "confirmed": [0, 1]}, "do": []},
            "given: all have confirmed",
        ),
        ({**AUCTION, "do": [{"type": "bid_confirm"}]}, "step 1: seat and type are needed"),
        ({**AUCTION, "do": [{**PLACE, "seat": []}]}, "step 1: by no seat at all"),
        (
            {**AUCTION, "do": [{**PLACE, "seat": 5}]},
            "step 1: seat: 5 is not known",
        ),
        (
            {**AUCTION, "do": [{**PLACE, "seat": 1}], "expect": {"round": 2}},
            "step 1 (seat 1, bid_place): refused with E_NOT_YOUR_TURN ",
        ),
        (
            {**AUCTION, "do": [{**PLACE, "group": 7, "error": "E_TABLET_USED"}]},
            "step 1 (seat 0, bid_place): refused with E_NO_SUCH_GROUP , not with E_TABLET_USED",
        ),
        (
            {**AUCTION, "do": [{**PLACE, "error": "E_TABLET_USED"}]},
            "step 1 (seat 0, bid_place): accepted, not refused with E_TABLET_USED",
        ),
        (
            {**AUCTION, "do": [{"seat": 0, "type": "undo", "again": 1}], "expect": {"round": 2}},
            "step 1 (seat 0, undo): unknown key 'again'",
        ),
        (
            {**AUCTION, "do": [{"check": {"round": 3}}]},
            "step 1: check: round is 2, not 3",
        ),
        ({**AUCTION, "do": [{"check": {}, "seat": 0}]}, "step 1: a check stands alone"),
        ({**AUCTION, "do": [], "expect": {"gold": 1}}, "expect: unknown key 'gold'"),
        ({**AUCTION, "do": [], "expect": {"round": "2"}}, "expect: round is 2, not '2'"),
        (
            {**AUCTION, "do": [], "expect": {"market": [5]}},
            "expect: market: number of groups is 5, not 1",
        ),
        (
            {**AUCTION, "do": [], "expect": {"owner": {16: 0}}},
            "expect: owner: site: 16 is not known",
        ),
        (
            {**AUCTION, "do": [], "expect": {"points_left": {0: 6}}},
            "expect: points_left[0]: there are none in auction",
        ),
        (
            {**AUCTION, "do": [], "expect": {"legal_types": {0: ["bid_place"]}}},
            "expect: legal_types[0] is ['bid_confirm', 'bid_place'], not ['bid_place']",
        ),
        (
            {**AUCTION, "do": [], "expect": {"legal_lacks": [{"seat": 0, "type": "bid_confirm"}]}},
            "expect: legal_lacks: {'seat': 0, 'type': 'bid_confirm'} is legal",
        ),
        (
            {**AUCTION, "do": [], "expect": {"legal_lacks": [{"seat": 0, "type": "bid"}]}},
            "expect: legal_lacks: {'seat': 0, 'type': 'bid'} is no action",
        ),
        (
            {**AUCTION, "do": [], "expect": {"legal_lacks": [{**PLACE, "gruop": 9}]}},
            f"expect: legal_lacks: { ({**PLACE, 'gruop': 9})!r} is no action",
        ),
        (
            {"given": {"phase": "build", "owner": {16: None}}, "do": []},
            "given: owner: site: 16 is not known",
        ),
        (
            {"given": {"phase": "auction", "players": 2, "bids": {0: {"v1": 4}}}, "do": []},
            "given: bids: a tablet lies on a group that is not on the market",
        ),
        (
            {**AUCTION, "do": [], "expect": {"legal_has": [{"type": "bid_confirm"}]}},
            "expect: legal_has: seat and type are needed",
        ),
        (
            {**AUCTION, "do": [], "expect": {"views": {0: {"gold": 1}}}},
            "expect: views[0]: unknown key 'gold'",
        ),
        (
            {**AUCTION, "do": [], "variant": [], "expect": {}},
            "a variant needs same_view or other_view",
        ),
        (
            {**AUCTION, "do": [], "same_view": [0]},
            "same_view and other_view need a variant",
        ),
        (
            {**AUCTION, "do": [PLACE], "variant": [], "same_view": [0]},
            "same_view: the payloads of 0 differ",
        ),
        (
            {**AUCTION, "do": [PLACE], "variant": [], "other_view": ["spectator"]},
            "other_view: the payloads of spectator are the same",
        ),
    ],
)
def test_a_vector_that_does_not_hold_fails_with_its_reason(
    vector: dict[str, Any], wrong: str
) -> None:
    assert check(Vector("X", vector), run) == wrong


# --- setup and draw (§3, §5.2) ------------------------------------------------------------------


@pytest.mark.parametrize(("players", "bag"), [(2, 150), (3, 145), (4, 140)])
def test_a_match_begins_with_all_figures_in_the_centre(players: int, bag: int) -> None:
    session, lines = Session.start(ValleyState, "setup", players, {})
    state = session.state
    assert isinstance(state, ValleyState)
    assert state.overseers == [[START, START]] * players
    assert state.workers == [[START] * 5] * players
    assert (len(state.bag), [len(group) for group in state.market]) == (bag, [5] * (players + 1))
    assert all(group == sorted(group) for group in state.market)
    assert lines == [
        Line("began", {"seat": state.start}),
        Line("opened", {"round": 1, "seat": state.start, "total": 0}),
    ]


def test_the_first_start_player_is_drawn_by_lot() -> None:
    starts = {ValleyState.setup(3, {}, Table(f"{seed}", 0)).start for seed in range(30)}
    assert starts == {0, 1, 2}


def test_options_are_kept() -> None:
    on = {"advanced_unsold_to_pharaoh": 1, "expert_chequered": 1}
    for options, kept in ((on, True), ({}, False)):
        state = ValleyState.setup(2, options, Table("options", 0))
        assert (state.unsold_to_pharaoh, state.chequered) == (kept, kept)


# --- what is said -------------------------------------------------------------------------------


def session_of(given: dict[str, Any]) -> Session:
    return Session(ValleyState, "said", position(given).dump(), 1)


def said(given: dict[str, Any], *texts: str) -> list[Line]:
    """Play moves, written `seat: move`, and return all lines."""
    session, lines = session_of(given), list[Line]()
    for text in texts:
        seat, move = text.split(": ")
        lines += session.play(int(seat), read(move))
    return lines


def test_a_bid_is_told_by_its_number_only_and_the_opening_by_group() -> None:
    given = {"phase": "auction", "players": 2, "queue": [0, 1], "market": ["RRRRG", "KKKKK", "W"]}
    lines = said(
        given,
        "0: bid_place v3 1",
        "0: bid_place v2 2",
        "0: bid_confirm",
        "1: bid_place v3 1",
        "1: bid_place v1 2",
        "1: bid_confirm",
    )
    assert lines == [
        Line("laid", {"seat": 0, "count": 2}),
        Line("laid", {"seat": 1, "count": 2}),
        Line("sold", {"seat": 0, "group": 1, "bid": 3, "blocks": ["red"] * 4 + ["grey"]}),
        Line("tied_for", {"other": [1], "seat": 0, "bid": 3, "group": 1}),
        Line("sold", {"seat": 0, "group": 2, "bid": 2, "blocks": ["black"] * 5}),
        Line("outbid_for", {"other": [1], "bid": [1], "group": 2}),
        Line("unsold", {"group": 3, "blocks": ["white"]}),
    ]


def test_unsold_blocks_for_the_pharaoh_are_told() -> None:
    given = {"phase": "auction", "options": ["advanced_unsold_to_pharaoh"], "queue": [3]}
    lines = said({**given, "market": ["RRGGK"]}, "3: bid_confirm")
    assert lines == [
        Line("laid_nothing", {"seat": 3, "count": 0}),
        Line("unsold", {"group": 1, "blocks": ["red", "red", "grey", "grey", "black"]}),
        Line("fed", {"count": 5, "total": 5}),
    ]


def test_secret_orders_are_told_when_all_are_in() -> None:
    given = {"phase": "overseers_secret", "players": 2, "orders": {0: {"o0": "13-A"}}}
    moves = ("1: overseer_move 1 13-A", "1: overseers_confirm", "0: overseers_confirm")
    assert said(given, *moves) == [
        Line("ordered", {"seat": 1}),
        Line("ordered", {"seat": 0}),
        Line("sent", {"seat": 0, "place": "13-A"}),
        Line("claimed", {"seat": 0, "site": 13}),
        Line("bounced", {"seat": 1, "place": "13-A", "area": 16}),
    ]


def test_figures_are_told_to_go_to_a_space_or_into_an_area() -> None:
    orders = {0: {"o0": "1-A", "o1": 22}}
    given = {"phase": "overseers_secret", "orders": orders, "confirmed": [1, 2, 3]}
    moves = ("0: overseers_confirm", "0: worker_move 1 1-B", "0: worker_move 0 22")
    assert said(given, *moves) == [
        Line("ordered", {"seat": 0}),
        Line("sent", {"seat": 0, "place": "1-A"}),
        Line("sent_area", {"seat": 0, "place": 22}),
        Line("claimed", {"seat": 0, "site": 1}),
        Line("walked", {"seat": 0, "place": "1-B", "price": 3}),
        Line("walked_area", {"seat": 0, "place": 22, "price": 1}),
    ]


def test_theft_takeover_and_building_are_told_step_by_step() -> None:
    given = {
        "phase": "steal",
        "players": 2,
        "owner": {13: 1, 14: 0},
        "blocks": {13: ["RR.."], 14: ["RRRR"]},
        "overseers": {0: ["13-A", 16]},
        "workers": {0: ["13-B", "14-A"]},
        "stock": {0: "GG"},
    }
    moves = ["steal_block 13 1 0", "steal_end", "take_over 13", "takeover_end"]
    moves += ["build_block 14 2 0 red", "build_end"]
    lines = said(given, *(f"0: {move}" for move in moves))
    assert lines == [
        Line("stole", {"seat": 0, "other": 1, "site": 13, "block": "red"}),
        Line("took_over", {"seat": 0, "other": 1, "site": 13}),
        Line("built", {"seat": 0, "site": 14, "level": 2, "block": "red"}),
        Line("finished", {"seat": 0, "site": 14, "kind": "mono", "points": 4}),
        Line("left_over", {"seat": 0, "count": 2, "total": 2}),
        Line("opened", {"round": 3, "seat": 1, "total": 2}),
    ]


def test_the_end_counts_the_points() -> None:
    given = {
        "phase": "build",
        "players": 2,
        "queue": [1],
        "pharaoh": 30,
        "owner": {13: 0, 14: 1},
        "blocks": {13: ["WWWW", "W"], 14: ["RRRR", "R"]},
    }
    assert said(given, "1: build_end") == [
        Line("ended_pharaoh_complete", {}),
        Line("scored", {"seat": 0, "points": 4}),
        Line("scored", {"seat": 1, "points": 4}),
        Line("shared", {"seat": [0, 1], "points": 4}),
    ]
    given["blocks"] = {13: ["WWWW", "W"]}
    assert said(given, "1: build_end")[-1] == Line("won", {"seat": [0], "points": 4})


# --- turns and seals (§5.1) ---------------------------------------------------------------------


def test_closing_a_turn_is_final_even_if_the_same_seat_goes_on() -> None:
    given = {
        "phase": "workers",
        "queue": [3],
        "owner": {15: 0},
        "blocks": {15: ["R..."]},
        "overseers": {3: ["15-A", 16]},
        "workers": {3: ["15-B"]},
    }
    session = session_of(given)
    turns = [session.state.turn()]
    for text in ("workers_end", "steal_end", "takeover_end"):
        epoch = session.epoch
        session.play(3, read(text))
        assert (session.epoch, session.drafts) == (epoch + 1, [])
        turns.append(session.state.turn())
        with pytest.raises(Refused, match="nothing_to_undo"):
            session.undo(3)
    assert len(set(turns)) == 4


def test_secret_orders_can_be_recalled_until_the_last_one_is_in() -> None:
    session = session_of({"phase": "overseers_secret", "players": 3})
    session.play(2, read("overseer_move 0 13-A"))
    session.play(2, read("overseers_confirm"))
    session.play(0, read("overseers_confirm"))
    assert session.state.to_act() == [1]
    session.undo(2)
    assert session.state.to_act() == [1, 2]
    session.play(1, read("overseers_confirm"))
    session.play(2, read("overseers_confirm"))
    assert (session.state.to_act(), session.epoch) == ([0], 2)


def test_a_confirmed_seat_is_told_that_it_is_not_its_turn() -> None:
    """The site reopens orders by taking the confirmation back; as a move it does not exist."""
    state = position({"phase": "overseers_secret", "confirmed": [0]})
    assert state.why_not(0, ("overseers_reopen",)).key == "not_your_turn"
    assert state.why_not(1, ("overseers_reopen",)).key == "nothing_to_reopen"


def test_the_draw_of_the_next_market_cannot_be_taken_back() -> None:
    session = session_of({"phase": "build", "queue": [3]})
    session.play(3, ("build_end",))
    assert (session.epoch, session.state.view(0)["round"]) == (2, 3)


# --- refusals of unfinished moves ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "text", "key"),
    [
        ({"phase": "auction", "bids": {0: {"v1": 2}}}, "bid_place v1", "tablet_used"),
        ({"phase": "auction"}, "bid_place 6", "no_such_group"),
        ({"phase": "auction"}, "bid_place v1", "bad_move"),
        ({"phase": "auction"}, "bid_place x 1 2", "bad_move"),
        ({**SECRET, "orders": {0: {"o0": 20}}}, "overseer_move 0", "already_moved"),
        ({**SECRET, "orders": {0: {"o0": 20, "o1": 20}}}, "overseer_move 13-A", "already_moved"),
        ({**SECRET, "workers": {1: ["13-A"]}}, "overseer_move 13-A", "worker_there"),
        ({**SECRET, "players": 2}, "overseer_move 1-A", "site_inactive"),
        (SECRET, "overseer_move 0", "bad_move"),
        ({"phase": "workers", "workers": {1: ["13-A"]}}, "worker_move 13-A", "space_occupied"),
        ({"phase": "workers"}, "worker_move 0", "bad_move"),
        ({"phase": "workers"}, "worker_move", "bad_move"),
        ({"phase": "steal"}, "steal_block 13", "unclaimed"),
        ({"phase": "steal"}, "steal_block", "bad_move"),
        ({"phase": "takeover"}, "take_over", "bad_move"),
        ({"phase": "build", "owner": {13: 0}}, "build_block 13", "need_worker"),
        ({"phase": "build"}, "build_block red", "no_such_block"),
        ({"phase": "build", "stock": {0: "R"}}, "build_block red", "not_your_site"),
        (
            {"phase": "build", "owner": {13: 0}, "workers": {0: ["13-A"]}, "stock": {0: "R"}},
            "build_block 13 1",
            "bad_move",
        ),
        ({"phase": "build"}, "dance", "bad_move"),
    ],
)
def test_an_unfinished_move_is_refused_for_what_it_names(
    given: dict[str, Any], text: str, key: str
) -> None:
    """The site asks why a figure alone, a place alone or a block alone leads nowhere."""
    state = position(given)
    assert state.why_not(0, read(text)).key == key


def test_nothing_at_all_is_refused_too() -> None:
    state = position({"phase": "build"})
    assert state.why_not(0, ()).key == "bad_move"
    walked = position({"phase": "workers"})
    for worker in range(5):
        walked.apply(0, ("worker_move", worker, 20), Table("walk", 1))
    assert walked.why_not(0, ("worker_move", 21)).key == "already_moved"
    assert walked.why_not(0, ("worker_move", "9-A")).key == "already_moved"
    tired = position({"phase": "workers"})
    for worker in range(2):
        tired.apply(0, ("worker_move", worker, "1-A" if worker else "5-A"), Table("walk", 1))
    refused = tired.why_not(0, ("worker_move", "13-A"))
    assert (refused.key, refused.params) == ("budget", {"need": 1, "left": 0})


def test_every_action_of_the_vectors_is_known_to_the_refusals() -> None:
    state = position({"phase": "build"})
    for verb in PARAMETERS:
        if verb != "build_end":
            assert state.why_not(1, (verb,)).key in ("wrong_phase", "not_your_turn")


# --- leaving (§10) ------------------------------------------------------------------------------


def left(given: dict[str, Any], seat: int) -> ValleyState:
    state = position(given)
    state.leave(seat, Table("leave", 1))
    return state


def test_the_last_one_to_stay_has_won() -> None:
    given = {"phase": "auction", "players": 2, "owner": {13: 0}, "blocks": {13: ["RRRR", "R"]}}
    state = left(given, 0)
    assert (state.end_reason, state.to_act()) == ("abandoned", [])
    assert state.scores() == [(4 - 1000,), (0,)]
    assert [shown["rank"] for shown in state.view(None)["seats"]] == [2, 1]
    assert [shown["score"] for shown in state.view(None)["seats"]] == [4, 0]


def test_a_draft_bid_that_is_left_behind_is_confirmed() -> None:
    state = left({"phase": "auction", "players": 3, "bids": {0: {"v4": 2}}}, 0)
    assert (state.to_act(), state.bids[0][3]) == ([1], 2)


def test_who_leaves_out_of_turn_is_passed_over_later() -> None:
    state = left({"phase": "workers", "players": 3}, 1)
    assert state.to_act() == [0]
    state.apply(0, ("workers_end",), Table("leave", 1))
    assert state.to_act() == [2]


def test_the_others_need_not_wait_for_the_orders_of_who_leaves() -> None:
    given = {"phase": "overseers_secret", "players": 3, "confirmed": [0, 2]}
    state = left({**given, "orders": {1: {"o0": "13-A"}}}, 1)
    assert (state.phase, state.owner[13], state.to_act()) == ("workers", 1, [0])


# --- views --------------------------------------------------------------------------------------


def test_a_view_tells_how_many_blocks_can_still_be_stolen_where() -> None:
    given = {
        "phase": "steal",
        "queue": [1, 2],
        "owner": {12: 0, 13: 0},
        "blocks": {12: ["KKKKKKKKK", "G..."], 13: ["R..."]},
        "overseers": {1: ["12-A", "13-A"]},
        "workers": {1: ["12-B", "13-B"]},
    }
    state = position(given)
    loot = {site: shown["loot"] for site, shown in state.view(1)["sites"].items() if shown["loot"]}
    assert loot == {"12": 2, "13": 1}
    state.apply(1, ("steal_block", 12, 2, 0), Table("seed", 0))
    assert state.view(1)["sites"]["12"]["loot"] == 1


def test_a_view_tells_what_a_site_can_become_and_still_needs() -> None:
    given = {
        "phase": "build",
        "owner": {8: 0, 13: 1},
        "blocks": {8: ["RRRRRRRRR", "GG.."], 13: ["RG.."]},
        "workers": {0: ["8-A", "8-B"]},
    }
    sites = position(given).view(None)["sites"]
    assert sites["8"] == {
        "owner": 0,
        "levels": {"1": ["red"] * 9, "2": ["grey", "grey", None, None], "3": [None]},
        "finished": False,
        "kind": "layered",
        "points": 9,
        "level": 2,
        "missing": 3,
        "room": 3,
        "loot": 0,
    }
    assert (sites["13"]["kind"], sites["13"]["missing"], sites["13"]["room"]) == ("motley", 3, 0)
    assert (sites["4"]["kind"], sites["4"]["owner"]) == ("mono", None)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ("....", 0),
        ("R...", 0),
        ("RG..", 2),
        ("R..R", 0),
        ("RGG.", 2),
        ("RRG.", 3),
        ("RGKR", 3),
        ("R..G", 3),
        (".RG.", 3),
    ],
)
def test_the_outlook_of_a_small_pyramid_for_experts(cells: str, kind: int) -> None:
    row = [NONE if letter == "." else "RGKWS".index(letter) for letter in cells + "."]
    assert outlook(SMALL, row, True) == (kind, (4, 3, 2, 1)[kind])


def test_the_story_of_a_round_is_kept_for_its_summary() -> None:
    given = {
        "phase": "auction",
        "players": 2,
        "queue": [1],
        "market": ["RRRRR", "GGGGG"],
        "bids": {0: {"v1": 1}},
        "owner": {13: 1, 15: 0},
        "blocks": {13: ["RR.."], 15: ["RRRR"]},
        "overseers": {0: ["13-A", 16]},
        "workers": {0: ["13-B", "15-A"]},
        "orders": {0: {"o1": "14-A"}, 1: {"o0": "14-A"}},
    }
    session = session_of(given)
    for seat, text in (
        (1, "bid_confirm"),
        (1, "overseers_confirm"),
        (0, "overseers_confirm"),
        (0, "workers_end"),
        (1, "workers_end"),
        (0, "steal_block 13 1 0"),
        (0, "steal_end"),
        (0, "take_over 13"),
        (0, "takeover_end"),
        (0, "build_block 15 2 0 red"),
        (0, "build_end"),
    ):
        session.play(seat, read(text))
    view = session.state.view(None)
    assert (view["story"], view["round"]) == ([], 3)
    assert view["last_story"] == [
        {"event": "sold", "group": 1, "seat": 0, "bid": 1, "blocks": ["red"] * 5},
        {"event": "unsold", "group": 2, "seat": None, "bid": 0, "blocks": ["grey"] * 5},
        {"event": "claimed", "seat": 0, "site": 14},
        {"event": "bounced", "seat": 1, "place": "14-A"},
        {"event": "stolen", "seat": 0, "other": 1, "site": 13, "block": "red"},
        {"event": "taken_over", "seat": 0, "other": 1, "site": 13},
        {"event": "finished", "seat": 0, "site": 15, "kind": "mono"},
        {"event": "fed", "seat": 0, "count": 5},
    ]
    assert view["rounds_left"] == 10  # 25 blocks are missing, 5 came in two rounds
    assert view["revealed"] == [{"1": ["v1"]}, {}]


def test_unsold_blocks_appear_in_the_story_as_food() -> None:
    given = {"phase": "auction", "options": ["advanced_unsold_to_pharaoh"], "queue": [3]}
    state = position({**given, "market": ["RRGGK"]})
    state.apply(3, ("bid_confirm",), Table("fed", 1))
    assert state.view(None)["story"][-1] == {"event": "fed", "seat": None, "count": 5}


@pytest.mark.parametrize(
    ("fed", "pharaoh", "left"),
    [
        ([0], 0, None),
        ([4, 0], 4, 7),  # 26 missing, 4 a round
        ([4, 6, 0], 10, 4),  # the round in progress does not count
        ([4, 6, 2], 12, 4),
        ([9, 2, 2, 2, 0], 15, 8),  # nor does what was long ago
        ([9, 0, 0, 0, 0], 9, None),
    ],
)
def test_the_pace_of_the_pharaoh_tells_how_many_rounds_are_left(
    fed: list[int], pharaoh: int, left: int | None
) -> None:
    state = position({"phase": "auction", "pharaoh": pharaoh})
    state.fed = fed
    assert rounds_left(state) == left


def test_points_are_shown_to_whom_they_concern() -> None:
    state = position({"phase": "overseers_secret", "orders": {0: {"o0": "13-A"}}})
    points = [
        [shown["points_left"] for shown in state.view(seat)["seats"]] for seat in (0, 1, None)
    ]
    assert points == [[5, None, None, None], [None, 6, None, None], [None] * 4]
    assert [shown["points_left"] for shown in state.view(OPEN)["seats"]] == [5, 6, 6, 6]
    walking = position({"phase": "workers", "queue": [2, 3]})
    assert [shown["points_left"] for shown in walking.view(0)["seats"]] == [None, None, 6, None]
    bidding = position({"phase": "auction"})
    assert [shown["points_left"] for shown in bidding.view(0)["seats"]] == [None] * 4


def test_moves_are_written_as_in_the_rules() -> None:
    moves: dict[str, Move] = {
        "bid_place v4 2": ("bid_place", "v4", 2),
        "overseer_move 0 8-C": ("overseer_move", 0, "8-C"),
        "worker_move 4 16": ("worker_move", 4, 16),
        "build_block 15 1 0 red": ("build_block", 15, 1, 0, COLOURS[0]),
    }
    for text, move in moves.items():
        assert (read(text), write(move)) == (move, text)
