"""For those who run the site: is it well, what did it log, and what would it report."""

import json
import logging
import logging.config
import os
import subprocess
import sys
from io import StringIO
from smtplib import SMTPRecipientsRefused
from types import ModuleType

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from config import health, sentry
from config.logs import JsonLines, Marks, begin, log, task_begins, without_secrets
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
    ("path", "sent", "kind"),
    [
        ("/accounts/login/", b"x" * 300_000, "application/x-www-form-urlencoded"),
        ("/accounts/login/", b"&".join([b"a=1"] * 300), "application/x-www-form-urlencoded"),
        ("/people/?" + "x" * 20_000, None, ""),
    ],
)
def test_what_makes_no_sense_is_no_fault_of_ours_in_the_log(client, lines, path, sent, kind):
    """Else whoever likes fills it, and the reports of faults, with the same twenty lines."""
    method = "GET" if sent is None else "POST"
    assert client.generic(method, path, sent or b"", kind).status_code == 400
    assert [(line["level"], line["status"]) for line in lines()] == [("INFO", 400)]


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


def test_sentry_is_not_even_looked_for_unless_its_address_is_given(tmp_path):
    """A library of that name that fails when it is loaded: only `SENTRY_DSN` may load it."""
    (tmp_path / "sentry_sdk.py").write_text("raise RuntimeError('loaded')")
    clean = {name: value for name, value in os.environ.items() if name != "SENTRY_DSN"}
    named = {"PYTHONPATH": str(tmp_path), "NILEPOST_VAR": str(tmp_path)}
    runs = [
        subprocess.run(
            [sys.executable, "manage.py", "check"],
            env=clean | named | given,
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )
        for given in ({}, {"SENTRY_DSN": ""}, {"SENTRY_DSN": "https://key@sentry.example/1"})
    ]
    assert [run.returncode for run in runs] == [0, 0, 1]
    assert "RuntimeError: loaded" in runs[2].stderr


SECRET_PATHS = [
    f"/feeds/{'k' * 43}/deadlines.ics",
    f"/mail/t/{'t' * 60}:{'s' * 43}/",
    f"/accounts/confirm-email/MQ:1abcde:{'s' * 43}/",
    f"/accounts/password/reset/key/1-di8x3j-{'a' * 32}/",
]


@pytest.mark.parametrize("path", SECRET_PATHS)
@pytest.mark.django_db
def test_a_key_in_an_address_is_neither_logged_nor_reported(client, lines, path):
    """Not by Django either, which says of a page that is not there where it was looked for."""
    client.get(path)
    client.get(f"/nowhere{path}")
    secret = max(path.split("/"), key=len)
    hidden = path.replace(secret, "…")
    assert [one["path"] for one in lines() if one["logger"] == log.name] == [
        hidden,
        f"/nowhere{hidden}",
    ]
    assert f"Not Found: /nowhere{hidden}" in [one["message"] for one in lines()]
    assert secret not in json.dumps(lines())
    crumb = {"message": f"Not Found: {path}"}
    event = {"request": {"url": f"https://site.example{path}"}, "breadcrumbs": {"values": [crumb]}}
    assert sentry.without_secrets(event) == {
        "request": {"url": f"https://site.example{hidden}"},
        "breadcrumbs": {"values": [{"message": f"Not Found: {hidden}"}]},
    }


def test_the_longest_name_is_logged():
    assert without_secrets(f"/people/{'n' * 30}/matches/") == f"/people/{'n' * 30}/matches/"


def test_no_line_names_an_e_mail_address_whoever_writes_it(lines):
    try:
        raise SMTPRecipientsRefused({"anna@example.org": (550, b"<anna@example.org>: unknown")})
    except SMTPRecipientsRefused as failure:
        logging.getLogger("games.outbox").warning("mail 7 not sent: %s", failure, exc_info=True)
    (line,) = lines()
    assert line["message"] == "mail 7 not sent: {'…': (550, b'<…>: unknown')}"
    assert "SMTPRecipientsRefused: {'…'" in line["trace"]
    assert "example.org" not in json.dumps(line)


def test_no_address_makes_a_line_of_its_own():
    """In the plain form, as it is set up in the settings; a trace keeps its lines."""
    set_up = logging.config.DictConfigurator(settings.LOGGING)
    form = set_up.configure_formatter(settings.LOGGING["formatters"]["line"])
    given = "/rules/\nERROR\u2028\x1b[31m/anna@example.org"
    record = logging.makeLogRecord({"msg": "%s", "args": (given,), "name": "x"})
    Marks().filter(record)
    assert form.format(record).endswith(": /rules/\\nERROR\\u2028\\x1b[31m/…")
    try:
        raise ValueError("broken")
    except ValueError:
        record.exc_info = sys.exc_info()
    assert form.format(record).splitlines()[-1] == "ValueError: broken"


def test_an_address_without_the_library_is_said_at_the_start(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="pip install sentry-sdk=="):
        sentry.report_to("https://key@sentry.example/1")


def test_an_address_of_no_database_is_said_at_the_start(tmp_path):
    named = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "localhost"}
    told = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=settings.BASE_DIR,
        env=os.environ | named | {"NILEPOST_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, "DATABASE_URL is no postgresql://" in told.stderr) == (1, True)
