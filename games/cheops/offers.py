"""What a seat may do (docs/rules/cheops.md §5.1, §5.3, §5.4): the lists behind `legal`.

Plain questions about a position; nothing here changes it. Moves are looked up in tables, never
made anew, because these lists are the hot path of every playout.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from games.cheops.components import (
    ACTION_LAWS,
    ALL_KINDS,
    COLOURS,
    EXCHANGE,
    FIELDS,
    FULL,
    HAND,
    HIRE,
    JOKER,
    JOKER_PRICE,
    KINDS,
    LATE_SALE,
    LAW,
    LAWS,
    MUST_KEEP,
    MUST_SELL,
    NEIGHBOUR,
    NEW_NUMBER,
    NONE,
    POSITIONS,
    REPEAL,
    SECRET_PASSAGE,
    SLOT_LAWS,
    STACKS,
    THREE_BOARDS,
)
from games.engine.contract import Move

if TYPE_CHECKING:
    from games.cheops.rules import CheopsState


def _choices(verb: str) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """For each field and each set of kinds (a bit per kind): the verb with each of them."""
    return tuple(
        tuple(
            tuple((verb, name, spot) for kind, name in enumerate(KINDS) if kinds >> kind & 1)
            for kinds in range(ALL_KINDS + 1)
        )
        for spot in FIELDS
    )


_PLACE: Final = _choices("place_family")
_SNEAK: Final = _choices("play_secret_passage")
_HIRE: Final = tuple(("hire_neighbour", spot) for spot in FIELDS)
_LATE: Final = tuple(("play_late_sale", colour) for colour in COLOURS)
_SWAP: Final = tuple(
    tuple(("play_exchange_pyramid", one, other) for other in FIELDS) for one in FIELDS
)
_TRADE: Final = tuple(
    tuple(("play_exchange_stock", colour, spot) for spot in FIELDS) for colour in COLOURS
)
_SLOT: Final = tuple(("place_law", colour) for colour in COLOURS)
_NUMBER: Final = tuple(
    tuple(("place_number", colour, position + 1) for position in range(POSITIONS))
    for colour in COLOURS
)
_REPEAL: Final = tuple(("repeal_law", law) for law in LAWS)
_DRAW: Final = tuple(("draw_family", stack + 1) for stack in range(STACKS))
_NAME: Final = tuple(("declare_joker", colour) for colour in COLOURS)
_SELL: Final = ("sell_treasure",)
_KEEP: Final = ("keep_treasure",)
_BUY: Final = ("buy_joker",)
_DECLINE: Final = ("decline_joker",)
_HOLD: Final = ("keep_law",)
_PASS: Final = ("pass_turn",)
_END: Final = ("end_turn",)

USED_BY: Final = {  # which action tile a verb uses
    "play_late_sale": LATE_SALE,
    "play_secret_passage": SECRET_PASSAGE,
    "play_exchange_pyramid": EXCHANGE,
    "play_exchange_stock": EXCHANGE,
}


def moves(state: "CheopsState", seat: int) -> list[Move]:
    """List what the current seat may do now."""
    match state.phase:
        case "act":
            return _actions(state, seat)
        case "resolve_treasure":
            return _resolutions(state)
        case "resolve_law":
            return _executions(state, seat)
        case "wrap_up":
            return _closings(state, seat)
        case "declare_joker":
            return list(_NAME)
    return []


def kinds_in_hand(state: "CheopsState", seat: int) -> int:
    """Tell which kinds a seat has, a bit for each."""
    grandfathers, mothers, sons, daughters = state.hands[seat]
    return (grandfathers > 0) | (mothers > 0) << 1 | (sons > 0) << 2 | (daughters > 0) << 3


def can_lay(state: "CheopsState", seat: int) -> bool:
    """Tell whether any family member in hand fits anywhere (§5.1)."""
    kinds, touching = kinds_in_hand(state, seat), state.touching
    for spot in state.reachable:  # noqa: SIM110 - a plain loop is twice as quick as any()
        if kinds & ~touching[spot]:
            return True
    return False


def may_sell(state: "CheopsState", colour: int) -> bool:
    return state.sold[colour] < FULL and state.under[colour] != MUST_KEEP


def front_stack(state: "CheopsState") -> int:
    """Find the lowest-numbered stack that is left, or NONE."""
    for stack, tiles in enumerate(state.stacks):
        if tiles:
            return stack
    return NONE


def can_draw(state: "CheopsState", seat: int) -> bool:
    return sum(state.hands[seat]) < HAND and front_stack(state) != NONE


def is_stuck(state: "CheopsState", seat: int) -> bool:
    """Tell whether passing is all that is left in phase act (AUTO-4)."""
    return not can_lay(state, seat) and not _hirings(state, seat) and not can_play(state, seat)


def can_play(state: "CheopsState", seat: int) -> bool:
    """Tell whether a law tile held from an earlier turn can be used now."""
    return any(True for _ in _held_plays(state, seat))


def laws_in_play(state: "CheopsState") -> list[int]:
    """List what repeal can remove (§5.5), in the order of the laws."""
    laws = [law for law in state.under if law != NONE]
    for held in state.held:
        laws += [law for law, taken in zip(ACTION_LAWS, held, strict=True) if taken != NONE]
    if state.market_tile != NONE:
        laws.append(state.market_tile)
    if state.three_boards:
        laws.append(THREE_BOARDS)
    if state.number_at != NONE:
        laws.append(NEW_NUMBER)
    if state.joker_owner != NONE:
        laws.append(JOKER)
    return sorted(laws)


def _actions(state: "CheopsState", seat: int) -> list[Move]:
    """Phase act; passing only when no family member can be laid (A23)."""
    listed: list[Move] = []
    kinds, touching = kinds_in_hand(state, seat), state.touching
    for spot in state.reachable:
        listed += _PLACE[spot][kinds & ~touching[spot]]
    must_pass = not listed
    listed += _hirings(state, seat)
    listed += _held_plays(state, seat)
    if must_pass:
        listed.append(_PASS)
    return listed


def _hirings(state: "CheopsState", seat: int) -> list[Move]:
    if state.hired_this_turn or not state.neighbours_left or state.money[seat] < HIRE:
        return []
    touching = state.touching
    return [_HIRE[spot] for spot in state.reachable if not touching[spot] >> NEIGHBOUR]


def _resolutions(state: "CheopsState") -> list[Move]:
    """Phase resolve_treasure."""
    colour = state.pending_treasure
    listed: list[Move] = [_SELL] if may_sell(state, colour) else []
    if state.under[colour] != MUST_SELL:
        listed.append(_KEEP)
    return listed


def _executions(state: "CheopsState", seat: int) -> list[Move]:
    """Phase resolve_law."""
    law = state.pending_law
    if law in SLOT_LAWS:
        return [_SLOT[colour] for colour, tile in enumerate(state.under) if tile == NONE]
    if law == NEW_NUMBER:
        return [move for colour, sold in enumerate(state.sold) for move in _NUMBER[colour][sold:]]
    if law == REPEAL:
        return [_REPEAL[tile] for tile in laws_in_play(state)]
    if law == JOKER:
        return [_BUY, _DECLINE] if state.money[seat] >= JOKER_PRICE else [_DECLINE]
    return [*_plays(state, seat, law), _HOLD]


def _closings(state: "CheopsState", seat: int) -> list[Move]:
    """Phase wrap_up; an empty hand must be refilled (A7)."""
    listed = [] if state.drawn_this_turn else list(_held_plays(state, seat))
    hand, front = sum(state.hands[seat]), front_stack(state)
    if hand < HAND and front != NONE:
        if state.family_draw == "any_stack":
            listed += [_DRAW[stack] for stack, tiles in enumerate(state.stacks) if tiles]
        else:
            listed.append(_DRAW[front])
    if hand or front == NONE:
        listed.append(_END)
    return listed


def _held_plays(state: "CheopsState", seat: int) -> Iterator[Move]:
    """List what the law tiles taken in earlier turns can do (§5.4, A22)."""
    for law, taken in zip(ACTION_LAWS, state.held[seat], strict=True):
        if NONE < taken < state.turn_number:
            yield from _plays(state, seat, law)


def _plays(state: "CheopsState", seat: int, law: int) -> Iterator[Move]:
    if law == LATE_SALE:
        for colour, count in enumerate(state.stocks[seat]):
            if count and may_sell(state, colour):
                yield _LATE[colour]
    elif law == SECRET_PASSAGE:
        kinds, touching = kinds_in_hand(state, seat), state.touching
        for spot in _treasures(state):
            yield from _SNEAK[spot][kinds & ~touching[spot]]
    else:
        yield from _exchanges(state, seat)


def _exchanges(state: "CheopsState", seat: int) -> Iterator[Move]:
    """Equal colours are never swapped (A21); a pair of fields is listed in one order only."""
    pyramid, spots = state.pyramid, _treasures(state)
    for place, one in enumerate(spots):
        colour, swap = pyramid[one], _SWAP[one]
        for other in spots[place + 1 :]:
            if pyramid[other] != colour:
                yield swap[other]
    for colour, count in enumerate(state.stocks[seat]):
        if count:
            for spot in spots:
                if pyramid[spot] != colour and state.under[pyramid[spot]] != MUST_SELL:
                    yield _TRADE[colour][spot]


def _treasures(state: "CheopsState") -> list[int]:
    """List the fields on which a treasure lies."""
    return [spot for spot, content in enumerate(state.pyramid) if content < LAW]
