"""What holds for every request and every answer, whatever page it is."""

import codecs
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers, patch_cache_control, patch_vary_headers

from config.answers import refused

View = Callable[..., HttpResponse]


class Readable:
    """Refuse what no form of ours sends: a NUL, or words in another encoding than UTF-8.

    PostgreSQL keeps no NUL; and among the encodings that Python knows are some that make of plain
    bytes what no page and no database can write. A query is only looked through, never kept. What
    programs send to views without cookies is judged by these views themselves.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: View, *_args: Any) -> HttpResponse | None:
        if not _is_utf8((request.content_params or {}).get("charset", "utf-8")):
            return refused(request, BadRequest("it is not in UTF-8"))
        form = {} if getattr(view, "csrf_exempt", False) else dict(request.POST.lists())
        if "\x00" in request.path or any(
            "\x00" in text for texts in form.values() for text in texts
        ):
            return refused(request, BadRequest("there is a NUL in it"))
        return None


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


class Explained:
    """Give a page to who opens the address of a form: the answer to a wrong method is bare."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or response.content:
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page


class KeptByNobody:
    """Say of an answer that does not say it itself whether a cache may keep it.

    What somebody with a session has seen is kept nowhere, not even for the way back after the
    log-out. One address gives a page or, to htmx, a part of it: no cache may confuse them.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.has_header("Cache-Control"):
            return response
        patch_vary_headers(response, ["HX-Request"])
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            add_never_cache_headers(response)
        else:
            patch_cache_control(response, private=True, no_cache=True)
        return response
