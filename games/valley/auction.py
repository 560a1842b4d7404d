"""The opening of the bids (docs/rules/valley.md §5.3): who gets which group of blocks."""

from typing import TYPE_CHECKING

from games.engine.table import Table
from games.valley.components import COLOURS, NONE, TABLETS, WORTH

if TYPE_CHECKING:
    from games.valley.rules import ValleyState


def award(state: "ValleyState", table: Table) -> None:
    """Open all bids, hand the groups out and give the tablets back."""
    state.shown = state.bids
    state.bids = [[0] * len(TABLETS) for _ in range(state.players)]
    unsold = False
    for number, group in enumerate(state.market, 1):
        sums = bids_on(state.shown, number)
        winner = max(state.turn_order(), key=sums.__getitem__)  # of equals the first (A29)
        if not sums[winner]:
            _return(state, number, group, table)
            unsold = True
            continue
        for colour in group:
            state.stocks[winner][colour] += 1
        state.story.append([0, number, winner, sums[winner], *group])
        _tell(number, group, winner, sums, table)
    state.market = []
    if unsold and not state.unsold_to_pharaoh:
        table.shuffle(state.bag)


def bids_on(bids: list[list[int]], group: int) -> list[int]:
    """Add up what each seat has laid on a group."""
    return [
        sum(worth for laid, worth in zip(bid, WORTH, strict=True) if laid == group) for bid in bids
    ]


def _return(state: "ValleyState", number: int, group: list[int], table: Table) -> None:
    """What nobody bought goes back into the bag, or in the variant to the pharaoh."""
    state.story.append([0, number, NONE, 0, *group])
    table.tell("unsold", group=number, blocks=[COLOURS[colour] for colour in group])
    if state.unsold_to_pharaoh:
        state.feed(NONE, group, table)
    else:
        state.bag += group


def _tell(number: int, group: list[int], winner: int, sums: list[int], table: Table) -> None:
    best = sums[winner]
    table.tell(
        "sold", seat=winner, group=number, bid=best, blocks=[COLOURS[colour] for colour in group]
    )
    equal = [seat for seat, bid in enumerate(sums) if bid == best and seat != winner]
    lower = [seat for seat, bid in enumerate(sums) if 0 < bid < best]
    if equal:
        table.tell("tied_for", other=equal, seat=winner, bid=best, group=number)
    if lower:
        table.tell("outbid_for", other=lower, bid=[sums[seat] for seat in lower], group=number)
