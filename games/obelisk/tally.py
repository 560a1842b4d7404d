"""Whence the points of a finished match came: obelisk by obelisk, for the final table."""

from games.catalogue import Part
from games.engine.contract import View
from games.obelisk.texts import COLORS


def tally(view: View) -> list[list[Part]]:
    """List the obelisks of every seat by colour and points; bare foundations count nothing."""
    return [
        [Part(COLORS[one["color"]], one["points"]) for one in seat["obelisks"] if one["color"]]
        for seat in view["seats"]
    ]
