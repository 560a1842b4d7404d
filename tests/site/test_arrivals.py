"""A guest who logs in turns out to be a member: all the guest did is the member's from now on."""

import pytest
from django.test import Client

from accounts.models import Tie, User
from accounts.services import guest_merge
from accounts.ties import tie_set
from games import services
from games.models import Holder, Match, Message, Seat
from games.services import (
    Opponent,
    match_create,
    match_join,
    message_write,
    note_write,
    report_write,
)
from tests.site.people import duel, market, person, play_turn, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest() -> User:
    return person("Visitor", is_guest=True, email="")


def log_in_as_anna(guest: User) -> Client:
    client = Client()
    client.force_login(guest)
    client.post("/accounts/login/", {"login": "Anna", "password": "pyramid-22"})
    return client


def open_table(host: User, other: User) -> Match:
    """A table for three at which one place is free."""
    free = [Opponent("open")] * 2
    match = match_create(user=host, game="obelisk", opponents=free)
    match_join(match_id=match.pk, user=other)
    return match


def pointing_to(user: User) -> dict[str, int]:
    """Count the rows that point to somebody, by where they stand."""
    found = {}
    for relation in User._meta.related_objects:
        name = f"{relation.related_model.__name__}.{relation.field.name}"
        found[name] = relation.related_model.objects.filter(**{relation.field.name: user}).count()
    return {name: count for name, count in found.items() if count}


def test_the_matches_of_a_guest_are_the_members(anna, bob, guest):
    match = duel(guest, bob)
    guest_merge(guest, anna)
    match.refresh_from_db()
    assert ([seat.user for seat in match.seats.all()], match.host) == ([anna, bob], anna)


def test_nothing_of_a_guest_stays_behind(anna, bob, guest):
    match = duel(guest, bob, pace="leisurely")
    message_write(match=match, user=guest, text="It is me, Anna")
    message_write(match=match, user=bob, text="Welcome")
    note_write(match=match, user=guest, text="Bob hurries")
    services.day_take(match_id=match.pk, user=guest)
    report_write(reporter=guest, about=bob, match=match, reason="other", words="Too fast")
    tie_set(user=guest, other=bob, kind=Tie.Kind.FAVOURITE)
    match_create(user=bob, game="obelisk", opponents=[Opponent("person", user=guest)])
    before = pointing_to(guest)
    assert {*before} == {
        *("Holder.user", "Match.host", "Message.author", "Notebook.user", "Notice.reader"),
        *("Notice.who", "Report.reporter", "Seat.invitee", "Seat.user", "Tie.user"),
        "Vacation.user",
    }
    guest_merge(guest, anna)
    assert (pointing_to(guest), pointing_to(anna)) == ({}, {"EmailAddress.user": 1, **before})


def test_what_a_guest_said_is_blanked_when_the_member_goes(anna, bob, guest):
    message_write(match=duel(guest, bob), user=guest, text="It is me, Anna")
    guest_merge(guest, anna)
    services.person_leave(user=anna)
    assert Message.objects.get().text == ""


def test_a_seat_that_a_guest_gave_up_is_in_the_members_history(anna, bob, cleo, guest):
    match = market(bob, guest, cleo)
    services.seat_replace(match_id=match.pk, by=bob, reason="asked", seat=1, user=person("Dora"))
    guest_merge(guest, anna)
    assert list(Holder.objects.filter(seat__match=match, user=anna)) == [
        Holder.objects.get(seat=match.seats.get(index=1), substituted=True)
    ]


@pytest.mark.django_db(transaction=True)
def test_where_both_sit_at_a_table_the_guest_gets_up(anna, bob, guest):
    alone, shared, table = duel(anna, guest), market(bob, anna, guest), open_table(guest, anna)
    log_in_as_anna(guest)
    for match in (alone, shared, table):
        match.refresh_from_db()
    assert (alone.ending, [seat.rank for seat in alone.seats.all()]) == ("resigned", [1, 2])
    assert [seat.has_caretaker for seat in shared.seats.all()] == [False, False, True]
    assert [seat.user for seat in table.seats.all()] == [None, anna, None]
    assert table.host == anna


def test_what_the_member_has_made_of_somebody_stands(anna, bob, guest):
    tie_set(user=guest, other=bob, kind=Tie.Kind.FAVOURITE)
    tie_set(user=guest, other=anna, kind=Tie.Kind.FAVOURITE)
    tie_set(user=anna, other=bob, kind=Tie.Kind.BLOCKED)
    guest_merge(guest, anna)
    assert list(Tie.objects.filter(user=anna).values_list("other", "kind")) == [(bob.pk, "blocked")]


def test_the_reminders_of_a_turn_reach_the_member(anna, bob, guest):
    match = duel(guest, bob)
    waiting = match.seats.get(index=0).notices.filter(due__isnull=False).order_by("kind")
    kinds = ["last_chance", "reminded_half", "reminded_late", "started", "your_turn"]
    told = [list(waiting.values_list("reader", "kind"))]
    guest_merge(guest, anna)
    told.append(list(waiting.values_list("reader", "kind")))
    assert told == [[(user.pk, kind) for kind in kinds] for user in (guest, anna)]


def test_logging_in_is_what_does_it(anna, bob, guest):
    match = duel(guest, bob)
    play_turn(match, 0)
    client = log_in_as_anna(guest)
    assert client.get(f"/matches/{match.pk}/").context["user"] == anna
    assert Seat.objects.filter(user=guest).count() == 0


def test_a_guest_sits_at_no_rated_table_whoever_seats_them(anna, bob, cleo, guest):
    assert not match_create(
        user=guest, game="obelisk", opponents=[Opponent("open")], rated=True
    ).rated
    match = market(anna, bob, cleo, rated=True)
    asked = {"match_id": match.pk, "by": anna, "reason": "asked", "seat": 1, "user": guest}
    assert refused(services.seat_replace, **asked) == "members_only"
