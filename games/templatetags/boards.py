"""How something clickable on a board is printed: a link that works without a script.

The page sets target, swap, token and csrf header once, on the element around the board; the
addresses are relative to the match page, so that a fragment does not name its match.
"""

from django import template
from django.utils.safestring import SafeString, mark_safe

from games.clicks import Click

register = template.Library()


@register.simple_tag
def click(click: Click | None) -> SafeString:
    """Print the attributes of a link that makes a move, picks something up or asks why not."""
    if click is None:
        return SafeString("")
    text = click.text.replace(" ", "+")  # a move has no other character that needs care
    link = f'role="button" href="?hold={text}"'
    if click.kind == "post":
        vals = f'hx-post="move/" hx-vals=\'{{"move":"{click.text}"}}\''
        return mark_safe(f"{link} {vals}")  # noqa: S308 - moves are letters, digits and spaces
    return mark_safe(f'{link} hx-get="?hold={text}"')  # noqa: S308
