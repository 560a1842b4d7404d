"""Run the test vectors of a game's rules: `python -m tests.vectors obelisk FILE.md`.

This half knows Markdown, YAML and how to report. What a vector means is known by the game's
adapter, `tests/games/<slug>/vectors.py`, whose `run(vector)` raises Wrong with the reason.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import yaml

Run = Callable[[dict[str, Any]], None]


class Wrong(Exception):  # noqa: N818 - a finding, not an error of the runner
    """What is wrong with a vector, or with what the engine made of it."""


class Vector(NamedTuple):
    """A vector as it was found; `fault` says why it cannot be run."""

    name: str
    content: dict[str, Any]
    fault: str = ""


class Loader(yaml.SafeLoader):
    """YAML in which only true, false, null and whole numbers are more than text.

    YAML 1.1 would turn a yellow card `Y` into a truth and 1:30 into a number.
    """

    yaml_implicit_resolvers: dict[str, Any] = {}

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        own = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        keys = [self.construct_object(key, deep=True) for key in own]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands there twice", node.start_mark
                )
        return super().construct_mapping(node, deep)


for kind, pattern, first in (
    ("bool", "^(true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("null", "^(null|Null|NULL|~|)$", ["n", "N", "~", ""]),
    ("int", "^-?(0|[1-9][0-9]*)$", list("-0123456789")),
    ("merge", "^<<$", ["<"]),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(pattern), first)

# What a vector may say for its reader only.
REMARKS = {"comment", "description", "name", "note", "ref", "section", "source", "tags", "why"}

_EXPECT = re.compile(r"""\bexpect["']?\s*:""")
_COMMENT = re.compile(r"\s*(#|//|$)")
_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,})\s*(?P<language>\w*).*")


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """Find the fenced blocks of a Markdown text: line number, language, content."""
    mark = language = ""
    start, content = 0, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        fence = _FENCE.fullmatch(line)
        if not mark and fence:
            mark, language, start, content = fence["mark"], fence["language"].lower(), number, []
        elif mark and fence and fence["mark"].startswith(mark) and line.strip() == fence["mark"]:
            yield start, language, "\n".join(content)
            mark = ""
        elif mark:
            content.append(line)
    if mark:  # never closed: all the rest belongs to it
        yield start, language, "\n".join(content)


def vectors(text: str) -> Iterator[Vector]:
    """Find all vectors of a Markdown text, the malformed ones too."""
    for start, language, content in blocks(text):
        place = f"block at line {start}"
        untold = language == "" and _EXPECT.search(content)
        if language in ("yaml", "yml") or untold:
            yield from _listed(place, content, _parse_yaml)
        elif language in ("json", "jsonl"):
            yield from _listed(place, content, _parse_json)


def _parse_yaml(text: str) -> Any:
    documents = list(yaml.load_all(text, Loader))
    if len(documents) == 1:
        return documents[0]
    return [one for document in documents for one in _gathered(document)]


def _parse_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_mapping)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"the key {key!r} stands there twice")
    return dict(pairs)


def _listed(place: str, content: str, parse: Callable[[str], Any]) -> Iterator[Vector]:
    """Read a block; if it cannot be read as a whole, then item by item to save the sound ones."""
    try:
        parsed = parse(content)
    except (yaml.YAMLError, ValueError):
        parts = _items(content) or [content] * bool(_EXPECT.search(content))
        for number, part in enumerate(parts, start=1):
            yield _read(f"{place}, item {number}", part, parse)
        return
    for number, one in enumerate(_gathered(parsed), start=1):
        yield _vector(f"{place}, item {number}", one)


def _gathered(parsed: Any) -> list[Any]:
    """Find the vectors of a block: one, a list, or several under keys, which may be their ids."""
    if _resembles_a_vector(parsed):
        return [parsed]
    if isinstance(parsed, list):
        if any(map(_resembles_a_vector, parsed)):
            return parsed
        return [one for part in parsed for one in _gathered(part)]
    if not isinstance(parsed, dict):
        return []
    named = [
        {"id": key, **part} if _resembles_a_vector(part) else part for key, part in parsed.items()
    ]
    return [one for part in named for one in _gathered(part)]


def _items(content: str) -> list[str]:
    """Cut a list into its items; what does not begin like a list has none."""
    lines = [line for line in content.splitlines() if not _COMMENT.match(line)]
    first = re.match(r"\s*(- |\{|\[)", lines[0]) if lines else None
    if not first:
        return []
    parts = re.split(rf"^(?={re.escape(first[0])})", "\n".join(lines), flags=re.MULTILINE)
    return [part for part in parts if part]


def _read(place: str, text: str, parse: Callable[[str], Any]) -> Vector:
    """Read one item; if even that fails, find at least its name."""
    try:
        parsed = parse(text)
    except (yaml.YAMLError, ValueError) as error:
        named = re.search(r"""\bid["']?\s*:\s*["']?([\w.-]+)""", text)
        name = named[1] if named else place
        return Vector(name, {}, f"cannot be read: {' '.join(str(error).split())}")
    return _vector(place, parsed[0] if isinstance(parsed, list) else parsed)


def _resembles_a_vector(content: Any) -> bool:
    """Other lists may stand in the same file: of cards, of fields.

    One with an id and a title is a vector too, though it misspells what it asks.
    """
    if not isinstance(content, dict):
        return False
    entitled = "id" in content and not {"rule", "title"}.isdisjoint(content)
    return entitled or not {"given", "do", "expect"}.isdisjoint(content)


def _vector(place: str, content: Any) -> Vector:
    if not isinstance(content, dict) or not isinstance(content.get("id"), str | int):
        return Vector(place, {}, "is no vector: it has no id")
    told = {key: value for key, value in content.items() if key not in REMARKS}
    return Vector(str(content["id"]), told)


def check(vector: Vector, run: Run) -> str:
    """Run one vector; return what is wrong with it, or nothing."""
    if vector.fault:
        return vector.fault
    try:
        run(vector.content)
    except Wrong as wrong:
        return str(wrong)
    except Exception as error:
        return f"malformed: {type(error).__name__}: {error}"
    return ""


def report(found: Iterable[Vector], run: Run) -> Iterator[tuple[Vector, str]]:
    """Run vectors one by one."""
    for vector in found:
        yield vector, check(vector, run)


def adapter(slug: str) -> Run | None:
    """Find the half that knows the game."""
    name = f"tests.games.{slug}.vectors"
    if not slug.isidentifier() or not find_spec(f"tests.games.{slug}") or not find_spec(name):
        return None
    run: Run = import_module(name).run
    return run


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m tests.vectors SLUG FILE.md", file=sys.stderr)
        return 2
    slug, path = arguments[0], Path(arguments[1])
    run = adapter(slug)
    if not run:
        print(f"there are no vectors for a game called {slug!r}", file=sys.stderr)
        return 2
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        print(f"{path} cannot be read: {error}", file=sys.stderr)
        return 2
    found = list(vectors(text)) or [Vector(path.name, {}, "holds no vectors")]
    failed = 0
    for vector, wrong in report(found, run):
        failed += bool(wrong)
        print(f"FAILED {vector.name}: {wrong}" if wrong else f"ok {vector.name}")
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    # As the module that the adapters import, so that their Wrong is the one caught here.
    sys.exit(import_module("tests.vectors").main(sys.argv[1:]))
