"""The words of Sakkara: names, log lines, buttons, refusals and one-sentence explanations.

Nothing here knows a rule; the names are those of docs/rules/sakkara.md §12. Workers are counted
from 1 in words and from 0 in moves.
"""

from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.catalogue import Texts, Words
from games.engine.contract import Move
from games.sakkara.cards import DEEDS, EFFECTS, MOTIFS, PURPOSES, SPELLS

WAYS: dict[str, Words] = {
    "N": pgettext_lazy("direction", "up"),
    "E": pgettext_lazy("direction", "right"),
    "S": pgettext_lazy("direction", "down"),
    "W": pgettext_lazy("direction", "left"),
}
AXES: dict[str, Words] = {"row": _("row"), "column": _("column")}
USES: dict[str, Words] = {  # what a card in the hand is good for
    "now": _("needed now"),
    "later": _("needed later"),
    "special": _("to play"),
    "spare": pgettext_lazy("cards", "spare"),
}
RIDES: dict[str, Words] = {  # how a horse goes on
    "take": _("take the card"),
    "leave": _("leave it"),
    "stair": _("with a stair"),
}
ASKS: dict[str, Words] = {  # what the moment asks
    "ask_setup_place": _("Put a worker on a free field and take its top card."),
    "ask_place_returns": _("First put the cards your opponent spent back on the board."),
    "ask_move": _("Move one of your workers. You may play cards before and after it."),
    "ask_end": _("Play more cards if you like, or end your turn."),
    "ask_stuck": _("No step is possible without a stair. Play cards, or end your turn."),
    "ask_snake_pick": _("Choose the card you steal."),
    "ask_horse_step": _("The horse may go one field further, or stop."),
    "ask_discard": _("Discard until you hold ten cards. The last one will lie on top."),
}
DUTIES: dict[str, Words] = {  # what a turn owes, for the check-list beside the board
    "returns": _("Put the returned cards on the board"),
    "move": _("Move a worker"),
    "hand": _("Keep at most 10 cards at the end of your turn"),
}

NAMES: dict[str, Words] = {
    **MOTIFS,
    **SPELLS,
    **WAYS,
    **AXES,
    **USES,
    **ASKS,
    **{f"duty_{key}": words for key, words in DUTIES.items()},
    "empty": pgettext_lazy("field", "empty"),
    "unknown": pgettext_lazy("card", "not known"),
    "you_lack": _("You do not have that card."),
    "opponent_lacks": _("Your opponent does not have that card."),
    "tie_break": _("supplies"),
}

EXPLANATIONS: dict[str, Words] = {
    **{
        motif: format_lazy("{name}: {purpose}", name=MOTIFS[motif], purpose=purpose)
        for motif, purpose in PURPOSES.items()
    },
    **{f"spell_{spell}": effect for spell, effect in EFFECTS.items()},
    # What is in hand, while it is said what to do with it.
    **{f"cast_{spell}": effect for spell, effect in EFFECTS.items()},
    **{f"play_{card}": DEEDS[card] for card in ("horse", "bird", "ox", "snake")},
    "field": _("An empty field: returned cards go here, and a worker may step on it."),
    "unknown": _("A card that nobody has seen yet: it lies under another since the beginning."),
    "worker": _("A worker steps to a neighbouring field and takes the top card there."),
    "pyramid": _("Nine blue cards, four red ones, then the tip. Only one tier a turn."),
    "hand": _("Hidden, but who follows the log knows what is in it."),
    "pile": _("Spent this turn. Your opponent puts it back on the board, in this order."),
    "returns": _(
        "Comes back to the board as it lies: on an empty field, not beside your own workers."
    ),
    "supplies": _(
        "What must lie open to build: a ship, and as many grain cards as the tier’s number."
    ),
    "stall": _("After 60 turns in a row without a building card the match ends."),
}

LINES: dict[str, Words] = {
    "began": _("%(seat)s plays the white workers and begins."),
    "placed_worker": _("%(seat)s puts a worker on %(field)s and takes: %(card)s."),
    "placed_worker_bare": _("%(seat)s puts a worker on %(field)s."),
    "uncovered": _("On %(field)s comes to light: %(card)s."),
    "placed_stack": _("%(seat)s puts on %(field)s, from the bottom: %(cards)s."),
    "stepped": _("%(seat)s steps to %(field)s and takes: %(card)s."),
    "stepped_bare": _("%(seat)s steps to %(field)s, where nothing lies."),
    "climbed": _("%(seat)s spends a stair, climbs to %(field)s and takes: %(card)s."),
    "played_horse": _("%(seat)s spends a horse."),
    "rode": _("%(seat)s rides to %(field)s and takes: %(card)s."),
    "rode_bare": _("%(seat)s rides to %(field)s, where nothing lies."),
    "rode_past": _("%(seat)s rides to %(field)s and leaves: %(card)s."),
    "rode_high": _("%(seat)s spends a stair, rides up to %(field)s and takes: %(card)s."),
    "rode_high_past": _("%(seat)s spends a stair, rides up to %(field)s and leaves: %(card)s."),
    "stopped_horse": _("%(seat)s stops the horse."),
    "flew": _("%(seat)s spends a bird, flies to %(field)s and takes: %(card)s."),
    "flew_bare": _("%(seat)s spends a bird and flies to %(field)s, where nothing lies."),
    "pushed": _("%(seat)s spends an ox and pushes from %(field)s to %(target)s: %(cards)s."),
    "played_snake": _("%(seat)s spends a snake and looks into the hand of %(other)s."),
    "stole": _("%(seat)s steals from %(other)s: %(card)s."),
    "cast": _("%(seat)s casts %(spell)s with %(cards)s."),
    "gathered": _("The storm brings %(seat)s: %(cards)s."),
    "destroyed": _("%(other)s loses what lay open: %(card)s."),
    "laid": _("%(seat)s lays open: %(card)s."),
    "built": _("%(seat)s builds: %(card)s."),
    "built_with_hands": _("%(seat)s builds with helping hands: %(card)s."),
    "completed_tier": _("%(seat)s completes tier %(tier)s."),
    "discarded": _("%(seat)s discards: %(card)s."),
    "ended_turn": _("%(seat)s ends the turn."),
    "resigned": _("%(seat)s gives up."),
    "ended_stall": _("Nobody has built for 60 turns: the match ends."),
    "ended_turn_limit": _("240 turns have been played: the match ends."),
    "won": _("Victory for %(seat)s, with %(cards)s building cards."),
    "drew": _("A draw between %(seat)s."),
}

MOVES: dict[str, Words] = {
    "place_worker": _("Put a worker on %(field)s"),
    "place_worker_which": _("Put a worker on …"),
    "place_stack": _("Put a stack of %(size)s on %(field)s"),
    "place_stack_where": _("Put a stack of %(size)s on …"),
    "place_stack_which": _("Put returned cards on the board"),
    "move": _("Worker %(worker)s: step %(way)s"),
    "climb": _("Worker %(worker)s: climb %(way)s with a stair"),
    "move_where": _("Worker %(worker)s: step where?"),
    "move_which": _("Move a worker: which one?"),
    "play_horse": _("Horse: ride on"),
    "play_horse_take": _("Horse: ride on and take the card"),
    "play_horse_leave": _("Horse: ride on and leave the card"),
    "play_horse_stair": _("Horse: ride on up a stair"),
    "play_horse_stair_take": _("Horse: ride on up a stair and take the card"),
    "play_horse_stair_leave": _("Horse: ride on up a stair and leave the card"),
    "horse_step": _("Ride one field further"),
    "horse_step_take": _("Ride one field further and take the card"),
    "horse_step_leave": _("Ride one field further and leave the card"),
    "horse_step_stair": _("Ride one field further up a stair"),
    "horse_step_stair_take": _("Ride one field further up a stair and take the card"),
    "horse_step_stair_leave": _("Ride one field further up a stair and leave the card"),
    "horse_stop": _("Stop the horse"),
    "play_bird": _("Bird: worker %(worker)s flies to %(field)s"),
    "play_bird_where": _("Bird: worker %(worker)s flies where?"),
    "play_bird_which": _("Bird: which worker flies?"),
    "play_ox": _("Ox: push %(count)s from %(field)s to %(target)s"),
    "play_ox_count": _("Ox: push from %(field)s to %(target)s, how many?"),
    "play_ox_where": _("Ox: push from %(field)s to where?"),
    "play_ox_which": _("Ox: push which stack?"),
    "play_snake": _("Snake: look into the other hand and steal"),
    "snake_take": _("Steal: %(card)s"),
    "snake_take_which": _("Steal a card"),
    "cast": _("Cast %(spell)s: %(cards)s"),
    "cast_order": _("Cast %(spell)s: %(cards)s, then …"),
    "cast_which": _("Cast %(spell)s: which card lies lowest?"),
    "cast_whirlwind": _("Whirlwind around worker %(worker)s: %(cards)s"),
    "cast_whirlwind_order": _("Whirlwind around worker %(worker)s: %(cards)s, then …"),
    "cast_whirlwind_which": _("Whirlwind around worker %(worker)s: which card lies lowest?"),
    "cast_storm": _("Fire storm, %(axis)s of worker %(worker)s: %(cards)s"),
    "cast_storm_order": _("Fire storm, %(axis)s of worker %(worker)s: %(cards)s, then …"),
    "cast_storm_which": _("Fire storm, %(axis)s of worker %(worker)s: which card lies lowest?"),
    "cast_storm_axis": _("Fire storm of worker %(worker)s: row or column?"),
    "cast_worker": _("Cast %(spell)s: at which worker?"),
    "lay_ship": _("Lay your ship"),
    "lay_grain": _("Lay grain"),
    "build": _("Build: %(card)s"),
    "build_which": _("Build a card"),
    "discard": _("Discard: %(card)s"),
    "discard_which": _("Discard a card"),
    "end_turn": _("End your turn"),
    "held": _("You hold: %(card)s"),
}

REFUSALS: dict[str, Words] = {
    "game_over": _("The match has ended."),
    "not_your_turn": _("It is not your turn."),
    "wrong_phase": _("You cannot do that now."),
    "off_board": _("That is outside the board."),
    "field_occupied": _("A worker is standing there."),
    "same_field": _("The worker is already there."),
    "too_high": _("That stack is more than two cards higher: you need a stair."),
    "stair_not_needed": _("No stair is needed for this step."),
    "already_moved": _("You have already moved a worker this turn."),
    "must_move": _("You must move one of your workers first."),
    "card_not_in_hand": "%(words)s",
    "need_hand": _("You need more helping hands."),
    "horse_needs_move": _("The horse continues the step you made this turn."),
    "ox_not_adjacent": _("The stack must be next to one of your workers."),
    "ox_bad_target": _("Cards can only be pushed to a neighbouring field."),
    "ox_uphill": _("Cards cannot be pushed upwards."),
    "opponent_hand_empty": _("Your opponent has no cards."),
    "spell_cards_missing": _("You do not have the three cards for this spell."),
    "bad_order": _("Choose an order of exactly these three cards."),
    "nothing_to_take": _("There is no card to take."),
    "opponent_has_no_ship": _("Your opponent has no ship laid."),
    "opponent_has_no_grain": _("Your opponent has no grain laid."),
    "ship_already_laid": _("Your ship is already laid."),
    "grain_limit": _("You have enough grain for this tier."),
    "grain_next_turn": _("Grain for the next tier can be laid from your next turn."),
    "no_ship_laid": _("Lay a ship first."),
    "not_enough_grain": _("Lay more grain first."),
    "wrong_tier": _("This card does not belong to the tier you are building."),
    "tier_next_turn": _("You can start the next tier in your next turn."),
    "slot_full": _("That place in your pyramid is already filled."),
    "stack_size": _("The stack cannot be divided like that."),
    "next_to_own_worker": _("Not next to one of your own workers."),
    "field_used": _("You have already put a stack there."),
    "not_lowest": _("Choose an empty field (or, if there is none, one with the fewest cards)."),
}

BARE = {  # verbs that stand alone: complete ones, and those that still ask for something
    **{verb: verb for verb in ("lay_ship", "lay_grain", "end_turn", "play_snake", "horse_stop")},
    "place_worker": "place_worker_which",
    "place_stack": "place_stack_which",
    "move": "move_which",
    "play_bird": "play_bird_which",
    "play_ox": "play_ox_which",
    "snake_take": "snake_take_which",
    "build": "build_which",
    "discard": "discard_which",
}
Phrase = tuple[str, dict[str, Any]]


def phrase(move: Move) -> Phrase:
    """Word a move, the beginning of one, or a component that was picked up."""
    match move:
        case ("move", int(worker), *step):
            return _step(worker + 1, step)
        case ("play_horse" | "horse_step", *_how):
            return "_".join(map(str, move)), {}
        case ("place_stack", int(size), *field):
            args = {"size": size, "field": field[0]} if field else {"size": size}
            return "place_stack" if field else "place_stack_where", args
        case ("play_bird", int(worker), *field):
            args = {"worker": worker + 1, "field": field[0] if field else ""}
            return "play_bird" if field else "play_bird_where", args
        case ("play_ox", *rest) if rest:
            key = ("play_ox_where", "play_ox_count", "play_ox")[len(rest) - 1]
            return key, dict(zip(("field", "target", "count"), rest, strict=False))
        case ("place_worker", field):
            return "place_worker", {"field": field}
        case (("build" | "discard" | "snake_take") as verb, card):
            return str(verb), {"card": card}
        case (str(verb), *rest) if verb.startswith("cast_"):
            return _cast(verb.removeprefix("cast_"), rest)
        case (str(verb),) if verb in BARE:
            return BARE[verb], {}
    return "held", {"card": move[-1]}


def _step(worker: int, step: list[Any]) -> Phrase:
    if not step:
        return "move_where", {"worker": worker}
    return "climb" if step[1:] else "move", {"worker": worker, "way": step[0]}


def _cast(spell: str, rest: list[Any]) -> Phrase:
    """A spell, at a worker and along an axis where it has one, and the cards from the bottom."""
    cards = [atom for atom in rest if atom in MOTIFS]
    args: dict[str, Any] = {"spell": spell, "cards": cards}
    key = "cast"
    if spell in ("whirlwind", "fire_storm"):
        if not rest or not isinstance(rest[0], int):
            return "cast_worker", args
        args["worker"] = rest[0] + 1
        key = "cast_whirlwind"
        if spell == "fire_storm":
            if len(rest) == 1:
                return "cast_storm_axis", args
            args["axis"] = rest[1]
            key = "cast_storm"
    stages = ("_which", "_order", "_order", "")
    return key + stages[len(cards)], args


TEXTS = Texts(
    names=NAMES,
    lines=LINES,
    moves=MOVES,
    refusals=REFUSALS,
    explanations=EXPLANATIONS,
    phrase=phrase,
)
