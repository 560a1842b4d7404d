"""Parts of a page that are printed once for all who see the same.

A part is a template and the values it is printed from, and these compare by what they hold: a turn
of the log, a chair, somebody's area. So nothing printed can be out of date, and nothing in it can
belong to one visitor only: a part knows neither the request nor the rest of the page.
"""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

MOST_PARTS = 10_000  # kept in each process: about a kilobyte each

register = template.Library()


@register.simple_tag
def printed(name: str, **values: Hashable) -> SafeString:
    """Print a part, or take it as it was printed before for the same reader's tongue and time."""
    return _printed(name, tuple(values.items()), get_language(), get_current_timezone_name())


@lru_cache(MOST_PARTS)
def _printed(
    name: str, values: tuple[tuple[str, Hashable], ...], language: str | None, zone: str
) -> SafeString:
    part = get_template(name).template  # type: ignore[attr-defined]
    return SafeString(part.render(template.Context(dict(values), use_l10n=False)))
