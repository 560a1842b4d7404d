"""Whoever sat on a seat when something was said or done is named with it for ever."""

from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.apikeys import key_create
from accounts.models import User
from games import correspondence, pages, queries, records, services, tasks
from games.clock import DAY, HOUR
from games.models import Holder, Match, Notice, Seat
from games.services.moderation import seat_replace
from games.views.cards import running_card
from tests.site.people import duel, finish, market, person, play_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def dirk() -> User:
    return person("Dirk")


def caretaken(match: Match, user: User) -> None:
    """Let a player give up and a caretaker make one turn, the others theirs."""
    services.match_resign(match_id=match.pk, user=user)
    Seat.objects.filter(match=match, user=user).update(bot="easy")  # thinks faster
    tasks.think(match.pk)
    play_turn(match, 1)
    play_turn(match, 2)


def taken_over(match: Match, user: User) -> None:
    services.match_look(match_id=match.pk, now=timezone.now() + 3 * DAY)
    services.seat_take(match_id=match.pk, user=user)
    match.refresh_from_db()


@pytest.fixture
def match(anna, bob, cleo, dirk) -> Match:
    """Anna makes a turn, her caretaker one, Dirk takes over and makes one: all in an instant."""
    with time_machine.travel(timezone.now(), tick=False):
        match = market(anna, bob, cleo)
        for seat in (0, 1, 2, 0, 1, 2):
            play_turn(match, seat)
        caretaken(match, anna)
        taken_over(match, dirk)
        play_turn(match, 0)
    match.refresh_from_db()
    return match


def turns(match: Match, seat: int | None = None) -> list[tuple[str, str]]:
    """Who is named above each turn of the log, and in its last sentence."""
    page = pages.context_of(pages.sight_of(queries.match_with_seats(match.pk), seat))["page"]
    return [(turn.name, turn.sentences[-1].text) for turn in page.turns]


def test_the_page_names_who_sat_there_when_it_was_said_though_all_was_in_one_instant(match):
    spoken = [one for one in turns(match) if one[0] in ("Anna", "Anna (caretaker)", "Dirk")]
    assert [name for name, _said in spoken] == ["Anna", "Anna", "Anna (caretaker)", "Dirk"]
    assert all(said.startswith(f"{name} ") for name, said in spoken)


def test_what_the_site_said_names_them_too(match):
    said = [sentence for name, sentence in turns(match) if not name]
    assert said == [
        "Anna resigns: a caretaker bot takes over.",
        "Dirk takes over the seat.",
    ]


def test_in_dutch_a_caretaker_is_one_too(match):
    with translation.override("nl"):
        names = [name for name, _said in turns(match) if name.startswith("Anna")]
    assert names == ["Anna", "Anna", "Anna (waarnemer)"]


def test_the_recap_names_the_caretaker_for_whom_it_moved(anna, bob, cleo):
    match = market(anna, bob, cleo)
    for seat in (0, 1, 2, 0, 1, 2):
        play_turn(match, seat)
    services.match_resign(match_id=match.pk, user=anna)
    Seat.objects.filter(match=match, user=anna).update(bot="easy")
    tasks.think(match.pk)
    page = pages.context_of(pages.sight_of(queries.match_with_seats(match.pk), 1))["page"]
    texts = [sentence.text for sentence in page.recap]
    assert "Anna (caretaker) ends the turn." in texts
    assert not any(text.startswith("Anna ends") for text in texts)


def test_the_recap_of_who_was_away_names_the_first_holder_and_the_second(match, bob):
    page = pages.context_of(pages.sight_of(queries.match_with_seats(match.pk), 1))["page"]
    texts = [sentence.text for sentence in page.recap]
    place = texts.index("Anna makes room for a substitute.")
    assert texts[place + 1] == "Dirk takes over the seat."
    assert "Dirk ends the turn." in texts
    assert not any("Anna ends" in text for text in texts)


def test_the_replay_shows_at_each_step_who_sat_there(client, match):
    steps = match.moves.count()
    first = client.get(f"/matches/{match.pk}/replay/?at=1").content.decode()
    last = client.get(f"/matches/{match.pk}/replay/?at={steps}").content.decode()
    for html in (first, last):
        assert [
            name for name in ("Anna", "Anna (caretaker)", "Dirk") if f">{name}</p>" in html
        ] == [
            "Anna",
            "Anna (caretaker)",
            "Dirk",
        ]
    assert "Dirk ends the turn." in last
    names = [step_names(match, at) for at in (0, 1, steps)]
    assert names == [("Anna", "Bob", "Cleo")] * 2 + [("Dirk", "Bob", "Cleo")]


def step_names(match: Match, at: int) -> tuple[str, ...]:
    from django.contrib.auth.models import AnonymousUser
    from django.test import RequestFactory

    from games.views.history import step_of

    request = RequestFactory().get("/", {"at": at})
    request.user = AnonymousUser()
    return step_of(request, queries.match_with_seats(match.pk)).names


def test_the_record_tells_from_which_move_on_somebody_else_sat_there(client, match):
    mine = list(match.moves.filter(seat=0, by="player").values_list("pk", flat=True))
    numbers = {pk: n for n, pk in enumerate(match.moves.values_list("pk", flat=True), 1)}
    since = Holder.objects.get(user__username="Dirk").first_move
    first = min(n for pk, n in numbers.items() if pk >= since)
    finish(match)
    text = client.get(f"/matches/{match.pk}/record.txt").content.decode()
    assert f"seat 0: Anna, from move {first} Dirk" in text.splitlines()
    assert "seat 1: Bob" in text.splitlines()
    kinds = {line.partition("#")[2].strip() for line in text.splitlines() if ". 0: " in line}
    assert kinds == {"", "caretaker"}
    assert records.differences(records.read_record(text)) == []
    assert {numbers[pk] >= first for pk in mine} == {True, False}


def test_a_mail_names_who_sat_there_when_it_happened(match, bob, anna, dirk):
    kinds = ["caretaker", "substitute_sought", "substituted", "your_turn"]
    notices = list(Notice.objects.filter(reader=bob, kind__in=kinds).order_by("pk"))
    claim = correspondence.Claim(to=bob, notices=tuple(notices), now=timezone.now())
    mail = correspondence.mail_for(claim)
    for sentence in (
        "Anna has resigned, and a bot now takes care of the seat.",
        "A substitute is sought for the seat of Anna.",
        "Dirk has taken over the seat of Anna.",
        "Dirk ends the turn.",
    ):
        assert sentence in mail.message.body


def test_the_api_tells_the_same_story(client, match, bob):
    key = key_create(bob, "My bot")
    answer = client.get(
        f"/api/matches/{match.pk}/log/", headers={"authorization": f"Bearer {key}"}
    ).json()
    ends = [line["text"] for line in answer["lines"] if line["key"] == "ended_turn"]
    names = [text.removesuffix(" ends the turn.") for text in ends]
    assert [name for name in names if name not in ("Bob", "Cleo")] == [
        "Anna",
        "Anna (caretaker)",
        "Dirk",
    ]


def test_a_card_of_my_matches_says_that_a_caretaker_moved(client, anna, bob, cleo):
    match = market(anna, bob, cleo)
    for seat in (0, 1, 2):
        play_turn(match, seat)
    services.match_resign(match_id=match.pk, user=anna)
    Seat.objects.filter(match=match, user=anna).update(bot="easy")
    tasks.think(match.pk)
    client.force_login(bob)
    assert "Anna (caretaker) ends the turn." in client.get("/matches/").content.decode()


@pytest.mark.parametrize(("left", "is_urgent"), [(13, False), (12, False), (11, True)])
def test_a_card_is_urgent_in_the_last_twelve_hours(anna, bob, left, is_urgent):
    match = queries.match_with_seats(duel(anna, bob).pk)
    now = match.seats.all()[0].deadline - left * HOUR
    assert running_card(match, anna, {}, now).is_urgent == is_urgent


def test_while_a_caretaker_plays_nothing_waits_for_its_owner(anna, bob, cleo):
    match = market(anna, bob, cleo)
    waiting = [queries.turns_waiting_for(anna), list(queries.matches_waiting_for(anna))]
    services.match_resign(match_id=match.pk, user=anna)
    assert match.seats.get(index=0).to_act
    assert waiting == [1, [match]]
    assert queries.turns_waiting_for(anna) == 0
    assert list(queries.matches_waiting_for(anna)) == []
    assert list(queries.matches_running_elsewhere(anna)) == [match]


def test_a_recap_is_for_players_only(match):
    seen = queries.match_with_seats(match.pk)
    recaps = [pages.context_of(pages.sight_of(seen, seat))["page"].recap for seat in (1, None)]
    assert [bool(recap) for recap in recaps] == [True, False]


def test_what_a_turn_owes_is_told_to_whose_turn_it_is(match):
    seen = queries.match_with_seats(match.pk)
    (called,) = [seat.index for seat in seen.seats.all() if seat.to_act]
    viewers = (called, (called + 1) % 3, None)
    found = [pages.context_of(pages.sight_of(seen, seat))["page"].duties for seat in viewers]
    assert [bool(duties) for duties in found] == [True, False, False]


def test_who_was_replaced_finds_the_match_among_the_finished(client, match, anna):
    client.force_login(anna)
    assert f"/matches/{match.pk}/" not in client.get("/matches/").content.decode()
    finish(match)
    assert f"/matches/{match.pk}/" in client.get("/matches/").content.decode()


def test_who_has_left_the_site_is_nameless_in_every_line(client, match, anna, bob):
    assert any("Anna" in said for _name, said in turns(match))  # and this process remembers it
    services.person_leave(user=anna)
    anna.refresh_from_db()
    spoken = {name for name, _said in turns(match)}
    assert anna.username in spoken
    assert not any("Anna" in name + said for name, said in turns(match))
    finish(match)
    text = client.get(f"/matches/{match.pk}/record.txt").content.decode()
    assert "Anna" not in text
    notices = tuple(Notice.objects.filter(reader=bob, kind="caretaker"))
    claim = correspondence.Claim(to=bob, notices=notices, now=timezone.now())
    assert "Anna" not in correspondence.mail_for(claim).message.body


def test_who_plays_on_alone_meets_a_bot_where_somebody_sat(anna, bob, cleo):
    match = market(anna, bob, cleo)
    for seat in (0, 1, 2, 0, 1, 2):
        play_turn(match, seat)
    services.match_resign(match_id=match.pk, user=anna)
    services.match_resign(match_id=match.pk, user=cleo)
    services.match_play_on(match_id=match.pk, user=bob)
    Seat.objects.filter(match=match, index=0).update(bot="easy")
    tasks.think(match.pk)
    named = [name for name, _said in turns(match)]
    assert named == ["Anna", "Bob", "Cleo", "Anna", "Bob", "Cleo", "", "Ani"]


def test_where_a_bot_sat_before_a_person_the_bot_is_named(anna, bob, dirk):
    root = person("Root", is_staff=True)
    bots = [services.Opponent("bot", "easy")]
    match = services.match_create(
        user=anna, game="obelisk", opponents=bots, options={"first_player": 1}
    )
    tasks.think(match.pk)
    play_turn(match, 0)
    seat_replace(match_id=match.pk, by=root, reason="a guest", seat=1, user=dirk)
    play_turn(match, 1)
    assert [name for name, _said in turns(match)] == ["", "Hapu", "Anna", "", "Dirk"]
    text = records.written(records.record_from(queries.match_with_seats(match.pk)))
    moves = match.moves.filter(pk__lt=Holder.objects.get(user=dirk).first_move).count()
    assert f"seat 1: Hapu, from move {moves + 1} Dirk" in text.splitlines()


def test_a_match_whose_seats_changed_hands_costs_one_query_more_however_often(match):
    def cost(number: int) -> int:
        seen = queries.match_with_seats(number)
        with CaptureQueriesContext(connection) as captured:
            pages.context_of(pages.sight_of(seen, None))
        return len(captured)

    once = cost(match.pk)
    root = person("Root", is_staff=True)
    for seat, name in enumerate(("Eva", "Finn", "Gitte")):
        seat_replace(match_id=match.pk, by=root, reason="a test", seat=seat, user=person(name))
    assert cost(match.pk) == once
    assert cost(market(*(person(name) for name in ("Hugo", "Ida", "Jan"))).pk) == once - 1


def test_records_of_matches_that_changed_hands_cost_no_further_query(match, bob, anna, cleo):
    finish(match)

    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            found = list(queries.matches_held_by(bob))
            assert all(records.written(records.record_from(one)) for one in found)
        return len(captured)

    one = cost()
    other = market(anna, bob, cleo)
    for seat in (0, 1, 2):
        play_turn(other, seat)
    caretaken(other, anna)
    taken_over(other, person("Eva"))
    finish(other)
    assert cost() == one


def test_matches_of_before_are_told_from_their_logs(match, anna, bob, cleo):
    alone = market(anna, bob, cleo)
    for user in (anna, cleo):
        services.match_resign(match_id=alone.pk, user=user)
    services.match_play_on(match_id=alone.pk, user=bob)
    kept = list(Holder.objects.order_by("pk").values())
    seats = list(Seat.objects.order_by("pk").values("pk", "changed_hands"))
    blank = {"first_line": 0, "last_line": None, "first_move": 0, "last_move": None}
    Holder.objects.update(**blank)
    Seat.objects.update(changed_hands=False)
    import_module("games.migrations.0010_who_sat_before").fill(apps, None)
    assert list(Holder.objects.order_by("pk").values()) == kept
    assert list(Seat.objects.order_by("pk").values("pk", "changed_hands")) == seats
