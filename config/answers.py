"""What is answered instead of a view: a page, and to programs a line in the form of the API."""

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.utils.translation import gettext as _
from django.views.defaults import bad_request, server_error

from config.limits import MINUTE
from config.trouble import TROUBLE

PROGRAMS = "/api/"  # where they ask


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that a request makes no sense."""
    if not request.path.startswith(PROGRAMS):
        return bad_request(request, exception)
    words = _(
        "The address or the form that was sent makes no sense to this site. Nothing has changed."
    )
    return JsonResponse({"error": "malformed", "message": words}, status=400)


def broken(request: HttpRequest) -> HttpResponse:
    """Say what went wrong, and ask the database for nothing."""
    if isinstance(sys.exception(), TROUBLE):
        page = loader.get_template("503.html").render()
        return HttpResponse(page, status=503, headers={"Retry-After": str(MINUTE)})
    if not request.path.startswith(PROGRAMS):
        return server_error(request)
    words = _(
        "The fault is ours, not yours. Your matches are safe: what was not finished has changed"
        " nothing. Please try again in a moment."
    )
    return JsonResponse({"error": "broken", "message": words}, status=500)


def too_often(request: HttpRequest, *, seconds: int) -> HttpResponse:
    """Say that it was too often, as allauth does on its pages."""
    page = render(request, "429.html", status=429)
    page["Retry-After"] = str(seconds)
    return page
