"""The box of Cheops: title, seats, options, and the parts it is wired from."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Choice, Game, Option
from games.cheops.board import board
from games.cheops.bot import MIND
from games.cheops.lesson import LESSON
from games.cheops.rules import CheopsState
from games.cheops.settlement import tally
from games.cheops.texts import TEXTS

GAME = Game(
    slug="cheops",
    title=_("Cheops"),
    summary=_(
        "Send your family into the pyramid, sell scarabs or hoard them, and watch the prices."
    ),
    seats=range(2, 6),
    state=CheopsState,
    texts=TEXTS,
    board=board,
    minutes=40,
    turns={2: 36, 3: 39, 4: 44, 5: 42},
    lesson=LESSON,
    tally=tally,
    mind=MIND,
    options=(
        Option(
            key="pair_rule",
            label=_("Two-number rule"),
            explanation=_("Who gets the smaller number where a price board shows two."),
            choices=(
                Choice("majority_low", _("whoever has most gets the smaller")),
                Choice("majority_high", _("whoever has most gets the larger")),
            ),
            default="majority_low",
        ),
        Option(
            key="family_draw",
            label=_("Family stacks"),
            explanation=_("Where family members are taken from when refilling."),
            choices=(
                Choice("front_stack", _("only the front stack")),
                Choice("any_stack", _("any of the three stacks")),
            ),
            default="front_stack",
        ),
        Option(
            key="open_money",
            label=_("Money"),
            explanation=_("Whether everybody sees how much money everybody has."),
            choices=(Choice(0, _("hidden")), Choice(1, _("open"))),
            default=0,
        ),
        Option(
            key="first_player",
            label=_("First player"),
            explanation=_("Who takes the first turn; after that play goes round by seat."),
            choices=(Choice("random", _("Drawn by lot")), Choice("seat_0", _("the host"))),
            default="random",
            is_variant=False,
        ),
    ),
)
