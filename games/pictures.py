"""A position as a picture (PNG), to be shared or put into a mail: drawn from a view, like a page.

The largest drawing of the game's own board is taken, its style written into it, and a strip with
the names beside it. A new game needs nothing for this: it has a board, and that has a drawing.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import resvg_py
from css_inline import CSSInliner
from django.conf import settings
from django.template.loader import render_to_string

from games.catalogue import Game, Scene, template_of
from games.engine.contract import View
from games.inlay import Inlay, parsed

WIDTH, HEIGHT = 1200, 630  # what pages that show a link take for its picture
MARGIN = 24
STRIP = 330  # width of the names
PAPER, INK, MUTED, LINE = "#F6EEDC", "#2B2118", "#655540", "#D9C6A0"
SERIF, SANS = "DejaVu Serif", "DejaVu Sans"
FONTS = sorted((settings.BASE_DIR / "games" / "fonts").glob("*.ttf"))
LONGEST_NAME = 18
REMARK, SELECTORS = re.compile(r"/\*.*?\*/", re.S), re.compile(r"[^{};]+(?=\{)")
PART = r"((?:[^(),]|\([^()]*\))*)"  # of a selector, as far as the next comma
EITHER = re.compile(PART + r":is\(([^()]*)\)" + PART)


class Words(NamedTuple):
    """What stands beside the drawing."""

    title: str
    moment: str = ""
    names: Sequence[str] = ()


def picture(game: Game, view: View, words: Words) -> bytes:
    """Draw what a view shows; only its words are the reader's."""
    page = Element("svg", xmlns="http://www.w3.org/2000/svg", width=f"{WIDTH}", height=f"{HEIGHT}")
    SubElement(page, "rect", width="100%", height="100%", fill=PAPER)
    _place(page, drawing(game, view, words.names))
    _write(page, view, words)
    return _pixels(page, WIDTH)


def board(game: Game, view: View, names: Sequence[str]) -> bytes:
    """Draw the board alone, for a mail."""
    page, *shared = drawing(game, view, names).drawn()
    page.set("xmlns", "http://www.w3.org/2000/svg")
    defs = Element("defs")
    defs.extend(shared)
    page.insert(0, defs)
    return _pixels(page, settings.MAIL_PICTURE_WIDTH, background=PAPER)


def _pixels(page: Element, width: int, background: str | None = None) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=ElementTree.tostring(page, encoding="unicode"),
            width=width,
            background=background,
            # Our own: a server may have no fonts at all.
            skip_system_fonts=True,
            font_files=[str(font) for font in FONTS],
            serif_family=SERIF,
            sans_serif_family=SANS,
        )
    )


def drawing(game: Game, view: View, names: Sequence[str]) -> Inlay:
    """Print the board as on a page and cut out its largest drawing."""
    symbols = template_of(game.slug, "_symbols")
    board = {"drawing": game.board(Scene(view, [], (), (), tuple(names)))}
    html = render_to_string(symbols) if symbols else ""
    html += render_to_string(f"games/{game.slug}/board.html", board)
    return Inlay(parsed(_inliner(game.slug).inline(f"<!doctype html><body>{html}")))


@cache
def _inliner(slug: str) -> CSSInliner:
    """Know the style of a board: in daylight, and never looked up elsewhere."""
    sheets = (settings.BASE_DIR / "static" / "css" / f"{name}.css" for name in ("site", "board"))
    own = settings.BASE_DIR / "static" / "css" / f"{slug}.css"
    style = [sheet.read_text() for sheet in (*sheets, own) if sheet.exists()]
    return CSSInliner(extra_css=plain("\n".join(style)), load_remote_stylesheets=False)


def plain(style: str) -> str:
    """Write `a:is(b, c)` as `ab, ac`: the inliner does not know it, and passes such a rule over."""
    before, style = "", REMARK.sub("", style)
    while before != style:
        before = style
        style = SELECTORS.sub(lambda selectors: EITHER.sub(_each, selectors[0]), style)
    return style


def _each(found: re.Match[str]) -> str:
    start, either, end = found.groups()
    return ", ".join(f"{start}{one.strip()}{end}".strip() for one in either.split(","))


def _place(page: Element, inlay: Inlay) -> None:
    drawing, *shared = inlay.drawn()
    SubElement(page, "defs").extend(shared)
    room = {"x": MARGIN, "y": MARGIN, "width": WIDTH - STRIP - 3 * MARGIN}
    room["height"] = HEIGHT - 2 * MARGIN
    drawing.attrib.update({key: str(value) for key, value in room.items()})
    page.append(drawing)


def _write(page: Element, view: View, words: Words) -> None:
    left = WIDTH - STRIP - MARGIN
    size = min(40, 560 // max(1, len(words.title)))
    _text(page, left, 82, words.title, size=size, family=SERIF, weight="bold")
    _text(page, left, 120, words.moment, size=22, fill=MUTED)
    public = view.get("seats", ())
    for seat, name in enumerate(words.names):
        y = 190 + 58 * seat
        SubElement(page, "path", d=f"M{left} {y - 38}h{STRIP}", stroke=LINE)
        shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        _text(page, left, y, shown, size=26)
        score = public[seat].get("score") if seat < len(public) else None
        if score is not None:
            _text(page, left + STRIP, y, str(score), size=26, weight="bold", anchor="end")
    _text(page, left, HEIGHT - MARGIN - 6, settings.SITE_NAME, size=22, fill=MUTED, family=SERIF)


def _text(page: Element, x: int, y: int, text: str, *, size: int, **look: str) -> None:
    given = {"fill": INK, "family": SANS, "weight": "normal", "anchor": "start"} | look
    SubElement(
        page,
        "text",
        {
            "x": str(x),
            "y": str(y),
            "fill": given["fill"],
            "font-size": str(size),
            "font-family": given["family"],
            "font-weight": given["weight"],
            "text-anchor": given["anchor"],
        },
    ).text = text
