"""What the web server calls. Sync views are fastest on plain WSGI, one thread per process."""

import os
from typing import Any

import django
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

UNREADABLE = "text/plain; charset=unreadable"  # config.guards.Readable refuses it


class Application(WSGIHandler):
    """Answers in words also where a request names an encoding of which none can be made.

    Django reads the query in the encoding that a request names for its body while it makes the
    request, before any middleware; Python knows encodings in which nothing can be read.
    """

    @staticmethod
    def request_class(environ: dict[str, Any]) -> WSGIRequest:  # type: ignore[override]
        try:
            return WSGIRequest(environ)
        except (LookupError, ValueError, SuspiciousOperation):
            return WSGIRequest(environ | {"CONTENT_TYPE": UNREADABLE})


django.setup(set_prefix=False)
application = Application()
