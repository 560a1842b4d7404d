"""What a site is worth now, what it can still become, and which blocks it needs for that.

Words for the drawing, made from what a viewer sees: how a pyramid is judged is said by the view.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.valley.components import SHAPES
from games.valley.look import Look

ANY, ALIKE, PATTERN = "any", "alike", "pattern"  # instead of a colour


def prospect(look: Look, site: int) -> str:
    """Say what a pyramid is, or can still become, and what it needs for that."""
    state = look.view["sites"][str(site)]
    points = ngettext("%(count)s point", "%(count)s points", state["points"])
    words = {
        "kind": look.words[state["kind"]],
        "points": points % {"count": state["points"]},
        "missing": state["missing"],
    }
    if state["finished"]:
        return _("finished: %(kind)s, %(points)s") % words
    if state["missing"] == SHAPES[site].blocks:
        return _("needs all %(missing)s blocks; up to %(points)s") % words
    words["needs"] = ", ".join(_needed(look, *need) for need in needs(site, state).items())
    return _("needs %(needs)s for %(kind)s: %(points)s") % words


def _needed(look: Look, what: str, count: int) -> str:
    words = {"count": count, "colour": look.words.get(what, "")}
    match what:
        case "any":
            return _("%(count)s × any colour") % words
        case "alike":
            return _("%(count)s × one colour") % words
        case "pattern":
            return _("%(count)s × the pattern") % words
    return f"{count} × {words['colour']}"


def needs(site: int, state: dict[str, Any]) -> dict[str, int]:
    """Count the blocks that are missing for the best kind, by colour, from the bottom up."""
    found: dict[str, int] = {}
    for level, cells in enumerate(state["levels"].values(), 1):
        gaps = [place for place, block in enumerate(cells) if not block]
        hidden = level == 1 and SHAPES[site].hidden in gaps
        wanted = _wanted(site, state, level, cells)
        for what, count in ((wanted, len(gaps) - hidden), (ANY, int(hidden))):
            if count:
                found[what] = found.get(what, 0) + count
    return found


def _wanted(site: int, state: dict[str, Any], level: int, cells: list[str | None]) -> str:
    """Tell what the visible gaps of a level want, if the pyramid shall become its best kind."""
    if state["kind"] in ("motley", "chequered"):
        return ANY if state["kind"] == "motley" else PATTERN
    own = _seen(site, level, cells)
    every = [_seen(site, *pair) for pair in enumerate(state["levels"].values(), 1)]
    if state["kind"] == "mono":
        return next(filter(None, every), ALIKE)
    return own or (ALIKE if len(cells) > 1 else ANY)


def _seen(site: int, level: int, cells: list[str | None]) -> str:
    """Name the colour that a level shows first; the hidden centre shows nothing."""
    hidden = SHAPES[site].hidden if level == 1 else -1
    return next((block for place, block in enumerate(cells) if block and place != hidden), "")
