"""What holds in every position of Obelisk (docs/rules/obelisk.md §8, by their numbers there).

Those about one position stand in `invariants`, those about a step from one to the next in
`step_invariants`. The conformance tests call the first by its name.
"""

from collections import Counter

from games.engine.contract import State
from games.obelisk.components import BUILDING, COLOR, NO_CARD, VALUE, action_cards
from games.obelisk.duties import purchase_is_due
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import CARDS, FOUNDATION, HUE, TOP, Obelisk, values

MOST_CAMELS = 6


def invariants(position: State) -> None:
    """Assert what holds in every reachable position."""
    assert isinstance(position, ObeliskState)
    if position.phase == "setup_market":
        _before_the_markets_open(position)
        return
    _every_card_is_somewhere_once(position)
    _camels_are_never_lost(position)
    for own in position.obelisks:
        for obelisk in own:
            _values_fall_one_by_one(obelisk)
    _hands_are_within_their_limits(position)
    _display_is_full_or_nothing_is_left(position)
    _turn_is_sound(position)
    assert all(0 <= points <= 10 for own in position.breakdown() for points in own)  # 12


def _before_the_markets_open(state: ObeliskState) -> None:
    dealt = [card for hand in state.hands for card in hand]
    assert len(set(dealt)) == len(dealt) == 7 * state.players  # 1, 6: the rest is in the box
    assert all(card in range(BUILDING) for card in dealt)
    for hand, choice in zip(state.hands, state.choices, strict=True):
        assert len(choice) in (0, 2)
        assert set(choice) <= set(hand)


def _every_card_is_somewhere_once(state: ObeliskState) -> None:
    below = [obelisk[FOUNDATION] for own in state.obelisks for obelisk in own]
    stones = [card for own in state.obelisks for obelisk in own for card in obelisk[CARDS:]]
    zones = [*state.piles, *state.hands, *state.markets, *state.actions, below, stones]
    zones += [state.draw, state.display, state.discard]
    found = Counter(card for zone in zones for card in zone if card != NO_CARD)
    assert found == Counter([*range(BUILDING), *action_cards(state.players)])  # 1, 2
    for seat, seen in enumerate(state.seen):
        own = [obelisk[FOUNDATION] for obelisk in state.obelisks[seat]]
        assert set(seen) - {NO_CARD} <= {*state.hands[seat], *own}


def _camels_are_never_lost(state: ObeliskState) -> None:
    expected = MOST_CAMELS if state.players == 2 else state.players
    assert sum(state.camels) + sum(state.pile_camels) == expected  # 3
    assert min(state.camels + state.pile_camels) >= 0
    for pile, camels in zip(state.piles, state.pile_camels, strict=True):
        assert not camels or (pile and state.players == 2)


def _values_fall_one_by_one(obelisk: Obelisk) -> None:
    cards = obelisk[CARDS:]
    worth = list(values(obelisk))
    assert len(worth) == len(cards) <= 5  # 4
    assert all(1 <= value <= 5 for value in worth)
    assert all(VALUE[card] in (0, value) for card, value in zip(cards, worth, strict=True))
    assert (obelisk[HUE] >= 0) == bool(cards)
    assert not cards or obelisk[HUE] in {COLOR[card] for card in cards}


def _hands_are_within_their_limits(state: ObeliskState) -> None:
    for seat, hand in enumerate(state.hands):  # 6
        if state.players == 2:
            assert len(hand) >= 3
        elif state.last_round == "none" and seat != state.active:
            assert len(hand) <= 6


def _display_is_full_or_nothing_is_left(state: ObeliskState) -> None:
    assert len(state.display) == 3
    assert NO_CARD not in state.display or not (state.draw or state.discard)  # 7


def _turn_is_sound(state: ObeliskState) -> None:
    assert (state.last_round == "none") == (state.piles.count([]) < state.players)  # 8
    assert state.takes_left >= 0
    assert state.last_round != "limited" or state.takes_left == 0  # 9
    if state.phase != "turn":
        return
    moves = state.legal(state.active)
    assert moves  # 10
    if state.pending_action:
        assert moves[0][0] == "pick_action"  # 11
    if purchase_is_due(state):  # 15
        assert any(state.markets[: state.active] + state.markets[state.active + 1 :])


def step_invariants(before: ObeliskState, move: tuple[int | str, ...], after: ObeliskState) -> None:
    """Assert what holds between a position and the next."""
    if before.phase == "setup_market":
        return
    for pile, now in zip(before.piles, after.piles, strict=True):
        assert now == pile[: len(now)]  # 8: a pile only loses its top
    rounds = ("none", "trigger", "limited", "full")
    assert rounds.index(after.last_round) >= rounds.index(before.last_round)
    if before.last_round == "limited":  # 9
        untouched = ("piles", "markets", "camels", "pile_camels", "overseer")
        assert all(getattr(before, name) == getattr(after, name) for name in untouched)
    if after.pending_action:  # 11
        assert move[0] == "build"
        assert after.obelisks[after.active][int(move[2])][TOP] == 1
    if not after.expert:  # 12
        assert all(
            now[0] >= then[0] for now, then in zip(after.scores(), before.scores(), strict=True)
        )


def odd_cards(obelisk: Obelisk) -> int:
    """Count the cards of another colour than the obelisk's (5)."""
    return sum(COLOR[card] != obelisk[HUE] for card in obelisk[CARDS:])
