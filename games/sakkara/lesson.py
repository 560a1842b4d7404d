"""The first lesson of Sakkara: the first cards built in a match, and the tip that wins it."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Lesson, Opening, Step

SEED = "lesson 1873"  # the pupil soon holds a ship and two braids, beside grain
OPTIONS = {"start_player": "host"}

EARLY = """
    0 place_worker a1
    1 place_worker b1
    0 place_worker c1
    1 place_worker b2
    0 move 1 E, end_turn
    1 move 1 E, end_turn
    0 move 0 S, end_turn
    1 move 1 S, end_turn
    0 move 0 S, end_turn
    1 move 1 S, end_turn
"""
LATER = """
    0 move 0 S, lay_ship, lay_grain, build braid, build braid, end_turn
    1 move 1 S, end_turn
    0 move 1 S, end_turn
    1 move 1 S, end_turn
    0 move 1 S, end_turn
    1 move 1 S, end_turn
    0 move 0 E, end_turn
    1 move 0 S, end_turn
    0 move 0 N, build hewn_stone, end_turn
    1 place_stack 1 c5, move 1 W, end_turn
    0 move 1 N, end_turn
    1 move 1 N, end_turn, discard stair
    0 place_stack 1 a4, move 1 E, build hewn_stone, end_turn
    1 place_stack 1 c7, move 1 W, end_turn, discard eye
    0 place_stack 1 d1, move 1 E, build double_stripe, end_turn
    1 move 1 N, end_turn, discard cross
    0 place_stack 1 c4, move 0 S, end_turn
    1 move 1 S, lay_ship, lay_grain, build hewn_stone, build hewn_stone, build stair, build stair
    1 build double_stripe, end_turn
    0 place_stack 2 d2, move 0 W, build stair, end_turn
    1 move 1 N, build braid, end_turn
    0 move 1 E, end_turn
    1 move 0 S, end_turn
    0 move 1 N, end_turn
    1 move 1 E, end_turn
    0 move 1 S, play_bird 0 d5, build stair, cast_whirlwind 0 pyramid_tip eye moon
    0 build hewn_stone, build hewn_stone, cast_fire_storm 1 column pyramid_tip cross braid
    0 end_turn, discard double_stripe
    1 place_stack 9 b1, place_stack 1 a2, move 0 W, end_turn
    0 lay_grain, build cross, build circle, build moon, build eye, move 1 W, play_horse
    0 horse_step take, end_turn
    1 place_stack 1 a6, move 1 S, end_turn
    0 move 0 E, play_bird 1 e7, lay_grain
"""

LESSON = Lesson(
    steps=(
        Step(
            opening=Opening(seats=2, seed=SEED, options=OPTIONS, moves=EARLY),
            ask=_(
                "Each turn one of your workers goes one field further and takes the card there."
                " Tap your worker at the edge, then the grain below it."
            ),
            wanted=("move 0 S",),
            told=_(
                "The grain is in your hand, which only you see. A worker never enters a field"
                " where another one stands, and climbs at most two cards."
            ),
        ),
        Step(
            ask=_(
                "You hold two braids, which belong in the blue tier of your pyramid. Try to build"
                " one."
            ),
            wanted=("build braid",),
            refusal="no_ship_laid",
            told=_(
                "Nothing is built without supplies: first a ship and grain must lie open in front"
                " of you."
            ),
        ),
        Step(
            ask=_("Lay your ship."),
            wanted=("lay_ship",),
            told=_("One ship is enough for the whole match, unless a spell wrecks it."),
        ),
        Step(
            ask=_("Now lay the grain."),
            wanted=("lay_grain",),
            told=_("One grain is enough for the blue tier. The red one needs two, the tip three."),
        ),
        Step(
            ask=_("Now it works: build a braid."),
            wanted=("build braid",),
            told=_(
                "The first of nine cards in the blue tier. For a hewn stone you also spend a"
                " helping hand."
            ),
        ),
        Step(
            ask=_("The rest can wait. End your turn."),
            wanted=("end_turn",),
            told=_(
                "Now your opponent makes a step. Cards that somebody spends come back to the board"
                " as a stack, and it is the other player who chooses where."
            ),
        ),
        Step(
            opening=Opening(seats=2, seed=SEED, options=OPTIONS, moves=EARLY + LATER),
            ask=_(
                "Much later: two tiers are finished, three grains are laid, and you hold the"
                " golden tip. Build it."
            ),
            wanted=("build pyramid_tip",),
            told=_(
                "It costs two helping hands, and you have won! Who builds the tip first wins at"
                " once; nothing else counts."
            ),
        ),
    ),
)
