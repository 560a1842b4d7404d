"""A database in trouble: nothing can be written, or it is away. Looking goes on, and what cannot be
done is said in words and has changed nothing.

On SQLite a disk is full when its file may not grow; on PostgreSQL the server only reads. Away is a
connection that breaks at the first question, and, on PostgreSQL, one that the server cuts.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
import time_machine
from django.core.cache import cache
from django.db import OperationalError, close_old_connections, connection
from django.test import Client
from django.urls import reverse

from accounts.apikeys import key_create
from accounts.models import User
from games.clock import GRACE
from games.models import Match, Message
from tests.api.programs import Program
from tests.site.cast import MATCHES, Cast
from tests.site.people import awaited, begun, duel, legal, token
from tests.site.permissions import arguments, rules

pytestmark = pytest.mark.django_db(transaction=True)

HTMX = {"HX-Request": "true"}
WORDS = {"en": "nothing was changed: please go back", "nl": "er is niets veranderd: ga terug"}
SWITCHES = {
    "sqlite": "PRAGMA query_only = %s",
    "postgresql": "SET default_transaction_read_only = %s",
}


@contextmanager
def nothing_can_be_written() -> Iterator[None]:
    """As on a full disk, or on a copy that is only for reading."""
    with connection.cursor() as cursor:
        cursor.execute(SWITCHES[connection.vendor] % "on")
        try:
            yield
        finally:
            cursor.execute(SWITCHES[connection.vendor] % "off")


@contextmanager
def no_room_is_left() -> Iterator[None]:
    """A database that may not grow: what still fits into it is written, the rest is not."""
    if connection.vendor == "postgresql":
        with nothing_can_be_written():
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        try:
            yield
        finally:
            cursor.execute("PRAGMA max_page_count = 1000000")


@contextmanager
def away() -> Iterator[None]:
    """A server that is gone: whatever is asked of it breaks."""

    def broken(*_asked: object) -> None:
        raise OperationalError("the connection is lost")

    with connection.execute_wrapper(broken):
        yield


@contextmanager
def cut_at_the_first_question() -> Iterator[None]:
    """The server ends our connection in the middle of a request; it is there for the next."""

    pid = connection.connection.info.backend_pid
    address = "".join(
        f"{name}={connection.settings_dict[name.upper()]} " for name in ("host", "port", "user")
    )

    def cut(execute, *asked: object) -> object:
        with psycopg.connect(f"{address} dbname=postgres") as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        return execute(*asked)

    with connection.execute_wrapper(cut):
        yield


def visitor(user: User | None, **headers: str) -> Client:
    client = Client(raise_request_exception=False, headers=headers)
    if user:
        client.force_login(user)
    return client


@pytest.fixture
def match(anna, bob) -> Match:
    return duel(anna, bob)


# --- nothing can be written ------------------------------------------------------------------

SHOWN = [
    rule
    for rule in rules()
    if rule.method == "GET" and rule.answers["seat"] == "page" and rule.address != "ready"
]


@pytest.mark.slow
def test_every_page_is_shown_while_nothing_can_be_written(settings):
    """To somebody whose visit is to be noted, and whose session is to be renewed."""
    settings.EMAIL_BACKEND = settings.EMBEDDED_MAILBOX
    cast = Cast()
    made = {kind: make(cast) for kind, make in MATCHES.items()}
    client = visitor(cast.seat)
    found = {}
    with nothing_can_be_written():
        for rule in SHOWN:
            place = reverse(rule.address, kwargs=arguments(rule.address, made[rule.match]))
            found[str(rule)] = client.get(place).status_code
    assert len(found) > 40
    assert {name: status for name, status in found.items() if status not in (200, 204)} == {}
    cast.seat.refresh_from_db()
    assert (cast.seat.seen, "renewed" in client.session) == (None, False)


def test_a_match_in_which_time_is_up_is_shown_while_nothing_can_be_written(anna, bob):
    match = begun(anna, bob)
    client = visitor(anna)
    with time_machine.travel(awaited(match).deadline + 2 * GRACE):
        with nothing_can_be_written():
            assert client.get(f"/matches/{match.pk}/").status_code == 200
            match.refresh_from_db()
            assert match.status == "running"
        client.get(f"/matches/{match.pk}/")
    match.refresh_from_db()
    assert match.status == "finished"


def test_a_chat_is_shown_while_nothing_can_be_written(anna, bob, match):
    visitor(bob).post(f"/matches/{match.pk}/chat/", {"text": "Hail!"})
    client = visitor(anna)
    with nothing_can_be_written():
        assert "Hail!" in client.get(f"/matches/{match.pk}/").content.decode()


@pytest.mark.parametrize("language", ["en", "nl"])
def test_what_cannot_be_written_is_said_and_the_match_stays_as_it_is(anna, match, language):
    User.objects.filter(pk=anna.pk).update(language=language)
    address = f"/matches/{match.pk}/"
    client = visitor(anna)
    form = {"move": legal(match, 0)[0], "token": token(match, 0)}
    stranger = visitor(None, **{"Accept-Language": language})
    with nothing_can_be_written():
        refused = [
            client.post(f"{address}move/", form),
            client.post(f"{address}move/", form, headers=HTMX),
            client.post(f"{address}chat/", {"text": "Hail!"}),
            client.post(f"{address}resign/"),
            stranger.post("/play/obelisk/", {"seats": 2}),
            stranger.post("/accounts/login/", {"login": "Anna", "password": "pyramid-22"}),
        ]
    for answer in refused:
        assert (answer.status_code, answer["Retry-After"]) == (503, "60")
        assert WORDS[language] in " ".join(answer.content.decode().split())
    assert (Match.objects.count(), match.moves.count(), match.messages.count()) == (1, 0, 0)
    assert User.objects.count() == 2
    assert client.post(f"{address}move/", form).status_code == 302
    assert [one.text for one in match.moves.all()] == [form["move"]]


def test_a_program_is_told_that_nothing_can_be_written(anna, match):
    program = Program(anna)
    move = {"token": token(match, 0), "move": legal(match, 0)[0]}
    with nothing_can_be_written():
        assert program.told("/api/me/")["name"] == "Anna"
        answer = program.ask(f"/api/matches/{match.pk}/move/", move)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert answer.json() == {
        "error": "not_now",
        "message": "The site cannot do this just now. Nothing was changed: try again later.",
    }
    assert program.told(f"/api/matches/{match.pk}/move/", move)["id"] == match.pk


def test_what_does_not_fit_any_more_is_refused_as_a_whole_and_fits_again_later(anna, match):
    client = visitor(anna)
    said = {"text": "sand " * 180}
    with no_room_is_left():
        statuses = [client.post(f"/matches/{match.pk}/chat/", said).status_code for _ in range(40)]
        kept = Message.objects.count()
        assert client.get(f"/matches/{match.pk}/").status_code == 200
    assert set(statuses) <= {302, 503}
    assert (statuses[-1], kept) == (503, statuses.count(302))
    assert client.post(f"/matches/{match.pk}/chat/", said).status_code == 302
    assert Message.objects.count() == kept + 1


def test_a_site_that_can_write_nothing_is_not_ready_until_it_can(client):
    with nothing_can_be_written():
        answer = client.get("/ready/")
        assert (answer.status_code, answer.json()["database"]) == (503, "unwritable")
        assert client.get("/health/").status_code == 200
    answer = client.get("/ready/")
    assert (answer.status_code, answer.json()["database"]) == (200, "well")


def test_whether_something_can_be_written_is_tried_by_writing_but_not_at_every_question(
    client, django_assert_num_queries
):
    client.get("/ready/")
    with django_assert_num_queries(1):
        client.get("/ready/")
    cache.clear()
    with nothing_can_be_written():
        assert client.get("/ready/").status_code == 503


# --- away ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "nl"])
def test_while_the_database_is_away_every_answer_says_so(anna, match, language):
    key = key_create(anna, "a program")
    client = visitor(anna, **{"Accept-Language": language})
    form = {"move": legal(match, 0)[0], "token": token(match, 0)}
    address = f"/matches/{match.pk}/"
    with away():
        answers = [
            client.get("/"),
            client.get(address),
            client.get(address, {"seen": 1}, headers=HTMX),
            client.get(f"{address}picture.png"),
            client.get("/nowhere/"),
            client.get("/feeds/unknown/deadlines.ics"),
            client.post(f"{address}move/", form),
            client.post(f"{address}move/", form, headers=HTMX),
            visitor(None, **{"Accept-Language": language}).get("/lobby/"),
        ]
        told = visitor(None).get("/api/me/", headers={"Authorization": f"Bearer {key}"})
        assert client.get("/ready/").json()["database"] == "away"
        assert client.get("/health/").status_code == 200
    for answer in answers:
        assert answer.status_code == 503
        assert WORDS[language] in " ".join(answer.content.decode().split())
    assert (told.status_code, told.json()["error"]) == (503, "not_now")
    assert client.post(f"{address}move/", form).status_code == 302


@pytest.mark.services
def test_a_connection_that_the_server_cuts_costs_one_answer(anna, match):
    client = visitor(anna)
    form = {"move": legal(match, 0)[0], "token": token(match, 0)}
    with cut_at_the_first_question():
        answer = client.post(f"/matches/{match.pk}/move/", form)
    assert answer.status_code == 503
    close_old_connections()  # as before every request; the test client keeps from it
    assert client.get(f"/matches/{match.pk}/").status_code == 200
    assert client.post(f"/matches/{match.pk}/move/", form).status_code == 302


def test_a_fault_of_ours_is_still_called_one(anna, match):
    Match.objects.filter(pk=match.pk).update(snapshot="{")
    answer = visitor(anna).get(f"/matches/{match.pk}/")
    assert answer.status_code == 500
    assert "The fault is ours" in answer.content.decode()
