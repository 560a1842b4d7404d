"""Whom a mail is for when seats change hands: owners who are away, substitutes, the replaced."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games import outbox, services
from games.clock import DAY
from games.models import Match, Notice, Seat
from tests.mailserver import text_of
from tests.site.people import away, begun, chosen, duel, market, person, play_turn
from tests.site.test_outbox import HOUR, SOON, called, server, sweep

pytestmark = pytest.mark.django_db

__all__ = ["server"]  # a fixture, used by name


def offered(match: Match) -> None:
    """Let the caretaker of the first seat play for so long that a substitute may come."""
    Seat.objects.filter(match=match, index=0).update(offered=timezone.now())


def test_who_has_a_caretaker_is_not_called_to_the_board(server):
    match = chosen(person("Anna"), person("Bob"), person("Cleo"))
    start = called(match)
    away(match, match.seats.get(index=0).user)
    sweep(start, 3 * DAY, HOUR)
    assert [("It is" in text_of(mail), "A bot now" in text_of(mail)) for mail in server.to("Anna")]
    assert not any("your turn" in text_of(mail) for mail in server.to("Anna"))


def test_the_replaced_player_is_told_by_mail_and_sees_nothing_of_the_hand(server):
    anna, dora = person("Anna"), person("Dora")
    match = chosen(anna, person("Bob"), person("Cleo"))
    away(match, anna)
    outbox.deliver(timezone.now() + SOON)
    offered(match)
    services.seat_take(match_id=match.pk, user=dora)
    server.mails.clear()
    outbox.deliver(timezone.now() + SOON)
    (mail,) = server.to("Anna")
    assert "Somebody else has taken over your seat." in text_of(mail)
    assert "image/png" not in [part.get_content_type() for part in mail.walk()]
    told = [text_of(server.to(name)[0]) for name in ("Bob", "Cleo")]
    assert all("Dora has taken over the seat of Anna." in text for text in told)
    assert not any("taken over" in text_of(mail) for mail in server.to("Dora"))


def test_what_was_meant_for_the_former_player_does_not_reach_the_substitute(server):
    anna, dora = person("Anna"), person("Dora")
    match = chosen(anna, person("Bob"), person("Cleo"))
    services.seat_mute(match_id=match.pk, user_id=anna.pk, muted=True)
    away(match, anna)  # nothing of this has been mailed yet
    offered(match)
    services.seat_take(match_id=match.pk, user=dora)
    play_turn(match, 0)
    sweep(timezone.now(), HOUR)
    assert "takes care of your seat" not in "".join(map(text_of, server.to("Dora")))
    assert "taken over" not in "".join(map(text_of, server.to("Anna")))  # she has muted the match
    assert match.seats.get(index=0).muted is False


def test_a_substitute_is_reminded_of_a_turn_the_former_player_was_reminded_of(server):
    anna, dora = person("Anna"), person("Dora")
    match = chosen(anna, person("Bob"), person("Cleo"))
    sweep(called(match), 2 * DAY, HOUR)
    with time_machine.travel(called(match) + 2 * DAY, tick=False):
        away(match, anna)
        offered(match)
        services.seat_take(match_id=match.pk, user=dora)
    seat = match.seats.get(index=0)
    sweep(seat.called, seat.deadline - seat.called, HOUR)
    assert "Last chance" in text_of(server.to("Dora")[-1])


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"kind": "pause", "days": 3}, "Bob proposes a pause of 3 days."),
        ({"kind": "end"}, "Bob proposes to end the match without a result."),
    ],
)
def test_a_proposal_says_what_is_proposed_and_where_one_answers(server, wish, words):
    match = begun(person("Anna"), person("Bob"))
    bob = match.seats.get(index=1).user
    services.proposal_make(match_id=match.pk, user=bob, **wish)
    outbox.deliver(timezone.now() + timedelta(minutes=1))
    (mail,) = server.to("Anna")
    assert f"{words} You answer on the match page." in text_of(mail)


def test_a_proposal_that_was_answered_or_withdrawn_is_not_mailed_any_more(server):
    match = market(person("Anna"), person("Bob"), person("Cleo"))
    anna, bob, _cleo = (seat.user for seat in match.seats.all())
    services.proposal_make(match_id=match.pk, user=bob, kind="end")
    services.proposal_answer(match_id=match.pk, user=anna, agree=True)
    outbox.deliver(timezone.now() + timedelta(minutes=1))
    assert [len(server.to(name)) for name in ("Anna", "Bob", "Cleo")] == [0, 0, 1]
    again = duel(anna, bob)
    services.proposal_make(match_id=again.pk, user=bob, kind="end")
    services.proposal_answer(match_id=again.pk, user=bob, agree=False)
    outbox.deliver(timezone.now() + timedelta(minutes=1))
    proposed = Notice.objects.get(seat__match=again, kind="proposed")
    assert (proposed.due, proposed.sent) == (None, None)
