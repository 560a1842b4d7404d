"""The box of Obelisk: title, seats, options, and the parts it is wired from."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Choice, Game, Option
from games.obelisk.board import board
from games.obelisk.bot import MIND
from games.obelisk.lesson import LESSON
from games.obelisk.rules import ObeliskState
from games.obelisk.tally import tally
from games.obelisk.texts import TEXTS

GAME = Game(
    slug="obelisk",
    title=_("Obelisk"),
    summary=_(
        "Send the overseer round the quarry and build obelisks, one colour each, down to the 1."
    ),
    seats=range(2, 6),
    state=ObeliskState,
    texts=TEXTS,
    board=board,
    lesson=LESSON,
    tally=tally,
    minutes=30,
    turns={2: 45, 3: 24, 4: 24, 5: 24},
    mind=MIND,
    options=(
        Option(
            key="expert",
            label=_("Scoring"),
            explanation=_("Expert version: only finished obelisks score."),
            choices=(Choice(0, _("All obelisks score")), Choice(1, _("Only finished obelisks"))),
            default=0,
        ),
        Option(
            key="first_player",
            label=_("First player"),
            explanation=_("Who takes the first turn; after that play goes round by seat."),
            choices=(Choice("random", _("Drawn by lot")),),
            default="random",
            any_seat=True,
            is_variant=False,
        ),
    ),
)
