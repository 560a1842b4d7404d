"""The words of Valley of the Kings: names, log lines, buttons, refusals, explanations.

Nothing here knows a rule; the names are those of docs/rules/valley.md §12. A place is written as
on the map: area 16, build space 8-C.
"""

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.catalogue import Texts, Words
from games.engine.contract import Atom, Move

COLOURS: dict[str, Words] = {
    "red": _("red"),
    "grey": _("grey"),
    "black": _("black"),
    "white": _("white"),
    "sand": _("sand"),
}
TABLETS: dict[str, Words] = {
    "v1": _("tablet 1"),
    "v2": _("tablet 2"),
    "v3": _("tablet 3"),
    "v4": _("tablet 4"),
    "b1": _("blank tablet (first)"),
    "b2": _("blank tablet (second)"),
    "b3": _("blank tablet (third)"),
    "b4": _("blank tablet (fourth)"),
}
KINDS: dict[str, Words] = {
    "mono": _("single-coloured"),
    "layered": _("layered"),
    "chequered": _("chequered"),
    "motley": _("motley"),
}
PHASES: dict[str, Words] = {
    "auction": _("Auction"),
    "overseers_open": _("Overseers"),
    "overseers_secret": _("Overseers"),
    "workers": _("Workers"),
    "steal": _("Steal"),
    "takeover": _("Take over"),
    "build": _("Build"),
}
ASKS: dict[str, Words] = {
    "ask_auction": _("Lay tablets face down on groups of blocks, then confirm your bid."),
    "ask_overseers_open": _("Send your overseers with 6 points together, then confirm."),
    "ask_overseers_secret": _("Order your overseers in secret with 6 points together."),
    "ask_workers": _("Move your workers with 6 points for all of them."),
    "ask_steal": _("Steal blocks where your overseers outnumber the owner's."),
    "ask_takeover": _("Take sites over where you have both majorities."),
    "ask_build": _("Build: two blocks for each worker. What is left goes to the pharaoh."),
}
ENDS: dict[str, Words] = {
    "pharaoh_complete": _("The pharaoh pyramid is complete."),
    "all_sites_complete": _("Every site carries a finished pyramid."),
    "round_limit": _("Round 25 is over: the match is scored as it stands."),
    "abandoned": _("All others have left."),
}
NAMES: dict[str, Words] = {**COLOURS, **TABLETS, **KINDS, **ASKS}

EXPLANATIONS: dict[str, Words] = {
    "red": _("33 blocks of each of the five colours are in the match."),
    **dict.fromkeys(
        list(COLOURS)[1:], _("33 blocks of each of the five colours are in the match.")
    ),
    "v1": _("Counts 1. All tablets come back after the auction."),
    "v2": _("Counts 2. All tablets come back after the auction."),
    "v3": _("Counts 3. All tablets come back after the auction."),
    "v4": _("Counts 4. All tablets come back after the auction."),
    **dict.fromkeys(
        ("b1", "b2", "b3", "b4"),
        _("Counts nothing, but the others see a tablet lying there. Blanks alone never win."),
    ),
    "mono": _("All visible blocks have one colour: 4 points small, 11 large."),
    "layered": _("Each level has one colour of its own: 3 points small, 9 large."),
    "chequered": _("Two colours that alternate on every level: 2 points small, 7 large."),
    "motley": _("Any other finished pyramid: 1 point small, 5 large."),
    "market": _("The highest sum on a group wins it; of equal sums the earlier bidder."),
    "group": _("Five blocks that are sold together."),
    "small": _("A small site: 4 + 1 blocks, 8 build spaces."),
    "large": _("A large site: 9 + 4 + 1 blocks, 12 build spaces."),
    "closed": _("This site is not used with this number of players."),
    "area": _("Any number of figures may stand here. Each line to another place costs 1 point."),
    "rock": _("Areas that meet only at this rock have no border with each other."),
    "hidden": _("The hidden centre: its colour never counts."),
    "pharaoh": _("Blocks nobody used. With 30 blocks the match ends after the round."),
    "bag": _("What is left in the bag, colour by colour."),
    "scarab": _("Scarabs mark your sites. Without one you can claim nothing."),
    "overseer": _("Overseers claim sites, guard them, and open foreign ones to thieves."),
    "worker": _("Each worker builds or steals two blocks on the site it stands on."),
    **dict.fromkeys(
        ("stock", "build_block"),
        _("Blocks to build with this round. What is left goes to the pharaoh."),
    ),
    "tablets": _("Tablets in hand; those of a bid come back when it is opened."),
    # What a way costs, and what to do with blocks: also while a figure or a block is in hand.
    **dict.fromkeys(
        ("points", "overseer_move", "worker_move"),
        _("Each line crossed costs a point: the border of an area or the frame of a site."),
    ),
    "start": _("The pharaoh stone: its owner acts first in every phase."),
    "rounds_left": _("A guess from what the pharaoh got in the last rounds."),
}

LINES: dict[str, Words] = {
    "began": _("%(seat)s gets the pharaoh stone."),
    "opened": _(
        "Round %(round)s begins with %(seat)s. The pharaoh pyramid has %(total)s of 30 blocks."
    ),
    "laid": _("%(seat)s lays tablets face down: %(count)s."),
    "laid_nothing": _("%(seat)s bids nothing."),
    "sold": _("%(seat)s wins group %(group)s with %(bid)s: %(blocks)s."),
    "tied_for": _(
        "%(other)s bid %(bid)s for group %(group)s as well, but %(seat)s comes first in turn order."
    ),
    "outbid_for": _("Lower bids for group %(group)s: %(other)s with %(bid)s."),
    # As it was told before the group was named: logs keep that.
    "tied": _("%(other)s bid %(bid)s as well, but %(seat)s comes first in turn order."),
    "outbid": _("Lower bids on it: %(other)s with %(bid)s."),
    "unsold": _("Nobody buys group %(group)s: %(blocks)s."),
    "fed": _("Unsold blocks go to the pharaoh: %(count)s. He has %(total)s of 30."),
    "left_over": _("%(seat)s leaves blocks to the pharaoh: %(count)s. He has %(total)s of 30."),
    "ordered": _("%(seat)s has given orders."),
    "sent": _("%(seat)s sends an overseer to %(place)s."),
    "sent_area": _("%(seat)s sends an overseer to area %(place)s."),
    "bounced": _("%(seat)s finds %(place)s taken: the overseer goes back to area %(area)s."),
    "claimed": _("%(seat)s claims site %(site)s."),
    "walked": _("%(seat)s sends a worker to %(place)s (points: %(price)s)."),
    "walked_area": _("%(seat)s sends a worker to area %(place)s (points: %(price)s)."),
    "stole": _("%(seat)s steals from %(other)s on site %(site)s: %(block)s."),
    "took_over": _("%(seat)s takes site %(site)s over from %(other)s."),
    "built": _("%(seat)s builds on site %(site)s, level %(level)s: %(block)s."),
    "finished": _("%(seat)s finishes site %(site)s: %(kind)s, worth %(points)s."),
    "left": _("%(seat)s has left. Nobody waits for this seat any more."),
    "ended_pharaoh_complete": ENDS["pharaoh_complete"],
    "ended_all_sites_complete": ENDS["all_sites_complete"],
    "ended_round_limit": ENDS["round_limit"],
    "ended_abandoned": ENDS["abandoned"],
    "scored": _("Points of %(seat)s: %(points)s."),
    "won": _("%(seat)s wins with %(points)s points."),
    "shared": _("%(seat)s share the victory with %(points)s points."),
}

MOVES: dict[str, Words] = {
    "bid_place": _("Lay a tablet"),
    "bid_place_tablet": _("Lay %(tablet)s: on which group?"),
    "bid_place_group": _("Lay on group %(group)s: which tablet?"),
    "bid_place_tablet_group": _("Lay %(tablet)s on group %(group)s"),
    "bid_confirm": _("Confirm your bid"),
    "overseer_move": _("Send an overseer"),
    "overseer_move_figure": _("Overseer %(figure)s: where to?"),
    "overseer_move_area": _("To area %(area)s: which overseer?"),
    "overseer_move_space": _("To space %(space)s: which overseer?"),
    "overseer_move_figure_area": _("Overseer %(figure)s to area %(area)s"),
    "overseer_move_figure_space": _("Overseer %(figure)s to space %(space)s"),
    "overseers_confirm": _("Confirm your orders"),
    "worker_move": _("Move a worker"),
    "worker_move_figure": _("Worker %(figure)s: where to?"),
    "worker_move_area": _("To area %(area)s: which worker?"),
    "worker_move_space": _("To space %(space)s: which worker?"),
    "worker_move_figure_area": _("Worker %(figure)s to area %(area)s"),
    "worker_move_figure_space": _("Worker %(figure)s to space %(space)s"),
    "workers_end": _("Finish moving"),
    "steal_block": _("Steal a block"),
    "steal_block_site": _("Steal from site %(site)s"),
    "steal_block_site_level": _("Steal from site %(site)s, level %(level)s"),
    "steal_block_site_level_cell": _("Steal from site %(site)s: level %(level)s, cell %(cell)s"),
    "steal_end": _("Steal no more"),
    "take_over": _("Take a site over"),
    "take_over_site": _("Take site %(site)s over"),
    "takeover_end": _("Take no more"),
    "build_block": _("Lay a block"),
    "build_block_colour": _("Lay a block: %(colour)s. Where?"),
    "build_block_site": _("Build on site %(site)s"),
    "build_block_site_level": _("Build on site %(site)s, level %(level)s"),
    "build_block_site_level_cell": _("Site %(site)s, level %(level)s, cell %(cell)s: which block?"),
    "build_block_site_level_cell_colour": _(
        "Site %(site)s, level %(level)s, cell %(cell)s: %(colour)s"
    ),
    "build_end": _("Finish building"),
    "unknown": "%(text)s",
}

REFUSALS: dict[str, Words] = {
    "bad_move": _("That is not a valid action."),
    "game_over": _("The game is over."),
    "wrong_phase": _("You cannot do that in this phase."),
    "not_your_turn": _("It is not your turn."),
    "tablet_used": _("You have already placed this tablet."),
    "no_such_group": _("That group is not on the market."),
    "no_such_node": _("That place does not exist."),
    "site_inactive": _("That site is not used with this number of players."),
    "already_moved": _("This figure has already moved this round."),
    "already_there": _("The figure already stands there."),
    "budget": _("Not enough movement points (%(need)s needed, %(left)s left)."),
    "own_overseer_there": _("Your other overseer is planned on that space."),
    "worker_there": _("A worker occupies that space."),
    "space_occupied": _("That space is occupied."),
    "foreign_round1": _("In the first round you may not enter another player's site."),
    "nothing_to_reopen": _("You have not confirmed your orders yet."),
    "nothing_to_undo": _("You have nothing to take back."),
    "unclaimed": _("Nobody owns that site."),
    "own_site": _("That is your own site."),
    "finished": _("That pyramid is finished and safe."),
    "need_more_overseers": _("You need more overseers there than the owner."),
    "need_more_workers": _("You need more workers there than the owner."),
    "need_worker": _("You have no worker on that site."),
    "steal_quota": _("Each worker can steal only two blocks."),
    "top_level_first": _("Take blocks from the top level first."),
    "empty_cell": _("There is no block to take."),
    "no_scarab": _("You have no scarab left."),
    "not_your_site": _("You can build only on your own sites."),
    "build_quota": _("Each worker can place only two blocks per round."),
    "level_order": _("Complete the lower level first."),
    "cell_filled": _("There is already a block there."),
    "no_such_block": _("You have no block of that colour."),
}

PARTS = {  # what the atoms after a verb are, in their order; a hold may leave out any of them
    "bid_place": ("tablet", "group"),
    "overseer_move": ("figure", "area", "space"),
    "worker_move": ("figure", "area", "space"),
    "steal_block": ("site", "level", "cell"),
    "take_over": ("site",),
    "build_block": ("site", "level", "cell", "colour"),
}
_KINDS_OF_ATOM: dict[str, Any] = {
    "tablet": TABLETS.__contains__,
    "colour": COLOURS.__contains__,
    "figure": range(5).__contains__,
    "area": range(16, 23).__contains__,
    "space": lambda atom: isinstance(atom, str),
}


def phrase(move: Move) -> tuple[str, dict[str, Any]]:
    """Word a move, or what is held of one: the key names the parts that are there."""
    verb, rest = str(move[0]), list(move[1:])
    named: dict[str, Atom] = {}
    for part in PARTS.get(verb, ()):
        fits = _KINDS_OF_ATOM.get(part, lambda atom: isinstance(atom, int))
        if rest and fits(rest[0]):
            named[part] = rest.pop(0)
    key = "_".join([verb, *named])
    if rest or key not in MOVES:
        return "unknown", {"text": " ".join(map(str, move))}
    if "figure" in named:  # people count from one
        named["figure"] = int(named["figure"]) + 1
    if "cell" in named:
        named["cell"] = int(named["cell"]) + 1
    return key, named


def heading(move: Move) -> str:
    """Fold long lists up by site; ways to areas stay at the top."""
    verb, *atoms = move
    if verb in ("overseer_move", "worker_move"):
        space = str(atoms[-1])
        site = space.partition("-")[0] if "-" in space else ""
    else:
        site = str(atoms[0]) if verb in ("steal_block", "build_block") and atoms else ""
    return gettext("Site %(site)s") % {"site": site} if site else ""


TEXTS = Texts(
    names=NAMES,
    lines=LINES,
    moves=MOVES,
    refusals=REFUSALS,
    explanations=EXPLANATIONS,
    phrase=phrase,
    heading=heading,
    outcomes={
        **dict.fromkeys(("sold", "tied_for", "outbid_for", "unsold", "fed", "bounced"), True),
        **dict.fromkeys(("tied", "outbid"), True),
        **dict.fromkeys(("sent", "sent_area", "claimed"), False),
    },
    ends=(
        "bid_confirm",
        "overseers_confirm",
        "workers_end",
        "steal_end",
        "takeover_end",
        "build_end",
    ),
)
