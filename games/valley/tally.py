"""Whence the points of a finished match came: pyramid by pyramid, for the final table."""

from django.utils.translation import gettext as _

from games.catalogue import Part
from games.engine.contract import View
from games.valley.texts import KINDS


def tally(view: View) -> list[list[Part]]:
    """List the finished pyramids of every seat by site and kind."""
    parts: list[list[Part]] = [[] for _seat in view["seats"]]
    for site, shown in view["sites"].items():
        if shown["finished"]:
            label = _("site %(site)s, %(kind)s") % {"site": site, "kind": KINDS[shown["kind"]]}
            parts[shown["owner"]].append(Part(label, shown["points"]))
    return parts
