"""What Obelisk teaches its bots: which moves are worth a thought, and how to judge the outcome.

Everything here looks at a determinized world only (games/engine/search.py sees to that). A turn is
thought through in one order - what plainly fits, takes, then building and trading, the market
last - because other orders of the same moves lead to the same place.
"""

from operator import itemgetter
from typing import Final

from games.engine.contract import Move
from games.engine.search import Mind
from games.engine.table import Table
from games.obelisk import duties
from games.obelisk.appraisal import FACE, judge
from games.obelisk.components import (
    COLOR,
    DEPOT_MINIMUM,
    HAND_LIMIT,
    KIND,
    NAMES,
    NUMBER,
)
from games.obelisk.rules import ObeliskState
from games.obelisk.scoring import HUE, TOP
from games.obelisk.thumb import CAMEL, appeal, lure, thumb, wants

WIDTH: Final = {  # how many moves of a kind are looked at
    "take": 6,
    "build": 4,
    "lay_foundation": 2,
    "buy_market": 2,
    "place_market": 3,
    "trade": 3,
    "play_action": 4,
    "pick_action": 3,
    "choose_market": 6,
    "decline_action": 0,
}
QUARRY: Final = ("free_move", "extra_move")  # action cards to be played before a take
SOME: Final = 4

Kinds = dict[str, list[Move]]


def candidates(state: ObeliskState, seat: int, moves: list[Move]) -> list[Move]:
    """List the moves worth a thought, the most appealing first; never none."""
    if len(moves) == 1:
        return moves
    kinds: Kinds = {}
    for move in moves:
        kinds.setdefault(str(move[0]), []).append(move)
    if fit := _fitting(state, seat, kinds.get("build", [])):
        return [fit]
    want = wants(state, seat)
    if "take" in kinds:
        return _takes(state, seat, kinds, want)
    if len(kinds) > 1:
        _narrow(state, seat, kinds, want)
    return _ranked(state, seat, kinds, want) or _ranked(state, seat, {"": moves}, want)


def _ranked(state: ObeliskState, seat: int, kinds: Kinds, want: list[float]) -> list[Move]:
    """Order moves by appeal, only the best of each kind."""
    ranked: list[tuple[float, Move]] = []
    for kind, moves in kinds.items():
        judged = [(appeal(state, seat, move, want), move) for move in moves]
        judged.sort(key=itemgetter(0), reverse=True)
        ranked += judged[: WIDTH.get(kind, SOME)]
    ranked.sort(key=itemgetter(0), reverse=True)
    return [move for _, move in ranked]


def _fitting(state: ObeliskState, seat: int, builds: list[Move]) -> Move | None:
    """A plain card that continues an obelisk in its colour: there is no reason to wait."""
    obelisks = state.obelisks[seat]
    fits = {}
    for move in builds:
        if len(move) == 4 and move[3] == "top":
            obelisk = obelisks[int(move[2])]
            if obelisk[TOP] and COLOR[NUMBER[str(move[1])]] == obelisk[HUE]:
                fits[move[2]] = move
    spare = len(state.hands[seat]) - DEPOT_MINIMUM
    if not fits or (state.players == 2 and len(fits) > spare):
        return None
    return fits[max(fits, key=lambda number: len(obelisks[int(number)]))]


def _takes(state: ObeliskState, seat: int, kinds: Kinds, want: list[float]) -> list[Move]:
    """While a take is due everything else can wait, but what changes the takes."""
    best: dict[int, tuple[float, Move]] = {}
    paid: dict[str, int] = {}
    for move in kinds["take"]:
        pile, way = int(move[1]), str(move[-1])
        cost = paid.get(way, 0) if len(move) == 3 else 0
        paid[way] = cost + 1
        worth = lure(state, pile, want) - CAMEL * cost
        if pile not in best or worth > best[pile][0]:
            best[pile] = worth, move
    ranked = sorted(best.values(), key=itemgetter(0), reverse=True)[: WIDTH["take"]]
    plays = [move for move in kinds.get("play_action", ()) if KIND[NUMBER[str(move[1])]] in QUARRY]
    return [move for _, move in ranked] + plays


def _narrow(state: ObeliskState, seat: int, kinds: Kinds, want: list[float]) -> None:
    """Leave out what equals another move, or is better done later in the turn or never."""
    twins = _twins(state.hands[seat])
    hurried = state.last_round != "none"
    bare = [n for n, obelisk in enumerate(state.obelisks[seat]) if not obelisk[TOP]]
    if "build" in kinds:
        kinds["build"] = [
            move
            for move in kinds["build"]
            if move[1] not in twins and not (len(move) == 5 and move[2] in bare and not hurried)
        ]
    if "lay_foundation" in kinds:
        kinds["lay_foundation"] = [] if bare else _least(kinds["lay_foundation"], want)
    if "place_market" in kinds:
        due = duties.market_is_due(state) or len(state.hands[seat]) > HAND_LIMIT
        places = [m for m in kinds["place_market"] if m[1] not in twins]
        kinds["place_market"] = places if due and state.built else []
    if "trade" in kinds:
        kinds["trade"] = _trades(state, seat, want)


def _twins(hand: list[int]) -> set[str]:
    """Name the cards that have an equal before them in the hand."""
    seen: set[int] = set()
    twins = set()
    for card in hand:
        if FACE[card] in seen:
            twins.add(NAMES[card])
        seen.add(FACE[card])
    return twins


def _least(lays: list[Move], want: list[float]) -> list[Move]:
    """Under an obelisk goes one of the least useful cards."""
    lays = sorted(lays, key=lambda move: want[FACE[NUMBER[str(move[1])]]])
    return lays[: WIDTH["lay_foundation"]]


def _trades(state: ObeliskState, seat: int, want: list[float]) -> list[Move]:
    """Offer what I need least for what both of us want most."""
    theirs = wants(state, 1 - seat)
    own = sorted(state.hands[seat], key=lambda card: want[FACE[card]])[:2]
    others = sorted(
        state.hands[1 - seat], key=lambda card: -want[FACE[card]] - theirs[FACE[card]] / 2
    )
    return [("trade", NAMES[give], NAMES[get]) for give in own for get in others[:3]]


def foremost(state: ObeliskState, seat: int, moves: list[Move], table: Table) -> Move:
    """Candidates come in order."""
    return moves[0]


MIND: Final = Mind(
    policy=thumb,
    rollout=foremost,
    evaluate=judge,
    candidates=candidates,
    depth=0,
    explore=0.05,
    widen=2.0,
)
