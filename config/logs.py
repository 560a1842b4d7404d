"""Which request, or which task, and which match a log line belongs to.

Every line carries both, whoever wrote it; `LOG_FORMAT=json` makes each line one JSON object. A
request's number is also in its answer (`X-Request-ID`), so that a player who reports a trouble can
name it. Whoever wrote a line, it holds no key of an address and no e-mail address. Knows no game: a
match is whatever an address or a task calls `match_id`.
"""

import json
import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
KNOWN = re.compile(r"[\w-]{8,64}")
SECRETS = (
    re.compile(r"(?<=/)[^/\s]{31,}"),  # longer than a name: keys of feeds, tickets, links
    re.compile(r"[^\s\"'<>()\[\]{},;=/]+@[^\s\"'<>()\[\]{},;:/]+"),  # whom a mail goes to
)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
NOTHING = "-"

request_now: ContextVar[str] = ContextVar("request_now", default=NOTHING)
match_now: ContextVar[str] = ContextVar("match_now", default=NOTHING)
log = logging.getLogger("nilepost.requests")


def begin(request: str, match: object = NOTHING) -> None:
    """Say what the lines to come are about."""
    request_now.set(request)
    match_now.set(str(match))


class Marks(logging.Filter):
    """Put the request and the match on every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_now.get()
        record.match_id = match_now.get()
        return True


def without_secrets(text: str) -> str:
    """Blank what is nobody else's business."""
    for secret in SECRETS:
        text = secret.sub("…", text)
    return text


class Lines(logging.Formatter):
    """One line, whatever stood in an address, and the trace below it if something broke."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        line = without_secrets(super().formatMessage(record))
        return CONTROL.sub(lambda found: ascii(found[0])[1:-1], line)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        return without_secrets(super().formatException(ei))


class JsonLines(Lines):
    """One line, one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "request": getattr(record, "request_id", NOTHING),
            "match": getattr(record, "match_id", NOTHING),
        }
        line |= getattr(record, "particulars", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class RequestLog:
    """Number each request, log it when it is answered, and give its number back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "") if settings.BEHIND_PROXY else ""
        begin(given if KNOWN.fullmatch(given) else secrets.token_hex(8))
        began = monotonic()
        response = self.get_response(request)
        response[HEADER] = request_now.get()
        # Without the query: it may hold the secret link of a private match.
        particulars = {
            "method": request.method,
            "path": without_secrets(request.path),
            "status": response.status_code,
            "milliseconds": round(1000 * (monotonic() - began)),
        }
        log.info("%(method)s %(path)s %(status)s", particulars, extra={"particulars": particulars})
        return response

    def process_view(
        self, request: HttpRequest, view: object, args: tuple[object], arguments: dict[str, object]
    ) -> None:
        match_now.set(str(arguments.get("match_id", NOTHING)))


def task_begins(
    task_id: str, args: tuple[object, ...], kwargs: dict[str, object], **_more: object
) -> None:
    """Number the lines of a worker by the task it runs."""
    named = kwargs.get("match_id", args[0] if args else NOTHING)
    begin(f"task-{task_id[:8]}", named)
