"""Who may see what (docs/rules/obelisk.md §4.2), and the other worlds that look the same.

A view is built up from what its reader may know, never stripped down. What everybody could have
remembered (`seen`) serves only the dealing of other worlds and enters no view.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from games.engine.contract import OPEN, View
from games.engine.session import ranks
from games.engine.table import Table
from games.obelisk.components import BUILDING, COLORS, MARKET_SIZE, NAMES, NO_CARD
from games.obelisk.duties import checklist
from games.obelisk.scoring import CARDS, FOUNDATION, HUE, TOP, points

if TYPE_CHECKING:
    from games.obelisk.rules import ObeliskState


def view(state: "ObeliskState", seat: int | None) -> View:
    """Build what a seat, a spectator (None) or, after the end, everybody may know."""
    laid = state.phase != "setup_market"
    over = state.phase == "over"
    all_open = over or seat == OPEN or state.players == 2
    places = ranks(state.scores()) if over else [None] * state.players
    return {
        "players": state.players,
        "mode": "duel" if state.players == 2 else "market",
        "expert": state.expert,
        "phase": state.phase,
        "active": state.active if state.phase == "turn" else None,
        "you": seat if seat is not None and seat >= 0 else None,
        "last_round": state.last_round,
        "final_turns_left": state.final_turns_left,
        "quarry": _quarry(state) if laid else None,
        "display": [NAMES[c] if c >= 0 else None for c in state.display] if laid else None,
        "draw_count": len(state.draw),
        "discard": [NAMES[card] for card in state.discard],
        "seats": [
            _seat(state, other, all_open or other == seat, places[other])
            for other in range(state.players)
        ],
        "turn": _turn(state) if state.phase == "turn" else None,
        "duties": checklist(state) if state.phase == "turn" else [],
    }


def _quarry(state: "ObeliskState") -> dict[str, Any]:
    return {
        "overseer": state.overseer,
        "piles": [
            {"count": len(pile), "top": NAMES[pile[-1]] if pile else None, "camels": camels}
            for pile, camels in zip(state.piles, state.pile_camels, strict=True)
        ],
        "adjacent": state.neighbours(),
        "empty": state.piles.count([]),
    }


def _seat(state: "ObeliskState", seat: int, shown: bool, rank: int | None) -> dict[str, Any]:
    hand, choice = state.hands[seat], state.choices[seat]
    obelisks = [_obelisk(tuple(one), shown, state.expert) for one in state.obelisks[seat]]
    return {
        "hand": [NAMES[card] for card in hand] if shown else None,
        "hand_count": len(hand),
        "market": [NAMES[card] for card in state.markets[seat]],
        "actions": [NAMES[card] for card in state.actions[seat]],
        "camels": state.camels[seat],
        "chosen": bool(choice),
        "choice": [NAMES[card] for card in choice] if shown and choice else None,
        "score": sum([obelisk["points"] for obelisk in obelisks]),
        "rank": rank,
        "obelisks": obelisks,
    }


@lru_cache(50_000)
def _obelisk(obelisk: tuple[int, ...], shown: bool, expert: bool) -> dict[str, Any]:
    """Show one stack; the views of all seats share it, for nobody changes a view."""
    foundation, top = obelisk[FOUNDATION], obelisk[TOP]
    face_down = foundation < BUILDING
    value = top + len(obelisk) - CARDS
    return {
        "foundation": NAMES[foundation] if shown or not face_down else None,
        "face_down": face_down,
        "color": COLORS[obelisk[HUE]] if top else None,
        "cards": [[NAMES[card], value := value - 1] for card in obelisk[CARDS:]],
        "finished": top == 1,
        "points": points(obelisk, expert=expert),
    }


def _turn(state: "ObeliskState") -> dict[str, Any]:
    return {
        "takes_left": state.takes_left,
        "built": state.built,
        "marketed": state.marketed,
        "market_waived": state.market_waived,
        "bought": state.bought,
        "must_buy": state.must_buy,
        "free_move": state.free_move,
        "double_ended": state.double_ended,
        "off_color": state.off_color,
        "direction": state.direction or None,
        "pending_action": state.pending_action,
    }


def deal_anew(state: "ObeliskState", seat: int, table: Table) -> None:
    """Deal in place all that the seat cannot know: it may not tell the result from the truth."""
    table.shuffle(state.draw)
    secretive = state.players > 2 and state.phase != "over"
    others = [other for other in range(state.players) if secretive and other != seat]
    secret = [_unseen(state, other) for other in others]
    pool = [card for cards in secret for card in cards]
    if state.phase == "setup_market":  # all that is not in a hand is still in the box
        dealt = {card for hand in state.hands for card in hand}
        pool += [card for card in range(BUILDING) if card not in dealt]
    for pile in state.piles:
        pool += pile[:-1]
    table.shuffle(pool)
    for pile in state.piles:
        pile[:-1] = [pool.pop() for _ in pile[1:]]
    for other, cards in zip(others, secret, strict=True):
        _put_away(state, other, [pool.pop() for _ in cards], table)


def _unseen(state: "ObeliskState", seat: int) -> list[int]:
    """List the cards nobody saw going into the seat's hand or under its obelisks."""
    known = state.seen[seat]
    below = [one[FOUNDATION] for one in state.obelisks[seat] if one[FOUNDATION] < BUILDING]
    return [card for card in state.hands[seat] + below if card not in known]


def _put_away(state: "ObeliskState", seat: int, hand: list[int], table: Table) -> None:
    """Fill a hand and the places under its obelisks in the order in which everybody saw it: what
    came after a foundation was laid cannot be that foundation.
    """
    covers = [one for one in state.obelisks[seat] if one[FOUNDATION] < BUILDING]
    timeless = len(covers) - state.seen[seat].count(NO_CARD)  # of a match from before it was noted
    later = iter(covers[timeless:] + covers[:timeless])
    for card in state.seen[seat] + [NO_CARD] * timeless:
        if card == NO_CARD:
            next(later)[FOUNDATION] = hand.pop(table.below(len(hand)))
        else:
            hand.append(card)
    table.shuffle(hand)
    state.hands[seat] = hand
    if state.choices[seat]:
        state.choices[seat] = hand[:MARKET_SIZE]
