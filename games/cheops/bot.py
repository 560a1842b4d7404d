"""What Cheops teaches its bots: what treasures will be worth, and which moves deserve a thought.

Everything here looks at a determinized world only (games/engine/search.py sees to that). Values
are piastres. A price board is judged by how many sales are still to come on it. Hints: §11.
"""

from math import exp, tanh
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple

from games.cheops.components import (
    ABOVE,
    COLOURS,
    ENTRIES,
    FIELD,
    FULL,
    HIRE,
    KINDS,
    LAW,
    MUST_KEEP,
    MUST_SELL,
    NEW_ENTRY,
    NONE,
    POSITIONS,
    SUPPORTS,
    TILE,
)
from games.cheops.rules import CheopsState
from games.cheops.scoring import totals
from games.engine.contract import Move
from games.engine.search import Mind, rewards
from games.engine.table import Silent, Table

STEP: Final = 0.25  # of the expected number of further sales, as far as tables go
STEPS: Final = 37
SOLD: Final = 0.19  # chance that a treasure still in the pyramid will be sold
KEPT: Final = 0.3  # and that it will be kept by somebody
LAW_VALUE: Final = 7.0  # of turning up a law
HELD_VALUE: Final = 6.0  # of an action tile in reserve
KIND_VALUE: Final = 2.0  # of each different kind in hand
NEVER: Final = -1000.0  # what the laws forbid
CLEAR: Final = 45.0  # a lead of so many piastres is a clear one
WIDTH: Final = 7  # placements worth a thought

# Of moves alike in so many atoms only the most promising is looked at.
GROUPED: Final = {
    "play_secret_passage": 1,
    "play_exchange_stock": 2,
}

_appeal = itemgetter(0)
_KIND: Final = {name: kind for kind, name in enumerate(KINDS)}
_COLOUR: Final = {name: colour for colour, name in enumerate(COLOURS)}


class Glimpse(NamedTuple):
    """What a number will be on average: a plain part, a multiplier, half the gap of a pair."""

    plain: float
    times: float
    gap: float


def _chances(sales: float, room: int) -> list[float]:
    """Tell how likely 0, 1, 2, ... further sales are; more than there is room for are the last."""
    chances = []
    term, left = exp(-sales), 1.0
    for count in range(room):
        chances.append(term)
        left -= term
        term *= sales / (count + 1)
    return [*chances, max(0.0, left)]


CHANCES: Final = tuple(
    tuple(_chances(step * STEP, room) for room in range(FULL + 1)) for step in range(STEPS)
)


def _glimpse(board: int, sold: int, step: int) -> Glimpse:
    chances = CHANCES[step][FULL - sold]
    column = ENTRIES[board][sold:]
    return Glimpse(
        sum(chance * (n.low + n.high) / 2 for chance, n in zip(chances, column, strict=True)),
        sum(chance * n.times for chance, n in zip(chances, column, strict=True)),
        sum(chance * (n.high - n.low) / 2 for chance, n in zip(chances, column, strict=True)),
    )


GLIMPSES: Final = tuple(
    tuple(tuple(_glimpse(board, sold, step) for step in range(STEPS)) for sold in range(POSITIONS))
    for board in range(len(ENTRIES))
)


class Market:
    """What the treasures of a position will be worth, worked out colour by colour when asked."""

    __slots__ = ("counts", "hurry", "left", "prizes", "seen", "state")

    def __init__(self, state: CheopsState) -> None:
        self.state = state
        missing = state.threshold() - state.sold.count(FULL)
        # How much of the rest will still be plundered: less when boards are nearly full.
        self.hurry = (1.0, 0.7, 0.65, 0.45)[2 * (missing < 2) + (FULL - 1 in state.sold)]
        count = state.pyramid.count
        self.left = [count(colour) for colour in range(len(COLOURS))]
        self.counts = [[stock[c] for stock in state.stocks] for c in range(len(COLOURS))]
        self.prizes: list[float | None] = [None] * len(COLOURS)

    def outlook(self, colour: int, sold: int) -> Glimpse:
        """Guess what a board will show at the end, once so many have been sold."""
        state = self.state
        law = state.under[colour]
        rate = 0.0 if law == MUST_KEEP else 0.85 if law == MUST_SELL else SOLD
        step = int(rate * self.left[colour] * self.hurry / STEP + 0.5)
        seen = GLIMPSES[state.boards[colour]][sold][step]
        if state.number_at == NONE:
            return seen
        place = state.number_at - colour * POSITIONS
        if not sold <= place < POSITIONS:
            return seen
        chance = CHANCES[step][FULL - sold][place - sold]
        printed = ENTRIES[state.boards[colour]][place]
        return Glimpse(
            seen.plain + chance * (NEW_ENTRY.low - (printed.low + printed.high) / 2),
            seen.times - chance * printed.times,
            seen.gap - chance * (printed.high - printed.low) / 2,
        )

    def worth(self, seen: Glimpse, counts: list[int], seat: int, colour: int) -> float:
        """Guess what one treasure will pay to a seat with these holdings."""
        value, times, gap = seen
        if times:
            value += times * (sum(counts) + KEPT * self.left[colour] * self.hurry)
        if gap:
            own = counts[seat]
            leads = own > 0 and own == max(counts) and counts.count(own) == 1
            value += -gap if leads == (self.state.pair_rule == "majority_low") else gap
        return value

    def taking(self, seat: int, colour: int) -> tuple[float, float]:
        """Tell what selling and what keeping a treasure of this colour would bring."""
        state, counts = self.state, self.counts[colour]
        sold, law, own = state.sold[colour], state.under[colour], counts[seat]
        seen = self.outlook(colour, sold)
        value = self.worth(seen, counts, seat, colour)
        keep = NEVER
        if law != MUST_SELL:
            counts[seat] += 1
            keep = (own + 1) * self.worth(seen, counts, seat, colour) - own * value
            counts[seat] -= 1
            if seen.times:  # the others gain from every treasure as well
                keep -= seen.times * (sum(counts) - own) / (state.players - 1)
        if law == MUST_KEEP or sold == FULL:
            return NEVER, keep if law != MUST_SELL else 0.0
        after = self.outlook(colour, sold + 1)
        sell = state.market_price() + own * (self.worth(after, counts, seat, colour) - value)
        for other, count in enumerate(counts):
            if count and other != seat:
                change = self.worth(after, counts, other, colour)
                change -= self.worth(seen, counts, other, colour)
                sell -= count * change / (state.players - 1)
        if sold + 1 == FULL and state.sold.count(FULL) + 1 >= state.threshold():
            sell += _ending(state, seat, colour)
        return sell, keep

    def prize(self, seat: int, content: int) -> float:
        """Tell what finding this on a field is worth to the seat that asks."""
        if content >= LAW:
            return LAW_VALUE
        known = self.prizes[content]
        if known is None:
            known = self.prizes[content] = max(self.taking(seat, content))
        return known


def _ending(state: CheopsState, seat: int, colour: int) -> float:
    """Selling ends the match: good for the leader and for nobody else."""
    state.sold[colour] += 1
    sums = [float(total) for total in totals(state)]
    state.sold[colour] -= 1
    sums[seat] += state.market_price()
    return 100.0 if _lead(sums, seat) > 0 else -100.0


def estimates(state: CheopsState) -> list[float]:
    """Guess the final total of each seat."""
    market = Market(state)
    sums = [float(cash) for cash in state.money]
    best = 0.0
    for colour, counts in enumerate(market.counts):
        if any(counts) or state.joker_owner != NONE:
            seen = market.outlook(colour, state.sold[colour])
            for seat, count in enumerate(counts):
                if count:
                    sums[seat] += count * market.worth(seen, counts, seat, colour)
            if state.joker_owner != NONE:
                best = max(best, market.worth(seen, counts, state.joker_owner, colour))
    if state.joker_owner != NONE:
        sums[state.joker_owner] += best
    for seat, held in enumerate(state.held):
        sums[seat] += sum(HELD_VALUE for taken in held if taken != NONE)
    return sums


def judge(state: CheopsState) -> list[float]:
    """Share 1 for a clear lead to 0 for a hopeless lag; a finished match counts as it ended."""
    if state.phase == "finished":
        sums = [float(total) for total in totals(state)]
        shares = [0.5 + 0.5 * tanh(_lead(sums, seat) / CLEAR) for seat in range(state.players)]
        return [(one + 2 * other) / 3 for one, other in zip(shares, rewards(state), strict=True)]
    sums = estimates(state)
    for seat, hand in enumerate(state.hands):
        sums[seat] += KIND_VALUE * sum(map(bool, hand))
    return [0.5 + 0.5 * tanh(_lead(sums, seat) / CLEAR) for seat in range(state.players)]


def _lead(sums: list[float], seat: int) -> float:
    return sums[seat] - max(total for other, total in enumerate(sums) if other != seat)


def finding(state: CheopsState, seat: int, spot: int, market: Market) -> float:
    """Judge a field: what lies there, and what taking it opens to the others."""
    pyramid = state.pyramid
    value = market.prize(seat, pyramid[spot])
    for above in ABOVE[spot]:
        left, right = SUPPORTS[above]
        if pyramid[above] < TILE and pyramid[left + right - spot] >= TILE:
            value -= 0.25 * market.prize(seat, pyramid[above])
    return value


# --- rules of thumb -----------------------------------------------------------------------------


def ranked(state: CheopsState, seat: int, moves: list[Move]) -> list[Move]:
    """Order the moves worth a thought, the best first; never leaves none."""
    match state.phase:
        case _ if len(moves) == 1:
            return moves
        case "act":
            return _actions(state, seat, moves) or moves[:1]
        case "resolve_treasure":
            sell, keep = Market(state).taking(seat, state.pending_treasure)
            return moves if sell >= keep else moves[::-1]
        case "wrap_up":
            return _closings(state, seat, moves) or moves[:1]
    return _tried(state, seat, _few(state, seat, moves))


def _actions(state: CheopsState, seat: int, moves: list[Move]) -> list[Move]:
    """Lay the kind one has most of where it pays best; hire when that pays by itself."""
    market, hand = Market(state), state.hands[seat]
    value = {spot: finding(state, seat, spot, market) for spot in state.reachable}
    best: dict[int, tuple[float, Move]] = {}
    hires: list[tuple[float, Move]] = []
    plays: list[Move] = []
    for move in moves:
        if move[0] == "place_family":
            spot = FIELD[str(move[2])]
            appeal = value[spot] + 0.8 * hand[_KIND[str(move[1])]]
            if spot not in best or appeal > best[spot][0]:
                best[spot] = appeal, move
        elif move[0] == "hire_neighbour":
            hires.append((value[FIELD[str(move[1])]] - HIRE, move))
        elif move[0] != "pass_turn":
            plays.append(move)
    placed = [move for _, move in sorted(best.values(), key=_appeal, reverse=True)[:WIDTH]]
    placed = placed or [move for move in moves if move[0] == "pass_turn"]
    hires = sorted(hires, key=_appeal, reverse=True)[:2]
    first = [move for appeal, move in hires if appeal > 3]
    last = [move for appeal, move in hires if -8 < appeal <= 3]
    return [*first, *_worthwhile(state, seat, plays), *placed, *last]


def _few(state: CheopsState, seat: int, moves: list[Move]) -> list[Move]:
    """Leave out most of what action tiles could do: the treasures that pay least and most."""
    market = Market(state)
    prize = [market.taking(seat, colour)[1] for colour in range(len(COLOURS))]
    best: dict[Move, tuple[float, Move]] = {}
    for move in moves:
        if move[0] == "play_exchange_pyramid":  # thousands, and rarely worth the tile
            continue
        value, group = _promise(state, move, prize), move[: GROUPED.get(str(move[0]), 9)]
        if group not in best or value > best[group][0]:
            best[group] = value, move
    return [move for _, move in best.values()]


def _promise(state: CheopsState, move: Move, prize: list[float]) -> float:
    """Judge what an action tile brings by the treasures it moves."""
    match move:
        case ("play_secret_passage", _, str(spot)):
            return prize[state.pyramid[FIELD[spot]]]
        case ("play_exchange_stock", str(colour), str(spot)):
            return prize[state.pyramid[FIELD[spot]]] - prize[_COLOUR[colour]]
    return 0.0


def _worthwhile(state: CheopsState, seat: int, plays: list[Move]) -> list[Move]:
    """Use held tiles when that beats waiting."""
    if not plays:
        return []
    now = _advantage(state, seat)
    few = _few(state, seat, plays)
    return [move for move in few if _after(state, seat, move) > now + 6][:3]


def _closings(state: CheopsState, seat: int, moves: list[Move]) -> list[Move]:
    """Refill, but for a third of the same kind; use held tiles first."""
    plays = [move for move in moves if move[0] not in ("draw_family", "end_turn")]
    draws = [move for move in moves if move[0] == "draw_family"]
    hand = state.hands[seat]
    draws.sort(key=lambda move: hand[state.stacks[int(move[1]) - 1][-1]])
    good = [move for move in draws if hand[state.stacks[int(move[1]) - 1][-1]] < 2]
    rest = [move for move in moves if move[0] == "end_turn"]
    if sum(hand) < 3:
        good, draws = draws, []
    return [*_worthwhile(state, seat, plays), *good, *rest] or draws


def _tried(state: CheopsState, seat: int, moves: list[Move]) -> list[Move]:
    """Order moves by where they lead: for the few decisions that laws ask for."""
    judged = [(_after(state, seat, move), move) for move in moves]
    judged.sort(key=_appeal, reverse=True)
    return [move for _, move in judged][:WIDTH]


def _after(state: CheopsState, seat: int, move: Move) -> float:
    """Tell how far ahead a move leaves the seat, a treasure in hand counted at its best."""
    twin = state.clone()
    twin.apply(seat, move, Silent(Random(1)))
    lead = _advantage(twin, seat)
    if twin.phase == "resolve_treasure":
        lead += max(Market(twin).taking(seat, twin.pending_treasure))
    return lead


def _advantage(state: CheopsState, seat: int) -> float:
    finished = state.phase == "finished"
    return _lead([float(t) for t in totals(state)] if finished else estimates(state), seat)


def thumb(state: CheopsState, seat: int, moves: list[Move], table: Table) -> Move:
    """Play by the rules of thumb alone."""
    return ranked(state, seat, moves)[0]


MIND: Final = Mind(
    policy=thumb,
    rollout=thumb,
    evaluate=judge,
    candidates=ranked,
    depth=24,
    explore=0.15,
    widen=2.0,
)
