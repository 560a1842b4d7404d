"""Bots of Cheops: legal, blind to what is hidden, better than chance, no fools."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from games.cheops.bot import MIND, Market, estimates, judge, ranked
from games.cheops.components import COLOURS
from games.cheops.rules import CheopsState
from games.engine.contract import Move
from games.engine.search import choose, think, uniform
from games.engine.session import ranks
from games.engine.table import Silent
from tests.games.cheops.positions import position

LONG = 60.0  # seconds: so many that only the iterations end a thought
SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5])

Decide = Callable[[CheopsState, int], Move]


def silent(seed: int = 1) -> Silent:
    return Silent(Random(seed))


def easy(state: CheopsState, seat: int) -> Move:
    return choose(state, seat, silent(), MIND, seconds=0)


def chance(seed: int) -> Decide:
    table = silent(seed)
    return lambda state, seat: uniform(state, seat, state.legal(seat), table)


def thinking(iterations: int) -> Decide:
    return lambda state, seat: think(
        state, seat, silent(), MIND, seconds=LONG, iterations=iterations
    )


def positions(seats: int, seed: int = 1) -> Iterator[CheopsState]:
    """Walk through a match of which half the moves are random."""
    table = silent(seed)
    state = CheopsState.setup(seats, {}, table)
    players = [chance(seed), easy]
    while state.to_act():
        yield state
        state.apply(state.current, players[table.below(2)](state, state.current), table)


def victories(hero: Decide, rival: Callable[[int], Decide], games: int) -> float:
    """Count the hero's victories over one rival, from both seats; a shared one counts half."""
    won = 0.0
    for game in range(games):
        table, other = silent(game // 2), rival(game)
        state = CheopsState.setup(2, {"first_player": "seat_0"}, table)
        mine = game % 2
        while state.to_act():
            decide = hero if state.current == mine else other
            state.apply(state.current, decide(state, state.current), table)
        places = ranks(state.scores())
        won += (places[mine] == 1) / places.count(1)
    return won


@SEATS
def test_what_is_worth_a_thought_is_legal_and_never_nothing(seats: int) -> None:
    for state in positions(seats):
        moves = state.legal(state.current)
        found = ranked(state, state.current, moves)
        assert found
        assert len(set(found)) == len(found)
        assert set(found) <= set(moves)
        assert ranked(state, state.current, moves[-1:]) == moves[-1:]


@SEATS
def test_looking_at_a_position_leaves_it_as_it_is(seats: int) -> None:
    for state in positions(seats, seed=2):
        before = state.dump()
        ranked(state, state.current, state.legal(state.current))
        judge(state)
        assert state.dump() == before


@SEATS
def test_rewards_lie_between_nothing_and_all(seats: int) -> None:
    for state in positions(seats, seed=3):
        assert all(0 <= share <= 1 for share in judge(state))
    assert max(judge(state)) > 0.5


def test_a_bot_decides_alike_in_worlds_it_cannot_tell_apart() -> None:
    """Only what its seat sees can move it: the thumb looks at no law and no purse of others."""
    for state in positions(3, seed=4):
        seat = state.current
        worlds = [state.determinize(seat, silent(n)) for n in range(3)]
        assert {world.legal(seat) == state.legal(seat) for world in worlds} == {True}


def test_the_rule_of_thumb_beats_chance() -> None:
    assert victories(easy, chance, 20) >= 18


@pytest.mark.slow
def test_a_little_thought_beats_the_rule_of_thumb() -> None:
    assert victories(thinking(30), lambda game: easy, 8) >= 4


# --- single judgements --------------------------------------------------------------------------


def test_a_colour_under_a_sales_ban_is_worth_what_it_shows() -> None:
    state = position({"fixture": 3, "under": {"red": "must_keep"}, "sold": {"red": 3}})
    market = Market(state)
    red = COLOURS.index("red")
    seen = market.outlook(red, 3)
    assert (seen.plain, seen.times, seen.gap) == (30.0, 0.0, 0.0)


def test_the_law_new_number_changes_the_outlook_of_its_board_alone() -> None:
    given = {"fixture": 3, "under": {"red": "must_keep"}, "sold": {"red": 3}}
    before = Market(position(given))
    after = Market(position({**given, "new_number": {"colour": "red", "position": 4}}))
    red, blue = COLOURS.index("red"), COLOURS.index("blue")
    assert (before.outlook(red, 3).plain, after.outlook(red, 3).plain) == (30.0, 20.0)
    assert after.outlook(blue, 0) == before.outlook(blue, 0)


def test_a_leader_ends_the_match_and_a_straggler_does_not() -> None:
    given = {
        "fixture": 2,
        "phase": "resolve_treasure",
        "pending_treasure": "red",
        "main_done": True,
        "sold": {"red": 3, "brown": 4},
    }
    ahead = position({**given, "money": {0: 50, 1: 0}})
    behind = position({**given, "money": {0: 0, 1: 50}})
    assert easy(ahead, 0) == ("sell_treasure",)
    assert easy(behind, 0) == ("keep_treasure",)


def test_a_worthless_treasure_is_sold_and_a_precious_one_kept() -> None:
    given = {"fixture": 3, "phase": "resolve_treasure", "main_done": True}
    worthless = {"pending_treasure": "green", "sold": {"green": 2}, "boards": {"green": "I-6"}}
    assert easy(position({**given, **worthless}), 0) == ("sell_treasure",)
    precious = {"pending_treasure": "red", "sold": {"red": 3}, "boards": {"red": "I-4"}}
    assert easy(position({**given, **precious}), 0) == ("keep_treasure",)


def test_the_joker_counts_for_its_owner() -> None:
    given = {"fixture": 3, "under": {"red": "must_keep"}, "sold": {"red": 3}}
    without = estimates(position(given))
    owned = estimates(position({**given, "joker_owner": 1}))
    assert owned[1] - without[1] >= 30
    assert (owned[0], owned[2]) == (without[0], without[2])


def test_a_third_tile_of_a_kind_is_not_wanted() -> None:
    given = {"fixture": 3, "phase": "wrap_up", "main_done": True}
    full = {"hands": {0: {"grandfather": 2, "son": 1}}}
    assert easy(position({**given, **full}), 0) == ("end_turn",)
    short = {"hands": {0: {"grandfather": 2}}}
    assert easy(position({**given, **short}), 0) == ("draw_family", 1)
