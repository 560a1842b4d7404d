"""The box of Sakkara: title, seats, options, and the parts it is wired from."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Choice, Game, Option
from games.sakkara.board import board
from games.sakkara.bot import MIND
from games.sakkara.lesson import LESSON
from games.sakkara.material import Material
from games.sakkara.rules import SakkaraState
from games.sakkara.tally import tally
from games.sakkara.texts import TEXTS

GAME = Game(
    slug="sakkara",
    title=_("Sakkara"),
    summary=_("Gather cards from a board of stacks and be the first to finish your step pyramid."),
    seats=range(2, 3),
    state=SakkaraState,
    texts=TEXTS,
    board=board,
    minutes=35,
    turns={2: 56},
    lesson=LESSON,
    tally=tally,
    material=Material(),
    mind=MIND,
    options=(
        Option(
            key="start_player",
            label=_("Start player"),
            explanation=_("Who places the first worker and takes the first turn."),
            choices=(
                Choice("random", _("Drawn by lot")),
                Choice("host", _("the host")),
                Choice("guest", _("the guest")),
            ),
            default="random",
        ),
        Option(
            key="open_holders",
            label=_("Hands"),
            explanation=_("Open: both players see both hands all the time."),
            choices=(Choice(0, _("hidden")), Choice(1, _("open"))),
            default=0,
        ),
        Option(
            key="memory_stacks",
            label=_("Buried cards"),
            explanation=_("From memory: only the top card of a stack can be looked at."),
            choices=(Choice(0, _("can be looked up")), Choice(1, _("from memory"))),
            default=0,
        ),
    ),
)
