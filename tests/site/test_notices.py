"""One mail for each person, when it is due and still true; a dead mail server loses nothing."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from games import notices, outbox, services
from games.clock import DAY, HOUR, Pace
from games.models import Notice, Seat
from games.services import Opponent, match_create
from tests.site.people import awaited, duel, finish, market, person, play_turn

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=16)


def sent() -> list[tuple[list[str], str]]:
    return [(message.to, message.subject) for message in mail.outbox]


def test_a_turn_is_mailed_a_while_after_it_began_and_only_once():
    match = duel(person("Anna"), person("Bob"))
    now = timezone.now()
    assert outbox.deliver(now) == 1  # Bob: the match has started
    mail.outbox.clear()
    assert outbox.deliver(now + SOON) == 1
    assert sent() == [(["anna@example.org"], f"Nilepost: Obelisk #{match.pk}")]
    assert f"/matches/{match.pk}/" in mail.outbox[0].body
    assert outbox.deliver(now + 2 * SOON) == 0


def test_of_a_match_that_is_over_nobody_is_told_that_it_waits():
    root = person("Root", is_staff=True)
    match = market(person("Anna"), person("Bob"), person("Cleo"))
    services.match_resign(match_id=match.pk, user=match.host)
    services.match_look(match_id=match.pk, now=timezone.now() + 4 * DAY)  # a substitute is sought
    services.match_adjourn(match_id=match.pk, by=root, reason="storm", days=3)
    services.match_void(match_id=match.pk, by=root, reason="enough")
    outbox.deliver(timezone.now() + 5 * DAY)
    [told] = [message.body for message in mail.outbox if message.to == ["bob@example.org"]]
    assert "The match was cancelled." in told
    assert ("paused" in told, "substitute" in told) == (False, False)


def test_who_gave_up_at_once_is_not_told_that_the_next_turn_will_be_mailed():
    bob, cleo = person("Bob"), person("Cleo")
    opponents = [Opponent("open"), Opponent("open")]
    match = match_create(
        user=person("Anna"),
        game="cheops",
        opponents=opponents,
        options={"first_player": "seat_0"},
    )
    for user in (bob, cleo):
        services.match_join(match_id=match.pk, user=user)
    services.match_resign(match_id=match.pk, user=bob)
    outbox.deliver(timezone.now())
    told = {message.to[0]: "The match has started." in message.body for message in mail.outbox}
    assert told == {"anna@example.org": False, bob.email: False, cleo.email: True}


def test_reminders_stand_at_half_at_four_fifths_and_three_hours_before_the_end():
    match = duel(person("Anna"), person("Bob"))
    seat = match.seats.get(index=0)
    hour = timedelta(hours=1)
    assert due_after_the_call(seat) == {
        "your_turn": 0.25 * hour,
        "reminded_half": 36 * hour,
        "reminded_late": 0.8 * 72 * hour,
        "last_chance": 69 * hour,
    }


def test_reminders_follow_the_deadline_and_one_that_was_sent_speaks_again():
    match = duel(person("Anna"), person("Bob"))
    seat = match.seats.get(index=0)
    Notice.objects.filter(kind="last_chance").update(sent=seat.deadline, due=None)
    seat.deadline += timedelta(hours=28)
    notices.call_on(seat, match.epoch, seat.called + timedelta(hours=1), again=True)
    hour = timedelta(hours=1)
    assert due_after_the_call(seat) == {
        "your_turn": 0.25 * hour,
        "reminded_half": 50 * hour,
        "reminded_late": 80 * hour,
        "last_chance": 97 * hour,
    }


def test_a_short_turn_is_not_reminded_of_at_half_time_nor_after_the_last_chance():
    match = duel(person("Anna"), person("Bob"))
    seat = match.seats.get(index=0)
    seat.deadline = seat.called + timedelta(hours=12)
    notices.call_on(seat, match.epoch, seat.called + timedelta(minutes=1), again=True)
    hour = timedelta(hours=1)
    assert due_after_the_call(seat) == {"your_turn": 0.25 * hour, "last_chance": 9 * hour}


def test_half_of_the_time_is_told_only_if_more_than_a_day_is_left():
    half = {"kind": "reminded_half"}
    duel(person("Anna"), person("Bob"), pace="brisk")  # two days
    assert not Notice.objects.filter(**half).exists()
    longer = Pace(slug="custom", start=49 * HOUR, increment=DAY, cap=3 * DAY)
    match = duel(person("Cleo"), person("Dirk"), pace=longer)
    assert Notice.objects.get(seat__match=match, **half).due == awaited(match).called + 24.5 * HOUR


def test_what_was_told_stays_told_when_the_clock_stops():
    match = duel(person("Anna"), person("Bob"))
    seat, told = match.seats.get(index=0), timezone.now()
    Notice.objects.filter(kind="reminded_half").update(sent=told, due=None)
    seat.deadline = None
    notices.call_on(seat, match.epoch, told + HOUR, again=True)
    assert Notice.objects.get(kind="reminded_half").sent == told


def test_a_clock_that_stops_drops_the_reminders():
    match = duel(person("Anna"), person("Bob"))
    seat = match.seats.get(index=0)
    seat.deadline = None
    notices.call_on(seat, match.epoch, seat.called + timedelta(minutes=1), again=True)
    assert due_after_the_call(seat) == {"your_turn": timedelta(minutes=15)}


def due_after_the_call(seat: Seat) -> dict[str, timedelta]:
    waiting = Notice.objects.filter(seat=seat, due__isnull=False)
    return {notice.kind: notice.due - seat.called for notice in waiting if notice.kind != "started"}


def test_who_has_moved_gets_no_mail():
    match = duel(person("Anna"), person("Bob"))
    play_turn(match, 0)
    outbox.deliver(timezone.now() + SOON)
    assert [to for to, _ in sent()] == [["bob@example.org"]]


def test_one_mail_for_all_waiting_matches():
    anna, bob = person("Anna"), person("Bob")
    for _ in range(3):
        duel(anna, bob)
    outbox.deliver(timezone.now() + SOON)
    assert [to for to, _ in sent()].count(["anna@example.org"]) == 1


def test_who_wants_no_mail_or_has_no_address_gets_none():
    anna, bob = person("Anna", unsubscribed=True), person("Bob")
    bob.email = ""
    bob.save()
    match = duel(anna, bob)
    play_turn(match, 0)
    now = timezone.now() + SOON
    outbox.deliver(now)
    assert [to for to, _ in sent() if to == ["bob@example.org"]] == []
    assert Notice.objects.filter(due__lte=now + SOON).count() == 0


def test_mails_speak_the_language_of_the_reader():
    duel(person("Anna", language="nl"), person("Bob"))
    outbox.deliver(timezone.now() + SOON)
    anna = next(message for message in mail.outbox if message.to == ["anna@example.org"])
    assert anna.body.startswith("Tot ")
    assert "Je bent aan de beurt." in anna.body


def test_the_result_is_mailed_to_everybody():
    match = duel(person("Anna"), person("Bob"))
    finish(match)
    outbox.deliver(timezone.now() + SOON)
    assert sorted(sent()) == [
        (["anna@example.org"], f"Nilepost: Obelisk #{match.pk}"),
        (["bob@example.org"], f"Nilepost: Obelisk #{match.pk}"),
    ]


def test_an_invitation_is_mailed_and_not_after_it_was_accepted():
    anna, bob = person("Anna"), person("Bob")
    match_create(user=anna, game="obelisk", opponents=[Opponent("person", "Bob")])
    other = match_create(user=anna, game="obelisk", opponents=[Opponent("person", "x@example.org")])
    taken = match_create(user=anna, game="obelisk", opponents=[Opponent("person", "Bob")] * 2)
    services.match_join(match_id=taken.pk, user=bob)
    outbox.deliver(timezone.now())
    by_address = {message.to[0]: message.body for message in mail.outbox}
    assert sorted(by_address) == ["anna@example.org", "bob@example.org", "x@example.org"]
    assert other.link in by_address["x@example.org"]


def test_a_dead_mail_server_loses_nothing(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody listens there
    duel(person("Anna"), person("Bob"))
    now = timezone.now() + SOON
    assert outbox.deliver(now) == 0
    waiting = Notice.objects.filter(attempts__gt=0)
    assert {notice.attempts for notice in waiting} == {1}
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert outbox.deliver(now + timedelta(minutes=3)) == 2
    assert not waiting.filter(due__isnull=False).exists()


def test_a_change_that_fails_writes_no_notice():
    match = duel(person("Anna"), person("Bob"))
    before = list(Notice.objects.values())
    with pytest.raises(ZeroDivisionError):
        play_and_fail(match.pk)
    assert list(Notice.objects.values()) == before
    assert match.moves.count() == 0


def play_and_fail(match_id: int) -> None:
    """Play several turns inside one change that breaks before its end."""
    with services.changing(match_id) as change:
        for _ in range(20):
            seat = change.running.state.to_act()[0]
            change.play(seat, change.running.state.idle(seat), "player")
        1 / 0  # noqa: B018
