"""The words of Obelisk: names, log lines, buttons, refusals and one-sentence explanations.

Nothing here knows a rule; the names are those of docs/rules/obelisk.md §12. Spots, obelisks and
seats are counted from 1 in words and from 0 in moves.
"""

from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.catalogue import Texts, Words
from games.engine.contract import Move, View
from games.obelisk.walk import price

COLORS = {"R": _("red"), "B": _("blue"), "G": _("green"), "Y": _("yellow")}
STONES = {
    "R": _("red {value}"),
    "B": _("blue {value}"),
    "G": _("green {value}"),
    "Y": _("yellow {value}"),
}
JOKERS = {
    "RJ": _("red joker"),
    "BJ": _("blue joker"),
    "GJ": _("green joker"),
    "YJ": _("yellow joker"),
}
CARDS = {
    f"{color}{value}{copy}": format_lazy(stone, value=value)
    for color, stone in STONES.items()
    for value in range(1, 6)
    for copy in "abcd"
}
KINDS = {
    "free_move": _("Free Choice"),
    "extra_move": _("Extra Step"),
    "double_ended": _("Top and Bottom"),
    "off_color": _("Odd Stone"),
    "market_pick": _("Market Raid"),
    "market_recall": _("Close the Stall"),
    "market_swap": _("Market Swap"),
    "free_trade": _("Free Trade"),
}
FOUNDATIONS = {
    "foundation_red": _("Red Foundation"),
    "foundation_blue": _("Blue Foundation"),
    "foundation_green": _("Green Foundation"),
    "foundation_yellow": _("Yellow Foundation"),
}
EFFECTS = {
    "free_move": _("This turn the overseer may go to any pile, free of camels."),
    "extra_move": _("Take one more card from the quarry this turn."),
    "double_ended": _("This turn your obelisks may grow at both ends."),
    "off_color": _("This turn each of your obelisks may get one card of another colour."),
    "market_pick": _("Take one card from the market of one or two other players, for nothing."),
    "market_recall": _("Take your whole market back; you need not fill it this turn."),
    "market_swap": _("Swap a card between the markets of two other players."),
    "free_trade": _("Trade one or two cards with the other depot, free of camels."),
    "foundation_red": _("A new foundation that counts as a card if a red obelisk stands on it."),
    "foundation_blue": _("A new foundation that counts as a card if a blue obelisk stands on it."),
    "foundation_green": _(
        "A new foundation that counts as a card if a green obelisk stands on it."
    ),
    "foundation_yellow": _(
        "A new foundation that counts as a card if a yellow obelisk stands on it."
    ),
}
ACTIONS = FOUNDATIONS | {f"{kind}_{copy}": name for kind, name in KINDS.items() for copy in (1, 2)}

DUTIES = {  # what a turn owes, for the check-list beside the board
    "take": _("Take from the quarry"),
    "build": _("Build at least one card"),
    "market": _("Put at least one card in your market"),
    "hand": _("Keep at most 6 cards in hand"),
    "buy": _("Buy a market: you hold all the camels"),
    "depot": _("Keep at least 3 cards in your depot"),
}

NAMES: dict[str, Words] = {
    **COLORS,
    **CARDS,
    **JOKERS,
    **ACTIONS,
    "cw": _("clockwise"),
    "ccw": _("counter-clockwise"),
    **{f"duty_{key}": words for key, words in DUTIES.items()},
    "tie_break": _("camels"),
}

STONE = _("Build it on a stone of its colour that is one higher, on a bare foundation, or lay it.")
TOP_STONE = _("A 1 is the top: it finishes an obelisk and earns you an action card.")
JOKER = _("A joker is any value of its colour; the value is fixed when you build it.")

USES = {  # what can be done with something that is held
    "choose_market": _("Choose the other card for your market as well."),
    "take": _("Choose which way round the overseer goes."),
    "build": _("Build it on a lit obelisk."),
    "lay_foundation": _("Lay it as a new foundation."),
    "place_market": _("You may put this card in your market."),
    "trade": _("Trade it for a lit card and pay a camel."),
}

ASKS = dict.fromkeys(  # what is still to be chosen for a move that has begun
    ("lay_which", "build_which", "build_on", "place_which", "trade_which"), _("Choose a lit card.")
)

EXPLANATIONS: dict[str, Words] = {
    **USES,
    **{card: TOP_STONE if card[1] == "1" else STONE for card in CARDS},
    **dict.fromkeys(JOKERS, JOKER),
    **{card: EFFECTS.get(card, EFFECTS.get(card[:-2], "")) for card in ACTIONS},
    "quarry": _("Seven piles of granite. You take the top card of the pile the overseer goes to."),
    "pile": _("Only the top card is known; the number tells how many cards lie here."),
    "empty": _("An empty spot. When enough piles are empty, the last round begins."),
    "overseer": _("The overseer walks round the quarry; you take a card where he stops."),
    "camel": _("With a camel you buy a whole market; at the end camels break a tie."),
    "duel_camel": _("A camel pays for a pile the overseer skips, or for a forced trade."),
    "hand": _("Your cards; only you see them. You may keep six at the end of your turn."),
    "depot": _("The cards of this depot are open to all; it never holds fewer than three."),
    "market": _("An open market: the others may buy all of it for one camel."),
    "obelisk": _("One colour, each stone one lower than the stone below it; a 1 finishes it."),
    "foundation": _("A foundation lies face down and does not count as a card."),
    "plot": _("Room for a new obelisk: lay any card here face down as its foundation."),
    "display": _("Finish an obelisk and choose one of these three action cards."),
    "draw": _("The action cards that have not been turned up yet."),
    "discard": _("Action cards that were played; they come back when the draw pile runs out."),
}

LINES: dict[str, Words] = {
    "chose_market": _("%(seat)s has chosen two cards for the market."),
    "opened_market": _("%(seat)s opens a market with %(cards)s."),
    "placed_overseer": _("The overseer begins at pile %(spot)s."),
    "began": _("%(seat)s goes first."),
    "took": _("%(seat)s takes %(card)s from pile %(spot)s."),
    "paid_camels": _("%(seat)s lays a camel on each pile skipped: %(spots)s."),
    "collected_camels": _("%(seat)s finds camels on pile %(spot)s: %(camels)s."),
    "triggered_last_round": _(
        "Enough piles are empty: with this turn of %(seat)s the last round begins."
    ),
    "laid_foundation": _("%(seat)s lays the foundation of obelisk %(number)s."),
    "laid_open_foundation": _("%(seat)s lays %(card)s as the foundation of obelisk %(number)s."),
    "built": _("%(seat)s builds %(card)s on obelisk %(number)s."),
    "built_below": _("%(seat)s builds %(card)s at the bottom of obelisk %(number)s."),
    "built_joker": _("%(seat)s builds %(card)s as a %(value)s on obelisk %(number)s."),
    "built_joker_below": _(
        "%(seat)s builds %(card)s as a %(value)s at the bottom of obelisk %(number)s."
    ),
    "finished_obelisk": _("%(seat)s finishes obelisk %(number)s."),
    "picked_action": _("%(seat)s chooses %(card)s."),
    "declined_action": _("%(seat)s takes no action card."),
    "reshuffled_actions": _("The played action cards are shuffled into a new draw pile."),
    "turned_up": _("%(card)s is turned up."),
    "placed_market": _("%(seat)s puts %(card)s in the market."),
    "bought_market": _("%(seat)s buys the market of %(other)s: %(cards)s."),
    "traded": _("%(seat)s gives %(other)s %(give)s and a camel for %(get)s."),
    "played_action": _("%(seat)s plays %(card)s."),
    "placed_foundation": _("%(card)s carries obelisk %(number)s of %(seat)s."),
    "picked_market": _("%(seat)s takes %(card)s from the market of %(other)s."),
    "recalled_market": _("%(seat)s takes back %(cards)s from the market."),
    "swapped_markets": _("%(seat)s swaps %(cards)s between the markets of %(other)s."),
    "freely_traded": _("%(seat)s gives %(other)s %(give)s for %(get)s."),
    "ended_turn": _("%(seat)s ends the turn."),
    "skipped_turn": _("%(seat)s has no cards left and is passed over."),
    "won": _("Victory for %(seat)s. Points: %(points)s."),
}

MOVES: dict[str, Words] = {
    "choose_market": _("Open your market with %(first)s and %(second)s"),
    "choose_market_first": _("Open your market with %(first)s and …"),
    "choose_which": _("Open your market: which two cards?"),
    "take": _("Take from pile %(spot)s"),
    "take_way": _("Take from pile %(spot)s, %(way)s"),
    "take_which": _("Take from pile …"),
    "lay_foundation": _("Lay %(card)s as a foundation"),
    "lay_which": _("Lay a foundation: which card?"),
    "build": _("Build %(card)s on obelisk %(number)s"),
    "build_bottom": _("Build %(card)s at the bottom of obelisk %(number)s"),
    "build_joker": _("Build %(card)s as a %(value)s on obelisk %(number)s"),
    "build_joker_bottom": _("Build %(card)s as a %(value)s at the bottom of obelisk %(number)s"),
    "build_where": _("Build %(card)s: where?"),
    "build_which": _("Build: which card?"),
    "build_on": _("Build on obelisk %(number)s: which card?"),
    "pick_action": _("Choose the action card in place %(slot)s"),
    "pick_which": _("Choose an action card"),
    "decline_action": _("Take no action card"),
    "place_market": _("Put %(card)s in your market"),
    "place_which": _("Fill your market: which card?"),
    "buy_market": _("Buy the market of %(seat)s for a camel"),
    "buy_which": _("Buy a market: whose?"),
    "trade": _("Trade %(give)s for %(get)s and pay a camel"),
    "trade_for": _("Trade %(give)s for …"),
    "trade_which": _("Trade: which card?"),
    "play_action": _("Play %(card)s"),
    "play_which": _("Play an action card"),
    "market_pick": _("Play %(card)s: take %(picked)s"),
    "market_swap": _("Play %(card)s: swap %(picked)s"),
    "free_trade": _("Play %(card)s: give %(give)s for %(get)s"),
    "free_trade_for": _("Play %(card)s: give %(give)s for …"),
    "end_turn": _("End your turn"),
    "held": _("You hold %(card)s"),
}

REFUSALS: dict[str, Words] = {
    "game_over": _("The match has ended."),
    "wrong_phase": _("First choose two cards for your market."),
    "not_your_turn": _("It is not your turn."),
    "choose_action_first": _("First choose an action card, or take none."),
    "wrong_mode": _("This does not exist with this number of players."),
    "invalid_choice": _("Choose two different cards from your hand."),
    "quarry_closed": _("Last round: no more cards from the quarry."),
    "market_closed": _("Last round: the markets are closed."),
    "action_card_barred": _(
        "Last round: cards that touch the quarry or the markets can no longer be played."
    ),
    "no_takes_left": _("You have taken all your quarry cards this turn."),
    "quarry_exhausted": _("There are not enough cards left in the quarry."),
    "pile_empty": _("There is no card on that spot."),
    "pile_not_adjacent": _("The overseer can only go to the next pile on either side."),
    "direction_required": _("Choose a direction: clockwise or counter-clockwise."),
    "wrong_direction": _("The overseer keeps one direction during a turn."),
    "not_enough_camels": _("You do not have enough camels."),
    "card_not_available": _("That card is not there (any more)."),
    "obelisk_not_found": _("Lay a foundation first, and build on your own obelisks."),
    "depot_minimum": _("Your depot must keep at least 3 cards."),
    "joker_value_required": _("Choose a value from 1 to 5 for the joker."),
    "joker_value_wrong": _("Here the joker can only have the next value."),
    "obelisk_finished": _("This obelisk already has its top."),
    "not_consecutive": _("Values must go down one by one towards the top."),
    "wrong_color": _("An obelisk has one colour."),
    "off_color_used": _("This obelisk already got its off-colour card this turn."),
    "bottom_not_allowed": _("You can only build at the bottom with Top and Bottom."),
    "nothing_to_choose": _("Finish an obelisk first: then you may choose an action card."),
    "empty_slot": _("There is no card in that place."),
    "own_market": _("This must be another player's market."),
    "market_empty": _("That market is empty."),
    "same_market_twice": _("Choose two different players."),
    "bad_pick_count": _("Choose one or two cards (for a swap: exactly two)."),
    "bad_trade_count": _("Give and get the same number of cards: one or two."),
    "keep_card_for_duty": _(
        "Keep a card: you still have to build or to fill your market this turn."
    ),
    "must_take": _("Take from the quarry first."),
    "must_build": _("Build at least one card this turn."),
    "must_market": _("Put at least one card in your market."),
    "must_buy": _("You hold all the camels: buy at least one market."),
    "hand_limit": _("You may keep at most 6 cards; build, or put some in your market."),
}


def phrase(move: Move) -> tuple[str, dict[str, Any]]:
    """Word a move, the beginning of one, or a component that was picked up."""
    match move:
        case ("choose_market", first, second):
            return "choose_market", {"first": first, "second": second}
        case ("take", int(spot), way):
            return "take_way", {"spot": spot + 1, "way": way}
        case ("take", int(spot)):
            return "take", {"spot": spot + 1}
        case ("build", int(obelisk), *_end):
            return "build_on", {"number": obelisk + 1}
        case ("build", card, int(obelisk), *more):
            return _build(card, obelisk, more)
        case ("pick_action", int(slot)):
            return "pick_action", {"slot": slot + 1}
        case ("buy_market", int(seat)):
            return "buy_market", {"seat": seat}
        case ("trade", give, get):
            return "trade", {"give": give, "get": get}
        case ("play_action", str(card), *more):
            return _action(card, more)
        case (("lay_foundation" | "place_market") as verb, card):
            return str(verb), {"card": card}
    return _beginning(move)


def finds(move: Move, view: View) -> str:
    """Tell what a move to the quarry or to the display brings, and what the way there costs."""
    match move:
        case ("take", int(spot), *_way):
            top, cost = view["quarry"]["piles"][spot]["top"], price(view["quarry"], move)
            camels = ngettext("%(count)s camel", "%(count)s camels", cost) % {"count": cost}
            return f"{NAMES[top]}, {camels}" if cost else str(NAMES[top])
        case ("pick_action", int(slot)):
            return str(NAMES[view["display"][slot]])
    return ""


def _beginning(move: Move) -> tuple[str, dict[str, Any]]:
    match move:
        case ("choose_market", first):
            return "choose_market_first", {"first": first}
        case ("trade", give):
            return "trade_for", {"give": give}
        case ("build", card):
            return "build_where", {"card": card}
        case (str(verb),) if verb in BARE:
            return BARE[verb], {}
        case (str(card), *more) if card in ACTIONS and more:
            return _action(card, more)
    return "held", {"card": move[-1]}


BARE = {  # verbs that stand alone: complete ones, and those that still ask for something
    "end_turn": "end_turn",
    "decline_action": "decline_action",
    "choose_market": "choose_which",
    "take": "take_which",
    "lay_foundation": "lay_which",
    "build": "build_which",
    "pick_action": "pick_which",
    "place_market": "place_which",
    "buy_market": "buy_which",
    "trade": "trade_which",
    "play_action": "play_which",
}


def _build(card: Any, obelisk: int, more: list[Any]) -> tuple[str, dict[str, Any]]:
    below = "_bottom" if more[:1] == ["bottom"] else ""
    args = {"card": card, "number": obelisk + 1}
    if more[1:]:
        return f"build_joker{below}", args | {"value": more[1]}
    return f"build{below}", args


def _action(card: str, more: list[Any]) -> tuple[str, dict[str, Any]]:
    """An action card and what it is aimed at: pairs of seat and card, or of give and get."""
    first, second = more[::2], more[1::2]
    if card.startswith("free_trade") and second:
        return "free_trade", {"card": card, "give": first, "get": second}
    if card.startswith("free_trade") and first:
        return "free_trade_for", {"card": card, "give": first}
    if second:
        return card[:-2], {"card": card, "picked": second}
    return "play_action", {"card": card}


TEXTS = Texts(
    names=NAMES,
    lines=LINES,
    moves=MOVES,
    refusals=REFUSALS,
    explanations=EXPLANATIONS,
    phrase=phrase,
    asks=ASKS,
    finds=finds,
)
