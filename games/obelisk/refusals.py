"""Why a move is refused, in the order of checks of docs/rules/obelisk.md §5.3.

Asked only after `legal` has said no; it words that verdict and never judges. It understands
half-written and forged moves too. Every check answers with a key, or "" where it finds nothing.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from games.engine.contract import Atom, Move
from games.obelisk import duties
from games.obelisk.components import (
    BUILDING,
    COLOR,
    DEPOT_MINIMUM,
    FOUNDATIONS,
    KIND,
    NUMBER,
    ROUND,
    SCOPE,
    VALUE,
    VALUES,
    ZONE,
)
from games.obelisk.duties import can_meet
from games.obelisk.scoring import CARDS, HUE, TOP, Obelisk

if TYPE_CHECKING:
    from games.obelisk.rules import ObeliskState

Atoms = tuple[Atom | None, ...]


def refusal(state: "ObeliskState", seat: int, move: Move) -> str:
    """Name the first thing wrong with a move: phase, seat, pending choice, then its own checks."""
    verb = move[0] if move else ""
    if state.phase == "over":
        return "game_over"
    if verb in CHECKS and (verb == "choose_market") != (state.phase == "setup_market"):
        return "wrong_phase"
    if seat not in state.to_act():
        return "not_your_turn"
    if verb not in CHECKS:
        return "illegal"
    if verb in ("pick_action", "decline_action"):
        if not state.pending_action:
            return "nothing_to_choose"
    elif state.pending_action:
        return "choose_action_first"
    return CHECKS[str(verb)](state, seat, move[1:]) or "illegal"


def _part(atoms: Atoms, place: int) -> Atom | None:
    """Give an atom of a move that may be too short."""
    return atoms[place] if place < len(atoms) else None


def _card(atoms: Atoms, place: int = 0) -> int:
    """Give the card named there, or one that nobody has."""
    return NUMBER.get(str(_part(atoms, place)), -1)


def _duties_bar(
    state: "ObeliskState",
    seat: int,
    *,
    cards: int = 0,
    actions: int = 0,
    foundations: int = 0,
    build: bool = False,
    market: bool = False,
) -> str:
    """Make the duty check (§5.4) for a move that changes the reserve so, or meets a duty."""
    must_build, must_market, held, on_table, below = duties.reserve(state, seat)
    fine = can_meet(
        must_build and not build,
        must_market and not market,
        held + cards,
        on_table + actions,
        below + foundations,
    )
    return "" if fine else "keep_card_for_duty"


def _choose_market(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    own = {_card((name,)) for name in atoms} & set(state.hands[seat])
    return "" if len(own) == len(atoms) == 2 else "invalid_choice"


def _take(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    if state.last_round == "limited":
        return "quarry_closed"
    if not state.takes_left:
        return "no_takes_left"
    pile, way = _part(atoms, 0), _part(atoms, 1)
    if not isinstance(pile, int) or not 0 <= pile < len(state.piles) or not state.piles[pile]:
        return "pile_empty"
    if state.free_move:
        return ""
    if state.players > 2:
        return "" if pile in state.neighbours() else "pile_not_adjacent"
    if not isinstance(way, str) or way not in ROUND:
        return "direction_required"
    if len(state.passed(pile, way)) > state.camels[seat]:
        return "not_enough_camels"
    return "wrong_direction" if state.direction not in ("", way) else ""


def _depot_bars(state: "ObeliskState", seat: int) -> bool:
    return state.players == 2 and len(state.hands[seat]) <= DEPOT_MINIMUM


def _lay_foundation(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    if _card(atoms) not in state.hands[seat]:
        return "card_not_available"
    if _depot_bars(state, seat):
        return "depot_minimum"
    return _duties_bar(state, seat, cards=-1, build=True)


def _build(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    """A move without an obelisk is answered for the first one, without an end for the top."""
    card, number, end = _card(atoms), _part(atoms, 1) or 0, _part(atoms, 2) or "top"
    if card not in state.hands[seat]:
        return "card_not_available"
    if not isinstance(number, int) or not 0 <= number < len(state.obelisks[seat]):
        return "obelisk_not_found"
    if _depot_bars(state, seat):
        return "depot_minimum"
    obelisk = state.obelisks[seat][number]
    declared = _part(atoms, 3)
    if not obelisk[TOP]:
        if not VALUE[card] and declared not in VALUES:
            return "joker_value_required"
        value = VALUE[card] or declared
    else:
        value = obelisk[TOP] - 1 if end == "top" else obelisk[TOP] + len(obelisk) - CARDS
        misplaced = _misplaced(state, obelisk, card, end, declared) or _off_color(
            state, obelisk, number, card
        )
        if misplaced:
            return misplaced
    earned = value == 1 and state.earns()
    return _duties_bar(state, seat, cards=-1, actions=int(earned), build=True)


def _misplaced(
    state: "ObeliskState", obelisk: Obelisk, card: int, end: Atom, declared: Atom | None
) -> str:
    """Check the end and the value of a card for an obelisk that is not bare."""
    if end == "top":
        if obelisk[TOP] == 1:
            return "obelisk_finished"
        fits = obelisk[TOP] - 1
    elif end == "bottom":
        if not state.double_ended:
            return "bottom_not_allowed"
        fits = obelisk[TOP] + len(obelisk) - CARDS
    else:
        return "illegal"
    if fits > VALUES[-1] or VALUE[card] not in (0, fits):
        return "not_consecutive"
    return "joker_value_wrong" if not VALUE[card] and declared not in (None, fits) else ""


def _off_color(state: "ObeliskState", obelisk: Obelisk, number: int, card: int) -> str:
    if COLOR[card] == obelisk[HUE]:
        return ""
    if not state.off_color:
        return "wrong_color"
    return "" if state.off_used.count(number) < state.off_color else "off_color_used"


def _pick_action(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    slot = _part(atoms, 0)
    filled = [place for place, card in enumerate(state.display) if card >= 0]
    return "" if slot in filled else "empty_slot"


def _decline_action(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    return _duties_bar(state, seat, actions=-1)


def _place_market(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    if barred := _market_bars(state):
        return barred
    card = _card(atoms)
    if card in state.hands[seat]:
        return _duties_bar(state, seat, cards=-1, market=True)
    if card in state.actions[seat]:
        founding = int(card in FOUNDATIONS)
        return _duties_bar(state, seat, actions=-1, foundations=-founding, market=True)
    return "card_not_available"


def _market_bars(state: "ObeliskState") -> str:
    if state.players == 2:
        return "wrong_mode"
    return "market_closed" if state.last_round == "limited" else ""


def _buy_market(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    if barred := _market_bars(state):
        return barred
    other = _part(atoms, 0)
    if other == seat:
        return "own_market"
    if not _market_of(state, other):
        return "market_empty"
    return "" if state.camels[seat] else "not_enough_camels"


def _market_of(state: "ObeliskState", seat: Atom | None) -> list[int]:
    """Give a market; a seat that does not exist has nothing to sell."""
    return state.markets[seat] if isinstance(seat, int) and 0 <= seat < state.players else []


def _trade(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    if state.players > 2:
        return "wrong_mode"
    wanted = len(atoms) < 2 or _card(atoms, 1) in state.hands[1 - seat]
    if _card(atoms) not in state.hands[seat] or not wanted:
        return "card_not_available"
    return "" if state.camels[seat] else "not_enough_camels"


def _play_action(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    card = _card(atoms)
    if card < BUILDING:
        return "card_not_available"
    if SCOPE[card] == ("multi" if state.players == 2 else "duel"):
        return "wrong_mode"
    if state.last_round == "limited" and ZONE[card] != "build":
        return "action_card_barred"
    if card not in state.actions[seat]:
        return "card_not_available"
    return _EFFECTS.get(KIND[card], _plain)(state, seat, atoms[1:])


def _plain(state: "ObeliskState", seat: int, named: Atoms) -> str:
    return _duties_bar(state, seat, actions=-1)


def _foundation(state: "ObeliskState", seat: int, named: Atoms) -> str:
    return _duties_bar(state, seat, actions=-1, foundations=-1, build=True)


def _free_move(state: "ObeliskState", seat: int, named: Atoms) -> str:
    return _plain(state, seat, named) if state.takes_left else "no_takes_left"


def _extra_move(state: "ObeliskState", seat: int, named: Atoms) -> str:
    return "" if sum(map(len, state.piles)) > state.takes_left else "quarry_exhausted"


def _market_recall(state: "ObeliskState", seat: int, named: Atoms) -> str:
    return ""


def _market_pick(state: "ObeliskState", seat: int, named: Atoms) -> str:
    if len(named) not in (2, 4):
        return "bad_pick_count"
    if wrong := _named_markets(state, seat, named):
        return wrong
    left = sum(map(len, state.markets)) - len(state.markets[seat]) - len(named) // 2
    return "must_buy" if duties.purchase_is_due(state) and not left else ""


def _market_swap(state: "ObeliskState", seat: int, named: Atoms) -> str:
    if len(named) != 4:
        return "bad_pick_count"
    return _named_markets(state, seat, named) or _plain(state, seat, named)


def _named_markets(state: "ObeliskState", seat: int, named: Atoms) -> str:
    """Check the cards of market_pick and market_swap: seat card, or seat card seat card."""
    seats = named[::2]
    if seat in seats:
        return "own_market"
    if len(set(seats)) < len(seats):
        return "same_market_twice"
    for place, other in enumerate(seats):
        if _card(named, 2 * place + 1) not in _market_of(state, other):
            return "card_not_available"
    return ""


def _free_trade(state: "ObeliskState", seat: int, named: Atoms) -> str:
    if len(named) not in (2, 4):
        return "bad_trade_count"
    cards = {_card((name,)) for name in named}
    there = all(_card((name,)) in state.hands[seat] for name in named[::2]) and all(
        _card((name,)) in state.hands[1 - seat] for name in named[1::2]
    )
    return "" if there and len(cards) == len(named) else "card_not_available"


def _end_turn(state: "ObeliskState", seat: int, atoms: Atoms) -> str:
    return duties.unmet(state, seat)


Check = Callable[["ObeliskState", int, Atoms], str]

_EFFECTS: Final[dict[str, Check]] = {
    "foundation": _foundation,
    "free_move": _free_move,
    "extra_move": _extra_move,
    "market_pick": _market_pick,
    "market_recall": _market_recall,
    "market_swap": _market_swap,
    "free_trade": _free_trade,
}

CHECKS: Final[dict[Atom, Check]] = {
    "choose_market": _choose_market,
    "take": _take,
    "lay_foundation": _lay_foundation,
    "build": _build,
    "pick_action": _pick_action,
    "decline_action": _decline_action,
    "place_market": _place_market,
    "buy_market": _buy_market,
    "trade": _trade,
    "play_action": _play_action,
    "end_turn": _end_turn,
}
