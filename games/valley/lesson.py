"""The first lesson of Valley of the Kings: the first round, from the auction to a pyramid."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Lesson, Opening, Step

SEED = "lesson 3894"  # five black blocks in group 1, and the other player begins
BID = "1 bid_place v3 3, bid_place b1 1, bid_confirm"
CLAIM = "1 overseer_move 0 4-D, overseers_confirm"
MARCH = "1 worker_move 0 4-E, worker_move 1 4-F, workers_end"

LATER = f"""
    {BID}
    0 bid_place v4 1, bid_confirm
    {CLAIM}
    0 overseer_move 0 14-A, overseers_confirm
    {MARCH}
    0 worker_move 0 14-B, worker_move 1 14-C, worker_move 2 14-D, workers_end
    1 build_block 4 1 0 white, build_block 4 1 1 white, build_block 4 1 2 white, build_end
    0 build_block 14 1 0 black, build_block 14 1 1 black
    0 build_block 14 1 2 black, build_block 14 1 3 black
"""

LESSON = Lesson(
    steps=(
        Step(
            opening=Opening(seats=2, seed=SEED, moves=BID),
            ask=_(
                "Each round begins with an auction. You want the five black blocks: tap your"
                " tablet of 4, then group 1."
            ),
            wanted=("bid_place v4 1",),
            told=_(
                "It lies face down. The others see how many tablets you lay, not what they are"
                " worth, and half of them are blank."
            ),
        ),
        Step(
            ask=_("That will do. Confirm your bid."),
            wanted=("bid_confirm",),
            told=_(
                "All tablets were turned up at once: your 4 against a blank, so the group is"
                " yours. You get your tablets back for the next round."
            ),
        ),
        Step(
            replies=CLAIM,
            ask=_(
                "Overseers claim sites. Send your first one to site 14: tap it, then the site,"
                " then a space there."
            ),
            wanted=("overseer_move 0 14-A", "overseer_move 0 14-B"),
            told=_(
                "Your two overseers share six points, one for each line they cross. In the first"
                " round orders are open; later all give them in secret, and they are carried out"
                " in turn order."
            ),
        ),
        Step(
            ask=_("The other one stays where it is. Confirm your orders."),
            wanted=("overseers_confirm",),
            told=_("Your scarab lies there: the site is yours, even when the overseer leaves."),
        ),
        Step(
            replies=MARCH,
            ask=_("Next come the workers. Try to send one to site 4, which is not yours."),
            wanted=("worker_move 0 4-A",),
            refusal="foreign_round1",
            told=_(
                "Nobody is disturbed in the first round. Later you may rob others where you have"
                " more overseers than the owner, and with more workers too even take the site"
                " over. Guard your own."
            ),
        ),
        Step(
            ask=_("Send the worker to your own site."),
            wanted=("worker_move 0 14-C", "worker_move 0 14-D"),
            told=_(
                "Each worker on your site lays two blocks in a round. All five share six points."
            ),
        ),
        Step(
            opening=Opening(seats=2, seed=SEED, moves=LATER),
            ask=_(
                "Three workers have come, and four blocks are laid. Put the fifth on top: tap the"
                " place for it."
            ),
            wanted=("build_block 14 2 0 black",),
            told=_(
                "A finished pyramid of one colour: 4 points, a large one 11. Unfinished ones count"
                " nothing. Blocks you cannot use go to the pharaoh; once he has 30, the match ends"
                " after that round."
            ),
        ),
    ),
)
