"""What a seat may do in its turn (docs/rules/obelisk.md §5.3): the one judge of legality.

The duty check (§5.4) is made once for each kind of action, not for each move. Moves name cards by
their ids; nothing here changes a position.
"""

from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from games.engine.contract import Move
from games.obelisk import duties
from games.obelisk.components import (
    BUILDING,
    CCW,
    COLOR,
    CW,
    DEPOT_MINIMUM,
    FOUNDATIONS,
    KIND,
    NAMES,
    NO_CARD,
    ROUND,
    SPOTS,
    VALUE,
    VALUES,
    ZONE,
)
from games.obelisk.duties import can_meet
from games.obelisk.scoring import CARDS, HUE, TOP

if TYPE_CHECKING:
    from games.obelisk.rules import ObeliskState

_TAKE: Final = tuple(("take", spot) for spot in range(SPOTS))
_LAY: Final = tuple(("lay_foundation", name) for name in NAMES[:BUILDING])
_PLACE: Final = tuple(("place_market", name) for name in NAMES)
_PLAY: Final = tuple(("play_action", name) for name in NAMES)
_END: Final = ("end_turn",)


def earnings(state: "ObeliskState", seat: int) -> list[Move]:
    """§5.3 pick_action, decline_action."""
    moves: list[Move] = [
        ("pick_action", slot) for slot, card in enumerate(state.display) if card != NO_CARD
    ]
    build, market, cards, actions, foundations = duties.reserve(state, seat)
    if can_meet(build, market, cards, actions - 1, foundations):
        moves.append(("decline_action",))
    return moves


def turn(state: "ObeliskState", seat: int) -> list[Move]:
    """List a turn's moves; the duty check (§5.4) is made once for each kind of action."""
    build, market, cards, actions, foundations = duties.reserve(state, seat)
    duel = state.players == 2
    moves = _takes(state, seat)
    if not duel or len(state.hands[seat]) > DEPOT_MINIMUM:
        spare = can_meet(False, market, cards - 1, actions, foundations)
        if spare:
            moves += [_LAY[card] for card in state.hands[seat]]
        if spare or state.earns():  # an earned card serves the market: V64
            moves += _builds(state, seat, spare)
    if duel:
        moves += _trades(state, seat)
    elif state.last_round != "limited":
        moves += _placements(state, seat, build, cards, foundations)
        moves += _purchases(state, seat)
    if state.actions[seat]:
        spare = can_meet(build, market, cards, actions - 1, foundations)
        founding = can_meet(False, market, cards, actions - 1, foundations - 1)
        moves += _plays(state, seat, spare, founding)
    if not duties.unmet(state, seat):
        moves.append(_END)
    return moves


def _takes(state: "ObeliskState", seat: int) -> list[Move]:
    """§5.3 take."""
    if not state.takes_left or state.last_round == "limited":
        return []
    piles = state.piles
    if state.free_move:
        return [_TAKE[spot] for spot in range(SPOTS) if piles[spot]]
    if state.players > 2:
        return [_TAKE[spot] for spot in state.neighbours()]
    moves: list[Move] = []
    for way in (state.direction,) if state.direction else (CW, CCW):
        camels = state.camels[seat]
        for spot in ROUND[way][state.overseer]:
            if piles[spot]:
                if camels < 0:
                    break
                moves.append(("take", spot, way))
                camels -= 1
    return moves


def _builds(state: "ObeliskState", seat: int, spare: bool) -> list[Move]:
    """§5.3 build; without a card to spare only a 1 that earns an action card may be built."""
    moves: list[Move] = []
    hand = state.hands[seat]
    for number, obelisk in enumerate(state.obelisks[seat]):
        top, hue = obelisk[TOP], obelisk[HUE]
        if not top:
            moves += _first_cards(hand, number, spare)
            continue
        if state.off_color and state.off_used.count(number) < state.off_color:
            hue = NO_CARD
        if top > 1 and (spare or top == 2):
            moves += _fitting(hand, number, "top", top - 1, hue)
        if state.double_ended and spare:
            moves += _fitting(hand, number, "bottom", top + len(obelisk) - CARDS, hue)
    return moves


def _first_cards(hand: list[int], number: int, spare: bool) -> list[Move]:
    """On a bare foundation everything fits, a joker with any value (A10)."""
    moves: list[Move] = []
    for card in hand:
        if VALUE[card]:
            if spare or VALUE[card] == 1:
                moves.append(("build", NAMES[card], number, "top"))
        else:
            values = VALUES if spare else (1,)
            moves += [("build", NAMES[card], number, "top", value) for value in values]
    return moves


def _trades(state: "ObeliskState", seat: int) -> list[Move]:
    """§5.3 trade."""
    if not state.camels[seat]:
        return []
    wanted = [NAMES[card] for card in state.hands[1 - seat]]
    return [("trade", NAMES[give], get) for give in state.hands[seat] for get in wanted]


def _placements(
    state: "ObeliskState", seat: int, build: bool, cards: int, foundations: int
) -> list[Move]:
    """§5.3 place_market; what remains must still serve an open duty to build."""
    moves: list[Move] = []
    if can_meet(build, False, cards - 1, 0, foundations):
        moves += [_PLACE[card] for card in state.hands[seat]]
    moves += [
        _PLACE[card]
        for card in state.actions[seat]
        if can_meet(build, False, cards, 0, foundations - (card in FOUNDATIONS))
    ]
    return moves


def _purchases(state: "ObeliskState", seat: int) -> list[Move]:
    """§5.3 buy_market."""
    if not state.camels[seat]:
        return []
    return [
        ("buy_market", other)
        for other in range(state.players)
        if state.markets[other] and other != seat
    ]


def _plays(state: "ObeliskState", seat: int, spare: bool, founding: bool) -> list[Move]:
    """§5.3 play_action; cards that bring a card always leave the duties satisfiable."""
    moves: list[Move] = []
    limited = state.last_round == "limited"
    for card in state.actions[seat]:
        kind = KIND[card]
        if limited and ZONE[card] != "build":  # A29
            continue
        if kind == "market_pick":
            moves += _picks(state, seat, card)
        elif kind == "market_swap":
            moves += _exchanges(state, seat, card) if spare else []
        elif kind == "free_trade":
            moves += _free_trades(state, seat, card)
        elif _playable(state, kind, spare, founding):
            moves.append(_PLAY[card])
    return moves


def _playable(state: "ObeliskState", kind: str, spare: bool, founding: bool) -> bool:
    match kind:
        case "foundation":
            return founding
        case "free_move":
            return spare and state.takes_left > 0
        case "extra_move":
            return sum(map(len, state.piles)) > state.takes_left  # A24
        case "market_recall":
            return True
    return spare  # double_ended, off_color


def _picks(state: "ObeliskState", seat: int, card: int) -> list[Move]:
    """One or two cards from different markets, but never the last one to be bought (§5.4)."""
    stalls = _stalls(state, seat)
    most = 2
    if duties.purchase_is_due(state):
        most = min(2, sum(map(len, stalls)) - 1)
    name = NAMES[card]
    moves: list[Move] = []
    if most > 0:
        moves += [("play_action", name, *pick) for stall in stalls for pick in stall]
    if most > 1:
        moves += _exchanges(state, seat, card)
    return moves


def _exchanges(state: "ObeliskState", seat: int, card: int) -> list[Move]:
    """Every pair of cards from two different markets of others."""
    name = NAMES[card]
    return [
        ("play_action", name, *one, *other)
        for left, right in combinations(_stalls(state, seat), 2)
        for one, other in product(left, right)
    ]


def _stalls(state: "ObeliskState", seat: int) -> list[list[tuple[int, str]]]:
    return [
        [(other, NAMES[card]) for card in state.markets[other]]
        for other in range(state.players)
        if other != seat
    ]


def _free_trades(state: "ObeliskState", seat: int, card: int) -> list[Move]:
    """One or two cards of each depot, in depot order, written give get give get."""
    name = NAMES[card]
    own = [NAMES[give] for give in state.hands[seat]]
    wanted = [NAMES[get] for get in state.hands[1 - seat]]
    moves: list[Move] = [("play_action", name, give, get) for give in own for get in wanted]
    pairs = list(combinations(wanted, 2))
    moves += [
        ("play_action", name, give, get, give_too, get_too)
        for give, give_too in combinations(own, 2)
        for get, get_too in pairs
    ]
    return moves


def _fitting(hand: list[int], number: int, end: str, value: int, hue: int) -> list[Move]:
    """List the cards of this value and colour (negative: of any) as moves; a joker becomes it."""
    moves: list[Move] = []
    for card in hand:
        if hue < 0 or COLOR[card] == hue:
            worth = VALUE[card]
            if worth == value:
                moves.append(("build", NAMES[card], number, end))
            elif not worth and value <= 5:
                moves.append(("build", NAMES[card], number, end, value))
    return moves
