"""How many points a seat of Obelisk may expect: the judgement at the end of a bot's thought.

Each obelisk, begun or still to begin, is a chain of cards that must come in order; what is in hand
is nearly certain, for the rest the copies within reach are weighed. Looks at one (determinized)
position, changes nothing, searches nothing. Hints: docs/rules/obelisk.md §11.1.
"""

from math import exp
from typing import Final, NamedTuple

from games.obelisk.components import (
    BUILDING,
    COLOR,
    COLORS,
    DEPOT_MINIMUM,
    KIND,
    VALUE,
    takes_each,
)
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import CARDS, FOUNDATION, HUE, TOP, Obelisk, points

FACES: Final = 24  # in each of four colours the joker (0) and the values 1 to 5
FACE: Final = tuple(6 * COLOR[card] + VALUE[card] for card in range(BUILDING))
# The points of the next card, by the number of cards it is put on (§11.1.1).
PLAIN: Final = (1, 1, 2, 3, 3)
GOLDEN: Final = (2, 2, 3, 3, 0)  # on a coloured foundation that matches

# Takes until the last round, by players: so many per card in the smallest piles (as many piles as
# must be emptied), so many per card in all. Measured in matches of bots.
LENGTH: Final = {2: (1.84, 0.18), 3: (1.15, 0.26), 4: (0.87, 0.33), 5: (0.69, 0.42)}

# How many chances to get a card one copy of it is, by where the copy is.
IN_PILE: Final = 1.6  # times the seat's share of what will be taken
ON_TOP: Final = 0.5
NEXT_DOOR: Final = 1.2  # on top of a neighbour of the overseer, and the take is due
IN_DEPOT: Final = 0.35  # of the other player, with a camel to trade
IN_MARKET: Final = 0.4  # of another player, with a camel to buy

HELD: Final = 0.97  # a card in hand may still be traded away or be needed elsewhere
FOUNDING: Final = 0.5  # points a new foundation costs
EARNED: Final = 1.0  # points an action card to be earned is worth, while turns are left
CAMEL: Final = 0.25
TIE: Final = 0.05  # what a camel is worth at the very end
CARD: Final = {
    "free_move": 0.4,
    "extra_move": 0.8,
    "double_ended": 0.6,
    "off_color": 1.0,
    "foundation": 0.9,
    "market_pick": 1.2,
    "market_recall": 0.3,
    "market_swap": 0.2,
    "free_trade": 0.4,
}
SOON: Final = 4.0  # turns; with fewer left, what needs a turn loses its worth
MARGIN: Final = 8.0  # points that make a lead of one into odds of e to one


class Outlook(NamedTuple):
    """What a seat may still hope for."""

    turns: float  # after this one; negative: it will not act again
    odds: list[float]  # of getting one more card of each face
    held: float  # odds of building what is in hand
    earned: float  # points an action card would be worth
    expert: bool


def judge(state: ObeliskState) -> list[float]:
    """Give each seat its chance to win, from 0 to 1."""
    expected = prospects(state)
    best = max(expected)
    weights = [exp((points - best) / MARGIN) for points in expected]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def prospects(state: ObeliskState) -> list[float]:
    """Give the points each seat may expect at the end."""
    hidden = [0] * FACES
    for pile in state.piles:
        for card in pile:
            hidden[FACE[card]] += 1
    takes = _takes_to_come(state)
    share = IN_PILE * min(1.0, takes / (sum(hidden) or 1)) / state.players
    coming = [share * copies for copies in hidden]
    turns = takes / (state.players * takes_each(state.players))
    return [_prospect(state, seat, coming, turns) for seat in range(state.players)]


def _takes_to_come(state: ObeliskState) -> float:
    if state.last_round != "none":
        return 0.0
    sizes = sorted(map(len, state.piles))
    least, every = LENGTH[state.players]
    return least * sum(sizes[: state.players]) + every * sum(sizes)


def _prospect(state: ObeliskState, seat: int, coming: list[float], turns: float) -> float:
    if state.last_round != "none":
        turns = _last_turns(state, seat)
    camels = state.camels[seat]
    if turns < 0:
        own = state.obelisks[seat]
        return sum(points(one, expert=state.expert) for one in own) + TIE * camels
    outlook = Outlook(
        turns=turns,
        odds=_odds(state, seat, coming, turns),
        held=HELD if turns else 1.0,
        earned=EARNED * min(1.0, turns / 6),
        expert=state.expert,
    )
    alive = min(1.0, turns / SOON)
    table = sum(CARD[KIND[card]] for card in state.actions[seat])
    return _stones(state, seat, outlook) + alive * (table + CAMEL * camels) + TIE * camels


def _last_turns(state: ObeliskState, seat: int) -> float:
    """In the last round: 0 for the turn in progress, 1 for one to come, -1 for none."""
    if state.phase == "over":
        return -1.0
    distance = (seat - state.active) % state.players
    return float(distance > 0) if distance <= state.final_turns_left else -1.0


def _odds(state: ObeliskState, seat: int, coming: list[float], turns: float) -> list[float]:
    """Weigh the copies of each face that the seat could still get."""
    taking = seat == state.active and state.takes_left > 0
    if state.last_round == "limited" or not (turns or taking):
        return [0.0] * FACES
    copies = coming[:]
    near = state.neighbours() if taking else ()
    far = ON_TOP * min(1.0, turns / SOON)
    for spot, pile in enumerate(state.piles):
        if pile:
            copies[FACE[pile[-1]]] += NEXT_DOOR if spot in near else far
    if state.camels[seat]:
        duel = state.players == 2
        for other, cards in enumerate(state.hands if duel else state.markets):
            if other != seat:
                for card in cards:
                    if card < BUILDING:
                        copies[FACE[card]] += IN_DEPOT if duel else IN_MARKET
    return [count / (count + 1) for count in copies]


def _stones(state: ObeliskState, seat: int, outlook: Outlook) -> float:
    """Add up the obelisks: those begun, longest first, then the best new ones there is room for."""
    held = [0] * FACES
    hand = state.hands[seat]
    for card in hand:
        held[FACE[card]] += 1
    room = len(hand) + outlook.turns - (DEPOT_MINIMUM if state.players == 2 else 0)
    worth, bare = 0.0, []
    for obelisk in sorted(state.obelisks[seat], key=len, reverse=True):
        if obelisk[TOP]:
            more, cards = _growth(obelisk, held, outlook)
            worth += more
            room -= cards
        else:
            bare.append(obelisk[FOUNDATION])
    return worth + _beginnings(bare, held, outlook, room)


def gains(obelisk: Obelisk) -> tuple[int, ...]:
    """List what each card of an obelisk scores, from the bottom up."""
    foundation = obelisk[FOUNDATION]
    golden = foundation >= BUILDING and COLOR[foundation] == obelisk[HUE]
    return GOLDEN if golden else PLAIN


def _growth(obelisk: Obelisk, held: list[int], outlook: Outlook) -> tuple[float, float]:
    """Expect points and cards of an obelisk that was begun; uses up what it takes of the hand."""
    scored, count = gains(obelisk), len(obelisk) - CARDS
    standing = sum(scored[:count])
    if obelisk[TOP] == 1:
        return standing, 0.0
    joker, value = 6 * obelisk[HUE], obelisk[TOP] - 1
    expected = _chain(joker, value, scored[count:], held, outlook, standing)
    for face in range(joker + value, joker, -1):
        if held[face]:
            held[face] -= 1
        elif held[joker]:
            held[joker] -= 1
    return expected


def _beginnings(bare: list[int], held: list[int], outlook: Outlook, room: float) -> float:
    """Expect points of obelisks to be begun, at most one of each colour."""
    golden = [COLOR[foundation] for foundation in bare if foundation >= BUILDING]
    plain = len(bare) - len(golden)
    worth = 0.0
    for points_, cards, color in sorted(
        (_beginning(color, color in golden, held, outlook) for color in range(len(COLORS))),
        reverse=True,
    ):
        if color not in golden:
            if plain:
                plain -= 1
            else:
                points_ -= FOUNDING
                cards += 1
        if room <= 0 or points_ <= 0:
            break
        worth += points_ * min(1.0, room / cards)
        room -= cards
    return worth


def _beginning(
    color: int, golden: bool, held: list[int], outlook: Outlook
) -> tuple[float, float, int]:
    """Find the value to begin with that promises most points in this colour."""
    best, most = 0.0, 0.0
    for value in (5, 4, 3, 2, 1):
        scored = GOLDEN if golden else PLAIN
        more, cards = _chain(6 * color, value, scored, held, outlook)
        if more > best:
            best, most = more, cards
    return best, most, color


def _chain(
    joker: int,
    value: int,
    scored: tuple[int, ...],
    held: list[int],
    outlook: Outlook,
    standing: int = 0,
) -> tuple[float, float]:
    """Expect points and cards from a value down to 1."""
    likely, worth, cards = 1.0, 0.0, 0.0
    sure, odds, jokers = outlook.held, outlook.odds, held[joker]
    for face, more in zip(range(joker + value, joker, -1), scored, strict=False):
        if held[face]:
            likely *= sure
        elif jokers:
            jokers -= 1
            likely *= sure
        else:
            likely *= odds[face]
        worth += likely * more
        cards += likely
    earned = likely * outlook.earned
    if outlook.expert:
        return likely * (standing + sum(scored[:value])) + earned, cards
    return standing + worth + earned, cards
