"""The first lesson of Cheops: a treasure sold, one kept, and the sale that ends the match."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Lesson, Opening, Step

SEED = "lesson 1345"  # a blue treasure at the bottom, one above it; blue pays 10, then 30, then 5
OPTIONS = {"first_player": "seat_0"}
REPLY = "1 place_family son 1-7, keep_treasure, draw_family 1"

LATER = f"""
    0 place_family mother 1-6, sell_treasure, draw_family 1
    {REPLY}
    0 place_family daughter 2-6, keep_treasure, draw_family 1
    1 place_family daughter 1-4, sell_treasure, draw_family 1
    0 place_family grandfather 1-5, sell_treasure, draw_family 1
    1 place_family daughter 1-2, sell_treasure, draw_family 1
    0 place_family son 1-11, sell_treasure, draw_family 1
    1 place_family son 1-1, sell_treasure, draw_family 1
    0 place_family grandfather 1-3, sell_treasure, draw_family 1
    1 place_family mother 2-4, sell_treasure, draw_family 1
    0 place_family grandfather 2-1
"""

LESSON = Lesson(
    steps=(
        Step(
            opening=Opening(seats=2, seed=SEED, options=OPTIONS),
            ask=_(
                "Each turn you lay one family member on a block and take what lies there. Tap"
                " your mother, then the blue treasure in the bottom row."
            ),
            wanted=("place_family mother 1-6",),
            told=_(
                "The treasure is yours. Your tile stays: once two blocks side by side are taken,"
                " the one above them can be reached."
            ),
        ),
        Step(
            ask=_("Now decide: sell it, or keep it? Sell this one."),
            wanted=("sell_treasure",),
            told=_(
                "Ten piastres at once; how much money you have only you see. The sale covers the"
                " top number of the blue price board: who keeps blue now gets 30 instead of 10."
            ),
        ),
        Step(
            ask=_("Refill your family: take the tile on the front stack."),
            wanted=("draw_family 1",),
            told=_(
                "Four again, so your turn is over. You always see beforehand whom you would get,"
                " and you may do without."
            ),
        ),
        Step(
            replies=REPLY,
            ask=_(
                "A son lies beside your mother, so a block in the second row is free. Try to lay"
                " your own son there."
            ),
            wanted=("place_family son 2-6",),
            refusal="identical_adjacent",
            told=_(
                "Equal family members may not touch, whoever laid them. So you can also bar the"
                " way for others."
            ),
        ),
        Step(
            ask=_("The daughter fits. Lay her on that block."),
            wanted=("place_family daughter 2-6",),
            told=_(
                "Another blue one. Under a block with an eye lies a law tile that nobody has seen;"
                " whoever takes the block turns it up, and it may change prices or rules."
            ),
        ),
        Step(
            ask=_("Blue pays 30 now, the market only 10. Keep this one."),
            wanted=("keep_treasure",),
            told=_(
                "It lies in your stock, for all to see, and is paid at the end: 30 as things"
                " stand. But the next sale of blue covers the 30, and then it is worth just 5."
            ),
        ),
        Step(
            opening=Opening(seats=2, seed=SEED, options=OPTIONS, moves=LATER),
            ask=_(
                "Four turns later you are ahead. The red price board is full, brown lacks one sale,"
                " and you have just taken a brown treasure. Sell it."
            ),
            wanted=("sell_treasure",),
            told=_(
                "With two full price boards the match ends at once. Your 50 in money and the blue"
                " treasure for 30 make 80, against 45: most piastres win."
            ),
        ),
    ),
)
