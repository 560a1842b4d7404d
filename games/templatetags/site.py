"""Template tags of the pages around the matches. They read; they decide nothing about a game."""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

from django import template
from django.template.loader import select_template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext

from accounts.models import User
from games import prose
from games.catalogue import Game
from games.models import Match, Seat
from games.once import once_value
from games.profiles import has_profile, may_see
from games.queries import turns_waiting_for

register = template.Library()


@register.simple_tag
def waiting_count(user: object) -> int:
    """Count the matches in which it is this user's turn: one cheap query, none for strangers."""
    return turns_waiting_for(user) if isinstance(user, User) else 0


@register.simple_tag(takes_context=True)
def here(context: template.Context, *names: str) -> SafeString:
    """Mark the link to the page one is on."""
    request = context.get("request")
    place = request.resolver_match if request else None
    return mark_safe(' aria-current="page"' if place and place.url_name in names else "")  # noqa: S308 - constants


@register.simple_tag(takes_context=True)
def and_back(context: template.Context) -> str:
    """Let a link to the log-in lead back to this page; from the start, to one's matches."""
    request = context.get("request")
    if not request or request.path == "/" or request.path.startswith("/accounts/"):
        return ""
    return "?" + urlencode({"next": request.get_full_path()})


@register.simple_tag(takes_context=True)
def cover(context: template.Context, game: Game) -> SafeString:
    """Draw the lid of a game's box: its own, or a plain one with its title.

    The first on a page is drawn, the others refer to it: a list of thirty matches stays small.
    """
    request = context.get("request")
    drawn = vars(request).setdefault("covers_drawn", set()) if request else set()
    if game.slug in drawn:
        return format_html(
            '<svg viewBox="0 0 320 200" role="img" aria-label="{}"><use href="#cover-{}"/></svg>',
            game.title,
            game.slug,
        )
    drawn.add(game.slug)
    lid = select_template([f"games/{game.slug}/cover.html", "games/_cover.html"])
    return format_html(
        '<svg viewBox="0 0 320 200"><g id="cover-{}">{}</g></svg>',
        game.slug,
        lid.render({"game": game}, request),
    )


@register.simple_tag
def once() -> str:
    """Name the form this stands in, so that posting it twice makes one match."""
    return once_value()


@register.filter
def when(moment: datetime) -> str:
    return prose.moment(moment)


@register.filter
def unusual(match: Match) -> list[str]:
    """Word the options in which a match differs from the game as it comes out of the box."""
    return prose.chosen_otherwise(match.options, match.game.options)


@register.filter
def variants(match: Match) -> list[str]:
    """Word those of them that change the rules, and not only who begins."""
    return prose.changed_rules(match.game, match.options)


@register.simple_tag(takes_context=True)
def linked(context: template.Context, person: User) -> SafeString:
    """Print somebody's name, with a link to the profile if the reader may see one."""
    if has_profile(person) and may_see(context.get("user"), person):
        address = reverse("person", args=[person.username])
        return format_html('<a class="person" href="{}">{}</a>', address, person.username)
    return conditional_escape(person.username)


@register.simple_tag(takes_context=True)
def named(context: template.Context, seat: Seat) -> SafeString:
    """Print who sits on a seat: a person as above, or a bot."""
    person = seat.user
    return linked(context, person) if person else conditional_escape(seat.name or gettext("nobody"))


@register.simple_tag(takes_context=True)
def names(context: template.Context, seats: Sequence[Seat]) -> SafeString:
    """Print who sits on several seats: "Anna, Bob and Cleo"."""
    linked: list[str] = [named(context, seat) for seat in seats]
    return mark_safe(get_text_list(linked, gettext("and")))  # noqa: S308 - each is escaped


@register.filter
def level(slug: str) -> str:
    return prose.level(slug)
