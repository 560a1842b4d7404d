"""What the site does while its database is away, or keeps nothing new: its disk is full.

Whoever asked for a change reads that nothing was changed. Whoever only looks sees the page: what it
would have noted down on its way is let go.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.sessions.middleware import SessionMiddleware
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse

# Not what a fault of ours would raise: a wrong query, a row that must not be.
TROUBLE = (OperationalError, InterfaceError, InternalError)
LOOKS = ("GET", "HEAD")

log = logging.getLogger(__name__)


@contextmanager
def by_the_way() -> Iterator[None]:
    """Do without what is written here, if it cannot be written: nobody asked for it."""
    try:
        yield
    except TROUBLE as trouble:
        log.warning("not noted: %s", trouble)


class Sessions(SessionMiddleware):
    """Keep what happened in a session; what a mere look would change in it is only noted."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.method not in LOOKS:
            return super().process_response(request, response)
        with by_the_way():
            super().process_response(request, response)
        return response
