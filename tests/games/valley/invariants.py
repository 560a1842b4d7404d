"""What always holds in a position of Valley of the Kings (docs/rules/valley.md §8, by its numbers).

6, 10, 12 and 14-17 are about steps and whole matches: test_properties.py follows those.
"""

import json
from collections import Counter

from games.engine.contract import OPEN
from games.valley.components import (
    COLOURS,
    COPIES,
    FIRST_SPACE,
    GROUP,
    NONE,
    OVERSEERS,
    PER_WORKER,
    PHARAOH,
    PLACE,
    POINTS,
    ROWS,
    SCARABS,
    SHAPES,
    SITES,
    TABLETS,
    WORKERS,
)
from games.valley.rules import ValleyState
from games.valley.scoring import MONO, is_finished, points

BAG_AT_LEAST = {2: 65, 3: 23, 4: 8}


def invariants(state: ValleyState) -> None:
    assert_blocks_are_all_there(state)
    assert_scarabs_are_all_there(state)
    assert_figures_stand_alone(state)
    assert_pyramids_are_sound(state)
    assert_phases_are_sound(state)
    assert_turn_is_sound(state)
    assert_views_hide(state)


def assert_blocks_are_all_there(state: ValleyState) -> None:
    """1 and 2."""
    lie = Counter(state.bag + state.pharaoh + state.discard)
    for group in state.market:
        lie.update(group)
    for row in state.blocks:
        lie.update(colour for colour in row if colour != NONE)
    for stock in state.stocks:
        lie.update(dict(enumerate(stock)))
    assert lie == dict.fromkeys(range(len(COLOURS)), COPIES)
    assert len(state.pharaoh) <= PHARAOH
    assert not state.discard or len(state.pharaoh) == PHARAOH
    assert sum(state.fed) == len(state.pharaoh)


def assert_scarabs_are_all_there(state: ValleyState) -> None:
    """3."""
    for seat, supply in enumerate(state.scarabs):
        assert supply >= 0
        assert supply + state.owner.count(seat) == SCARABS
    for site in {0, *SITES} - {*state.sites()}:
        assert state.owner[site] == NONE


def assert_figures_stand_alone(state: ValleyState) -> None:
    """4 and 11."""
    nodes = [node for own in (*state.overseers, *state.workers) for node in own]
    assert len(nodes) == state.players * (OVERSEERS + WORKERS)
    on_spaces = [node for node in nodes if node >= FIRST_SPACE]
    assert len(set(on_spaces)) == len(on_spaces)
    assert {PLACE[node] for node in on_spaces} <= {*state.sites()}
    if state.round == 1:
        for seat in range(state.players):
            for node in state.overseers[seat] + state.workers[seat]:
                assert node < FIRST_SPACE or state.owner[PLACE[node]] in (NONE, seat)
    derived = state.clone()
    derived.survey()
    assert derived.dump() == state.dump()


def assert_pyramids_are_sound(state: ValleyState) -> None:
    """5, and the second half of 14."""
    for site in SITES:
        row = state.blocks[site]
        rows = [row[start:end] for start, end in ROWS[SHAPES[site]][1:-1]]
        open_levels = [level for level, cells in enumerate(rows) if NONE in cells]
        assert is_finished(state, site) == (not open_levels)
        for above in rows[open_levels[0] + 1 :] if open_levels else ():
            assert set(above) == {NONE}
        if state.owner[site] == NONE:
            assert set(row) == {NONE}
    for seat, total in enumerate(points(state)):
        own = [site for site in SITES if state.owner[site] == seat and is_finished(state, site)]
        assert total <= sum(SHAPES[site].points[MONO] for site in own)


def assert_phases_are_sound(state: ValleyState) -> None:
    """7, 8, 9, 13, and the first half of 11."""
    assert (state.phase == "finished") == bool(state.end_reason) == (not state.to_act())
    if state.end_reason == "abandoned":  # at once, whatever lay on the table
        return
    if state.phase == "auction":
        sizes = [len(group) for group in state.market]
        assert sizes[:-1] == [GROUP] * (len(sizes) - 1)
        assert 1 <= sizes[-1] <= GROUP
        assert len(sizes) == state.players + 1 or (state.players == 4 and not state.bag)
        assert len(state.bag) + sum(sizes) >= BAG_AT_LEAST[state.players]
        assert not any(map(any, state.stocks))
        for bid in state.bids:
            assert len(bid) == len(TABLETS)
            assert set(bid) <= set(range(len(sizes) + 1))
    else:
        assert state.market == []
        assert not any(map(any, state.bids))
    if state.phase == "build":
        gone = set(range(state.players)) - set(state.queue)
        assert not any(any(state.stocks[seat]) for seat in gone)
    assert not (state.round == 1 and state.phase in ("steal", "takeover", "overseers_secret"))
    assert not (state.round > 1 and state.phase == "overseers_open")
    assert state.phase == "overseers_secret" or not any(state.ready)


def assert_turn_is_sound(state: ValleyState) -> None:
    """10 and 12, as far as a position shows them."""
    assert 0 <= state.points_left <= POINTS
    assert len(set(state.moved)) == len(state.moved) <= WORKERS
    for seat in range(state.players):
        assert state.order_points(seat) >= 0
        planned = [
            stands if order == NONE else order
            for stands, order in zip(state.overseers[seat], state.orders[seat], strict=True)
        ]
        assert planned[0] != planned[1] or planned[0] < FIRST_SPACE
    if state.phase in ("steal", "build"):
        seat = state.queue[0]
        for site, count in enumerate(state.used):
            assert count <= PER_WORKER * state.workers_on(seat, site)


def assert_views_hide(state: ValleyState) -> None:
    """18: nobody reads a draft bid, a tablet's value or an order of somebody else."""
    if state.phase == "finished":
        return
    for viewer in (*range(state.players), None):
        view = state.view(viewer)
        assert set(view) == set(state.view(OPEN))
        for seat, shown in enumerate(view["seats"]):
            if seat != viewer:
                assert (shown["bid"], shown["hand"], shown["orders"]) == ({}, [], {})
                closed = state.phase == "auction" and seat not in state.queue
                assert closed or (shown["laid"], shown["tablets"]) == ({}, len(TABLETS))
        assert json.dumps(view).count('"v4"') <= sum(
            json.dumps(shown).count('"v4"') for shown in [view["revealed"], view["seats"]]
        )
