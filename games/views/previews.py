"""What those see of a match to whom an address of it is passed on, before they open it.

It is in the head of the page (Open Graph), read by whatever program shows the address: a stranger,
so that its picture is the public one, and of a private match there is none without the link.
"""

from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from games.models import Match


class Preview(NamedTuple):
    title: str
    names: str
    address: str
    picture: str  # its address; empty: there is no board yet


def preview_of(request: HttpRequest, match: Match, page: str = "match", **query: str) -> Preview:
    """Introduce a page of a match; the query is what its address needs to show the same to all."""
    asked = urlencode({key: value for key, value in query.items() if value})

    def whole(name: str) -> str:
        address = reverse(name, args=[match.pk])
        return request.build_absolute_uri(f"{address}?{asked}" if asked else address)

    names = [seat.name for seat in match.seats.all() if seat.is_taken]
    return Preview(
        title=str(match),
        names=get_text_list(names, _("and")),
        address=whole(page),
        picture=whole("match_picture") if match.snapshot else "",
    )
