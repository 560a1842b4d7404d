"""Whence the points of a finished match came: building cards tier by tier, for the final table."""

from django.utils.translation import gettext_lazy as _

from games.catalogue import Part, Words
from games.engine.contract import View
from games.sakkara.components import NUMBER, TIER

TIERS: dict[int, Words] = {1: _("tier 1"), 2: _("tier 2"), 3: _("pyramid tip")}


def tally(view: View) -> list[list[Part]]:
    """Count the building cards of every seat by tier."""
    return [
        [
            Part(name, count)
            for tier, name in TIERS.items()
            if (count := sum(TIER[NUMBER[card]] == tier for card in seat["pyramid"]))
        ]
        for seat in view["seats"]
    ]
