"""What is wrong with the HTML of a page, as far as one can tell without a browser.

Browsers mend what is not closed or stands where it must not, each in its own way; a label or a
description that points to nothing is silent. Tests ask `faults_of` a page for such things.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NAMES_ANOTHER = ("aria-controls", "aria-describedby", "aria-labelledby", "for", "list")
BLOCKS = {"article", "div", "dl", "form", "nav", "ol", "p", "section", "table", "ul"}
NOT_FOR_BLOCKS = {"button", "h1", "h2", "h3", "label", "p", "span"}
NOT_BELOW = {"a": {"a", "button"}, "button": {"button"}, "form": {"form"}}
ONLY_IN = {"li": {"ol", "ul"}, "dt": {"div", "dl"}, "dd": {"div", "dl"}}


class Markup(HTMLParser):
    """The elements of a page as they are written: what is open, what is named, what points."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: Counter[str] = Counter()
        self.pointing: list[tuple[str, str]] = []
        self.headings: list[int] = []
        self.fields: list[tuple[str, str]] = []  # (id, name) of those without a label of their own
        self.tags: Counter[str] = Counter()
        self.language = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._note(tag, given)
        if len(given) != len(attrs):
            self._fault(f"an attribute of {tag} stands there twice")
        within = self.open[-1] if self.open else ""
        if (
            (tag in BLOCKS and within in NOT_FOR_BLOCKS)
            or NOT_BELOW.get(tag, set()).intersection(self.open)
            or within not in ONLY_IN.get(tag, {within})
        ):
            self._fault(f"{tag} within {' '.join(self.open[-2:])}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self._fault(f"{tag} is closed where something else is open")

    def _note(self, tag: str, given: dict[str, str]) -> None:
        self.tags[tag] += 1
        self.ids.update([given["id"]] if "id" in given else [])
        self.pointing += [
            (name, one) for name in NAMES_ANOTHER for one in given.get(name, "").split()
        ]
        if tag == "html":
            self.language = given.get("lang", "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "img" and "alt" not in given:
            self._fault("a picture without words")
        is_labelled = "label" in self.open or {"aria-label", "aria-labelledby"} & given.keys()
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self.fields += [] if is_labelled else [(given.get("id", ""), given.get("name", ""))]

    def _fault(self, what: str) -> None:
        self.faults.append(f"line {self.getpos()[0]}: {what}")


def faults_of(html: str) -> list[str]:
    page = Markup()
    page.feed(html)
    page.close()
    return page.faults + list(_whole(page))


def _whole(page: Markup) -> Iterator[str]:
    """Tell what shows only when the whole page is known."""
    yield from (f"{one} is open to the end" for one in page.open)
    yield from (f"the id {one} stands there twice" for one, n in page.ids.items() if n > 1)
    yield from (f"{name}={one}: nothing" for name, one in page.pointing if one not in page.ids)
    labelled = {one for name, one in page.pointing if name == "for"}
    yield from (f"no label for {name}" for one, name in page.fields if one not in labelled)
    if page.language not in ("en", "nl"):
        yield f"the language is {page.language!r}"
    if page.headings[:1] != [1] or page.headings.count(1) != 1 or page.tags["main"] != 1:
        yield "not one main part with one first heading"
    for above, below in pairwise(page.headings):
        if below > above + 1:
            yield f"h{below} after h{above}"
