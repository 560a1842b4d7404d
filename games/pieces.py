"""A printed piece: what every game's pieces have in common when they become markup.

One ready string per piece keeps a board cheap to print. What a piece looks like is said by the
game's own pieces.py, where it stands by its board.html. Knows no game.
"""

from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.clicks import Click
from games.templatetags.boards import click as link


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something one can point at: its name, its explanation and what a click on it does."""

    key: str = ""  # stays the same wherever the piece goes
    label: str = ""
    click: Click | None = None
    explain: str = ""
    words: str = ""  # said before the explanation: how things stand just now
    css: str = ""
    role: str = "img"  # of something that has a label and cannot be clicked itself

    def tag(self, plain: str = "span") -> str:
        return "a" if self.click else plain

    def attrs(self, css: str = "") -> SafeString:
        lit = " lit" if self.click and self.click.lit else ""
        held = " held" if self.click and self.click.kind == "drop" else ""
        key = f' data-key="{self.key}"' if self.key else ""
        explain = f' data-explain="{self.explain}"' if self.explain else ""
        words = f' data-words="{escape(self.words)}"' if self.words else ""
        label = f' aria-label="{escape(self.label)}"' if self.label else ""
        role = link(self.click) if self.click else f'role="{self.role}"' if label else ""
        return mark_safe(  # noqa: S308 - all that is free text is escaped above
            f'class="{css} {self.css}{lit}{held}"{key}{explain}{words}{label} {role}'
        )

    def printed(self, css: str, inner: str, plain: str = "span", place: str = "") -> SafeString:
        """As a link if it can be clicked, else as the plain element; place is for pictures."""
        tag = self.tag(plain)
        return mark_safe(  # noqa: S308 - see attrs
            f"<{tag} {self.attrs(css)}{place}>{inner}</{tag}>"
        )
