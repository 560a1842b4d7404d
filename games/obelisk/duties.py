"""Turn duties (docs/rules/obelisk.md §5.2, §5.4): what is still due, and can it still be done?

Plain questions about a position; nothing here changes it. Both the list of legal moves and the
wording of refusals ask here, so they cannot disagree.
"""

from typing import TYPE_CHECKING, Any

from games.obelisk.components import DEPOT_MINIMUM, FOUNDATIONS, HAND_LIMIT

if TYPE_CHECKING:
    from games.obelisk.rules import ObeliskState

Reserve = tuple[bool, bool, int, int, int]


def can_meet(build: bool, market: bool, cards: int, actions: int, foundations: int) -> bool:
    """Tell whether open duties to build and to market can be met with these cards (A11)."""
    if build and market:
        return (
            cards >= 2
            or (cards == 1 and actions >= 1)
            or (cards == 0 and foundations >= 1 and actions >= 2)
        )
    if build:
        return cards >= 1 or foundations >= 1
    if market:
        return cards >= 1 or actions >= 1
    return True


def reserve(state: "ObeliskState", seat: int) -> Reserve:
    """Count what `can_meet` asks for; without duties (2 players, limited turn) nothing is open."""
    if state.players == 2 or state.last_round == "limited":
        return False, False, 0, 0, 0
    cards = len(state.hands[seat])
    if state.takes_left:
        cards += min(state.takes_left, sum(map(len, state.piles)))
    actions = state.actions[seat]
    return (
        state.built == 0,
        market_is_due(state),
        cards,
        len(actions) + state.pending_action,
        len(FOUNDATIONS.intersection(actions)) if actions else 0,
    )


def market_is_due(state: "ObeliskState") -> bool:
    """The market duty falls away with market_recall and from the trigger on (A22, A28)."""
    return state.marketed == 0 and not state.market_waived and state.last_round == "none"


def purchase_is_due(state: "ObeliskState") -> bool:
    """A15: the flag is fixed when the turn starts and only a purchase clears the duty."""
    return state.must_buy and state.bought == 0


def unmet(state: "ObeliskState", seat: int) -> str:
    """Name the first duty that bars the end of the turn, or nothing (§5.3 end_turn)."""
    if state.takes_left and any(state.piles):
        return "must_take"
    if state.players == 2 or state.last_round == "limited":
        return ""
    if state.built == 0:
        return "must_build"
    if market_is_due(state):
        return "must_market"
    if purchase_is_due(state):
        return "must_buy"
    if len(state.hands[seat]) > HAND_LIMIT and state.last_round == "none":  # A12
        return "hand_limit"
    return ""


def checklist(state: "ObeliskState") -> list[dict[str, Any]]:
    """List the duties of the turn for the board: public, since hand counts are."""
    held = len(state.hands[state.active])
    takes = min(state.takes_left, sum(map(len, state.piles)))
    take = {"key": "take", "open": takes > 0, "left": takes}
    if state.players == 2:
        return [take, {"key": "depot", "open": False, "left": held - DEPOT_MINIMUM}]
    if state.last_round == "limited":
        return []
    build = state.built == 0
    due = [take, {"key": "build", "open": build, "left": int(build)}]
    if state.last_round == "none":
        market, surplus = market_is_due(state), max(0, held - HAND_LIMIT)
        due.append({"key": "market", "open": market, "left": int(market)})
        due.append({"key": "hand", "open": surplus > 0, "left": surplus})
    if state.must_buy:
        buy = purchase_is_due(state)
        due.append({"key": "buy", "open": buy, "left": int(buy)})
    return due
