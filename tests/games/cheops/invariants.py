"""What always holds in a position of Cheops (docs/rules/cheops.md §8, by its numbers).

The sums of money in 9, and 13, are about a whole match: test_rules.py follows those.
"""

from games.cheops.components import (
    ABOVE,
    ACTION_LAWS,
    AROUND,
    COLOURS,
    EYES,
    FAMILY,
    FIELDS,
    FULL,
    HAND,
    KINDS,
    LAW,
    LAWS,
    NEIGHBOUR,
    NEIGHBOURS,
    NONE,
    SLOT_LAWS,
    SUPPORTS,
    TILE,
    TREASURES,
)
from games.cheops.offers import can_lay, laws_in_play
from games.cheops.rules import CheopsState
from tests.games.test_conformance import strings


def invariants(state: CheopsState) -> None:
    assert_treasures_are_all_there(state)
    assert_tiles_are_all_there(state)
    assert_laws_are_all_there(state)
    assert_pyramid_is_sound(state)
    assert_boards_are_sound(state)
    assert_turn_is_sound(state)
    assert_views_hide(state)


def assert_treasures_are_all_there(state: CheopsState) -> None:
    """1."""
    for colour in range(len(COLOURS)):
        assert (
            1
            + (
                state.pyramid.count(colour)
                + state.sold[colour]
                + sum(stock[colour] for stock in state.stocks)
                + state.discarded[colour]
                + (state.pending_treasure == colour)
            )
            == TREASURES
        )


def assert_tiles_are_all_there(state: CheopsState) -> None:
    """2 and 8."""
    for kind in range(len(KINDS)):
        stacked = sum(stack.count(kind) for stack in state.stacks)
        in_hands = sum(hand[kind] for hand in state.hands)
        assert stacked + in_hands + state.pyramid.count(TILE + kind) == FAMILY
    assert state.neighbours_left + state.pyramid.count(TILE + NEIGHBOUR) == NEIGHBOURS
    for seat, hand in enumerate(state.hands):
        assert all(count >= 0 for count in hand)
        assert sum(hand) <= HAND
        if not sum(hand):
            assert not any(state.stacks) or seat == state.current or state.end_reason


def assert_laws_are_all_there(state: CheopsState) -> None:
    """3 and 11."""
    face_down = [content - LAW for content in state.pyramid if LAW <= content < TILE]
    pending = [state.pending_law] if state.pending_law != NONE else []
    laws = [*face_down, *state.out_of_game, *laws_in_play(state), *state.box, *pending]
    assert sorted(laws) == list(range(len(LAWS)))
    assert len(state.out_of_game) == len(EYES)
    assert all(content < LAW or content >= TILE or spot in EYES for spot, content in _laid(state))
    assert all(law == NONE or law in SLOT_LAWS for law in state.under)


def _laid(state: CheopsState) -> list[tuple[int, int]]:
    return list(enumerate(state.pyramid))


def assert_pyramid_is_sound(state: CheopsState) -> None:
    """4, 5, 7; and what is derived from the pyramid agrees with it."""
    assert len(state.pyramid) == len(FIELDS)
    filled = [content >= TILE for content in state.pyramid]
    for spot, content in _laid(state):
        if content >= TILE:
            assert content not in [state.pyramid[other] for other in AROUND[spot]]
    floating = [
        spot
        for spot, below in enumerate(SUPPORTS)
        if filled[spot] and not all(filled[support] for support in below)
    ]
    assert len(floating) <= 1
    assert all(spot not in ABOVE[spot] for spot in floating)
    settled = state.pending_treasure == NONE and state.pending_law == NONE
    assert not settled or state.end_reason or not all(filled)
    twin = state.clone()
    twin.survey()
    assert (twin.reachable, twin.touching) == (state.reachable, state.touching)


def assert_boards_are_sound(state: CheopsState) -> None:
    """6, and the bounds of 9 and 14."""
    assert all(0 <= sold <= FULL for sold in state.sold)
    assert sum(state.sold) <= 21
    assert state.end_reason or state.sold.count(FULL) < state.threshold()
    assert all(cash >= 0 and cash % 5 == 0 for cash in state.money)
    assert all(score[0] >= 0 and score[0] % 5 == 0 for score in state.scores())


def assert_turn_is_sound(state: CheopsState) -> None:
    """10, 12, 14 and 16."""
    assert (state.pending_treasure != NONE) == (state.phase == "resolve_treasure")
    assert (state.pending_law != NONE) == (state.phase == "resolve_law")
    assert 0 <= state.idle_turns <= 2 * state.players - 1
    assert state.turn() <= 132 * state.players
    is_turn_start = state.phase == "act" and not state.laid_this_turn
    if is_turn_start and state.idle_turns >= state.players:
        assert any(can_lay(state, seat) for seat in range(state.players))
    assert (state.phase in ("declare_joker", "finished")) == bool(state.end_reason)
    moves = state.legal(state.current)
    if state.phase == "finished":
        assert moves == []
    else:
        assert state.idle(state.current) in moves


def assert_views_hide(state: CheopsState) -> None:
    """15: what is hidden stands in no view."""
    if state.phase == "finished":
        return
    hidden = {LAWS[content - LAW] for content in state.pyramid if LAW <= content < TILE}
    hidden |= {LAWS[law] for law in state.out_of_game}
    for viewer in (*range(state.players), None):
        view = state.view(viewer)
        assert not hidden & set(strings(view))
        purses = [seat["money"] for seat in view["seats"]]
        open_purses = [purse is not None for purse in purses]
        assert open_purses == [state.open_money or seat == viewer for seat in range(state.players)]
        assert [stack["below"] for stack in view["stacks"]] == [None, None, None]
        assert view["out_of_game"] is None
    assert len(ACTION_LAWS) == len(state.held[0])
