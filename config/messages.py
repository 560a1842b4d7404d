"""Texts for translators: find them in the source, keep the .po files in step, compile them.

Needs no gettext on the machine: Babel reads the source, polib the .po files. A game's texts
(`games/<slug>/` and `templates/games/<slug>/`) live in the game's own package, all others in
`config/locale`. Only developers extract; compiling is part of `make play`.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polib
from django.conf import settings
from django.utils.translation.template import templatize

LANGUAGE = "nl"
HEADER = {
    "Project-Id-Version": "Nilepost",
    "Language": LANGUAGE,
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
SITE_SOURCES = ("accounts", "config", "games", "templates")


class Text(NamedTuple):
    """One text to translate; two texts are the same when all of this is the same."""

    context: str | None
    singular: str
    plural: str


def po_path(locale: Path) -> Path:
    return locale / LANGUAGE / "LC_MESSAGES" / "django.po"


def po_paths() -> list[Path]:
    """Return every .po file there is, the site's first."""
    return [path for path in map(po_path, settings.LOCALE_PATHS) if path.exists()]


def game_slugs() -> list[str]:
    return sorted(path.parent.name for path in (settings.BASE_DIR / "games").glob("*/texts.py"))


def sources() -> dict[Path, list[Path]]:
    """Return for each locale folder the files whose texts belong there."""
    base = settings.BASE_DIR
    files = [
        path
        for folder in SITE_SOURCES
        for pattern in ("**/*.py", "**/*.html", "**/*.txt")
        for path in sorted((base / folder).glob(pattern))
        if "migrations" not in path.parts
    ]
    belongs: dict[Path, list[Path]] = {base / "config" / "locale": []}
    homes = {}
    for slug in game_slugs():
        belongs[base / "games" / slug / "locale"] = []
        homes[base / "games" / slug] = base / "games" / slug / "locale"
        homes[base / "templates" / "games" / slug] = base / "games" / slug / "locale"
    for path in files:
        home = next((homes[folder] for folder in path.parents if folder in homes), None)
        belongs[home or base / "config" / "locale"].append(path)
    return belongs


def texts_in(path: Path) -> Iterator[tuple[Text, int]]:
    """Yield the texts of one file with their line numbers."""
    from babel.messages.extract import extract  # a development requirement

    source = path.read_text()
    if path.suffix != ".py":
        # In brackets, so that the indentation of a page is not taken for Python's.
        source = f"({templatize(source)})"
    found = extract(
        "python", io.BytesIO(source.encode()), keywords=KEYWORDS, options={"encoding": "utf-8"}
    )
    for line, message, _comments, context in found:
        singular, plural = message if isinstance(message, tuple) else (message, "")
        if singular:
            yield Text(context, singular, plural or ""), line


def extracted(paths: list[Path]) -> dict[Text, list[tuple[str, str]]]:
    """Return all texts of these files with the places where they occur."""
    texts: dict[Text, list[tuple[str, str]]] = {}
    for path in paths:
        place = str(path.relative_to(settings.BASE_DIR))
        for text, _line in texts_in(path):
            # Without line numbers: they would change with every edit and say little.
            if (place, "") not in texts.setdefault(text, []):
                texts[text].append((place, ""))
    return texts


def text_of(entry: polib.POEntry) -> Text:
    return Text(entry.msgctxt, entry.msgid, entry.msgid_plural)


def update(locale: Path, paths: list[Path]) -> polib.POFile:
    """Bring one .po file in step with the source: add new texts, drop those that are gone."""
    target = po_path(locale)
    old = polib.pofile(str(target)) if target.exists() else polib.POFile()
    known = {text_of(entry): entry for entry in old}
    new = polib.POFile(wrapwidth=100)
    new.metadata = HEADER
    for text, places in sorted(extracted(paths).items(), key=lambda item: (item[1], item[0][1])):
        entry = known.get(text) or polib.POEntry(
            msgctxt=text.context,
            msgid=text.singular,
            msgid_plural=text.plural,
            msgstr_plural={0: "", 1: ""} if text.plural else {},
        )
        entry.occurrences = places
        entry.flags = ["python-format"] if "%(" in text.singular else []
        new.append(entry)
    if new:
        target.parent.mkdir(parents=True, exist_ok=True)
        new.save(str(target))
    return new


def compile_all() -> int:
    """Compile every .po file that is newer than its .mo file; return how many there were."""
    compiled = 0
    for path in po_paths():
        target = path.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime <= path.stat().st_mtime:
            polib.pofile(str(path)).save_as_mofile(str(target))
            compiled += 1
    return compiled
