"""The pages of a match as a browser asks for them, and what can be read in them."""

import re
from html import unescape

from games import pages
from games.models import Match, Move
from games.queries import match_with_seats
from tests.site.people import duel, token

HTMX = {"HTTP_HX_REQUEST": "true"}


def private_duel(host, guest) -> Match:
    match = duel(host, guest)
    match.private = True
    match.save()
    return match


def address(match: Match, part: str = "") -> str:
    return f"/matches/{match.pk}/{part}"


def page(client, user, match: Match, part: str = "", **extra) -> str:
    if user:
        client.force_login(user)
    else:
        client.logout()
    response = client.get(address(match, part), **extra)
    assert response.status_code == 200, response
    return response.content.decode()


def post(client, user, match: Match, part: str = "move/", **extra):
    """Post as a seat's user would, with the present token unless another is given."""
    client.force_login(user)
    seat = match.seats.filter(user=user).first()
    given = {key: extra.pop(key) for key in ("move", "token") if key in extra}
    fields = {"token": token(match, seat.index) if seat else "1.0"} | given
    return client.post(address(match, part), fields, **extra)


def recap_of(match: Match, seat: int) -> list[str]:
    sight = pages.sight_of(match_with_seats(match.pk), seat)
    return [sentence.text for sentence in pages.context_of(sight)["page"].recap]


def moves_in(html: str) -> list[str]:
    """List the moves that can be posted from the list of moves."""
    return re.findall(r'class="move" name="move" value="([^"]*)"', html)


def steps_in(html: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'class="move step" href="([^"]*)"', html)]


def table_in(html: str) -> str:
    """Cut out what htmx swaps."""
    return html[html.index('<div id="table"') : html.index("</nav>", html.index('class="more'))]


def count_moves(match: Match) -> int:
    return Move.objects.filter(match=match).count()
