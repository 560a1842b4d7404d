"""What always holds in the toy: nothing is lost and nothing is made."""

from tests.toy import CARDS, Scarabs


def invariants(state: Scarabs) -> None:
    held = [card for hand in state.hands for card in hand]
    bids = [bid for bid in state.bids if bid in CARDS]
    assert sorted(held + bids + state.spent + state.deck) == CARDS
    jewels = [jewel for jewel in state.jewels if jewel] + [
        jewel for loot in state.loot for jewel in loot
    ]
    assert sorted(jewels) == sorted([1, 2, 3] * len(state.hands))
