"""The paper of all mails: HTML with our style written into it, as mail programs want it."""

from functools import cache
from pathlib import Path
from typing import Any

import css_inline
from django.conf import settings
from django.template.loader import render_to_string


def printed(template: str, content: dict[str, Any]) -> str:
    """Print a mail's HTML part."""
    html = render_to_string(template, content | {"SITE_NAME": settings.SITE_NAME})
    return _inliner().inline(html)


def note(title: str, text: str) -> str:
    """Print a plain text, in which a link is a paragraph of its own."""
    paragraphs = [words.strip() for words in text.split("\n\n") if words.strip()]
    return printed("mail/note.html", {"title": title, "paragraphs": paragraphs})


@cache
def _inliner() -> css_inline.CSSInliner:
    style = Path(settings.BASE_DIR / "templates" / "mail" / "letter.css").read_text()
    return css_inline.CSSInliner(extra_css=style, keep_at_rules=True, load_remote_stylesheets=False)
