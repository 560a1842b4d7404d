"""The Dutch is complete: every text of the source is in its .po file and translated."""

import re
from pathlib import Path

import polib
import pytest
from django.conf import settings

from config import messages

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def name(path: Path) -> str:
    return str(path.relative_to(settings.BASE_DIR))


def entries(path: Path) -> list[polib.POEntry]:
    return [entry for entry in polib.pofile(str(path)) if not entry.obsolete]


@pytest.mark.parametrize("path", messages.po_paths(), ids=name)
def test_every_text_is_translated(path: Path) -> None:
    missing = [entry.msgid for entry in entries(path) if not entry.translated() or entry.fuzzy]
    assert missing == []


@pytest.mark.parametrize("path", messages.po_paths(), ids=name)
def test_a_translation_has_the_placeholders_of_its_text(path: Path) -> None:
    def placeholders(text: str) -> list[str]:
        return sorted(set(PLACEHOLDER.findall(text)))

    wrong = []
    for entry in filter(polib.POEntry.translated, entries(path)):
        # Either form of a plural may leave out its number ("one card", "%(count)s cards").
        allowed = placeholders(entry.msgid + entry.msgid_plural)
        if entry.msgid_plural:
            good = all(
                set(placeholders(text)) <= set(allowed) for text in entry.msgstr_plural.values()
            )
        else:
            good = placeholders(entry.msgstr) == allowed
        if not good:
            wrong.append(entry.msgid)
    assert wrong == []


@pytest.mark.parametrize("locale", messages.sources(), ids=name)
def test_the_po_file_has_exactly_the_texts_of_the_source(locale: Path) -> None:
    found = set(messages.extracted(messages.sources()[locale]))
    path = messages.po_path(locale)
    written = {messages.text_of(entry) for entry in entries(path)} if path.exists() else set()
    assert sorted(text.singular for text in found - written) == [], "run `make messages`"
    assert sorted(text.singular for text in written - found) == [], "run `make messages`"


def test_every_form_of_marking_a_text_is_found(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    source.write_text(
        """{% load i18n %}
        {% trans "one" %} {% translate "two" context "number" %}
          {% blocktrans count n=3 %}a card{% plural %}{{ n }} cards{% endblocktrans %}
        {% blocktrans trimmed %}
            long
            text
        {% endblocktrans %} don't {{ _("inline") }}"""
    )
    module = tmp_path / "module.py"
    module.write_text(
        "_('three'); pgettext_lazy('number', 'four'); ngettext('a stone', '%(n)s stones', n)\n"
        "_('five '\n  'and more')\n"
    )
    found = [text for path in (source, module) for text, _line in messages.texts_in(path)]
    assert found == [
        messages.Text(None, "one", ""),
        messages.Text("number", "two", ""),
        messages.Text(None, "a card", "%(n)s cards"),
        messages.Text(None, "long text", ""),
        messages.Text(None, "inline", ""),
        messages.Text(None, "three", ""),
        messages.Text("number", "four", ""),
        messages.Text(None, "a stone", "%(n)s stones"),
        messages.Text(None, "five and more", ""),
    ]
