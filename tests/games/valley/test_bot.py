"""Bots of Valley of the Kings: legal, repeatable, blind to secrets, better than chance."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from games.engine.contract import Move, write
from games.engine.search import choose, think, uniform
from games.engine.session import ranks
from games.engine.table import Silent
from games.valley.bot import MIND, candidates, evaluate, settled
from games.valley.prospects import FRESH, MIXED, gaps, promise, rounds_after, usefulness
from games.valley.rules import ValleyState
from games.valley.thumb import RANKED
from tests.games.valley.positions import position

LONG = 60.0  # seconds: so many that only the iterations end a thought
SEATS = pytest.mark.parametrize("seats", [2, 3, 4])

Decide = Callable[[ValleyState, int], Move]


def silent(seed: int = 1) -> Silent:
    return Silent(Random(seed))


def easy(state: ValleyState, seat: int, seed: int = 1) -> Move:
    return choose(state, seat, silent(seed), MIND, seconds=0)


def chance(seed: int) -> Decide:
    table = silent(seed)
    return lambda state, seat: uniform(state, seat, state.legal(seat), table)


def walk(seats: int, seed: int = 1, chequered: int = 0) -> Iterator[ValleyState]:
    """A match of which half the moves are random."""
    table = silent(seed)
    state = ValleyState.setup(seats, {"expert_chequered": chequered}, table)
    players = [chance(seed), easy]
    while called := state.to_act():
        yield state
        seat = called[-1]
        state.apply(seat, players[table.below(2)](state, seat), table)


@SEATS
def test_what_is_worth_a_thought_is_legal_and_includes_stopping(seats: int) -> None:
    for state in walk(seats, chequered=seats % 2):
        for seat in state.to_act():
            moves = state.legal(seat)
            chosen = candidates(state, seat, moves)
            assert set(chosen) <= set(moves)
            assert len(set(chosen)) == len(chosen)
            assert moves[-1] in chosen
            ranked = [move for _score, move in RANKED[state.phase](state, seat)]
            assert set(ranked) <= set(moves)
            assert moves[-1] in ranked


def test_a_rule_of_thumb_changes_nothing() -> None:
    for state in walk(3):
        before = state.dump()
        for seat in state.to_act():
            easy(state, seat)
            candidates(state, seat, state.legal(seat))
        evaluate(state)
        assert state.dump() == before


def test_the_same_luck_gives_the_same_thought() -> None:
    state = position({"phase": "auction", "players": 2})
    thoughts = {
        write(think(state, 0, silent(), MIND, seconds=LONG, iterations=12)) for _ in range(3)
    }
    assert len(thoughts) == 1


def test_bids_and_orders_are_mixed() -> None:
    """The same position is not always played alike: a rival cannot know what is laid."""
    market = ["RRGKS", "RRGKS", "RRGKS"]
    bidding = position({"phase": "auction", "players": 2, "market": market})
    first = Counter(write(easy(bidding, 0, seed)) for seed in range(60))
    assert len(first) > 3
    assert any(text.split()[1][0] == "b" for text in first if " " in text)  # now and then a bluff
    ordering = position({"phase": "overseers_secret", "players": 2})
    assert len({write(easy(ordering, 0, seed)) for seed in range(60)}) > 3


@pytest.mark.parametrize("phase", ["auction", "overseers_secret"])
def test_what_is_bid_and_ordered_after_some_thought_is_mixed_as_well(phase: str) -> None:
    state = position({"phase": phase, "players": 2, "owner": {13: 0}})
    thoughts = {
        write(think(state, 0, silent(seed), MIND, seconds=LONG, iterations=20))
        for seed in range(12)
    }
    assert len(thoughts) > 2


def test_a_bluff_is_worth_a_thought_where_a_bid_lies_already() -> None:
    given: dict[str, Any] = {"phase": "auction", "players": 2}
    for bid, bluffs in (
        ({"v4": 2}, [("bid_place", "b1", 2)]),
        ({"v4": 2, "b1": 3, "b2": 3}, [("bid_place", "b3", 3)]),
        ({"b1": 1, "b2": 1, "b3": 1, "b4": 1}, []),
    ):
        state = position({**given, "bids": {0: bid}})
        chosen = candidates(state, 0, state.legal(0))
        assert [move for move in chosen if str(move[-2:][0])[0] == "b" and len(move) == 3] == bluffs


def test_positions_are_judged_between_rounds() -> None:
    assert settled(position({"phase": "auction", "players": 2}))
    assert not settled(position({"phase": "auction", "players": 2, "bids": {0: {"v1": 1}}}))
    assert not settled(position({"phase": "auction", "players": 2, "queue": [1]}))
    assert not settled(position({"phase": "build", "players": 2}))
    gone = position({"phase": "auction", "players": 3, "queue": [1, 2], "left": [0]})
    assert settled(gone)


def test_different_seats_prefer_different_spaces() -> None:
    state = position({"phase": "overseers_secret"})
    doors = []
    for seat in range(4):
        moves = [move for _score, move in RANKED[state.phase](state, seat)]
        doors.append({move[2] for move in moves if move[1:2] == (0,)})
    assert len(set.union(*doors)) == sum(map(len, doors))


def victories(hero: Decide, rival: Decide, games: int) -> float:
    won = 0.0
    for game in range(games):
        table, me = silent(game // 2), game % 2
        state = ValleyState.setup(2, {}, table)
        while called := state.to_act():
            seat = called[0]
            state.apply(seat, (hero if seat == me else rival)(state, seat), table)
        places = ranks(state.scores())
        won += (places[me] == 1) / places.count(1)
    return won


def test_the_rule_of_thumb_beats_chance() -> None:
    assert victories(lambda state, seat: easy(state, seat), chance(1), 10) >= 9


@pytest.mark.slow
def test_a_little_thought_beats_the_rule_of_thumb() -> None:
    """Each has a luck of its own that runs on, or all games would be much alike."""
    mine, his = silent(101), silent(102)

    def thoughtful(state: ValleyState, seat: int) -> Move:
        return think(state, seat, mine, MIND, seconds=LONG, iterations=12)

    def thoughtless(state: ValleyState, seat: int) -> Move:
        return choose(state, seat, his, MIND, seconds=0)

    assert victories(thoughtful, thoughtless, 24) >= 16


# --- no fools ---------------------------------------------------------------------------------


def best(given: dict[str, Any], seat: int = 0) -> str:
    state = position(given)
    return write(max(RANKED[state.phase](state, seat))[1])


def test_a_pyramid_is_finished_when_it_can_be() -> None:
    given = {"phase": "build", "players": 2, "owner": {13: 0}, "workers": {0: ["13-A"]}}
    assert (
        best({**given, "blocks": {13: ["RRRR"]}, "stock": {0: "W"}}) == "build_block 13 2 0 white"
    )


def test_a_level_of_one_colour_is_not_spoilt_while_there_is_time() -> None:
    given = {"phase": "build", "players": 2, "owner": {13: 0}, "workers": {0: ["13-A"]}}
    assert best({**given, "blocks": {13: ["RR.."]}, "stock": {0: "WR"}}) == "build_block 13 1 2 red"
    assert best({**given, "blocks": {13: ["RRR."]}, "stock": {0: "W"}}) == "build_end"


def test_with_the_end_in_sight_any_pyramid_is_better_than_none() -> None:
    given = {
        "phase": "build",
        "players": 2,
        "pharaoh": 30,
        "owner": {13: 0},
        "workers": {0: ["13-A"]},
        "blocks": {13: ["RRRG"]},
        "stock": {0: "W"},
    }
    assert best(given) == "build_block 13 2 0 white"


def test_in_the_last_round_a_pyramid_that_can_still_be_finished_is_finished() -> None:
    given = {
        "players": 2,
        "pharaoh": 28,
        "owner": {13: 0},
        "blocks": {13: ["R..."]},
        "stock": {0: "GKWS"},
    }
    assert best({**given, "phase": "workers"}).startswith("worker_move 0 13-")
    there = {**given, "phase": "build", "workers": {0: ["13-A", "13-B"]}}
    assert best(there).startswith("build_block 13 1 1")


def test_in_the_last_round_blocks_of_any_colour_are_bought() -> None:
    given = {
        "phase": "auction",
        "players": 2,
        "market": ["GGKWS", "RRRRR", "KWSKW"],
        "owner": {13: 0, 14: 0},
        "blocks": {13: ["GG.."], 14: ["GG.."]},
    }
    early, late = (
        {move: score for score, move in RANKED["auction"](position(given | end), 0)}
        for end in ({}, {"pharaoh": 28})
    )
    fitting, foreign = ("bid_place", "v4", 1), ("bid_place", "v4", 2)
    assert early[fitting] > 0 > early[foreign]
    assert late[fitting] == late[foreign] > 0


def test_odd_blocks_go_to_the_hidden_centre() -> None:
    given = {
        "phase": "build",
        "players": 2,
        "owner": {8: 0},
        "workers": {0: ["8-A"]},
        "blocks": {8: ["RRR......"]},
        "stock": {0: "W"},
    }
    assert best(given) == "build_block 8 1 4 white"


def test_a_rich_site_is_taken_over_and_not_robbed_before() -> None:
    given = {
        "players": 2,
        "owner": {12: 1},
        "blocks": {12: ["KKKKKKKKK", "KK.."]},
        "overseers": {0: ["12-A", "12-B"], 1: ["12-D", 16]},
        "workers": {0: ["12-C", "12-E"], 1: ["12-F"]},
    }
    assert best({"phase": "steal", **given}) == "steal_end"
    assert best({"phase": "takeover", **given}) == "take_over 12"
    fewer = {**given, "workers": {0: ["12-C"], 1: ["12-F"]}}
    assert best({"phase": "steal", **fewer}).startswith("steal_block 12 2")


def test_workers_go_where_their_blocks_are_wanted() -> None:
    given = {
        "phase": "workers",
        "players": 2,
        "owner": {8: 0},
        "blocks": {8: ["RR......."]},
        "stock": {0: "RRR"},
    }
    assert best(given).startswith("worker_move 0 8-")
    there = {**given, "workers": {0: ["8-A", "8-B"]}}
    assert best(there) == "workers_end"


def test_workers_help_to_win_a_site() -> None:
    given = {
        "phase": "workers",
        "players": 2,
        "owner": {12: 1},
        "blocks": {12: ["KKKKKKKKK", "KK.."]},
        "overseers": {0: ["12-A", "12-B"]},
        "workers": {1: ["12-F"]},
    }
    assert best(given).startswith("worker_move 0 12-")


def test_a_useless_group_is_worth_no_tablet() -> None:
    given = {"phase": "auction", "players": 2, "market": ["WWWWW", "RRRRR", "WWWWW"]}
    ground = {"owner": {13: 0, 14: 0}, "blocks": {13: ["RRR."], 14: ["RR.."]}}
    assert best({**given, **ground}) == "bid_place v4 2"


def test_no_order_goes_to_a_full_site() -> None:
    spaces = [f"13-{letter}" for letter in "ABCDEFGH"]
    given = {"phase": "overseers_secret", "workers": {1: spaces[:5], 2: spaces[5:]}}
    state = position(given)
    assert not [move for _score, move in RANKED[state.phase](state, 0) if "13-" in write(move)]
    walking = position({**given, "phase": "workers", "owner": {13: 0}, "stock": {0: "RRRR"}})
    assert RANKED["workers"](walking, 0) == [(0.0, ("workers_end",))]


# --- judgement --------------------------------------------------------------------------------


def test_a_level_is_described_by_its_look_and_its_gaps() -> None:
    blocks = {8: ["RR.RR...."], 4: ["RRRRRRRRR", "RG.."], 13: ["...."], 12: ["....R...."]}
    state = position({"phase": "build", "owner": dict.fromkeys(blocks, 0), "blocks": blocks})
    assert [gaps(state, site) for site in (8, 4, 13, 12)] == [
        (0, 5, 0),
        (MIXED, 2, 0),
        (FRESH, 4, 0),
        (FRESH, 8, 0),
    ]


def test_blocks_are_worth_most_where_they_fit() -> None:
    red, white = [0] * 5, [3] * 5
    levels = [(13, 0, 3, 0)]
    assert usefulness(levels, red, 10) == 3
    assert usefulness(levels, white, 10) == 0
    assert usefulness([(8, FRESH, 8, 1)], red, 10) == 0.75 * 5
    assert usefulness([(8, MIXED, 4, 0)], white, 10) == 0.5 * 4
    assert usefulness(levels, red, 2) == 2


def test_a_site_promises_more_with_every_block_and_nothing_without_time() -> None:
    given = {"phase": "auction", "players": 2, "owner": {8: 0}}
    steps = ["." * 9, "RR" + "." * 7, "R" * 9]
    hopes = [promise(position({**given, "blocks": {8: [step]}}), 8) for step in steps]
    assert hopes == sorted(hopes)
    assert promise(position({**given, "blocks": {8: [steps[1]]}}), 8, rounds=0) == 0
    done = position({**given, "blocks": {8: ["R" * 9, "RRRR", "R"]}})
    assert promise(done, 8, rounds=0) == 11


def test_the_time_that_is_left_follows_the_pace_of_the_pharaoh() -> None:
    slow = position({"phase": "auction", "players": 2, "pharaoh": 4})
    fast = position({"phase": "auction", "players": 2, "pharaoh": 20})
    slow.fed, fast.fed = [2, 2, 0], [10, 10, 0]
    assert rounds_after(slow) > 5 > 1 > rounds_after(fast)


def test_who_leads_is_judged_better_and_a_result_is_a_result() -> None:
    given = {"players": 2, "owner": {13: 0, 14: 1}, "blocks": {13: ["RRRR", "R"], 14: ["R..."]}}
    ahead, behind = evaluate(position({"phase": "auction", **given}))
    assert ahead > 0.5 > behind
    over = position({"phase": "build", "queue": [1], "pharaoh": 30, **given})
    over.apply(1, ("build_end",), silent())
    assert evaluate(over) == [1.0, 0.0]
