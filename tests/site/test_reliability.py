"""Reliability: a table may ask for people who make their turns in time."""

import pytest
from django.utils import timezone

from accounts.models import User
from games import services
from games.clock import DAY
from games.engine.contract import Refused
from games.models import Holder, Match
from games.profiles import InTime, in_time_of
from games.services import Opponent, match_create, match_join
from tests.site.people import away, begun, chosen, duel, person, refused, sweep

pytestmark = pytest.mark.django_db


def table_of(host: User, *opponents: Opponent) -> Match:
    """An open table for people who make nine of ten turns in time."""
    return match_create(
        user=host,
        game="obelisk",
        opponents=opponents or [Opponent("open")],
        least_in_time=90,
    )


def unreliable(name: str, *, made: int, missed: int) -> User:
    """Somebody of whose latest turns some were not made in time."""
    user = person(name)
    match = duel(user, person(f"{name}s-friend"))
    now = int(timezone.now().timestamp())
    Holder.objects.filter(seat__match=match, user=user).update(
        marks=[now] * made + [-now] * missed, marked=timezone.now()
    )
    return user


def test_a_table_may_ask_for_people_who_make_their_turns_in_time(anna):
    table = table_of(anna)
    late = unreliable("Dirk", made=17, missed=3)
    with pytest.raises(Refused) as caught:
        match_join(match_id=table.pk, user=late)
    assert (caught.value.key, caught.value.params) == ("not_reliable", {"least": 90, "share": 85})
    match_join(match_id=table.pk, user=unreliable("Eva", made=18, missed=2))


def test_who_is_new_is_not_called_unreliable(anna):
    table = table_of(anna)
    match_join(match_id=table.pk, user=unreliable("Dirk", made=0, missed=9))


def test_ten_turns_are_enough_to_be_judged_by(anna):
    table = table_of(anna)
    late = unreliable("Dirk", made=8, missed=2)
    assert refused(match_join, match_id=table.pk, user=late) == "not_reliable"


def test_a_substitute_must_be_as_reliable_as_who_joins_the_table(anna, bob, cleo):
    match = chosen(anna, bob, cleo, least_in_time=90)
    away(match, anna)
    services.match_look(match_id=match.pk, now=timezone.now() + 3 * DAY)
    take = {"match_id": match.pk, "user": unreliable("Dirk", made=17, missed=3)}
    assert refused(services.seat_take, **take) == "not_reliable"
    services.seat_take(match_id=match.pk, user=unreliable("Eva", made=18, missed=2))


def test_who_loses_on_time_has_missed_a_turn(anna, bob):
    sweep(begun(anna, bob))
    assert (in_time_of(anna), in_time_of(bob)) == (InTime(turns=3, made=2), InTime(2, 2))


def test_whom_the_host_invited_is_welcome_all_the_same(anna):
    late = unreliable("Dirk", made=10, missed=10)
    table = table_of(anna, Opponent("person", "Dirk"))
    match_join(match_id=table.pk, user=late)


def test_the_host_chooses_it_and_the_lobby_the_table_and_the_refusal_say_so(client, anna):
    client.force_login(anna)
    form = {"seats": 2, "opponent_1": "open", "pace": "standard", "least_in_time": "90"}
    form |= {"option_expert": "0", "option_first_player": "random"}
    answer = client.post("/new/obelisk/", form)
    assert answer.status_code == 302, answer.content.decode()
    table = Match.objects.get(host=anna)
    assert table.least_in_time == 90
    client.force_login(unreliable("Dirk", made=10, missed=10))
    said = "at least 90 % of turns in time"
    assert said in client.get("/lobby/").content.decode()
    assert said in client.get(f"/matches/{table.pk}/").content.decode()
    answer = client.post(f"/matches/{table.pk}/join/", follow=True)
    assert (
        "This table is for people who make at least 90 % of their turns in time. Of your last"
        " turns it was 50 %."
    ) in answer.content.decode()
