"""The box of Valley of the Kings: title, seats, options, and the parts it is wired from."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.catalogue import Choice, Game, Option
from games.valley.board import board
from games.valley.bot import MIND
from games.valley.lesson import LESSON
from games.valley.rules import ValleyState
from games.valley.tally import tally
from games.valley.texts import TEXTS

GAME = Game(
    slug="valley",
    title=_("Valley of the Kings"),
    summary=_("Bid for blocks in secret, claim sites, guard them, rob the others, and build."),
    seats=range(2, 5),
    state=ValleyState,
    texts=TEXTS,
    board=board,
    tally=tally,
    mind=MIND,
    minutes=70,
    turns={2: 46, 3: 57, 4: 59},
    lesson=LESSON,
    options=(
        Option(
            key="advanced_unsold_to_pharaoh",
            label=_("Unsold blocks"),
            explanation=_("For advanced builders: what nobody buys goes to the pharaoh."),
            choices=(Choice(0, _("back into the bag")), Choice(1, _("to the pharaoh"))),
            default=0,
        ),
        Option(
            key="expert_chequered",
            label=_("Chequered pyramids"),
            explanation=_("For experts: two colours that alternate score 2 (small) or 7 (large)."),
            choices=(
                Choice(0, pgettext_lazy("pyramids", "do not count")),
                Choice(1, pgettext_lazy("pyramids", "count")),
            ),
            default=0,
        ),
    ),
)
