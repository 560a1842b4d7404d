"""What the law tiles do (docs/rules/cheops.md §2.4, §5.4, §5.5).

Effects only: they change boards, stocks and tiles, never the phase or whose turn it is.
"""

from typing import TYPE_CHECKING, Final

from games.cheops.components import (
    ACTION_LAWS,
    COLOURS,
    CONTENTS,
    EXCHANGE,
    FIELD,
    JOKER,
    JOKER_PRICE,
    KINDS,
    LATE_SALE,
    LAWS,
    MARKET_HIGH,
    MARKET_LOW,
    NEW_NUMBER,
    NONE,
    POSITIONS,
    REPEAL,
    SECRET_PASSAGE,
    THREE_BOARDS,
)
from games.cheops.offers import laws_in_play
from games.engine.contract import Move
from games.engine.table import Table

if TYPE_CHECKING:
    from games.cheops.rules import CheopsState

_KIND: Final = {name: kind for kind, name in enumerate(KINDS)}
_COLOUR: Final = {name: colour for colour, name in enumerate(COLOURS)}
_LAW: Final = {name: law for law, name in enumerate(LAWS)}


def enact(state: "CheopsState", table: Table) -> bool:
    """AUTO-2: carry out a law just turned up if it leaves nothing to choose."""
    law = state.pending_law
    if law in (MARKET_LOW, MARKET_HIGH):
        if state.market_tile != NONE:  # A13
            state.box.append(state.market_tile)
        state.market_tile = law
        table.tell("changed_market", price=state.market_price())
    elif law == THREE_BOARDS:
        state.three_boards = True
        table.tell("raised_threshold")
    elif law == REPEAL and not laws_in_play(state):
        state.box.append(REPEAL)
        table.tell("repealed_nothing")
    else:
        return False
    state.pending_law = NONE
    return True


def execute(state: "CheopsState", seat: int, move: Move, table: Table) -> None:
    """Carry out the law just turned up, or use an action tile: that one or a held one."""
    law, state.pending_law = state.pending_law, NONE
    match move:
        case ("place_law", str(colour)):
            state.under[_COLOUR[colour]] = law
            table.tell("placed_law", seat=seat, law=LAWS[law], colour=colour)
        case ("place_number", str(colour), int(position)):
            state.number_at = _COLOUR[colour] * POSITIONS + position - 1
            table.tell("placed_number", seat=seat, colour=colour, position=position)
        case ("repeal_law", str(name)):
            _repeal(state, _LAW[name])
            state.box.append(REPEAL)
            table.tell("repealed", seat=seat, law=name)
        case ("buy_joker",):
            state.money[seat] -= JOKER_PRICE
            state.joker_owner = seat
            table.tell("bought_joker", seat=seat, price=JOKER_PRICE)
        case ("decline_joker",):
            state.box.append(JOKER)
            table.tell("declined_joker", seat=seat)
        case ("keep_law",):
            state.held[seat][ACTION_LAWS.index(law)] = state.turn_number
            table.tell("kept_law", seat=seat, law=LAWS[law])
        case _:
            _play(state, seat, law, move, table)


def _repeal(state: "CheopsState", law: int) -> None:
    """Take a law out of play (§5.5)."""
    state.box.append(law)
    if law in state.under:
        state.under[state.under.index(law)] = NONE
    elif law == state.market_tile:
        state.market_tile = NONE
    elif law == THREE_BOARDS:
        state.three_boards = False
    elif law == NEW_NUMBER:
        state.number_at = NONE
    elif law == JOKER:
        state.joker_owner = NONE
    else:
        for held in state.held:
            held[ACTION_LAWS.index(law)] = NONE


def _play(state: "CheopsState", seat: int, turned_up: int, move: Move, table: Table) -> None:
    """Use an action tile (§5.4): the one just turned up, else the one held."""
    match move:
        case ("play_late_sale", str(colour)):
            _use(state, seat, LATE_SALE, turned_up)
            state.stocks[seat][_COLOUR[colour]] -= 1
            state.cover(seat, _COLOUR[colour])
            price = state.market_price()
            table.tell("late_sold", seat=seat, treasure=f"t:{colour}", price=price)
        case ("play_secret_passage", str(kind), str(spot)):
            _use(state, seat, SECRET_PASSAGE, turned_up)
            state.hands[seat][_KIND[kind]] -= 1
            state.take("sneaked", seat, _KIND[kind], spot, table)
        case ("play_exchange_pyramid", str(one), str(other)):
            _use(state, seat, EXCHANGE, turned_up)
            _swap(state, seat, one, other, table)
        case _:
            _use(state, seat, EXCHANGE, turned_up)
            _trade(state, seat, _COLOUR[str(move[1])], str(move[2]), table)


def _use(state: "CheopsState", seat: int, law: int, turned_up: int) -> None:
    """Send an action tile to the box."""
    state.box.append(law)
    if turned_up == NONE:
        state.held[seat][ACTION_LAWS.index(law)] = NONE


def _swap(state: "CheopsState", seat: int, one: str, other: str, table: Table) -> None:
    pyramid, a, b = state.pyramid, FIELD[one], FIELD[other]
    first, second = CONTENTS[pyramid[a]], CONTENTS[pyramid[b]]
    pyramid[a], pyramid[b] = pyramid[b], pyramid[a]
    table.tell("swapped", seat=seat, field=one, field_b=other, treasure=first, treasure_b=second)


def _trade(state: "CheopsState", seat: int, colour: int, spot: str, table: Table) -> None:
    got, state.pyramid[FIELD[spot]] = state.pyramid[FIELD[spot]], colour
    state.stocks[seat][colour] -= 1
    state.stocks[seat][got] += 1
    table.tell("traded", seat=seat, treasure=CONTENTS[colour], field=spot, got=CONTENTS[got])
