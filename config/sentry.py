"""Report errors to Sentry, if `SENTRY_DSN` names one; nothing of it is needed otherwise.

A report holds no local variables (they include the seeds of running matches), no bodies, no
cookies and no names.
"""

from importlib import import_module
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config import logs

PINNED = "sentry-sdk==2.75.0"


def report_to(address: str) -> None:
    try:
        sentry = import_module("sentry_sdk")
    except ImportError:
        words = f"SENTRY_DSN is set, but its library is missing: pip install {PINNED}"
        raise ImproperlyConfigured(words) from None
    sentry.init(
        dsn=address,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        before_send=without_secrets,
    )


def without_secrets(event: dict[str, Any], _hint: object = None) -> dict[str, Any]:
    """Leave out what an address or a header may hold: the link of a private match, a session."""
    request = event.get("request")
    if isinstance(request, dict):
        for part in ("query_string", "cookies", "headers", "data"):
            request.pop(part, None)
    cleaned: dict[str, Any] = _cleaned(event)
    return cleaned


def _cleaned(part: Any) -> Any:
    """Treat every text in a report as a line of the log, the lines before it among them."""
    if isinstance(part, dict):
        return {key: _cleaned(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_cleaned(value) for value in part]
    return logs.without_secrets(part) if isinstance(part, str) else part
