"""What holds in every position of Sakkara (docs/rules/sakkara.md §8, by their numbers there).

Those about one position stand in `invariants`, those about a step from one to the next in
`step_invariants`. The conformance tests call the first by its name.
"""

from collections import Counter

from games.engine.contract import Move, State
from games.sakkara.components import (
    BUILDINGS,
    DECK,
    GRAIN,
    SHIP,
    SLOTS,
    TIER,
    TIER_SIZE,
    TIERS,
    UNKNOWN,
)
from games.sakkara.rules import SakkaraState

LOWER_CARDS = 26


def invariants(position: State) -> None:
    """Assert what holds in every reachable position."""
    assert isinstance(position, SakkaraState)
    _every_card_is_somewhere_once(position)
    _workers_stand_apart(position)
    for seat in (0, 1):
        _supplies_and_pyramid_are_sound(position, seat)
    _hands_are_within_their_limits(position)
    _turn_is_sound(position)
    _unknown_cards_lie_under_others(position)
    _only_the_active_seat_may_act(position)
    _hands_are_hidden(position)


def _every_card_is_somewhere_once(state: SakkaraState) -> None:
    found = Counter(card % UNKNOWN for stack in state.board for card in stack)
    for cards in (*state.hands, state.pile, state.destroyed, state.returns):
        found.update(cards)
    for pyramid in state.pyramids:
        found.update(Counter(dict(enumerate(pyramid))).elements())
    found[SHIP] += sum(state.ships)
    found[GRAIN] += sum(state.grain)
    assert found == Counter(DECK)  # 1


def _workers_stand_apart(state: SakkaraState) -> None:
    standing = state.workers[0] + state.workers[1]
    assert len(set(standing)) == len(standing)  # 2
    assert len(standing) == 4 or state.phase == "setup_place"


def _supplies_and_pyramid_are_sound(state: SakkaraState, seat: int) -> None:
    tier, pyramid = state.tier[seat], state.pyramids[seat]
    assert state.ships[seat] in (0, 1)  # 3
    assert 0 <= state.grain[seat] <= min(tier, 3)
    assert all(built <= slots for built, slots in zip(pyramid, SLOTS, strict=True))  # 4
    full = sum(TIER_SIZE[:tier])
    assert sum(pyramid[card] for card in BUILDINGS if TIER[card] < tier) == full
    assert not any(pyramid[card] for card in BUILDINGS if TIER[card] > tier)
    assert tier > len(TIERS) or sum(pyramid) < full + TIER_SIZE[tier]
    assert (tier > len(TIERS)) <= (state.end_reason == "pyramid")  # 12


def _hands_are_within_their_limits(state: SakkaraState) -> None:
    if state.phase == "setup_place":
        return
    assert len(state.hands[1 - state.active]) <= 10  # 5
    if state.phase == "discard":
        assert len(state.hands[state.active]) > 10


def _turn_is_sound(state: SakkaraState) -> None:
    if state.phase != "game_over":
        assert bool(state.returns) == (state.phase == "place_returns")  # 6
        assert state.stall < 60  # 13
        assert state.turn_number < 240
    if state.phase == "main":
        assert not state.line or state.line == state.moved  # 7
    assert state.built_this_turn or not state.tier_done  # 8
    assert state.stall <= state.turn_number
    assert state.destroyed.count(SHIP) <= 1  # 15
    assert state.destroyed.count(GRAIN) <= 3
    assert state.tier[0] < 4 or state.tier[1] < 4


def _unknown_cards_lie_under_others(state: SakkaraState) -> None:
    unknown = [
        place for stack in state.board for place, card in enumerate(stack) if card >= UNKNOWN
    ]
    assert len(unknown) <= LOWER_CARDS  # 9
    assert set(unknown) <= {0}
    assert all(stack[-1] < UNKNOWN for stack in state.board if stack)  # 10
    assert all(card < UNKNOWN for hand in state.hands for card in hand)


def _only_the_active_seat_may_act(state: SakkaraState) -> None:
    over = state.phase == "game_over"
    assert bool(state.legal(state.active)) != over  # 14
    assert state.legal(1 - state.active) == []


def _hands_are_hidden(state: SakkaraState) -> None:
    if state.phase == "game_over":
        return
    thief = state.active if state.phase == "snake_pick" else None
    views = {viewer: state.view(viewer) for viewer in (0, 1, None)}
    for viewer, view in views.items():
        for seat in (0, 1):
            seen = viewer == seat or state.open_holders or (viewer is not None and viewer == thief)
            assert (view["seats"][seat].pop("hand") is not None) == seen  # 16
            view["seats"][seat].pop("uses")
        view.pop("you")
    assert views[0] == views[1] == views[None]  # 17


def step_invariants(before: SakkaraState, move: Move, after: SakkaraState) -> None:
    """Assert what holds between a position and the next."""
    hidden = [
        sum(card >= UNKNOWN for stack in state.board for card in stack) for state in (before, after)
    ]
    assert hidden[1] <= hidden[0]  # 9
    if move[0] == "place_stack":  # 6
        placed = len(before.returns) - len(after.returns)
        assert 1 <= placed <= 9
        assert placed >= 3 or not after.returns
    elif before.phase == "place_returns":
        raise AssertionError(f"{move} while cards are to be placed")
    assert sum(map(sum, after.pyramids)) - sum(map(sum, before.pyramids)) == (move[0] == "build")
