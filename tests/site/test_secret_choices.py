"""A choice that waits for those of others is told to nobody: not at any address, nor by mail.

Found in every game that has such choices: two that differ, and after which every other view is the
same. Whatever anybody else then gets from the site must be the same too, to the last byte. The
addresses are those of the table in permissions.py, so that a new one is looked at as well.
"""

import json
import re
from datetime import timedelta
from typing import NamedTuple

import pytest
import time_machine
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.apikeys import key_create
from accounts.models import User
from accounts.services import feeds_reset
from games import outbox
from games.catalogue import shelf
from games.engine.contract import write
from games.engine.table import Table
from games.models import Match
from games.queries import session_of
from games.services import Opponent, match_create, match_join
from tests.site.people import person, play, play_turn
from tests.site.permissions import arguments, rules

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WITH_SECRETS = {
    "obelisk",
    "valley",
}  # games in which some choose at the same time, each unseen by the others
FEEDS = {"feed_calendar", "feed_atom", "feed_json"}
LISTS = {"my_matches", "lobby", "api_matches"}
READ = (
    FEEDS | LISTS | {rule.address for rule in rules() if rule.method == "GET" and rule.match != "-"}
)
BY_KEY = {rule.address for rule in rules() if rule.answers["seat"] == "key"} & READ
PARTS = {
    "match": ("", "?hold=choose", "?hold=bid_place"),
    "match_replay": ("", "?at=1", "?at=999", "?as=all&at=999"),
}
BY_CHANCE = re.compile(rb'(nonce="|(?:csrf\w*|once)"?:? ?(?:value=)?")[^"]+', re.I)


class Choice(NamedTuple):
    seat: int
    one: str
    other: str


def three(slug: str) -> tuple[Match, list[User]]:
    """Lay out a match of three people, or of as many as may play."""
    names = ["Anna", "Bob", "Cleo"][: max(shelf()[slug].seats)]
    host, *others = people = [person(name) for name in names]
    match = match_create(user=host, game=slug, opponents=[Opponent("open")] * len(others))
    for other in others:
        match_join(match_id=match.pk, user=other)
    match.refresh_from_db()
    return match, people


def secret_in(match: Match) -> Choice | None:
    """Find two moves of one seat that no other seat can tell apart once they are made."""
    session = session_of(match)
    viewers = [None, *range(match.seats.count())]
    for seat in session.state.to_act():
        found: dict[str, str] = {}
        for move in session.state.legal(seat)[:12]:
            after, table = session.state.clone(), Table(match.seed, session.epoch)
            after.apply(seat, move, table)
            called = set(after.to_act()) - set(session.state.to_act())
            if table.sealed or called or not after.to_act():
                continue
            seen = json.dumps([after.view(viewer) for viewer in viewers if viewer != seat])
            if seen in found:
                return Choice(seat, found[seen], write(move))
            found[seen] = write(move)
    return None


def told(match: Match, viewer: User | None, key: str) -> dict[str, tuple[int, bytes]]:
    """Everything that one visitor gets to read, by its address."""
    client = Client()
    if viewer:
        client.force_login(viewer)
    found = {}
    for name in sorted(READ):
        known = arguments(name, match)
        if name in FEEDS:
            known["key"] = viewer.feed_key if viewer else "unknown"
        headers = {"Authorization": f"Bearer {key}"} if name in BY_KEY else {}
        for part in PARTS.get(name, ("",)):
            answer = client.get(reverse(name, kwargs=known) + part, headers=headers)
            content = b"".join(answer) if answer.streaming else answer.content
            found[name + part] = (answer.status_code, BY_CHANCE.sub(rb"\1", content))
    for name in ("match_change", "match_picture", "match_history"):
        number = [match.pk]
        answer = client.get(reverse(f"admin:games_{name}", args=number))
        found[name] = (answer.status_code, BY_CHANCE.sub(rb"\1", answer.content))
    return found


def mailed(but_not: User) -> list[tuple[list[str], str, str]]:
    """Send what is due within the hour; give what others than one person read."""
    outbox.deliver(timezone.now() + timedelta(hours=1))
    letters = [(one.to, str(one.body), str(one.alternatives)) for one in mail.outbox]
    mail.outbox.clear()
    return sorted(letter for letter in letters if letter[0] != [but_not.email])


@pytest.mark.parametrize("slug", sorted(shelf()))
def test_a_choice_that_waits_for_others_is_told_to_nobody(slug, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    match, people = three(slug)
    for _turn in range(25):
        if (choice := secret_in(match)) or not (called := session_of(match).state.to_act()):
            break
        play_turn(match, called[0])
        match.refresh_from_db()
    assert (choice is not None) == (slug in WITH_SECRETS)
    if choice is None:
        return
    chooser = people[choice.seat]
    root = person("Root", is_staff=True, is_superuser=True)
    viewers = [people[choice.seat - 1], root, None]
    keys = {viewer: key_create(viewer, "x") if viewer else "" for viewer in viewers}
    for viewer in (chooser, *viewers):
        if viewer:
            feeds_reset(viewer)
            viewer.refresh_from_db()
    worlds = []
    with time_machine.travel(timezone.now(), tick=False):
        for text in (choice.one, choice.other):
            undone = transaction.savepoint()
            play(match, choice.seat, text)
            pages = {str(viewer): told(match, viewer, keys[viewer]) for viewer in viewers}
            own = told(match, chooser, "")
            worlds.append((pages, mailed(chooser), own))
            transaction.savepoint_rollback(undone)
    (pages, letters, own), (other_pages, other_letters, other_own) = worlds
    assert len(pages["Root"]) > 20
    differ = [
        (viewer, name)
        for viewer, answers in pages.items()
        for name, answer in answers.items()
        if answer != other_pages[viewer][name]
    ]
    assert differ == []
    assert letters == other_letters
    assert own["match"] != other_own["match"], "there was something to hide"
