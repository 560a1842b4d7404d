"""When a mail leaves, and how often: through a real mail server, as each person wants it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Delivery, User
from games import notices, outbox, tasks
from games.models import Match, Notice, Seat
from games.services import (
    Opponent,
    day_take,
    match_create,
    notices_retry,
    vacation_end,
    vacation_start,
)
from tests.mailserver import MailServer, mail_server, text_of
from tests.site.people import duel, person, play_turn
from tests.site.test_concurrency import at_once

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SOON = timedelta(minutes=16)


@pytest.fixture
def server(settings) -> Iterator[MailServer]:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    with mail_server() as running:
        settings.EMAIL_PORT = running.port
        yield running


def called(match: Match) -> datetime:
    seat = match.seats.get(to_act=True)
    assert seat.called
    return seat.called


def sweep(start: datetime, until: timedelta, step: timedelta = timedelta(minutes=10)) -> None:
    """Let time pass, with a look at the outbox every ten minutes if there is anything in it."""
    for number in range(1, until // step + 1):
        now = start + number * step
        if Notice.objects.filter(due__lte=now).exists():
            with time_machine.travel(now, tick=False):
                outbox.deliver(now)


def firsts(mails) -> list[str]:
    """The first sentence of each mail, after its deadline and title."""
    return [text_of(mail).split("\n\n")[1].splitlines()[1] for mail in mails]


# --- a turn ----------------------------------------------------------------------------------


def test_a_whole_turn_is_told_four_times_and_each_time_once(server):
    match = duel(person("Anna"), person("Bob"))
    sweep(called(match), 72 * HOUR)
    assert firsts(server.to("Anna")) == [
        "It is your turn.",
        "It is still your turn, and half of your time is gone.",
        "It is still your turn, and most of your time is gone.",
        "Last chance: it is your turn and your time is nearly up.",
    ]


def test_after_the_move_there_is_no_mail(server):
    match = duel(person("Anna"), person("Bob"))
    start = called(match)
    play_turn(match, 0)
    sweep(start, 2 * HOUR)
    assert [len(server.to(name)) for name in ("Anna", "Bob")] == [0, 1]


def test_two_turns_in_quick_succession_are_one_mail(server):
    anna, bob = person("Anna"), person("Bob")
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False) as clock:
        first, start = duel(anna, bob), timezone.now()
        clock.shift(timedelta(minutes=5))
        second = duel(anna, bob)
    sweep(start, HOUR, timedelta(minutes=1))
    assert len(server.to("Anna")) == 1
    text = text_of(server.to("Anna")[0])
    assert (str(first) in text, str(second) in text) == (True, True)


def test_an_open_page_keeps_nobody_from_the_mail(server, client):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    client.force_login(anna)
    for _look in range(3):
        client.get(f"/matches/{match.pk}/")
    sweep(called(match), HOUR)
    assert len(server.to("Anna")) == 1


def test_a_vacation_moves_the_reminders_with_the_deadline(server):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    start = called(match)
    with time_machine.travel(start + HOUR, tick=False):
        vacation_start(user=anna, begins=timezone.now(), days=7)
    seat = match.seats.get(index=0)
    assert seat.deadline > start + 7 * DAY
    sweep(start, seat.deadline - start - 4 * HOUR, HOUR)
    assert "Last chance" not in "".join(firsts(server.to("Anna")))
    sweep(seat.deadline - 4 * HOUR, 4 * HOUR)
    assert firsts(server.to("Anna"))[-1].startswith("Last chance")


def test_who_takes_a_day_is_reminded_again_of_the_later_deadline(server):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    start = called(match)
    sweep(start, 70 * HOUR)
    before = len(server.to("Anna"))
    with time_machine.travel(start + 70 * HOUR, tick=False):
        day_take(match_id=match.pk, user=anna)
    sweep(start + 70 * HOUR, 25 * HOUR)
    told = [Delivery.objects.get(message_id=mail["Message-ID"]) for mail in server.to("Anna")]
    assert firsts(server.to("Anna")[before:]) == [
        "It is still your turn, and most of your time is gone.",
        "Last chance: it is your turn and your time is nearly up.",
    ]
    assert [(one.created - start) // HOUR for one in told[before:]] == [76, 93]


# --- as each wants it ------------------------------------------------------------------------


def test_at_most_one_mail_in_some_hours_but_for_what_is_urgent(server):
    match = duel(person("Anna", notify="limited", mail_hours=48), person("Bob"))
    start = called(match)
    sweep(start, 72 * HOUR)
    told = [Delivery.objects.get(message_id=mail["Message-ID"]) for mail in server.to("Anna")]
    after = [(delivery.created - start) / HOUR for delivery in told]
    # Half of the time was over after 36 hours; that mail had to wait, the pressing ones not.
    assert after == pytest.approx([20 / 60, 48 + 20 / 60, 57 + 40 / 60, 69])


def test_the_daily_mail_comes_at_its_hour_and_urgent_ones_break_through(server):
    anna = person("Anna", notify="digest", digest_hour=8, time_zone="Europe/Amsterdam")
    bob = person("Bob")
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False):  # Monday
        first, start = duel(anna, bob), timezone.now()
    with time_machine.travel(datetime(2026, 5, 4, 22, tzinfo=UTC), tick=False):
        second = duel(anna, bob)
    sweep(start, 71 * HOUR)
    mails = server.to("Anna")
    assert [when(mail) for mail in mails] == [
        "2026-05-05 06:00",  # eight o'clock in Amsterdam, both matches in one mail
        "2026-05-06 06:00",  # both are half over
        "2026-05-06 21:40",  # four fifths of the first
        "2026-05-07 06:00",
        "2026-05-07 07:40",  # four fifths of the second
        "2026-05-07 09:00",  # last chance of the first
    ]
    assert str(first) in text_of(mails[0])
    assert str(second) in text_of(mails[0])


def when(mail) -> str:
    delivery = Delivery.objects.get(message_id=mail["Message-ID"])
    return delivery.created.strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("day", "hour", "utc"),
    [
        ("2026-03-28", 2, "2026-03-28 01:00"),
        ("2026-03-29", 2, "2026-03-29 01:00"),  # there is no two o'clock on this day
        ("2026-03-30", 2, "2026-03-30 00:00"),
        ("2026-10-25", 2, "2026-10-25 00:00"),  # there are two of them: the first counts
        ("2026-10-26", 2, "2026-10-26 01:00"),
    ],
)
def test_the_daily_mail_comes_once_on_days_that_have_an_hour_less_or_more(day, hour, utc):
    anna = person("Anna", digest_hour=hour, time_zone="Europe/Amsterdam")
    noon = datetime.fromisoformat(f"{day} 12:00+00:00")
    last, following = anna.digest_moments(noon)
    assert last.strftime("%Y-%m-%d %H:%M") == utc
    assert anna.digest_moments(following)[0] == following


def test_who_wants_no_turn_mails_is_warned_all_the_same_before_the_end(server):
    match = duel(person("Anna", notify="none", declined=["reminders"]), person("Bob"))
    sweep(called(match), 72 * HOUR)
    assert [sentence[:11] for sentence in firsts(server.to("Anna"))] == ["Last chance"]


@pytest.mark.parametrize("stop", ["mute", "snooze"])
def test_a_muted_match_and_a_snooze_let_only_the_last_chance_through(server, stop):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    if stop == "mute":
        match.seats.filter(user=anna).update(muted=True)
    else:
        anna.snoozed_until = called(match) + 30 * DAY
        anna.save()
    sweep(called(match), 72 * HOUR)
    assert [sentence[:11] for sentence in firsts(server.to("Anna"))] == ["Last chance"]


def test_after_a_snooze_the_turn_is_told(server):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    anna.snoozed_until = called(match) + 20 * HOUR
    anna.save()
    sweep(called(match), 19 * HOUR)
    assert server.to("Anna") == []
    sweep(called(match) + 19 * HOUR, 2 * HOUR)
    assert firsts(server.to("Anna")) == ["It is your turn."]


@pytest.mark.parametrize(
    "change",
    [
        {"unsubscribed": True},
        {"dead_address": "ANNA@example.org"},
        {"email": ""},
        {"email": "other@example.org"},  # not verified yet
        {"is_active": False},
    ],
)
def test_nothing_leaves_if_between_the_event_and_the_mail_something_changed(server, change):
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    type(anna).objects.filter(pk=anna.pk).update(**change)
    sweep(called(match), 72 * HOUR)
    assert [mail["To"] for mail in server.mails] == ["bob@example.org"]
    assert Notice.objects.filter(seat__user=anna, due__isnull=False).count() == 0


def test_an_address_is_verified_before_the_first_mail_but_an_invitation_needs_none(server):
    match = duel(person("Anna", verified=False), person("Bob", verified=False))
    match_create(user=match.host, game="obelisk", opponents=[Opponent("person", "oma@example.org")])
    sweep(called(match), 72 * HOUR)
    assert [mail["To"] for mail in server.mails] == ["oma@example.org"]


@pytest.mark.parametrize(
    ("topic", "kind"),
    [("course", "finished"), ("nudges", "nudged"), ("chat", "chat"), ("vacation", "vacation_used")],
)
def test_each_topic_can_be_declined_by_itself(server, topic, kind):
    anna, bob = person("Anna", declined=[topic]), person("Bob")
    match = duel(anna, bob)
    Notice.objects.all().delete()
    for seat in match.seats.all():
        notices.post(seat, kind, 7)
    Seat.objects.filter(match=match).update(to_act=True)
    outbox.deliver(timezone.now() + SOON)
    assert [len(server.to(name)) for name in ("Anna", "Bob")] == [0, 1]


# --- never two -------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_message_of_the_broker_that_comes_eight_times_is_one_mail(server):
    match = duel(person("Anna"), person("Bob"))
    with time_machine.travel(called(match) + SOON, tick=False):
        at_once(*[tasks.tick] * 8)
    assert [len(server.to(name)) for name in ("Anna", "Bob")] == [1, 1]


def test_a_refusal_is_tried_again_later_and_each_time_twice_as_late(server):
    match = duel(person("Anna"), person("Bob"))
    start = called(match)
    Notice.objects.exclude(kind="your_turn").delete()
    server.answers = ["451 not now", "451 not yet"]
    for minutes, mails, state in ((16, 0, "failed"), (17, 0, "failed"), (18, 0, "failed")):
        outbox.deliver(start + timedelta(minutes=minutes))
        assert (len(server.mails), Delivery.objects.get().state) == (mails, state)
    assert Notice.objects.get().attempts == 2
    outbox.deliver(start + timedelta(minutes=23))
    assert (len(server.mails), Delivery.objects.get().state) == (1, "sent")


def test_a_connection_that_breaks_after_the_mail_was_taken_is_not_followed_by_a_second(server):
    match = duel(person("Anna"), person("Bob"))
    Notice.objects.exclude(kind="your_turn").delete()
    server.answers = [""]
    sweep(called(match), 24 * HOUR, HOUR)
    assert (len(server.mails), Delivery.objects.get().state) == (1, "handed")
    assert Notice.objects.get().due is None


def test_a_refusal_of_something_else_does_not_send_a_mail_again_that_may_have_left(server):
    """A worker's process that was born while the broker refused lives in that handler for ever."""
    match = duel(person("Anna"), person("Bob"))
    Notice.objects.exclude(kind="your_turn").delete()
    server.answers = [""]
    try:
        raise ConnectionRefusedError("the broker")
    except ConnectionRefusedError:
        sweep(called(match), 24 * HOUR, HOUR)
    assert (len(server.mails), Delivery.objects.get().state) == (1, "handed")


class Killed(BaseException):
    """What a worker meets with kill -9: nothing of ours runs any more."""


def killed(*_args: object) -> None:
    raise Killed


def test_a_worker_that_dies_before_the_hand_over_is_replaced_after_ten_minutes(server, monkeypatch):
    match = duel(person("Anna"), person("Bob"))
    Notice.objects.exclude(kind="your_turn").delete()
    with monkeypatch.context() as broken:
        broken.setattr(outbox, "_handed_over", killed)
        with pytest.raises(Killed):
            outbox.deliver(called(match) + SOON)
    outbox.deliver(called(match) + SOON + timedelta(minutes=9))
    assert server.mails == []
    outbox.deliver(called(match) + SOON + timedelta(minutes=10))
    assert len(server.mails) == 1


def test_a_mail_that_killed_eight_workers_is_given_up_and_can_be_asked_for_again(
    server, monkeypatch
):
    match = duel(person("Anna"), person("Bob"))
    Notice.objects.exclude(kind="your_turn").delete()
    moment = called(match) + SOON
    with monkeypatch.context() as broken:
        broken.setattr(outbox, "_handed_over", killed)
        for _ in range(8):
            with pytest.raises(Killed):
                outbox.deliver(moment)
            moment += timedelta(minutes=10)
        outbox.deliver(moment)
    notice = Notice.objects.get()
    assert (notice.due, notice.sent, notice.error) == (None, None, "No worker lived to send it.")
    assert notices_retry(notices=[notice.pk], by=person("Staff")) == 1
    outbox.deliver(timezone.now())
    assert len(server.mails) == 1


def two_turns(anna: User, at: datetime) -> tuple[Match, Match]:
    """Two matches of which nothing is to be told but that it is Anna's turn."""
    bob = person("Bob")
    with time_machine.travel(at, tick=False):
        matches = duel(anna, bob), duel(anna, bob)
    Notice.objects.exclude(reader=anna, kind="your_turn").delete()
    return matches


@pytest.mark.parametrize("calm", [{"notify": "limited", "mail_hours": 72}, {"notify": "digest"}])
def test_a_turn_whose_worker_was_killed_is_not_put_off_by_the_mails_after_it(
    server, monkeypatch, calm
):
    """It was allowed to leave once; for the reader nothing has left yet."""
    anna = person("Anna", digest_hour=12, **calm)
    first, second = two_turns(anna, datetime(2026, 5, 4, 11, 50, tzinfo=UTC))
    start = datetime(2026, 5, 5, 12, tzinfo=UTC)
    Notice.objects.filter(seat__match=second).update(kind="last_chance", due=start + 6 * HOUR)
    Notice.objects.filter(seat__match=first).update(due=start)
    with monkeypatch.context() as broken:
        broken.setattr(outbox, "_handed_over", killed)
        with pytest.raises(Killed):
            outbox.deliver(start)
    Seat.objects.filter(match=second, user=anna).update(deadline=start + 3 * HOUR)
    Notice.objects.filter(kind="last_chance").update(due=start)
    sweep(start, HOUR, timedelta(minutes=5))
    assert firsts(server.to("Anna")) == [
        "Last chance: it is your turn and your time is nearly up.",
        "It is your turn.",
    ]


def test_what_waits_for_a_calm_hour_leaves_with_the_urgent_mail_that_breaks_it(server):
    """Else an urgent mail a day would keep the result of a match from its reader for ever."""
    anna = person("Anna", notify="limited", mail_hours=72)
    match = duel(anna, person("Bob"))
    start = called(match)
    sweep(start, HOUR)
    notices.post(match.seats.get(index=0), Notice.Kind.PAUSED, 7)
    sweep(start + HOUR, 59 * HOUR)
    assert ["The match is paused" in text_of(mail) for mail in server.to("Anna")] == [False, True]


def test_a_worker_that_wakes_after_its_lease_sends_nothing(server, monkeypatch):
    """It was asleep while another did its work."""
    match = duel(person("Anna"), person("Bob"))
    Notice.objects.exclude(kind="your_turn").delete()
    now = called(match) + SOON
    write = outbox.mail_for

    def slow(claim):
        monkeypatch.setattr(outbox, "mail_for", write)
        outbox.deliver(now + outbox.LEASE)
        return write(claim)

    monkeypatch.setattr(outbox, "mail_for", slow)
    assert outbox.deliver(now) == 0
    assert len(server.mails) == 1


def test_a_worker_that_wakes_after_its_lease_sends_nothing_though_its_mail_would_bear_another_name(
    server, monkeypatch
):
    """Meanwhile the turn was told in a mail about something more pressing."""
    anna, noon = person("Anna"), datetime(2026, 5, 4, 12, tzinfo=UTC)
    calm, pressing = two_turns(anna, noon)
    now = noon + SOON
    soon = {"kind": "last_chance", "due": now + outbox.LEASE}
    Notice.objects.filter(seat__match=pressing).update(**soon)
    Seat.objects.filter(match=pressing, user=anna).update(deadline=now + 2 * HOUR)
    write = outbox.mail_for

    def slow(claim):
        monkeypatch.setattr(outbox, "mail_for", write)
        outbox.deliver(now + outbox.LEASE)
        return write(claim)

    monkeypatch.setattr(outbox, "mail_for", slow)
    assert outbox.deliver(now) == 0
    (mail,) = server.mails
    assert [str(match) in text_of(mail) for match in (calm, pressing)] == [True, True]


def test_a_reminder_moved_away_while_its_mail_was_written_keeps_no_other_match_waiting(
    server, monkeypatch
):
    noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
    moved, other = two_turns(person("Anna"), noon)
    now = noon + SOON
    write = outbox.mail_for

    def slow(claim):
        Notice.objects.filter(seat__match=moved).update(due=now + DAY)
        return write(claim)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(outbox, "mail_for", slow)
        assert outbox.deliver(now) == 0
    outbox.deliver(now + timedelta(seconds=10))
    assert [str(other) in text_of(mail) for mail in server.to("Anna")] == [True]


def test_a_last_chance_told_before_keeps_no_other_event_from_being_told(server):
    """A vacation that is announced and called off brings the deadline back to where it was."""
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    start = called(match)
    sweep(start, 70 * HOUR)
    assert firsts(server.to("Anna"))[-1].startswith("Last chance")
    with time_machine.travel(start + 70 * HOUR, tick=False):
        away = vacation_start(user=anna, begins=timezone.now() + HOUR, days=7)
        vacation_end(user=anna, vacation_id=away.pk)
        notices.post(match.seats.get(index=0), Notice.Kind.PAUSED, 7)
    before = len(server.to("Anna"))
    sweep(start + 70 * HOUR, HOUR)
    (mail,) = server.to("Anna")[before:]
    assert ("is paused" in text_of(mail), "Last chance" in text_of(mail)) == (True, False)


# --- tests and limits ------------------------------------------------------------------------


def test_a_test_mail_shows_in_the_list_with_its_state(server, client):
    anna = person("Anna")
    client.force_login(anna)
    server.answers = ["550 no such mailbox"]
    words = [client.post("/mail/test/", follow=True).content.decode() for _click in range(6)]
    assert "The mail server did not take the test mail." in words[0]
    assert "no such mailbox" in words[0]
    assert "The test mail is on its way to you." in words[1]
    assert "That was enough test mails for today." in words[5]
    assert len(server.to("Anna")) == 4


def test_a_host_invites_only_so_many_in_a_day(server, monkeypatch):
    from games.engine.contract import Refused
    from games.services import tables

    monkeypatch.setattr(tables, "INVITATIONS", 2)
    anna = person("Anna")
    for number in range(2):
        guest = Opponent("person", f"p{number}@example.org")
        match_create(user=anna, game="obelisk", opponents=[guest])
    with pytest.raises(Refused, match="too_many_invitations"):
        match_create(user=anna, game="obelisk", opponents=[guest])
