"""The words of Cheops: names, log lines, buttons, refusals and one-sentence explanations.

Nothing here knows a rule; the names are those of docs/rules/cheops.md §12. Rows count from the
bottom, blocks from the left, numbers of a price board from the top.
"""

from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.catalogue import Texts, Words
from games.engine.contract import Atom, Move, View

COLOURS: dict[str, Words] = {
    "brown": _("brown"),
    "blue": _("blue"),
    "red": _("red"),
    "green": _("green"),
    "black": _("black"),
    "orange": _("orange"),
}
TREASURES: dict[str, Words] = {
    "t:brown": _("a brown treasure"),
    "t:blue": _("a blue treasure"),
    "t:red": _("a red treasure"),
    "t:green": _("a green treasure"),
    "t:black": _("a black treasure"),
    "t:orange": _("an orange treasure"),
}
KINDS: dict[str, Words] = {
    "grandfather": _("grandfather"),
    "mother": _("mother"),
    "son": _("son"),
    "daughter": _("daughter"),
}
TILES: dict[str, Words] = {
    "f:grandfather": _("the grandfather"),
    "f:mother": _("the mother"),
    "f:son": _("the son"),
    "f:daughter": _("the daughter"),
    "n": _("a neighbour"),
}
LAWS: dict[str, Words] = {
    "market_low": _("Cheap market"),
    "market_high": _("Dear market"),
    "three_boards": _("Third board"),
    "must_sell": _("Forced sale"),
    "must_keep": _("Sales ban"),
    "blocker": _("Seal"),
    "new_number": _("New number"),
    "repeal": _("Repeal"),
    "joker": _("Joker treasure"),
    "late_sale": _("Late sale"),
    "secret_passage": _("Secret passage"),
    "exchange": _("Exchange"),
}
EFFECTS: dict[str, Words] = {
    "market_low": _("The market price is 5."),
    "market_high": _("The market price is 15."),
    "three_boards": _("The match ends with three full price boards instead of two."),
    "must_sell": _("Treasures of this colour must be sold; on a full board they are worthless."),
    "must_keep": _("Treasures of this colour cannot be sold any more, only kept."),
    "blocker": _("Does nothing but keep other laws away from this price board."),
    "new_number": _("The number it lies on counts as 20."),
    "repeal": _("Takes one law that is in play out of the match."),
    "joker": _("Costs 25. At the end it counts as one treasure of a colour its owner names."),
    "late_sale": _("Once: sell a treasure from your stock at the market price."),
    "secret_passage": _("Once: take the treasure of any block, without blocks below it taken."),
    "exchange": _("Once: swap two treasures of the pyramid, or one of yours with one there."),
}
ROWS = 11
BLOCK = _("row {row}, block {block}")
FIELDS: dict[str, Words] = {
    f"{row}-{block}": format_lazy(BLOCK, row=row, block=block)
    for row in range(1, ROWS + 1)
    for block in range(1, ROWS + 2 - row)
}
ASKS: dict[str, Words] = {
    "ask_act": _("Lay a family member on a block."),
    "ask_stuck": _("None of your family members fits. Use what else you have, or pass."),
    "ask_resolve_treasure": _("Sell the treasure now, or keep it?"),
    "ask_must_sell": _("Forced sale: under which price board?"),
    "ask_must_keep": _("Sales ban: under which price board?"),
    "ask_blocker": _("Seal: under which price board?"),
    "ask_new_number": _("New number: which number becomes 20?"),
    "ask_repeal": _("Repeal: which law shall go?"),
    "ask_joker": _("Buy the joker treasure for 25?"),
    "ask_late_sale": _("Sell a treasure from your stock now, or hold the tile?"),
    "ask_secret_passage": _("Use the secret passage now, or hold the tile?"),
    "ask_exchange": _("Swap treasures now, or hold the tile?"),
    "ask_wrap_up": _("Refill your family, or end your turn."),
    "ask_declare_joker": _("Name the colour of your joker treasure."),
}
ENDS: dict[str, Words] = {
    "boards_full": _("Enough price boards are full, so the match stops at once."),
    "pyramid_empty": _("The pyramid has been emptied to the last block."),
    "blocked": _("Nobody can go on: for a whole round no tile was laid, and none fits any more."),
}

NAMES: dict[str, Words] = {
    **COLOURS,
    **TREASURES,
    **KINDS,
    **TILES,
    **LAWS,
    **FIELDS,
    **ASKS,
    "l": _("a law tile"),
}

MANNERS: dict[str, Words] = {
    "grandfather": _("He may not lie next to another grandfather."),
    "mother": _("She may not lie next to another mother."),
    "son": _("He may not lie next to another son."),
    "daughter": _("She may not lie next to another daughter."),
}
EXPLANATIONS: dict[str, Words] = {
    **MANNERS,
    **{f"f:{kind}": words for kind, words in MANNERS.items()},
    **{law: EFFECTS[law] for law in LAWS},
    "t:brown": _("Worth what its price board shows at the end; sold, it covers a number there."),
    **dict.fromkeys(
        list(TREASURES)[1:],
        _("Worth what its price board shows at the end; sold, it covers a number there."),
    ),
    "n": _("A hired neighbour goes beside any family member, but not beside another neighbour."),
    "eye": _("A law tile lies here face down. Whoever takes this block turns it up."),
    "block": _("A block can be taken when both blocks below it have been."),
    "price_board": _("A sale covers the topmost number. The topmost free one is paid at the end."),
    "market": _("A treasure that is sold brings the market price at once."),
    "full": _("With so many full price boards the match ends at once."),
    "family": _("Your family members lie open. You lay one each turn and may refill to four."),
    "front_stack": _("Family members are taken from this stack, top first."),
    "later": _("This stack comes later: first the front stack is used up."),
    "neighbours": _("Once a turn, before your family member, you may hire one for 20 piastres."),
    "stock": _("Treasures that were kept. They are paid at the end."),
    "purse": _("How much is in this purse only its owner sees until the end."),
    "money": _("Your money. Only you see it until the end."),
    "open_purse": _("The money of this player: in this match all see it."),
    "open_money": _("Your money: in this match all see it."),
    "worth": _("What this stock would bring if the match ended now, without money."),
    "idle": _("When a whole round passes without a tile and none fits, the match ends."),
}

LINES: dict[str, Words] = {
    "began": _("%(seat)s goes first."),
    "laid": _("%(seat)s lays %(tile)s on %(field)s and takes %(find)s."),
    "hired": _("%(seat)s pays 20 for %(tile)s, lays it on %(field)s and takes %(find)s."),
    "sneaked": _("%(seat)s uses the secret passage: %(tile)s on %(field)s takes %(find)s."),
    "turned_up": _("%(seat)s turns up a law: %(law)s."),
    "sold": _("%(seat)s sells %(treasure)s for %(price)s."),
    "kept": _("%(seat)s keeps %(treasure)s."),
    "had_to_sell": _("%(seat)s has to sell %(treasure)s for %(price)s."),
    "had_to_keep": _("%(seat)s has to keep %(treasure)s."),
    "discarded": _("%(seat)s has %(treasure)s that is worth nothing; it is put away."),
    "changed_market": _("The market price is now %(price)s."),
    "raised_threshold": _("The match now ends with three full price boards."),
    "repealed_nothing": _("There is no law to repeal."),
    "placed_law": _("%(seat)s lays %(law)s under the price board of %(colour)s."),
    "placed_number": _("%(seat)s makes number %(position)s of %(colour)s a 20."),
    "repealed": _("%(seat)s repeals %(law)s."),
    "bought_joker": _("%(seat)s buys the joker treasure for %(price)s."),
    "declined_joker": _("%(seat)s does without the joker treasure."),
    "kept_law": _("%(seat)s holds %(law)s for later."),
    "late_sold": _("%(seat)s sells %(treasure)s from stock for %(price)s."),
    "swapped": _("%(seat)s swaps %(treasure)s on %(field)s with %(treasure_b)s on %(field_b)s."),
    "traded": _("%(seat)s puts %(treasure)s on %(field)s and gets %(got)s for it."),
    "drew": _("%(seat)s takes a %(kind)s."),
    "passed": _("%(seat)s passes."),
    "had_to_pass": _("%(seat)s has nothing to lay and passes."),
    "declared_joker": _("%(seat)s names %(colour)s for the joker treasure."),
    "ended_boards_full": ENDS["boards_full"],
    "ended_pyramid_empty": ENDS["pyramid_empty"],
    "ended_blocked": ENDS["blocked"],
    "counted": _("%(seat)s has %(cash)s in cash and %(stock)s in treasures: %(total)s."),
    "won": _("%(seat)s: first with %(points)s piastres."),
}

MOVES: dict[str, Words] = {
    "place_family": _("Lay a family member"),
    "place_family_kind": _("Lay the %(kind)s: where?"),
    "place_family_field": _("Lay on %(field)s: whom?"),
    "place_family_kind_field": _("Lay the %(kind)s on %(field)s"),
    "hire_neighbour": _("Hire a neighbour for 20"),
    "hire_neighbour_field": _("Hire a neighbour for 20: %(field)s"),
    "pass_turn": _("Pass"),
    "sell_treasure": _("Sell"),
    "keep_treasure": _("Keep"),
    "place_law": _("Place the law"),
    "place_law_colour": _("Place the law under the price board of %(colour)s"),
    "place_number": _("Place the number"),
    "place_number_colour": _("Place the 20 on the price board of %(colour)s: where?"),
    "place_number_colour_position": _("Place the 20 on number %(position)s of %(colour)s"),
    "repeal_law": _("Repeal a law"),
    "repeal_law_law": _("Repeal %(law)s"),
    "buy_joker": _("Buy the joker treasure for 25"),
    "decline_joker": _("Do without the joker treasure"),
    "keep_law": _("Hold the tile for later"),
    "play_late_sale": _("Use: sell from stock"),
    "play_late_sale_colour": _("Sell from stock: %(colour)s"),
    "play_secret_passage": _("Use: secret passage"),
    "play_secret_passage_kind": _("Secret passage with the %(kind)s: where?"),
    "play_secret_passage_field": _("Secret passage to %(field)s: whom?"),
    "play_secret_passage_kind_field": _("Secret passage: the %(kind)s on %(field)s"),
    "play_exchange_pyramid": _("Use: swap in the pyramid"),
    "play_exchange_pyramid_field": _("Swap the treasure on %(field)s: with which?"),
    "play_exchange_pyramid_field_other": _("Swap the treasures on %(field)s and %(other_field)s"),
    "play_exchange_stock": _("Use: swap with stock"),
    "play_exchange_stock_colour": _("Swap from stock: %(colour)s for which?"),
    "play_exchange_stock_field": _("Swap the treasure on %(field)s: for which of yours?"),
    "play_exchange_stock_colour_field": _("Swap from stock: %(colour)s for the one on %(field)s"),
    "draw_family": _("Take a family member"),
    "draw_family_stack": _("Take the family member on stack %(stack)s"),
    "end_turn": _("End turn"),
    "declare_joker": _("Name the joker"),
    "declare_joker_colour": _("The joker treasure is %(colour)s"),
    "unknown": "%(text)s",
}

REFUSALS: dict[str, Words] = {
    "game_over": _("The game is over."),
    "not_your_turn": _("It is not your turn."),
    "wrong_phase": _("You cannot do that now."),
    "bad_parameter": _("That choice does not exist."),
    "kind_not_in_hand": _("You do not have that family tile."),
    "field_occupied": _("That field has already been plundered."),
    "not_supported": _("Both fields below must be occupied first."),
    "identical_adjacent": _("An identical tile lies next to that field."),
    "neighbour_already_hired": _("You may hire only one neighbour per turn."),
    "no_neighbours_left": _("All neighbours have been hired."),
    "cannot_afford": _("You do not have enough money."),
    "must_place": _("You can lay a family tile, so you must."),
    "board_full": _("That price board is full."),
    "sale_forbidden": _("A law forbids selling this colour."),
    "keep_forbidden": _("A law forbids keeping this colour."),
    "slot_taken": _("A law already lies under that board."),
    "number_covered": _("That number is already covered."),
    "law_not_in_play": _("That law is not in play."),
    "tile_not_held": _("You do not hold that law tile."),
    "tile_taken_this_turn": _("You may use it from your next turn on."),
    "already_drawn": _("Not after drawing a family tile."),
    "not_in_stock": _("You have no such treasure in stock."),
    "not_a_treasure": _("There is no treasure on that field."),
    "same_colour": _("Both treasures have the same colour."),
    "hand_full": _("You already have four family tiles."),
    "stack_empty": _("That stack is empty."),
    "not_front_stack": _("You may only take from the front stack."),
    "must_draw": _("You must have at least one family tile."),
}

# What the atoms after a verb are, in their order; a hold may leave out any of them.
PARTS = {
    "place_family": ("kind", "field"),
    "hire_neighbour": ("field",),
    "place_law": ("colour",),
    "place_number": ("colour", "position"),
    "repeal_law": ("law",),
    "play_late_sale": ("colour",),
    "play_secret_passage": ("kind", "field"),
    "play_exchange_pyramid": ("field", "other"),
    "play_exchange_stock": ("colour", "field"),
    "draw_family": ("stack",),
    "declare_joker": ("colour",),
}
FAMILIES: dict[str, Any] = {"kind": KINDS, "field": FIELDS, "other": FIELDS, "colour": COLOURS}


def phrase(move: Move) -> tuple[str, dict[str, Any]]:
    """Word a move, or what is held of one: the key names the parts that are there."""
    verb, rest = str(move[0]), list(move[1:])
    named: dict[str, Atom] = {}
    for part in PARTS.get(verb, ()):
        if rest and (part not in FAMILIES or rest[0] in FAMILIES[part]):
            named[part] = rest.pop(0)
    key = "_".join([verb, *named])
    if key not in MOVES:
        return "unknown", {"text": " ".join(map(str, move))}
    if "other" in named:  # a seat is called `other` elsewhere
        named["other_field"] = named.pop("other")
    return key, named


def finds(move: Move, view: View) -> str:
    """Tell what lies on the blocks that a move goes to."""
    there = [view["pyramid"][atom] for atom in move if atom in FIELDS]
    return ", ".join(str(NAMES[content]) for content in there if content in NAMES)


TEXTS = Texts(
    names=NAMES,
    lines=LINES,
    moves=MOVES,
    refusals=REFUSALS,
    explanations=EXPLANATIONS,
    phrase=phrase,
    finds=finds,
)
