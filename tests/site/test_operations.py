"""For those who run the site: is it well, what did it log, and what would it report."""

import json
import logging
import sys
from io import StringIO
from types import ModuleType

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from config import health, sentry
from config.logs import JsonLines, Marks, begin, log, task_begins
from tests.site.people import duel, person


@pytest.fixture
def lines():
    """What is logged meanwhile, as JSON."""
    told = StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(JsonLines())
    handler.addFilter(Marks())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in told.getvalue().splitlines()]
    root.removeHandler(handler)
    root.setLevel(level)


# --- health ----------------------------------------------------------------------------------


def test_a_process_that_lives_says_so_without_its_database(client):
    assert client.get("/health/").content == b"well\n"


@pytest.mark.django_db
def test_a_site_whose_database_is_there_and_migrated_is_ready(client):
    answer = client.get("/ready/")
    assert (answer.status_code, answer.json()) == (200, {"database": "well", "broker": "well"})


@pytest.mark.django_db
def test_a_site_without_its_database_is_not_ready(client, monkeypatch):
    def lost():
        raise DatabaseError

    monkeypatch.setattr(connection, "cursor", lost)
    answer = client.get("/ready/")
    assert (answer.status_code, answer.json()["database"]) == (503, "away")


@pytest.mark.django_db
def test_a_site_that_is_not_migrated_yet_is_not_ready_and_asks_again(client):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'games'")
    health._migrated_once.cache_clear()
    answers = [client.get("/ready/") for _ in range(2)]
    assert [(one.status_code, one.json()["database"]) for one in answers] == [(503, "behind")] * 2


@pytest.mark.django_db
def test_a_broker_that_is_away_is_told_but_the_site_goes_on(client, settings):
    from config.celery import app

    before = app.conf.broker_url
    app.conf.broker_url = "redis://127.0.0.1:1/0"
    try:
        answer = client.get("/ready/")
    finally:
        app.conf.broker_url = before
    assert (answer.status_code, answer.json()) == (200, {"database": "well", "broker": "away"})


def test_the_watch_is_answered_past_the_proxy(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = ["^(health|ready)/$"]
    assert client.get("/health/").status_code == 200
    assert client.get("/rules/").status_code == 301


# --- logs ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_each_request_is_one_line_with_its_number_and_its_match(client, lines):
    match = duel(person("Anna"), person("Bob"))
    answer = client.get(f"/matches/{match.pk}/", {"link": "a-secret"})
    (line,) = [one for one in lines() if one["logger"] == log.name]
    assert line["request"] == answer["X-Request-ID"]
    assert line["match"] == str(match.pk)
    assert (line["method"], line["path"], line["status"]) == ("GET", f"/matches/{match.pk}/", 200)
    assert line["milliseconds"] >= 0
    assert "a-secret" not in json.dumps(line)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("behind_proxy", "given", "is_kept"),
    [(True, "proxy-number-77", True), (True, "line\nbreak", False), (False, "proxy-number", False)],
)
def test_only_a_proxy_may_number_a_request(client, settings, behind_proxy, given, is_kept):
    settings.BEHIND_PROXY = behind_proxy
    answer = client.get("/rules/", HTTP_X_REQUEST_ID=given)
    assert (answer["X-Request-ID"] == given) is is_kept


def test_a_line_of_a_worker_names_its_task_and_its_match(lines):
    task_begins("0123456789", (42,), {})
    logging.getLogger("games.tasks").warning("late by %s", "far")
    task_begins("9876543210", (), {})
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("games.tasks").exception("failed")
    first, second = lines()
    assert (first["request"], first["match"], first["message"]) == (
        "task-01234567",
        "42",
        "late by far",
    )
    assert (second["request"], second["match"]) == ("task-98765432", "-")
    assert "ValueError: broken" in second["trace"]
    begin("-")


# --- reports ---------------------------------------------------------------------------------


def test_sentry_is_asked_for_nothing_that_is_secret(monkeypatch):
    given = {}
    library = ModuleType("sentry_sdk")
    library.init = given.update
    monkeypatch.setitem(sys.modules, "sentry_sdk", library)
    library.init = lambda **options: given.update(options)
    sentry.report_to("https://key@sentry.example/1")
    assert given == {
        "dsn": "https://key@sentry.example/1",
        "send_default_pii": False,
        "include_local_variables": False,
        "max_request_body_size": "never",
        "before_send": sentry.without_secrets,
    }


def test_a_report_leaves_links_sessions_and_tokens_out():
    event = {
        "message": "x",
        "request": {
            "url": "https://site.example/matches/1/",
            "query_string": "link=secret",
            "headers": {"Authorization": "Bearer secret"},
            "cookies": {"sessionid": "secret"},
            "data": {"token": "secret"},
        },
    }
    assert sentry.without_secrets(event) == {
        "message": "x",
        "request": {"url": "https://site.example/matches/1/"},
    }


def test_an_address_without_the_library_is_said_at_the_start(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="pip install sentry-sdk=="):
        sentry.report_to("https://key@sentry.example/1")
