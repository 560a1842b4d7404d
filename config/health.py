"""Two addresses for those who watch over the site.

`/health/`: this process answers. `/ready/`: it can also do its work. A broker that is away is told
but is no reason to send visitors elsewhere: the database keeps what is due.
"""

from datetime import timedelta
from functools import cache

from celery import current_app
from django.contrib.sessions.models import Session
from django.core.cache import cache as memory
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from accounts.middleware import wordless

WELL, AWAY, BEHIND, UNWRITABLE = "well", "away", "behind", "unwritable"
WRITTEN = "ready-written"  # of the cache, and of the row
WRITTEN_AGAIN = 10  # seconds: strangers can ask as often as they like


@require_safe
@never_cache
@wordless
def health(request: HttpRequest) -> HttpResponse:
    return HttpResponse("well\n", content_type="text/plain")


@require_safe
@never_cache
@wordless
def ready(request: HttpRequest) -> HttpResponse:
    found = {"database": _database(), "broker": _broker()}
    status = 200 if found["database"] == WELL else 503
    return JsonResponse(found, status=status)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _is_migrated():
            return BEHIND
    except Error:
        return AWAY
    return WELL if _keeps() else UNWRITABLE


def _keeps() -> bool:
    """Tell whether something can be written: on a full disk only a real row shows it.

    It is a session that has ended before it began; whatever clears old sessions may take it away.
    """
    if memory.get(WRITTEN):
        return True
    ended = {"session_data": "", "expire_date": timezone.now() - timedelta(days=1)}
    try:
        Session.objects.update_or_create(session_key=WRITTEN, defaults=ended)
    except Error:
        return False
    memory.set(WRITTEN, True, timeout=WRITTEN_AGAIN)
    return True


def _is_migrated() -> bool:
    """Tell whether the tables are those of this code: asked until they are, then never again."""
    try:
        return _migrated_once()
    except _NotYet:
        return False


class _NotYet(Exception):  # noqa: N818 - keeps the answer out of the cache
    pass


@cache
def _migrated_once() -> bool:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _NotYet
    return True


def _broker() -> str:
    try:
        with current_app.connection_for_write(connect_timeout=0.5) as broker:
            broker.ensure_connection(max_retries=1, timeout=0.5)
        return WELL
    except OperationalError:
        return AWAY
