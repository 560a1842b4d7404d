"""Addresses that only take posts, and what comes to them by a link all the same.

Whoever had to log in first, or changes the language on a page that answers a post, comes back by a
link to the address of the post. Nothing is done then: such a visitor sees the page one posts from.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

View = Callable[..., HttpResponse]


def posted_from(page: str, *named: str) -> Callable[[View], View]:
    """Mark a view that does what is posted; `named` are the arguments that its page shares."""

    def made(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def door(request: HttpRequest, **arguments: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, **arguments)
            query = request.META["QUERY_STRING"]
            address = reverse(page, kwargs={name: arguments[name] for name in named})
            return redirect(f"{address}?{query}" if query else address)

        return door

    return made
