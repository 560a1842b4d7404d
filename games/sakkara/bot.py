"""What Sakkara teaches its bots: what cards are worth, and which moves deserve a thought.

Everything here looks at a determinized world only (games/engine/search.py sees to that). Worth is
counted in tenths of a building card that is needed now; a move that beats doing nothing has an
appeal above zero. Hints: docs/rules/sakkara.md §11.
"""

from collections.abc import Callable
from math import tanh
from typing import Final

from games.engine.contract import Atom, Move
from games.engine.search import Mind, rewards
from games.engine.table import Table
from games.sakkara import offers
from games.sakkara.components import (
    AROUND,
    BESIDE,
    CLIMB,
    FIELD,
    FIELDS,
    GRAIN,
    HANDS,
    HELPING_HAND,
    LINE,
    NAMES,
    NEXT,
    NUMBER,
    SHIP,
    SLOTS,
    STAIR,
    TIER,
    TIERS,
    TIP,
    UNKNOWN,
    WAY,
    WIDTH,
)
from games.sakkara.needs import wanted
from games.sakkara.rules import SakkaraState

NOW: Final = 10.0  # a card needed for the tier in building
LATER: Final = 4.0  # for a tier above it
SPARE: Final = {  # what is left of a card's worth when the pyramid does not need it
    "stair": 2.0,
    "helping_hand": 1.0,
    "snake": 3.5,
    "horse": 3.5,
    "bird": 4.5,
    "ox": 1.0,
    "pyramid_tip": 1.5,
    "cross": 1.0,
    "eye": 1.0,
    "moon": 1.0,
    "double_stripe": 1.0,
    "braid": 0.7,
    "circle": 0.7,
}
_SPARE: Final = tuple(SPARE.get(name, 0.3) for name in NAMES)
_NOW: Final = tuple(7.0 if card == HELPING_HAND else NOW for card in range(len(NAMES)))

BUILT: Final = 14.0  # a card in the pyramid, for the appraisal of a position
LAID: Final = 11.0  # a supply that serves the tier in building
REACH: Final = 0.3  # of a card that lies beside a worker
BEYOND: Final = 0.35  # of a card one step further
CLEAR: Final = 45.0  # a lead of so much is a clear one
KEEP: Final = 8  # moves of one kind worth a thought

DISTANCE: Final = tuple(
    tuple(
        abs(one % WIDTH - other % WIDTH) + abs(one // WIDTH - other // WIDTH)
        for other in range(len(FIELDS))
    )
    for one in range(len(FIELDS))
)
NEARBY: Final = tuple(  # (field, share of its card's worth) for all within three steps
    tuple((other, REACH / far**2) for other, far in enumerate(DISTANCE[spot]) if 0 < far <= 3)
    for spot in range(len(FIELDS))
)


# --- what cards are worth ------------------------------------------------------------------------


def worths(state: SakkaraState, seat: int) -> list[float]:
    """Tell by card what one more of it is worth to a seat."""
    now, later = wanted(state, seat)
    for card in state.hands[seat]:
        if now[card]:
            now[card] -= 1
        elif later[card]:
            later[card] -= 1
    return [
        _NOW[card] if now[card] else LATER if later[card] else spare
        for card, spare in enumerate(_SPARE)
    ]


def holding(state: SakkaraState, seat: int) -> float:
    """Tell what a whole hand is worth."""
    now, later = wanted(state, seat)
    total = 0.0
    for card in state.hands[seat]:
        if now[card]:
            now[card] -= 1
            total += _NOW[card]
        elif later[card]:
            later[card] -= 1
            total += LATER
        else:
            total += _SPARE[card]
    return total


def standing(state: SakkaraState, seat: int) -> float:
    """Appraise all that a seat has: pyramid, supplies, hand, and cards within reach."""
    tier = state.tier[seat]
    laid = state.ships[seat] + min(state.grain[seat], tier)
    total = BUILT * sum(state.pyramids[seat]) + LAID * laid + holding(state, seat)
    want = worths(state, seat)
    board = state.board
    for worker in state.workers[seat]:
        total += sum(want[board[spot][-1]] * near for spot, near in NEARBY[worker] if board[spot])
    return total


def evaluate(state: SakkaraState) -> list[float]:
    """Turn the difference of two appraisals into rewards."""
    if not state.to_act():
        return rewards(state)
    lead = standing(state, 0) - standing(state, 1)
    share = 0.5 + 0.48 * tanh(lead / CLEAR)
    return [share, 1 - share]


# --- rules of thumb ------------------------------------------------------------------------------


def thumb(state: SakkaraState, seat: int, moves: list[Move], table: Table) -> Move:
    """Play the most appealing move."""
    if len(moves) == 1:
        return moves[0]
    judge = Judge(state, seat)
    return max(moves, key=judge.appeal)


def worth_a_thought(state: SakkaraState, seat: int, moves: list[Move]) -> list[Move]:
    """Keep the most appealing moves of each kind, and one order for each spell."""
    if len(moves) <= KEEP:
        return moves
    judge = Judge(state, seat)
    kinds: dict[object, list[Move]] = {}
    for move in moves:
        if not str(move[0]).startswith("cast_") or judge.well_ordered(move):
            kinds.setdefault(move[0], []).append(move)
    kept: list[Move] = []
    for found in kinds.values():
        most = KEEP if found[0][0] in ("move", "place_stack", "place_worker", "build") else 3
        kept += sorted(found, key=judge.appeal, reverse=True)[:most] if len(found) > most else found
    return kept


class Judge:
    """Judges the moves of one seat in one position; the end of the turn is worth 0."""

    def __init__(self, state: SakkaraState, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.want = worths(state, seat)
        self.others = worths(state, 1 - seat)  # what the opponent would like to have
        self.arrivals: dict[int, float] = {}  # by field, as far as they were asked for

    def appeal(self, move: Move) -> float:
        judge = APPEALS.get(move[0])
        return judge(self, *move[1:]) if judge else 0.0

    def _cost(self, card: int) -> float:
        """Tell what losing one copy from the hand costs."""
        now, later = wanted(self.state, self.seat)
        held = self.state.hands[self.seat].count(card)
        if held <= now[card]:
            return _NOW[card]
        return LATER if held <= now[card] + later[card] else _SPARE[card]

    def snake(self) -> float:
        return max(self.booty(NAMES[card]) for card in self.state.hands[1 - self.seat]) - 6.0

    def booty(self, name: str) -> float:
        card = NUMBER[name]
        return self.want[card] + 0.5 * min(self.others[card] + 4, NOW)

    def excess(self, name: str) -> float:
        return -self._cost(NUMBER[name]) - 0.3 * self.others[NUMBER[name]]

    # --- fields -------------------------------------------------------------------------------

    def _top(self, spot: int) -> float:
        stack = self.state.board[spot]
        return self.want[stack[-1]] if stack else 0.0

    def _arrival(self, spot: int) -> float:
        """The card on a field, and the best of what lies beside it."""
        if spot not in self.arrivals:
            board = self.state.board
            height = len(board[spot]) - 1 + CLIMB
            near = [
                self._top(other)
                for other in BESIDE[spot]
                if len(board[other]) <= height and not self.state.occupied(other)
            ]
            self.arrivals[spot] = self._top(spot) + BEYOND * max(near, default=-4.0)
        return self.arrivals[spot]

    def step(self, worker: int, way: str, *stair: str) -> float:
        target = NEXT[self.state.workers[self.seat][worker]][WAY[way]]
        price = self._cost(STAIR) if stair else 0.0
        return 20.0 + self._arrival(target) - self._left(worker) - price

    def entry(self, field: str) -> float:
        return self._arrival(FIELD[field])

    def _left(self, worker: int) -> float:
        """What a worker turns its back on."""
        origin = self.state.workers[self.seat][worker]
        return BEYOND * max(map(self._top, BESIDE[origin]))

    def ride(self, *how: str) -> float:
        """One field further; a horse is spent, and there may be a second field."""
        worker, way = self.state.line
        beyond = NEXT[NEXT[self.state.workers[self.seat][worker]][way]][way]
        chance = 0.6 * self._top(beyond) if beyond >= 0 else 0.0
        return self.ride_on(*how) + chance - 2.0

    def ride_on(self, *how: str) -> float:
        worker, way = self.state.line
        target = NEXT[self.state.workers[self.seat][worker]][way]
        price = self._cost(STAIR) if "stair" in how else 0.0
        taken = -1.0 if "leave" in how else self._top(target)
        return taken - price - 2.0

    def flight(self, worker: int, field: str) -> float:
        return self._arrival(FIELD[field]) - self._left(worker) - 7.0

    def push(self, origin: str, target: str, count: int) -> float:
        """An ox pays where a good card comes to light beside the worker."""
        stack = self.state.board[FIELD[origin]]
        if count == len(stack):
            return -1.0
        return self.want[stack[-count - 1] % UNKNOWN] - self.want[stack[-1]] - 7.0

    def stack(self, size: int, field: str) -> float:
        """Good tops near the own workers, what the opponent needs far from his or buried."""
        spot, top = FIELD[field], self.state.returns[size - 1]
        mine = min(DISTANCE[worker][spot] for worker in self.state.workers[self.seat])
        his = min(DISTANCE[worker][spot] for worker in self.state.workers[1 - self.seat])
        wall = 0.8 if his == 1 and size > CLIMB else 0.0
        gain = 2 * self.want[top] / mine - 2 * self.others[top] / max(his, 1)
        return gain + wall + 0.05 * size

    # --- building and spells ------------------------------------------------------------------

    def building(self, name: str) -> float:
        return 1000.0 if name == "pyramid_tip" else 100.0 + HANDS[NUMBER[name]]

    def supply(self) -> float:
        """Open supplies are targets: lay them when something is built on them in this turn."""
        return 60.0 if self._opens() else -1.0

    def _opens(self) -> bool:
        state, seat = self.state, self.seat
        tier, hand = state.tier[seat], state.hands[seat]
        if state.tier_done:
            return False
        if not state.ships[seat] and SHIP not in hand:
            return False
        if state.grain[seat] + hand.count(GRAIN) < TIERS[tier - 1].grain:
            return False
        return bool(self._buildable(seat))

    def _buildable(self, seat: int) -> int:
        """Count the cards in a hand that would fit the tier in building, supplies aside."""
        state = self.state
        tier, pyramid, hand = state.tier[seat], state.pyramids[seat], state.hands[seat]
        hands = hand.count(HELPING_HAND)
        return sum(
            TIER[card] == tier and pyramid[card] < SLOTS[card] and HANDS[card] <= hands
            for card in set(hand)
        )

    def whirlwind(self, worker: int, *order: str) -> float:
        return self._storm(AROUND[self.state.workers[self.seat][worker]], order)

    def fire_storm(self, worker: int, axis: str, *order: str) -> float:
        return self._storm(LINE[axis][self.state.workers[self.seat][worker]], order)

    def _storm(self, reach: tuple[int, ...], order: tuple[str, ...]) -> float:
        gain = sum(map(self._top, offers.harvest(self.state, reach)))
        return 0.8 * gain - self._price(order) - 4.0

    def curse(self, *order: str) -> float:
        return self._harm() - self._price(order)

    def _price(self, order: tuple[str, ...]) -> float:
        return sum(self._cost(NUMBER[name]) for name in order) + 2.0

    def _harm(self) -> float:
        """Supplies are worth most where something could be built on them at once."""
        other = 1 - self.seat
        tier = self.state.tier[other]
        if self.state.grain[other] < tier or not self.state.ships[other]:
            return 1.0
        worth = 5.0 + 4.0 * self._buildable(other)
        return worth + (40.0 if tier == TIER[TIP] and self._buildable(other) else 0.0)

    def well_ordered(self, move: Move) -> bool:
        """What the opponent needs most lies lowest."""
        order = [self.others[NUMBER[str(name)]] for name in move[-3:]]
        if order != sorted(order, reverse=True):
            return False
        names = [str(name) for name in move[-3:]]
        return all(
            first < second
            for first, second, one, other in zip(names, names[1:], order, order[1:], strict=False)
            if one == other
        )


APPEALS: Final[dict[Atom, Callable[..., float]]] = {  # of every verb but those that cost nothing
    "move": Judge.step,
    "build": Judge.building,
    "lay_ship": Judge.supply,
    "lay_grain": Judge.supply,
    "place_stack": Judge.stack,
    "place_worker": Judge.entry,
    "play_horse": Judge.ride,
    "horse_step": Judge.ride_on,
    "play_bird": Judge.flight,
    "play_ox": Judge.push,
    "play_snake": Judge.snake,
    "snake_take": Judge.booty,
    "discard": Judge.excess,
    "cast_fire_storm": Judge.fire_storm,
    "cast_whirlwind": Judge.whirlwind,
    "cast_drought": Judge.curse,
    "cast_shipwreck": Judge.curse,
}

MIND: Final = Mind(
    policy=thumb,
    rollout=thumb,
    evaluate=evaluate,
    candidates=worth_a_thought,
    depth=12,
    explore=0.5,
)
