"""Why a move is refused, in the order of checks of docs/rules/sakkara.md §5.

Asked only after `legal` has said no; it words that verdict and never judges. It understands
half-written and forged moves too: what is not said is passed over, what makes no sense is illegal.
Every check answers with a key, or "" where it finds nothing.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from games.engine.contract import Atom, Move, Refused
from games.sakkara import offers
from games.sakkara.components import (
    AROUND,
    AXES,
    BESIDE,
    BIRD,
    FIELD,
    GRAIN,
    HANDS,
    HELPING_HAND,
    HORSE,
    LINE,
    NUMBER,
    OX,
    RECIPES,
    SHIP,
    SIZES,
    SLOTS,
    SNAKE,
    SPELLS,
    STAIR,
    TIER,
    WAY,
    WORKERS,
)

if TYPE_CHECKING:
    from games.sakkara.rules import SakkaraState

Atoms = tuple[Atom, ...]
Check = Callable[["SakkaraState", int, Atoms], str]

STRANGE: Final = -2  # stands for something said that is no field, worker, card or number
UNSAID: Final = -3


def refusal(state: "SakkaraState", seat: int, move: Move) -> Refused:
    """Name the first thing wrong with a move: match, seat, phase, then its own checks."""
    verb = move[0] if move else ""
    if state.phase == "game_over":
        return Refused("game_over")
    if seat != state.active:
        return Refused("not_your_turn")
    if verb not in CHECKS:
        return Refused("illegal")
    phase, check = CHECKS[verb]
    if phase != state.phase:
        return Refused("wrong_phase")
    key = check(state, seat, move[1:]) or "illegal"
    if key == "card_not_in_hand":
        return Refused(key, words="opponent_lacks" if verb == "snake_take" else "you_lack")
    return Refused(key)


# --- reading -----------------------------------------------------------------------------------


def _spot(atoms: Atoms, place: int) -> int:
    """Read a field."""
    if place >= len(atoms):
        return UNSAID
    return FIELD.get(str(atoms[place]), STRANGE)


def _card(atoms: Atoms) -> int:
    return NUMBER.get(str(atoms[0]), STRANGE) if atoms else STRANGE


def _worker(atoms: Atoms) -> int:
    if not atoms:
        return UNSAID
    return atoms[0] if isinstance(atoms[0], int) and 0 <= atoms[0] < WORKERS else STRANGE


def _holds(state: "SakkaraState", seat: int, card: int) -> str:
    return "" if card in state.hands[seat] else "card_not_in_hand"


def _vacant(state: "SakkaraState", spot: int) -> str:
    """Check that a field is on the board and nobody stands there."""
    if spot == STRANGE:
        return "off_board"
    return "field_occupied" if state.occupied(spot) else ""


# --- placing (§5.1, §5.2) -----------------------------------------------------------------------


def _place_worker(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    return _vacant(state, _spot(atoms, 0))


def _place_stack(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    """The size is checked before the field; a field without a size is checked all the same."""
    if atoms and str(atoms[0]) in FIELD:
        return place_bar(state, seat, _spot(atoms, 0))
    if atoms and atoms[0] not in SIZES[len(state.returns)]:
        return "stack_size"
    spot = _spot(atoms, 1)
    return place_bar(state, seat, spot) if spot != UNSAID else ""


def place_bar(state: "SakkaraState", seat: int, spot: int) -> str:
    """Name what bars a stack from a field, or nothing (§5.2)."""
    if taken := _vacant(state, spot):
        return taken
    if any(spot in BESIDE[worker] for worker in state.workers[seat]):
        return "next_to_own_worker"
    if spot in state.used_fields:
        return "field_used"
    return "" if spot in offers.open_fields(state, seat) else "not_lowest"


# --- steps (§5.3) -------------------------------------------------------------------------------


def _stepping(state: "SakkaraState", seat: int, origin: int, way: int, *, stair: bool) -> str:
    bar = offers.step_bar(state, origin, way)
    if not stair or bar in ("off_board", "field_occupied"):
        return bar
    return _holds(state, seat, STAIR) if bar else "stair_not_needed"


def _move(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    if state.moved:
        return "already_moved"
    worker = _worker(atoms)
    way = WAY.get(str(atoms[1])) if len(atoms) > 1 else None
    if worker < 0 or way is None:
        return ""
    origin = state.workers[seat][worker]
    return _stepping(state, seat, origin, way, stair="stair" in atoms)


def _play_horse(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    if lacking := _holds(state, seat, HORSE):
        return lacking
    return _horse_step(state, seat, atoms) if state.line else "horse_needs_move"


def _horse_step(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    worker, way = state.line
    origin = state.workers[seat][worker]
    return _stepping(state, seat, origin, way, stair="stair" in atoms)


# --- other special cards (§5.3, §5.4) -----------------------------------------------------------


def _play_bird(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    if lacking := _holds(state, seat, BIRD):
        return lacking
    worker, spot = _worker(atoms), _spot(atoms, 1)
    if worker < 0:
        return ""
    if spot == state.workers[seat][worker]:
        return "same_field"
    return _vacant(state, spot)


def _play_ox(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    if lacking := _holds(state, seat, OX):
        return lacking
    origin, target = _spot(atoms, 0), _spot(atoms, 1)
    if origin == UNSAID:
        return "ox_uphill"  # no stack beside a worker can be pushed anywhere
    if not any(origin in BESIDE[worker] for worker in state.workers[seat]):
        return "ox_not_adjacent"
    if state.occupied(origin):
        return "field_occupied"
    if target == UNSAID:
        lowest = min(BESIDE[origin], key=lambda spot: len(state.board[spot]))
        return _uphill(state, origin, lowest, 1)
    if target not in BESIDE[origin]:
        return "ox_bad_target"
    if state.occupied(target):
        return "field_occupied"
    return _uphill(state, origin, target, atoms[2] if len(atoms) > 2 else 1)


def _uphill(state: "SakkaraState", origin: int, target: int, count: Atom) -> str:
    most = len(state.board[origin]) - len(state.board[target])
    return "" if isinstance(count, int) and 1 <= count <= most else "ox_uphill"


def _play_snake(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    if lacking := _holds(state, seat, SNAKE):
        return lacking
    return "" if state.hands[1 - seat] else "opponent_hand_empty"


def _snake_take(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    return _holds(state, 1 - seat, _card(atoms))


def _discard(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    return _holds(state, seat, _card(atoms))


# --- spells (§5.3) ------------------------------------------------------------------------------


def _spelling(spell: str) -> Check:
    """Make the check of one spell: its cards, their order, and then what it works on."""

    def check(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
        if not set(RECIPES[spell]) <= set(state.hands[seat]):
            return "spell_cards_missing"
        named = [atom for atom in atoms if isinstance(atom, str) and atom not in AXES]
        if named and sorted(named) != sorted(SPELLS[spell]):
            return "bad_order"
        return _WORKS[spell](state, seat, atoms)

    return check


def _drought(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    return "" if state.grain[1 - seat] else "opponent_has_no_grain"


def _shipwreck(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    return "" if state.ships[1 - seat] else "opponent_has_no_ship"


def _fire_storm(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    axes = [str(atom) for atom in atoms if atom in AXES] or AXES
    return _reaping(state, seat, atoms, *(LINE[axis] for axis in axes))


def _whirlwind(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    return _reaping(state, seat, atoms, AROUND)


def _reaping(
    state: "SakkaraState", seat: int, atoms: Atoms, *reaches: tuple[tuple[int, ...], ...]
) -> str:
    """Check that a storm of this worker (or of any, if none is named) takes something."""
    worker = _worker(atoms)
    if worker == STRANGE and isinstance(atoms[0], int):
        return ""
    spots = state.workers[seat] if worker < 0 else [state.workers[seat][worker]]
    takes = any(offers.harvest(state, reach[spot]) for reach in reaches for spot in spots)
    return "" if takes else "nothing_to_take"


_WORKS: Final[dict[str, Check]] = {
    "fire_storm": _fire_storm,
    "whirlwind": _whirlwind,
    "drought": _drought,
    "shipwreck": _shipwreck,
}


# --- building (§5.3) ----------------------------------------------------------------------------


def _lay_ship(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    if lacking := _holds(state, seat, SHIP):
        return lacking
    return "ship_already_laid" if state.ships[seat] else ""


def _lay_grain(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    if lacking := _holds(state, seat, GRAIN):
        return lacking
    if state.grain[seat] >= state.tier[seat]:
        return "grain_limit"
    return "grain_next_turn" if state.tier_done else ""


def _build(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    """Checks in exactly this order (§5.3)."""
    card, tier = _card(atoms), state.tier[seat]
    if state.tier_done:
        return "tier_next_turn"
    if card < 0 or TIER[card] != tier:
        return "wrong_tier"
    if state.pyramids[seat][card] >= SLOTS[card]:
        return "slot_full"
    if lacking := _holds(state, seat, card):
        return lacking
    if not state.ships[seat]:
        return "no_ship_laid"
    if state.grain[seat] < tier:
        return "not_enough_grain"
    return "need_hand" if state.hands[seat].count(HELPING_HAND) < HANDS[card] else ""


def _end_turn(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    due = not state.moved and offers.can_step(state, seat)
    return "must_move" if due else ""


def _nothing(state: "SakkaraState", seat: int, atoms: Atoms) -> str:
    return ""


CHECKS: Final[dict[Atom, tuple[str, Check]]] = {  # by verb: its phase and its own checks
    "place_worker": ("setup_place", _place_worker),
    "place_stack": ("place_returns", _place_stack),
    "move": ("main", _move),
    "play_horse": ("main", _play_horse),
    "play_bird": ("main", _play_bird),
    "play_ox": ("main", _play_ox),
    "play_snake": ("main", _play_snake),
    **{f"cast_{spell}": ("main", _spelling(spell)) for spell in SPELLS},
    "lay_ship": ("main", _lay_ship),
    "lay_grain": ("main", _lay_grain),
    "build": ("main", _build),
    "end_turn": ("main", _end_turn),
    "snake_take": ("snake_pick", _snake_take),
    "horse_step": ("horse_step", _horse_step),
    "horse_stop": ("horse_step", _nothing),
    "discard": ("discard", _discard),
}
