"""One drawing cut out of a printed page, made to stand alone.

A page draws with style sheets, custom properties and shared symbols, which programs that turn SVG
into pixels do not all know. Here every style is worked out and every `<use>` replaced by what it
uses, as a browser would. Knows no game and no page: it gets HTML whose styles are inlined.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from xml.etree.ElementTree import Element, SubElement

Values = Mapping[str, str]

TOKEN = re.compile(
    r'<!--.*?-->|<(/?)([a-zA-Z][\w:-]*)((?:\s+[^\s"=<>]+="[^"]*")*)\s*>|<![^>]*>', re.S
)
ATTRIBUTE = re.compile(r'([^\s"=]+)="([^"]*)"')
VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
MIXED = re.compile(r"color-mix\(in srgb, (#\w+) (\d+)%, (#\w+)\)")
FONT = re.compile(
    r"(?:italic )?(?:(?P<weight>\w+) )?(?P<size>[\d.]+)px(?:/[\d.]+)? (?P<family>.+)", re.S
)
VOID = {"input", "link", "br", "img", "hr", "meta", "wbr"}
SHARED = {"linearGradient", "radialGradient", "pattern", "clipPath", "mask", "filter", "marker"}
SILENT = {"title", "desc", "style", "script", "symbol", "foreignObject", *SHARED}
# What says nothing about how a thing looks.
MUTE = re.compile(r"(class|style|role|tabindex|href|title|hidden|aria-.*|data-.*|hx-.*)$")
PAINT = re.compile(
    r"(fill|stroke|stop|font|text-anchor|opacity|paint-order|dominant-baseline|letter-spacing"
    r"|clip-path|mask|filter|color|transform)(-|$)"
)


def parsed(html: str) -> Element:
    """Read the normal form in which HTML is written: every attribute quoted."""
    root = Element("root")
    stack, read = [root], 0
    for token in TOKEN.finditer(html):
        _say(stack[-1], unescape(html[read : token.start()]))
        read = token.end()
        closing, tag, written = token[1], token[2], token[3]
        if tag and closing:
            while len(stack) > 1 and stack.pop().tag != tag:
                pass
        elif tag:
            found = {name: unescape(value) for name, value in ATTRIBUTE.findall(written)}
            element = SubElement(stack[-1], tag, found)
            if tag not in VOID:
                stack.append(element)
    return root


def _say(parent: Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


class Inlay:
    """The largest drawing of a page."""

    def __init__(self, page: Element) -> None:
        self.named = {one.get("id", ""): one for one in page.iter() if one.get("id")}
        self.around: dict[Element, dict[str, str]] = {}
        self._settle(page, {})
        drawings = [one for one in self.around if one.tag == "svg"]
        self.largest = max(drawings, key=_area)
        self.shared = [one for one in page.iter() if one.tag in SHARED and one.get("id")]

    def _settle(self, element: Element, known: Values) -> None:
        """Note which custom properties hold around each drawing that is seen."""
        style = declarations(element)
        known = {**known, **_custom(style)}
        if style.get("display") == "none":
            return
        if element.tag == "svg":
            self.around[element] = dict(known)
        for child in element:
            self._settle(child, known)

    def drawn(self) -> Iterator[Element]:
        """Give the drawing and then what it refers to: gradients, patterns and the like."""
        known = self.around[self.largest]
        found = self._copy(self.largest, known)
        assert found is not None  # noqa: S101 - a drawing that is not seen was never chosen
        yield found
        for one in self.shared:
            yield from filter(None, [self._copy(one, known)])

    def _copy(self, element: Element, known: Values) -> Element | None:
        style = declarations(element)
        known = {**known, **_custom(style)}
        if style.get("display") == "none" or style.get("visibility") == "hidden":
            return None
        if element.tag == "use":
            return self._used(element, style, known)
        copy = Element({"a": "g"}.get(element.tag, element.tag), _look(element, style, known))
        copy.text = element.text
        for child in element:
            if child.tag in SILENT and element.tag not in SHARED:
                continue
            if (one := self._copy(child, known)) is not None:
                one.tail = child.tail
                copy.append(one)
        return copy

    def _used(self, element: Element, style: Values, known: Values) -> Element | None:
        """Put what is used in the place of the use; it inherits what holds there."""
        target = self.named.get(element.get("href", "").lstrip("#"))
        if target is None:
            return None
        look = _look(element, style, known)
        x, y = look.pop("x", "0"), look.pop("y", "0")
        size: dict[str, str] = {
            name: look.pop(name) for name in ("width", "height") if name in look
        }
        place = Element("g", look)
        inner = SubElement(place, "g", {"transform": f"translate({x} {y})"})
        copy = self._copy(target, known)
        if copy is None:
            return None
        if target.tag == "symbol":
            copy.tag = "svg"
            copy.attrib.pop("id", None)
            copy.attrib.update(size)
        inner.append(copy)
        return place


# --- style -----------------------------------------------------------------------------------


def declarations(element: Element) -> dict[str, str]:
    parts = (part.partition(":") for part in element.get("style", "").split(";"))
    return {name.strip(): value.strip() for name, colon, value in parts if colon}


def _custom(style: Values) -> dict[str, str]:
    return {name: value for name, value in style.items() if name.startswith("--")}


def _look(element: Element, style: Values, known: Values) -> dict[str, str]:
    look = {name: value for name, value in element.attrib.items() if not MUTE.match(name)}
    for name, value in style.items():
        if PAINT.match(name):
            look[name] = worked_out(value, known)
    if written := FONT.fullmatch(look.pop("font", "")):
        look = {f"font-{part}": value for part, value in written.groupdict("normal").items()} | look
    if "transform" in look:
        look["transform"] = re.sub(r"(px|deg)\b", "", look["transform"])
    if look.get("fill") == "transparent":
        look["fill"] = "none"
    return look


def worked_out(value: str, known: Values) -> str:
    """Replace custom properties by what they hold here, and mixed colours by their mixture."""
    for _depth in range(6):
        if "var(" not in value:
            break
        value = VARIABLE.sub(lambda one: known.get(one[1], (one[2] or "").strip()), value)
    return MIXED.sub(lambda one: _mixture(one[1], int(one[2]), one[3]), value)


def _mixture(first: str, share: int, second: str) -> str:
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{(a * share + b * (100 - share)) // 100:02x}" for a, b in pairs)


def _channels(colour: str) -> list[int]:
    digits = colour[1:] if len(colour) > 4 else "".join(2 * digit for digit in colour[1:])
    return [int(digits[place : place + 2], 16) for place in (0, 2, 4)]


def _area(drawing: Element) -> float:
    box = drawing.get("viewBox", "0 0 0 0").split()
    return float(box[2]) * float(box[3])
