"""The automatic turn of an absent seat (docs/rules/obelisk.md §10): legal, modest, one move each.

Uses only what the seat itself may know. Called again and again until the seat is no longer to
act; it never plays an action card but a coloured foundation that a duty calls for.
"""

from typing import TYPE_CHECKING

from games.engine.contract import Move
from games.obelisk import duties
from games.obelisk.components import CW, FOUNDATIONS, MARKET_SIZE, NAMES, NUMBER, VALUE
from games.obelisk.scoring import CARDS, TOP

if TYPE_CHECKING:
    from games.obelisk.rules import ObeliskState


def automatic(state: "ObeliskState", seat: int) -> Move:
    """Choose the next move of the automatic turn."""
    if state.phase == "setup_market":
        return _opening_market(state.hands[seat])
    if state.pending_action:
        return state.legal(seat)[0]  # the lowest filled slot
    duty = duties.unmet(state, seat)
    if duty == "must_take":
        return _take(state)
    if state.players == 2:
        return ("end_turn",)
    if state.last_round == "limited":
        return _limited(state, seat)
    if duty == "must_build":
        return _build(state, seat)
    if duties.purchase_is_due(state):
        return _buy(state, seat)
    if duty == "must_market" or duty == "hand_limit":
        return ("place_market", NAMES[_dispensable(state, seat)])
    return ("end_turn",)


def _opening_market(hand: list[int]) -> Move:
    """The last two dealt cards that are not jokers."""
    jokers = [card for card in hand if not VALUE[card]]
    offered = (jokers + [card for card in hand if VALUE[card]])[-MARKET_SIZE:]
    return ("choose_market", *(NAMES[card] for card in hand if card in offered))


def _take(state: "ObeliskState") -> Move:
    """The free neighbour, clockwise unless the turn already goes the other way."""
    way = state.direction or CW
    pile = state.neighbour(way)
    assert pile is not None  # noqa: S101 - a take is due only while a pile has a card
    return ("take", pile, way) if state.players == 2 and not state.free_move else ("take", pile)


def _build(state: "ObeliskState", seat: int) -> Move:
    """One card: onto an obelisk, onto a bare foundation, else as a foundation."""
    move = _on_top(state, seat, jokers=False) or _on_bare(state, seat)
    if move:
        return move
    hand = state.hands[seat]
    for card in [card for card in hand if VALUE[card]] or hand:
        return ("lay_foundation", NAMES[card])
    colored = next(card for card in state.actions[seat] if card in FOUNDATIONS)
    return ("play_action", NAMES[colored])


def _limited(state: "ObeliskState", seat: int) -> Move:
    """Put on the obelisks what fits, then one card on each bare foundation, and again."""
    bare = _on_bare(state, seat)
    return (state.filling and bare) or _fitting(state, seat) or bare or ("end_turn",)


def begins_to_fill(state: "ObeliskState", seat: int, card: int, number: int) -> bool:
    """Tell whether this build is the first of those on bare foundations: nothing fitted on top."""
    first = ("build", NAMES[card], number, "top")
    return state.last_round == "limited" and _limited(state, seat) == first


def _fitting(state: "ObeliskState", seat: int) -> Move | None:
    return _on_top(state, seat, jokers=False) or _on_top(state, seat, jokers=True)


def _on_top(state: "ObeliskState", seat: int, *, jokers: bool) -> Move | None:
    """Find the oldest card that fits on top, and the largest obelisk it fits on."""
    obelisks = state.obelisks[seat]
    fits = [
        move
        for move in state.legal(seat)
        if move[0] == "build"
        and move[3] == "top"
        and obelisks[int(move[2])][TOP]
        and (len(move) > 4) == jokers
    ]
    hand = state.hands[seat]
    return min(
        fits,
        key=lambda move: (hand.index(NUMBER[str(move[1])]), -len(obelisks[int(move[2])])),
        default=None,
    )


def _on_bare(state: "ObeliskState", seat: int) -> Move | None:
    """Find the oldest card that is no joker for the first bare foundation."""
    plain = [card for card in state.hands[seat] if VALUE[card]]
    for number, obelisk in enumerate(state.obelisks[seat]):
        if len(obelisk) == CARDS and plain:
            return ("build", NAMES[plain[0]], number, "top")
    return None


def _buy(state: "ObeliskState", seat: int) -> Move:
    """The fullest market, of equals the nearest clockwise."""
    others = [(seat + step) % state.players for step in range(1, state.players)]
    return ("buy_market", max(others, key=lambda other: len(state.markets[other])))


def _dispensable(state: "ObeliskState", seat: int) -> int:
    """Choose for the market: the oldest hand card, else the oldest action card, else a joker."""
    hand = state.hands[seat]
    return [*(card for card in hand if VALUE[card]), *state.actions[seat], *hand][0]
