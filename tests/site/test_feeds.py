"""Deadlines for other programs: exact, private, and silent about everything else."""

import json
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
import time_machine
from django.test import Client
from icalendar import Calendar

from accounts.models import User
from accounts.services import feeds_reset
from games.models import Match
from tests.site.people import away, duel, market, person, play_turn

pytestmark = pytest.mark.django_db

KINDS = ("ics", "atom", "json")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def anna() -> User:
    user = person("Anna", time_zone="Europe/Amsterdam")
    feeds_reset(user)
    return user


@pytest.fixture
def match(anna) -> Match:
    with time_machine.travel(NOON, tick=False):
        return duel(anna, person("Bob"))


def address(user: User, kind: str) -> str:
    return f"/feeds/{user.feed_key}/deadlines.{kind}"


def feed(user: User, kind: str) -> str:
    with time_machine.travel(NOON + timedelta(hours=1), tick=False):
        answer = Client().get(address(user, kind))
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return answer.content.decode()


def test_the_calendar_has_an_event_that_ends_with_the_deadline(anna, match):
    (event,) = Calendar.from_ical(feed(anna, "ics")).walk("VEVENT")
    assert event["DTEND"].dt == NOON + timedelta(days=3)
    assert event["DTSTART"].dt == NOON + timedelta(days=3) - timedelta(minutes=15)
    assert str(event["SUMMARY"]) == f"Your turn: Obelisk #{match.pk}"
    assert str(event["URL"]) == f"http://localhost:8000/matches/{match.pk}/"
    assert str(event["UID"]) == f"m{match.pk}.s0@localhost"


def test_the_calendar_is_one_by_the_letter_of_its_rule_also_when_nothing_is_due(anna, match):
    """RFC 5545: lines end in CR LF and are short, each object has what it must, none is empty."""
    full = feed(anna, "ics")
    with time_machine.travel(NOON + timedelta(minutes=5), tick=False):
        play_turn(match, 0)
    empty = feed(anna, "ics")
    for text, events in ((full, 1), (empty, 0)):
        lines = text.split("\r\n")
        assert lines[-1] == ""
        assert all("\n" not in line and len(line.encode()) <= 75 for line in lines)
        diary = Calendar.from_ical(text)
        assert {"PRODID", "VERSION"} <= set(diary)
        assert diary.subcomponents != []
        assert [part.errors for part in diary.walk()] == [[] for _part in diary.walk()]
        assert len(diary.walk("VEVENT")) == events
        for event in diary.walk("VEVENT"):
            assert {"UID", "DTSTAMP", "DTSTART", "DTEND"} <= set(event)
    (alarm,) = Calendar.from_ical(full).walk("VALARM")
    assert {"ACTION", "DESCRIPTION", "TRIGGER"} <= set(alarm)
    assert (alarm["TRIGGER"].dt, alarm["TRIGGER"].params["RELATED"]) == (timedelta(hours=-3), "END")


def test_atom_says_the_deadline_in_words_of_the_readers_zone(anna, match):
    root = ET.fromstring(feed(anna, "atom"))  # noqa: S314 - our own text
    (entry,) = root.findall(f"{ATOM}entry")
    words = "".join(entry.itertext())
    assert "It is your turn, until " in words
    assert "14:00 CEST" in words
    assert entry.find(f"{ATOM}link").attrib["href"] == f"http://localhost:8000/matches/{match.pk}/"


def test_json_gives_the_moment_in_utc(anna, match):
    assert json.loads(feed(anna, "json")) == {
        "title": "Nilepost: the turns of Anna",
        "turns": [
            {
                "match": match.pk,
                "game": "obelisk",
                "title": f"Obelisk #{match.pk}",
                "address": f"http://localhost:8000/matches/{match.pk}/",
                "called": "2026-05-04T12:00:00Z",
                "deadline": "2026-05-07T12:00:00Z",
            }
        ],
    }


@pytest.mark.parametrize("kind", KINDS)
def test_after_the_move_there_is_nothing_to_do(anna, match, kind):
    assert f"/matches/{match.pk}/" in feed(anna, kind)
    with time_machine.travel(NOON + timedelta(minutes=5), tick=False):
        play_turn(match, 0)
    assert f"/matches/{match.pk}/" not in feed(anna, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_while_a_caretaker_plays_it_is_not_ones_turn(anna, kind):
    with time_machine.travel(NOON, tick=False):
        match = market(person("Bob"), anna, person("Cleo"))
        assert f"/matches/{match.pk}/" in feed(anna, kind)
        away(match, anna)
    assert match.seats.get(index=1).to_act
    assert f"/matches/{match.pk}/" not in feed(anna, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_feed_tells_nothing_but_the_turns(anna, match, kind):
    text = feed(anna, kind)
    for secret in ("anna@example.org", "Bob", match.link, match.seed, match.commitment):
        assert secret not in text


@pytest.mark.parametrize("kind", KINDS)
def test_new_addresses_end_the_old_ones(anna, client, kind):
    old = address(anna, kind)
    client.force_login(anna)
    client.post("/feeds/reset/")
    anna.refresh_from_db()
    assert client.get(old).status_code == 404
    assert Client().get(address(anna, kind)).status_code == 200
    settings = client.get("/accounts/settings/").content.decode()
    assert f'href="http://localhost:8000{address(anna, kind)}"' in settings


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_without_the_key_reads_a_feed(anna, kind):
    User.objects.create_user("Cleo")  # she has no feed, and her key is empty
    for key in ("x", "x" * 43, anna.feed_key[:-1], anna.feed_key + "x", " ", "a%00b"):
        assert Client().get(f"/feeds/{key}/deadlines.{kind}").status_code in (400, 404), key
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert Client().get(address(anna, kind)).status_code == 404
