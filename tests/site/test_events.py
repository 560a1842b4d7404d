"""Everything that happens to a match is mailed once to those whom it concerns, and to nobody else.

Each event is brought about through the same door as in life; the words stand in the mail.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games import outbox, services, tasks
from games.clock import GRACE, TABLE_LIFETIME
from games.models import Match
from games.services import Opponent, match_create, match_join, message_write
from tests.site.people import begun, duel, finish, market, person, play_turn

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=16)
DAY = timedelta(days=1)


class People(NamedTuple):
    anna: User
    bob: User
    cleo: User


def table(people: People, *opponents: Opponent) -> Match:
    return match_create(user=people.anna, game="obelisk", opponents=opponents)


def joined(people: People) -> None:
    match = table(people, Opponent("open"), Opponent("open"))
    match_join(match_id=match.pk, user=people.bob)


def invited(people: People) -> None:
    table(people, Opponent("person", "Bob"))


def about_to_expire(people: People, clock: time_machine.Traveller) -> None:
    table(people, Opponent("open"))
    clock.shift(TABLE_LIFETIME - DAY)
    tasks.tick()


def expired(people: People, clock: time_machine.Traveller) -> None:
    about_to_expire(people, clock)
    mail.outbox.clear()
    clock.shift(DAY)
    tasks.tick()


def moved(people: People) -> Match:
    """A duel in which both have made two turns; what was to be told of it so far has been."""
    match = begun(people.anna, people.bob)
    outbox.deliver(timezone.now() + DAY / 2)
    mail.outbox.clear()
    return match


def timed_out(people: People, clock: time_machine.Traveller) -> None:
    match = moved(people)
    overdue(match, clock)


def missed(people: People, clock: time_machine.Traveller) -> None:
    match = market(*people)
    for seat in (1, 2):
        play_turn(match, seat)
    outbox.deliver(timezone.now() + DAY / 2)
    mail.outbox.clear()
    overdue(match, clock)


def vacation_used(people: People, clock: time_machine.Traveller) -> None:
    User.objects.filter(pk=people.anna.pk).update(vacation_by_itself=True)
    overdue(moved(people), clock)


def overdue(match: Match, clock: time_machine.Traveller) -> None:
    deadline = match.seats.get(index=0).deadline
    clock.move_to(deadline + GRACE)
    tasks.tick()


def granted(people: People, clock: time_machine.Traveller) -> None:
    match = begun(people.anna, people.bob, courtesy=True)
    outbox.deliver(timezone.now() + DAY / 2)
    overdue(match, clock)
    outbox.deliver(timezone.now())
    mail.outbox.clear()
    services.time_grant(match_id=match.pk, user=people.bob)


def alone(people: People) -> Match:
    match = market(*people)
    services.match_resign(match_id=match.pk, user=people.bob)
    outbox.deliver(timezone.now() + DAY / 2)
    mail.outbox.clear()
    services.match_resign(match_id=match.pk, user=people.cleo)
    return match


def played_on(people: People) -> None:
    match = alone(people)
    outbox.deliver(timezone.now())
    mail.outbox.clear()
    services.match_play_on(match_id=match.pk, user=people.anna)


def finished(people: People) -> None:
    finish(duel(people.anna, people.bob))


def nudged(people: People, clock: time_machine.Traveller) -> None:
    match = moved(people)
    clock.shift(DAY / 2)
    services.nudge(match_id=match.pk, user=people.bob, seat=0)


def chatted(people: People) -> None:
    message_write(match=moved(people), user=people.bob, text="Hello")


EVENTS: dict[str, tuple[Callable[..., object], dict[str, str]]] = {
    "your turn, and the start": (
        lambda people: duel(people.anna, people.bob),
        {
            "anna": "It is your turn.",
            "bob": "The match has started. We write again when it is your turn.",
        },
    ),
    "joined": (joined, {"anna": "Bob has joined your table."}),
    "invited": (invited, {"bob": "Anna invites you"}),
    "expires": (about_to_expire, {"anna": "Your table closes on "}),
    "expired": (expired, {"anna": "The table was closed: not all seats were taken in time."}),
    "timed out of two": (
        timed_out,
        {"anna": "Your time has run out.", "bob": "The time of Anna has run out."},
    ),
    "timed out of three": (
        missed,
        {
            "anna": "Your time has run out, so a neutral turn was made for you.",
            "bob": "The time of Anna has run out: the clock made a neutral turn.",
            "cleo": "The time of Anna has run out: the clock made a neutral turn.",
        },
    ),
    "vacation used": (
        vacation_used,
        {"anna": "Your time was up, so a day of your vacation was used."},
    ),
    "granted": (granted, {"anna": "Bob grants you time for another turn."}),
    "alone": (
        alone,
        {
            "anna": "You are the only person left.",
            "bob": "Only Anna is left, and may end the match.",
            "cleo": "Only Anna is left, and may end the match.",
        },
    ),
    "alone, who plays on": (
        played_on,
        {
            "bob": "Your seat is no longer yours.",
            "cleo": "Your seat is no longer yours.",
        },
    ),
    "finished": (finished, {"anna": "\n1. ", "bob": "\n1. "}),
    "nudge": (nudged, {"anna": "Bob asks you to move when you can."}),
    "chat while away": (chatted, {"anna": "Bob has written to you."}),
}


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_is_mailed_once_to_those_whom_it_concerns(event):
    people = People(person("Anna"), person("Bob"), person("Cleo"))
    happen, told = EVENTS[event]
    with time_machine.travel(timezone.now(), tick=False) as clock:
        happen(people, clock) if happen.__code__.co_argcount == 2 else happen(people)
        outbox.deliver(timezone.now() + SOON)
        outbox.deliver(timezone.now() + 2 * SOON)
    texts = {message.to[0].partition("@")[0]: str(message.body) for message in mail.outbox}
    assert len(mail.outbox) == len(texts), "nobody is told twice"
    assert sorted(texts) == sorted(told)
    for name, words in told.items():
        assert words in texts[name]


def test_who_is_out_of_time_is_not_reminded_of_it_while_the_opponent_is_asked():
    """The deadline is the opponent's by then; a reminder that waited for a calm hour is stale."""
    anna = person("Anna", notify="limited", mail_hours=72)
    match = begun(anna, person("Bob"), courtesy=True)
    outbox.deliver(timezone.now() + SOON)
    mail.outbox.clear()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        overdue(match, clock)
        outbox.deliver(timezone.now() + 2 * DAY)
    (words,) = [str(message.body) for message in mail.outbox if message.to == [anna.email]]
    assert "Your time is up. Move now" in words
    assert "It is still your turn" not in words


@pytest.mark.parametrize("answer", ["grants", "moves"])
def test_that_time_is_up_is_told_to_nobody_once_it_was_granted_or_a_move_was_made(answer):
    daily = {"notify": "digest", "digest_hour": 8}
    anna, bob = person("Anna", **daily), person("Bob", **daily)
    match = begun(anna, bob, courtesy=True)
    outbox.deliver(timezone.now() + DAY)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        overdue(match, clock)
        mail.outbox.clear()
        if answer == "grants":
            services.time_grant(match_id=match.pk, user=bob)
        else:
            play_turn(match, 0)
        outbox.deliver(timezone.now() + DAY)
    told = "".join(str(one.body) for one in mail.outbox)
    assert ("Bob grants you time" in told) == (answer == "grants")
    assert ("Your time is up" in told, "you grant more" in told) == (False, False)


def test_who_has_agreed_is_not_asked_to():
    people = People(person("Anna"), person("Bob"), person("Cleo"))
    match = market(*people)
    outbox.deliver(timezone.now() + DAY / 2)
    mail.outbox.clear()
    services.proposal_make(match_id=match.pk, user=people.anna, kind="end")
    services.proposal_answer(match_id=match.pk, user=people.bob, agree=True)
    outbox.deliver(timezone.now() + DAY / 2)
    asked = [one.to for one in mail.outbox if "Anna proposes to end" in str(one.body)]
    assert asked == [["cleo@example.org"]]


def test_nobody_is_called_the_only_one_left_who_is_no_longer_alone():
    people = People(person("Anna"), person("Bob"), person("Cleo"))
    services.match_return(match_id=alone(people).pk, user=people.cleo)
    outbox.deliver(timezone.now())
    texts = {message.to[0].partition("@")[0]: str(message.body) for message in mail.outbox}
    assert sorted(texts) == ["anna", "bob"], "and who has come back knows of the caretaker"
    assert [name for name, text in texts.items() if "left" in text] == []
    assert "Cleo is back." in texts["anna"]


def test_of_an_end_that_a_move_has_put_off_nobody_is_warned():
    """Who hears from the site once a day would read of an end that is two months away again."""
    anna, bob = person("Anna", notify="digest", digest_hour=8), person("Bob")
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False) as clock:
        match = duel(anna, bob, pace="friends")
        clock.shift(DAY)
        tasks.tick()
        clock.shift(30 * DAY)
        tasks.tick()
        play_turn(match, 0)
        mail.outbox.clear()
        clock.shift(DAY)
        outbox.deliver(timezone.now())
    assert [one.to for one in mail.outbox if "is cancelled on" in str(one.body)] == []
