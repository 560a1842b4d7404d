"""The door of the API: who asks, how often, and whether what was sent has the right shape.

A program proves who it is by a key in the `Authorization` header and by nothing else: cookies do
not count here, so that no other site can make a browser ask.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import orjson
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.apikeys import key_owner
from accounts.models import User
from accounts.services import user_seen
from config.limits import HOUR, MINUTE, spent, whence
from config.trouble import TROUBLE
from games import prose
from games.api.description import ADDRESSES, QUERIES, SHAPES
from games.api.shapes import faults
from games.catalogue import Game
from games.engine.contract import Refused

REQUESTS_PER_MINUTE = 300  # of one user: a poll each second for five matches
STRANGERS_PER_MINUTE = 60  # from one address, with no key or a wrong one
STATUSES = {"stale": 409, "not_seated": 403, "too_often": 429}  # of a refusal; any other is 422

log = logging.getLogger(__name__)

View = Callable[..., HttpResponse]
Answer = dict[str, Any] | None  # None: nothing is new


class Turned(Exception):  # noqa: N818 - an answer
    """A request that is turned away at the door."""

    def __init__(self, status: int, error: str, message: str, **more: Any) -> None:
        super().__init__(error)
        self.status = status
        self.told = {"error": error, "message": message} | more


def answered(address: str) -> Callable[[dict[str, Callable[..., Answer]]], View]:
    """Make a view of the functions that answer the methods of a described address."""

    def made(functions: dict[str, Callable[..., Answer]]) -> View:
        @csrf_exempt
        @never_cache
        def view(request: HttpRequest, **named: Any) -> HttpResponse:
            try:
                method = (request.method or "").lower().replace("head", "get")
                if method not in functions:
                    raise Turned(405, "method", _("This address does not take that method."))
                user = _known(request)
                sent = _sent(request, address, method)
                found = functions[method](user, sent, **named)
            except Turned as turned:
                return _turned_away(turned, functions)
            except TROUBLE:
                log.exception("a request of the API could not be answered")
                words = _("The site cannot do this just now. Nothing was changed: try again later.")
                return _turned_away(Turned(503, "not_now", words), functions)
            return HttpResponse(status=204) if found is None else JsonResponse(found)

        return view

    assert ADDRESSES[address]  # noqa: S101 - what is not described is not served
    return made


def _known(request: HttpRequest) -> User:
    """Find whose key it is; count what each asks for."""
    scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
    user = key_owner(secret.strip()) if scheme.lower() == "bearer" else None
    if user is None:
        _count("api-stranger", whence(request), STRANGERS_PER_MINUTE)
        raise Turned(401, "no_key", _("Send a key of yours: Authorization: Bearer …"))
    _count("api", user.pk, REQUESTS_PER_MINUTE)
    request.user = user
    if request.method == "POST":  # a program that only looks is not the person
        user_seen(user, timezone.now())
    return user


def _count(what: str, who: object, most: int) -> None:
    if spent(what, who, most=most, seconds=MINUTE):
        raise Turned(429, "too_many_requests", _("Too many requests. Wait a minute."))


def _sent(request: HttpRequest, address: str, method: str) -> dict[str, Any]:
    """Read what was sent; it must be of the shape that the description gives."""
    if method == "get":
        return _queried(request, address)
    schema = SHAPES[ADDRESSES[address][method][1]]
    try:
        body = orjson.loads(request.body or b"{}")
    except (orjson.JSONDecodeError, RequestDataTooBig):
        raise Turned(400, "malformed", _("The body is no JSON, or too long.")) from None
    _must_fit(body, schema)
    return dict(body)


def _queried(request: HttpRequest, address: str) -> dict[str, Any]:
    known = QUERIES.get(address, {})
    query: dict[str, Any] = dict(request.GET.items())
    for name, schema in known.items():
        if schema["type"] == "integer" and str(query.get(name, "")).isdecimal():
            query[name] = int(query[name][:12])
    _must_fit(query, {"type": "object", "properties": known})
    return {name: value for name, value in query.items() if name in known}


def _must_fit(value: object, schema: dict[str, Any]) -> None:
    if found := list(faults(value, schema, SHAPES))[:10]:
        words = _("The request does not have the form that the description gives.")
        raise Turned(400, "malformed", words, faults=found)


@csrf_exempt
@never_cache
def nowhere(request: HttpRequest) -> HttpResponse:
    """Answer programs in their own form, too, where there is no address."""
    words = _("There is no such address. Each of them ends with a slash.")
    return _turned_away(Turned(404, "gone", words))


def _turned_away(turned: Turned, functions: Iterable[str] = ()) -> HttpResponse:
    answer = JsonResponse(turned.told, status=turned.status)
    if turned.status == 401:
        answer["WWW-Authenticate"] = "Bearer"
    if turned.status == 405:
        answer["Allow"] = ", ".join(method.upper() for method in functions)
    if turned.status in {429, 503}:
        answer["Retry-After"] = str(HOUR if turned.told["error"] == "too_often" else MINUTE)
    return answer


def refusal(refused: Refused, game: Game | None = None, names: Sequence[str] = ()) -> Turned:
    """Word what the rules or the site refuse."""
    status = STATUSES.get(refused.key, 422)
    return Turned(status, refused.key, prose.refuse(refused, game, names))
