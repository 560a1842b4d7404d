"""A choice that waits for those of others is told to nobody: not at any address, nor by mail.

Found in every game that has such choices: two that differ, and after which every other view is the
same. Whatever anybody else then gets from the site must be the same too, to the last byte. The
addresses are those of the table in permissions.py, so that a new one is looked at as well.
"""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
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
from games.clock import IDLE_LIFETIME
from games.engine.contract import write
from games.engine.table import Table
from games.models import Match
from games.queries import session_of
from games.services import Opponent, match_create, match_join, match_look, match_undo
from tests.site.people import person, play, play_turn, token
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


Deed = Callable[[], object]


class Choice(NamedTuple):
    seat: int
    one: str
    other: str


def three(slug: str, pace: str = "standard") -> tuple[Match, list[User]]:
    """Lay out a match of three people, or of as many as may play."""
    names = ["Anna", "Bob", "Cleo"][: max(shelf()[slug].seats)]
    host, *others = people = [person(name) for name in names]
    opponents = [Opponent("open")] * len(others)
    match = match_create(user=host, game=slug, opponents=opponents, pace=pace)
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


def unheard_in(match: Match) -> tuple[int, str] | None:
    """Find a move that is told to nobody, while several seats choose at the same time."""
    session = session_of(match)
    called = session.state.to_act()
    for seat in called if len(called) > 1 else ():
        for move in session.state.legal(seat)[:12]:
            table = Table(match.seed, session.epoch)
            session.state.clone().apply(seat, move, table)
            if not table.sealed and not table.lines:
                return seat, write(move)
    return None


def first_unheard(match: Match) -> tuple[int, str]:
    """Play on until there is such a move."""
    while not (draft := unheard_in(match)):
        play_turn(match, session_of(match).state.to_act()[0])
        match.refresh_from_db()
    return draft


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


class World(NamedTuple):
    """What everybody gets to read after something was done."""

    pages: dict[str, dict[str, tuple[int, bytes]]]  # by viewer and address
    letters: list[tuple[list[str], str, str]]
    own: dict[str, tuple[int, bytes]]  # what the chooser reads


def worlds_after(match: Match, chooser: User, people: list[User], *deeds: Deed) -> list[World]:
    """Do one thing after the other, each from the same moment; look at it through all eyes."""
    seat = people.index(chooser)
    viewers = [people[seat - 1], person("Root", is_staff=True, is_superuser=True), None]
    keys = {viewer: key_create(viewer, "x") if viewer else "" for viewer in viewers}
    for viewer in (chooser, *viewers):
        if viewer:
            feeds_reset(viewer)
            viewer.refresh_from_db()
    worlds = []
    with time_machine.travel(timezone.now(), tick=False):
        for deed in deeds:
            undone = transaction.savepoint()
            deed()
            match.refresh_from_db()
            pages = {str(viewer): told(match, viewer, keys[viewer]) for viewer in viewers}
            own = told(match, chooser, "")
            worlds.append(World(pages, mailed(chooser), own))
            transaction.savepoint_rollback(undone)
    match.refresh_from_db()
    return worlds


def differing(one: World, other: World) -> list[tuple[str, str]]:
    """List what is not the same for others: who reads it, and where."""
    pages = [
        (viewer, name)
        for viewer, answers in one.pages.items()
        for name, answer in answers.items()
        if answer != other.pages[viewer][name]
    ]
    return pages + [("somebody", "mail")] * (one.letters != other.letters)


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
    one, other = worlds_after(
        match,
        people[choice.seat],
        people,
        partial(play, match, choice.seat, choice.one),
        partial(play, match, choice.seat, choice.other),
    )
    assert len(one.pages["Root"]) > 20
    assert differing(one, other) == []
    assert one.own["match"] != other.own["match"], "there was something to hide"


def test_whether_anything_is_laid_out_in_secret_is_told_to_nobody(settings):
    """Of secret orders others see only that they are confirmed: not one of them can be counted."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    match, people = three("valley")
    seat, move = first_unheard(match)
    do = partial(play, match, seat)
    nothing, laid_out, taken_back, bare, whole = worlds_after(
        match,
        people[seat],
        people,
        lambda: None,
        lambda: do(move),
        lambda: (do(move), match_undo(match_id=match.pk, seat=seat, token=token(match, seat))),
        lambda: do("overseers_confirm"),
        lambda: (do(move), do("overseers_confirm")),
    )
    assert [differing(nothing, laid_out), differing(nothing, taken_back)] == [[], []]
    assert differing(bare, whole) == []
    assert nothing.own["match"] != laid_out.own["match"], "there was something to hide"
    assert differing(nothing, bare) != [], "and something to tell"


def test_what_is_laid_out_in_secret_does_not_put_off_the_end_that_was_announced(settings):
    """Of a match that stands still everybody reads when it closes unless somebody moves."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    match, people = three("valley", "friends")
    seat, move = first_unheard(match)
    later = timezone.now() + IDLE_LIFETIME - timedelta(days=20)
    with time_machine.travel(later, tick=False):
        assert match_look(match_id=match.pk, now=later)
        nothing, laid_out, confirmed = worlds_after(
            match,
            people[seat],
            people,
            lambda: None,
            partial(play, match, seat, move),
            partial(play, match, seat, "overseers_confirm"),
        )
    assert differing(nothing, laid_out) == []
    announced = [
        b"If nobody moves this match is cancelled on" in page
        for page in (nothing.pages["None"]["match"][1], confirmed.pages["None"]["match"][1])
    ]
    assert announced == [True, False], "there was something to put off"
