"""What a seat may do (docs/rules/sakkara.md §5): the one judge of legality.

`step_bar` and `open_fields` answer for moves and for the words of refusals alike, so those cannot
disagree. Moves name cards and fields by their ids; nothing here changes a position.
"""

from itertools import permutations
from typing import TYPE_CHECKING, Final

from games.engine.contract import Move
from games.sakkara.components import (
    AROUND,
    AXES,
    BESIDE,
    BIRD,
    CLIMB,
    FIELDS,
    GRAIN,
    HANDS,
    HELPING_HAND,
    HORSE,
    LINE,
    NAMES,
    NEXT,
    OFF,
    OX,
    RECIPES,
    SHIP,
    SIZES,
    SLOTS,
    SNAKE,
    SPELLS,
    STAIR,
    TIER,
    WAYS,
    WORKERS,
)

if TYPE_CHECKING:
    from games.sakkara.rules import SakkaraState

_PLACE: Final = tuple(("place_worker", name) for name in FIELDS)
_STEP: Final = tuple(tuple(("move", worker, way) for way in WAYS) for worker in range(WORKERS))
_CLIMB: Final = tuple(
    tuple(("move", worker, way, "stair") for way in WAYS) for worker in range(WORKERS)
)
_BUILD: Final = tuple(("build", name) for name in NAMES)
_DISCARD: Final = tuple(("discard", name) for name in NAMES)
_STEAL: Final = tuple(("snake_take", name) for name in NAMES)
_FLY: Final = tuple(
    tuple(("play_bird", worker, name) for name in FIELDS) for worker in range(WORKERS)
)
_ORDERS: Final = {spell: tuple(permutations(recipe)) for spell, recipe in SPELLS.items()}
_SHIP: Final = ("lay_ship",)
_GRAIN: Final = ("lay_grain",)
_SNAKE: Final = ("play_snake",)
_STOP: Final = ("horse_stop",)
_END: Final = ("end_turn",)


def moves(state: "SakkaraState", seat: int) -> list[Move]:
    """List what the active seat may do in this phase."""
    match state.phase:
        case "main":
            return _turn(state, seat)
        case "place_returns":
            return _returns(state, seat)
        case "horse_step":
            return [*_rides(state, seat, "horse_step"), _STOP]
        case "snake_pick":
            return [_STEAL[card] for card in sorted(set(state.hands[1 - seat]))]
        case "discard":
            return [_DISCARD[card] for card in sorted(set(state.hands[seat]))]
        case "setup_place":
            return [_PLACE[spot] for spot in range(len(FIELDS)) if not state.occupied(spot)]
    return []


# --- stacks that come back (§5.2) ----------------------------------------------------------------


def allowed_fields(state: "SakkaraState", seat: int) -> list[int]:
    """List the fields without a worker, not beside an own one, not used before."""
    own = state.workers[seat]
    closed = {*own, *state.workers[1 - seat], *state.used_fields}
    for worker in own:
        closed.update(BESIDE[worker])
    return [spot for spot in range(len(FIELDS)) if spot not in closed]


def open_fields(state: "SakkaraState", seat: int) -> list[int]:
    """List where a stack may be put: of the allowed fields those with the fewest cards (A8)."""
    board = state.board
    allowed = allowed_fields(state, seat)
    fewest = min(len(board[spot]) for spot in allowed)
    return [spot for spot in allowed if len(board[spot]) == fewest]


def _returns(state: "SakkaraState", seat: int) -> list[Move]:
    spots = open_fields(state, seat)
    return [
        ("place_stack", size, FIELDS[spot]) for size in SIZES[len(state.returns)] for spot in spots
    ]


# --- steps (§5.3 move, play_horse) ---------------------------------------------------------------


def step_bar(state: "SakkaraState", origin: int, way: int) -> str:
    """Name what bars a step without a stair, or nothing."""
    target = NEXT[origin][way]
    if target == OFF:
        return "off_board"
    if state.occupied(target):
        return "field_occupied"
    rise = len(state.board[target]) - len(state.board[origin])
    return "too_high" if rise > CLIMB else ""


def can_step(state: "SakkaraState", seat: int) -> bool:
    """Tell whether a worker of the seat has a step that needs no stair (A14)."""
    return any(
        not step_bar(state, origin, way) for origin in state.workers[seat] for way in range(4)
    )


def _steps(state: "SakkaraState", seat: int) -> list[Move]:
    """List the regular moves, those without a stair first."""
    free: list[Move] = []
    steep: list[Move] = []
    for worker, origin in enumerate(state.workers[seat]):
        for way in range(4):
            bar = step_bar(state, origin, way)
            if not bar:
                free.append(_STEP[worker][way])
            elif bar == "too_high":
                steep.append(_CLIMB[worker][way])
    return free + steep if STAIR in state.hands[seat] else free


def ride_bar(state: "SakkaraState", seat: int) -> str:
    """Name what bars the worker on its line from going one field further without a stair."""
    worker, way = state.line
    return step_bar(state, state.workers[seat][worker], way)


def can_ride(state: "SakkaraState", seat: int) -> bool:
    """Tell whether the line goes on, if need be with a stair from the hand."""
    bar = ride_bar(state, seat)
    return not bar or (bar == "too_high" and STAIR in state.hands[seat])


def _rides(state: "SakkaraState", seat: int, verb: str) -> list[Move]:
    """A step of the horse; on an empty field there is nothing to take or to leave (A9)."""
    if not can_ride(state, seat):
        return []
    if ride_bar(state, seat):
        return [(verb, "stair", "take"), (verb, "stair", "leave")]
    worker, way = state.line
    if state.board[NEXT[state.workers[seat][worker]][way]]:
        return [(verb, "take"), (verb, "leave")]
    return [(verb,)]


# --- a turn (§5.3) -------------------------------------------------------------------------------


def _turn(state: "SakkaraState", seat: int) -> list[Move]:
    hand = state.hands[seat]
    cards = set(hand)
    found = [] if state.moved else _steps(state, seat)
    barred = bool(found) and (len(found[0]) == 3)  # a step without a stair: the move is due
    found += _supplies(state, seat, cards)
    found += _builds(state, seat, cards)
    found += _specials(state, seat, cards)
    for spell, recipe in RECIPES.items():
        if cards.issuperset(recipe):
            found += _casts(state, seat, spell)
    if not barred:
        found.append(_END)
    return found


def _supplies(state: "SakkaraState", seat: int, cards: set[int]) -> list[Move]:
    found: list[Move] = []
    if SHIP in cards and not state.ships[seat]:
        found.append(_SHIP)
    if GRAIN in cards and state.grain[seat] < state.tier[seat] and not state.tier_done:
        found.append(_GRAIN)
    return found


def _builds(state: "SakkaraState", seat: int, cards: set[int]) -> list[Move]:
    tier = state.tier[seat]
    if state.tier_done or not state.ships[seat] or state.grain[seat] < tier:
        return []
    pyramid = state.pyramids[seat]
    hands = state.hands[seat].count(HELPING_HAND)
    return [
        _BUILD[card]
        for card in sorted(cards)
        if TIER[card] == tier and pyramid[card] < SLOTS[card] and HANDS[card] <= hands
    ]


def _specials(state: "SakkaraState", seat: int, cards: set[int]) -> list[Move]:
    found: list[Move] = []
    if SNAKE in cards and state.hands[1 - seat]:
        found.append(_SNAKE)
    if HORSE in cards and state.line:
        found += _rides(state, seat, "play_horse")
    if BIRD in cards:
        free = [spot for spot in range(len(FIELDS)) if not state.occupied(spot)]
        found += [_FLY[worker][spot] for worker in range(WORKERS) for spot in free]
    if OX in cards:
        found += _pushes(state, seat)
    return found


def _pushes(state: "SakkaraState", seat: int) -> list[Move]:
    """§5.3 play_ox: nothing is pushed upwards (A11)."""
    board = state.board
    beside = sorted({spot for worker in state.workers[seat] for spot in BESIDE[worker]})
    return [
        ("play_ox", FIELDS[origin], FIELDS[target], count)
        for origin in beside
        if board[origin] and not state.occupied(origin)
        for target in BESIDE[origin]
        if not state.occupied(target)
        for count in range(1, len(board[origin]) - len(board[target]) + 1)
    ]


def harvest(state: "SakkaraState", spots: tuple[int, ...]) -> list[int]:
    """List the fields a storm takes a card from: no worker there, and not empty (A13)."""
    return [spot for spot in spots if state.board[spot] and not state.occupied(spot)]


def _casts(state: "SakkaraState", seat: int, spell: str) -> list[Move]:
    """All orders of the three cards; a spell without effect is barred (A26)."""
    verb = f"cast_{spell}"
    orders = _ORDERS[spell]
    other = 1 - seat
    if spell == "drought":
        return [(verb, *order) for order in orders] if state.grain[other] else []
    if spell == "shipwreck":
        return [(verb, *order) for order in orders] if state.ships[other] else []
    found: list[Move] = []
    for worker, spot in enumerate(state.workers[seat]):
        if spell == "whirlwind":
            if harvest(state, AROUND[spot]):
                found += [(verb, worker, *order) for order in orders]
            continue
        for axis in AXES:
            if harvest(state, LINE[axis][spot]):
                found += [(verb, worker, axis, *order) for order in orders]
    return found
