"""The first lesson of Obelisk: one turn of a duel, and the obelisk finished a few turns later."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Lesson, Opening, Step

SEED = "lesson 1035"  # deals the pupil a blue 5, 4, 3 and 2
OPTIONS = {"first_player": 0}

LATER = """
    0 take 4 ccw, lay_foundation Y4a, build B5d 0 top, build B4b 0 top, end_turn
    1 take 3 ccw, lay_foundation R2a, build Y5c 0 top, end_turn
    0 take 4 cw, build B3c 0 top, end_turn
    1 take 3 ccw, lay_foundation B1d, build Y3d 1 top, end_turn
    0 take 2 ccw, build B2d 0 top, end_turn
    1 take 1 ccw, end_turn
    0 take 0 ccw
"""

LESSON = Lesson(
    steps=(
        Step(
            opening=Opening(seats=2, seed=SEED, options=OPTIONS),
            ask=_("Each turn you take a card from the quarry. Tap a pile beside the overseer."),
            wanted=("take 4 ccw", "take 6 cw"),
            told=_(
                "The card is in your depot. The overseer stays where you took it, so you also"
                " decide what your opponent can reach. A pile farther on costs a camel for each"
                " one skipped."
            ),
        ),
        Step(
            ask=_(
                "An obelisk stands on a foundation: any card, face down. Tap the yellow 4 in your"
                " depot, then the plot for a new obelisk."
            ),
            wanted=("lay_foundation Y4a",),
            told=_(
                "A foundation is worth nothing by itself: spend a card on it that you can spare."
            ),
        ),
        Step(
            ask=_("Now build on it: tap the blue 5, then the foundation."),
            wanted=("build B5d",),
            told=_(
                "This obelisk is blue from now on. Its values go down one by one: 5, 4, 3, 2, 1."
            ),
        ),
        Step(
            ask=_("So the blue 4 comes next. Build it too."),
            wanted=("build B4b",),
            told=_(
                "Two cards make 2 points. The higher it grows, the more each card is worth: three"
                " make 4, four make 7, and all five make 10."
            ),
        ),
        Step(
            ask=_("You have the blue 3 as well. Try to build it."),
            wanted=("build B3c 0 top",),
            refusal="depot_minimum",
            told=_(
                "Your depot must keep three cards, so the blue 3 has to wait. Whatever is not"
                " possible, the board will tell you why."
            ),
        ),
        Step(
            ask=_("That was all you can do. End your turn."),
            wanted=("end_turn",),
            told=_(
                "Now your opponent takes a card, and so on. Until you finish a turn, you can take"
                " steps back with Undo, but for those that turned up a new card."
            ),
        ),
        Step(
            opening=Opening(seats=2, seed=SEED, options=OPTIONS, moves=LATER),
            ask=_(
                "Three turns later: your obelisk has grown, and you have just taken a blue 1. Put"
                " it on top."
            ),
            wanted=("build B1c",),
            told=_(
                "Finished: ten points! A 1 on top also earns you one of the three action cards."
                " When two piles of the quarry are empty, the last round begins; most points win."
            ),
        ),
    ),
)
