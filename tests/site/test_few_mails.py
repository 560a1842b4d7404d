"""What counts as a mail for who wants few, to whom a turn is told, and when a mail is given up."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import Delivery, User
from games import outbox
from games.models import Notice
from games.outbox import MOST_ATTEMPTS
from games.services.moderation import seat_replace
from tests.site.people import duel, person

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=16)


@pytest.fixture
def anna() -> User:
    return person("Anna", notify="limited", mail_hours=48)


def told(user: User) -> list[str]:
    """What the mails that leave soon tell somebody."""
    mail.outbox.clear()
    outbox.deliver(timezone.now() + SOON)
    return [str(one.body) for one in mail.outbox if one.to == [user.email]]


def delivered(user: User, **how: object) -> None:
    sent = {"to": user.email, "message_id": "<before@localhost>", "created": timezone.now()}
    Delivery.objects.create(user=user, **sent, **how)


def test_a_mail_that_left_keeps_the_next_waiting(anna, bob):
    delivered(anna, state="sent")
    duel(anna, bob)
    assert told(anna) == []


@pytest.mark.parametrize("how", [{"state": "sent", "is_test": True}, {"state": "failed"}])
def test_a_test_and_a_mail_that_failed_keep_no_other_waiting(anna, bob, how):
    delivered(anna, **how)
    duel(anna, bob)
    (body,) = told(anna)
    assert "It is your turn." in body


def test_who_was_replaced_before_the_mail_left_is_not_called(bob, cleo):
    match, dirk, root = duel(bob, cleo), person("Dirk"), person("Root", is_staff=True)
    seat_replace(match_id=match.pk, by=root, reason="asked", seat=0, user=dirk)
    (body,) = told(bob)
    assert "It is your turn." not in body
    assert "Somebody else has taken over your seat." in body


def test_what_breaks_a_snooze_takes_nothing_along(bob, cleo):
    first = duel(bob, cleo, pace="brisk")
    second = duel(bob, cleo, pace="leisurely")
    User.objects.filter(pk=bob.pk).update(snoozed_until=timezone.now() + timedelta(days=20))
    outbox.deliver(timezone.now() + SOON)
    outbox.deliver(first.seats.get(index=0).deadline - timedelta(hours=3))
    left = Notice.objects.filter(reader=bob).exclude(sent=None)
    told = sorted(left.values_list("seat__match", "kind"))
    assert told == [(first.pk, "last_chance")]
    assert Notice.objects.get(seat__match=second, kind="your_turn").due is not None


def test_a_mail_that_is_refused_eight_times_is_given_up(bob, cleo, settings, caplog):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody listens there
    duel(bob, cleo)
    Notice.objects.exclude(kind="your_turn").delete()
    now = timezone.now() + SOON
    for attempt in range(1, MOST_ATTEMPTS + 2):
        outbox.deliver(now)
        notice = Notice.objects.get()
        assert notice.attempts == min(attempt, MOST_ATTEMPTS)
        if attempt < MOST_ATTEMPTS:  # each time twice as late
            assert notice.due == now + timedelta(minutes=2**attempt)
        now += timedelta(days=1)
    assert (notice.due, notice.sent, bool(notice.error)) == (None, None, True)
    assert caplog.text.count("not sent, will be tried again") == MOST_ATTEMPTS
