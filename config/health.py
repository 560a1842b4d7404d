"""Two addresses for those who watch over the site.

`/health/`: this process answers. `/ready/`: it can also do its work. A broker that is away is told
but is no reason to send visitors elsewhere: the database keeps what is due.
"""

from functools import cache

from celery import current_app
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from accounts.middleware import wordless

WELL, AWAY, BEHIND = "well", "away", "behind"


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
        return WELL if _is_migrated() else BEHIND
    except DatabaseError:
        return AWAY


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
