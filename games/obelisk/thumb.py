"""Rules of thumb of Obelisk: how appealing a move looks at first sight.

Appeal is counted in points; a move that is better than ending the turn has more than none. Looks
at one (determinized) position, one move ahead. Hints: docs/rules/obelisk.md §11.1.
"""

from typing import Final

from games.engine.contract import Atom, Move
from games.engine.table import Table
from games.obelisk.appraisal import FACE, gains
from games.obelisk.components import BUILDING, COLOR, KIND, NAMES, NUMBER, POINTS, SPOTS, VALUE
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import CARDS, FOUNDATION, HUE, TOP, Obelisk

FRESH: Final = (1.6, 0.1, 0.3, 0.5, 0.9, 1.1)  # a card that fits nowhere yet, by value
ACTION: Final = 1.0  # what earning an action card is worth
CAMEL: Final = 0.7
PICK: Final = {
    "extra_move": 1.2,
    "foundation": 1.1,
    "free_move": 1.0,
    "market_pick": 1.0,
    "double_ended": 0.9,
    "free_trade": 0.8,
    "off_color": 0.7,
    "market_recall": 0.3,
    "market_swap": 0.1,
}
NEXT_TO: Final = 0.4  # a neighbour of the same colour in hand


def gain(obelisk: Obelisk) -> int:
    """Count the points of the next card."""
    return gains(obelisk)[len(obelisk) - CARDS]


def wants(state: ObeliskState, seat: int) -> list[float]:
    """Tell what holding one card of each face is worth to the seat."""
    held = {FACE[card] for card in state.hands[seat]}
    want = [*FRESH, *FRESH, *FRESH, *FRESH]
    for face in held:
        value = face % 6
        if value > 1:
            want[face - 1] += NEXT_TO
        if 0 < value < 5:
            want[face + 1] += NEXT_TO
    for obelisk in state.obelisks[seat]:
        if obelisk[TOP] > 1:
            _want_for(obelisk, held, want)
    return want


def _want_for(obelisk: Obelisk, held: set[int], want: list[float]) -> None:
    """Value what an obelisk still needs: the further away, the less."""
    joker = 6 * obelisk[HUE]
    scored, count = gains(obelisk), len(obelisk) - CARDS
    likely = 1.0
    most = want[joker] - 0.5
    for face in range(joker + obelisk[TOP] - 1, joker, -1):
        worth = likely * (scored[count] + (ACTION if face == joker + 1 else 0))
        if worth > want[face]:
            want[face] = worth
        if worth > most:
            most = worth
        likely *= 0.9 if face in held else 0.5
        count += 1
    want[joker] = most + 0.5


def thumb(state: ObeliskState, seat: int, moves: list[Move], table: Table) -> Move:
    """Play the most appealing move."""
    if len(moves) == 1:
        return moves[0]
    want = wants(state, seat)
    return max(moves, key=lambda move: appeal(state, seat, move, want))


def appeal(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    """Judge one move by rules of thumb; ending the turn is 0."""
    judgement = _APPEAL.get(str(move[0]))
    return judgement(state, seat, move, want) if judgement else 0.0


def _taking(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    """The top card and the camels on the pile, less the camels paid on the way."""
    pile = int(move[1])
    paid = len(state.passed(pile, str(move[2]))) if len(move) == 3 else 0
    return 2.0 + lure(state, pile, want) - CAMEL * paid


def lure(state: ObeliskState, pile: int, want: list[float]) -> float:
    return want[FACE[state.piles[pile][-1]]] + CAMEL * state.pile_camels[pile]


def _kept(name: Atom, want: list[float]) -> float:
    """What a card is worth to keep."""
    card = NUMBER[str(name)]
    return want[FACE[card]] if card < BUILDING else PICK[KIND[card]]


def _offering(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    """place_market, choose_market: part with what is worth least."""
    return -0.5 - sum(_kept(name, want) for name in move[1:])


def _buying(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    """The two best cards of a market; the rest is ballast."""
    worths = sorted(_kept(NAMES[card], want) for card in state.markets[int(move[1])])
    return sum(worths[-2:]) - 2.5


def _trading(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    return _kept(move[2], want) - _kept(move[1], want) - 1.5


def _picking(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    return PICK[KIND[state.display[int(move[1])]]]


def _hurried(state: ObeliskState) -> bool:
    """The last round: what is not built now is lost."""
    return state.last_round != "none"


def _building(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    card = NUMBER[str(move[1])]
    obelisk = state.obelisks[seat][int(move[2])]
    if not obelisk[TOP]:
        return _starting(state, seat, move, obelisk[FOUNDATION])
    worth = gain(obelisk) + 2.0 + len(obelisk) / 10
    if COLOR[card] != obelisk[HUE]:
        worth -= 0.5
    if not VALUE[card] and not _hurried(state):
        worth -= 2.5  # a joker fits another time as well
    return worth


def _starting(state: ObeliskState, seat: int, move: Move, foundation: int) -> float:
    """Begin with the longest run in hand, or a high card."""
    card = NUMBER[str(move[1])]
    value = VALUE[card] or int(move[4])
    length = _run(state.hands[seat], card, value)
    if _hurried(state):
        return POINTS[length] + (0.1 if VALUE[card] else 0)
    if not VALUE[card]:
        return -1.0
    matched = foundation >= BUILDING and COLOR[foundation] == COLOR[card]
    return (length - 1) + 0.4 * (value - 3) + (0.5 if matched else 0)


def _run(hand: list[int], card: int, value: int) -> int:
    """Count how far down the hand can go on from a card; a joker is no part of it."""
    length = 1
    faces = {FACE[other] for other in hand}
    while value > 1 and COLOR[card] * 6 + value - 1 in faces:
        value -= 1
        length += 1
    return length


def _founding(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    """Lay the least useful card when there is something to begin with and no place for it."""
    card = NUMBER[str(move[1])]
    hand = state.hands[seat]
    if any(not obelisk[TOP] for obelisk in state.obelisks[seat]):
        return -2.0 - want[FACE[card]]
    others = [other for other in hand if other != card and VALUE[other]]
    if _hurried(state):
        return 1.0 - want[FACE[card]] / 10 if others else -1.0
    runs = [_run(hand, other, VALUE[other]) - 1 + 0.4 * (VALUE[other] - 3) for other in others]
    return max(runs, default=-1.0) - want[FACE[card]]


def _playing(state: ObeliskState, seat: int, move: Move, want: list[float]) -> float:
    """Play what helps at once, keep the rest."""
    card, named = NUMBER[str(move[1])], move[2:]
    match KIND[card]:
        case "extra_move":
            return 3.0
        case "free_move":
            return _roaming(state, want)
        case "foundation":
            return _colored_founding(state, seat, card)
        case "double_ended":
            return _both_ends(state, seat)
        case "off_color":
            return _odd_stone(state, seat) if _hurried(state) else -0.1
        case "market_pick":
            return sum(_kept(name, want) for name in named[1::2]) - 1.5
        case "market_recall":
            return sum(_kept(NAMES[one], want) for one in state.markets[seat]) - 2.0
        case "free_trade":
            gets = sum(_kept(name, want) for name in named[1::2])
            return gets - sum(_kept(name, want) for name in named[::2]) - 1.0
    return -0.1  # market_swap


def _roaming(state: ObeliskState, want: list[float]) -> float:
    """A free move pays when a pile out of reach is much better than those within."""
    if state.free_move:
        return -1.0
    reach = max((lure(state, pile, want) for pile in state.neighbours()), default=0.0)
    best = max(lure(state, pile, want) for pile in range(SPOTS) if state.piles[pile])
    return 2.5 + best if best > reach + 1.5 else -0.1


def _colored_founding(state: ObeliskState, seat: int, card: int) -> float:
    """A coloured foundation waits for a run of its colour."""
    if any(not obelisk[TOP] for obelisk in state.obelisks[seat]):
        return -0.2
    hand = state.hands[seat]
    runs = [
        _run(hand, other, VALUE[other]) + 0.4 * (VALUE[other] - 3)
        for other in hand
        if COLOR[other] == COLOR[card] and VALUE[other]
    ]
    return max(runs, default=-0.2)


def _both_ends(state: ObeliskState, seat: int) -> float:
    """Count what would fit below."""
    if state.double_ended:
        return -1.0
    faces = {FACE[card] for card in state.hands[seat]}
    found = [
        gain(obelisk)
        for obelisk in state.obelisks[seat]
        if obelisk[TOP]
        and (below := obelisk[TOP] + len(obelisk) - CARDS) <= 5
        and obelisk[HUE] * 6 + below in faces
    ]
    return sum(found) - 1.5 if found else -1.0


def _odd_stone(state: ObeliskState, seat: int) -> float:
    """Count what would fit on top in any colour."""
    if state.off_color:
        return -0.1
    values = {VALUE[card] for card in state.hands[seat]}
    tops = [obelisk for obelisk in state.obelisks[seat] if obelisk[TOP] > 1]
    return sum(gain(obelisk) for obelisk in tops if obelisk[TOP] - 1 in values) - 0.1


_APPEAL: Final = {
    "take": _taking,
    "build": _building,
    "lay_foundation": _founding,
    "place_market": _offering,
    "choose_market": _offering,
    "buy_market": _buying,
    "trade": _trading,
    "pick_action": _picking,
    "play_action": _playing,
}
