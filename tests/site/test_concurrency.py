"""Two at once: real parallel requests never lose or double a move.

Runs on SQLite in the ordinary run and on PostgreSQL in the services run; real threads, real
connections, no shared transaction.
"""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.db import connection, transaction
from django.test import Client

from games import services
from games.clock import GRACE
from games.engine.contract import Refused
from games.models import Holder, Match, Notice, Rating
from games.queries import differences, session_of
from games.services import Opponent, match_create
from games.services.ratings import ratings_rewrite, recomputed
from tests.site.people import begun, duel, legal, market, person, play_turn, token

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 8


def at_once(*calls) -> list[str]:
    """Run all calls in parallel threads; tell for each `done` or the key of its refusal."""
    start = Barrier(len(calls))

    def run(call) -> str:
        try:
            start.wait()
            call()
        except Refused as refused:
            return refused.key
        else:
            return "done"
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_a_click_that_arrives_eight_times_is_one_move():
    match = duel(person("Anna"), person("Bob"))
    click = {"match_id": match.pk, "seat": 0, "token": token(match, 0), "text": legal(match, 0)[0]}
    answers = at_once(*[lambda: services.match_play(**click)] * THREADS)
    assert Counter(answers) == {"done": 1, "stale": THREADS - 1}
    assert match.moves.count() == 1


def test_two_tabs_that_choose_differently_make_one_move():
    match = duel(person("Anna"), person("Bob"))
    seen = token(match, 0)
    texts = legal(match, 0)[:THREADS]
    answers = at_once(
        *[
            lambda text=text: services.match_play(match_id=match.pk, seat=0, token=seen, text=text)
            for text in texts
        ]
    )
    assert Counter(answers) == {"done": 1, "stale": len(texts) - 1}
    assert match.moves.count() == 1


def test_secret_choices_made_at_the_same_moment_are_all_kept():
    people = [person(name) for name in ("Anna", "Bob", "Cleo", "Dirk", "Eva")]
    match = market(*people)
    choices = {seat: (token(match, seat), legal(match, seat)[3]) for seat in range(5)}
    answers = at_once(
        *[
            lambda seat=seat, seen=seen, text=text: services.match_play(
                match_id=match.pk, seat=seat, token=seen, text=text
            )
            for seat, (seen, text) in choices.items()
        ]
    )
    assert answers == ["done"] * 5
    match.refresh_from_db()
    assert sorted((move.seat, move.text) for move in match.moves.all()) == [
        (seat, text) for seat, (_, text) in choices.items()
    ]
    assert differences(match) == []


def test_the_last_free_seat_is_taken_by_one_person():
    match = match_create(user=person("Host"), game="obelisk", opponents=[Opponent("open")])
    people = [person(f"Player{number}") for number in range(THREADS)]
    answers = at_once(
        *[lambda user=user: services.match_join(match_id=match.pk, user=user) for user in people]
    )
    assert Counter(answers) == {"done": 1, "not_open": THREADS - 1}
    assert match.seats.count() == 2


def test_matches_that_end_at_the_same_moment_are_rated_one_after_the_other():
    """Four losses on time in one absence: whichever comes first counts, and the rest do not."""
    anna, bob = person("Anna"), person("Bob")
    matches = [begun(anna, bob, rated=True) for _ in range(4)]
    late = max(match.seats.get(index=0).deadline for match in matches) + GRACE
    at_once(
        *[
            lambda match=match: services.match_expire(match_id=match.pk, seat=0, now=late)
            for match in matches
        ],
        ratings_rewrite,  # nor does a rewrite of all ratings lose one of them
    )
    notes = Rating.objects.filter(user=anna).order_by("pk").values_list("note", flat=True)
    assert list(notes) == ["timed_out", "timed_out", "absent", "absent"]
    kept = Rating.objects.order_by("pk").values_list("match", "user", "mu", "sigma", "returned")
    again, _standings = recomputed()
    assert [(one.match_id, one.user_id, one.mu, one.sigma, one.returned) for one in again] == [
        *kept
    ]


def test_a_move_and_its_undo_at_the_same_moment_leave_a_sound_match():
    match = duel(person("Anna"), person("Bob"))
    first, second = [text for text in legal(match, 0) if text.startswith("lay_foundation")][:2]
    services.match_play(match_id=match.pk, seat=0, token=token(match, 0), text=first)
    seen = token(match, 0)
    at_once(
        lambda: services.match_undo(match_id=match.pk, seat=0, token=seen),
        lambda: services.match_play(match_id=match.pk, seat=0, token=seen, text=second),
    )
    match.refresh_from_db()
    assert [move.text for move in match.moves.all()] in ([], [first, second])
    assert differences(match) == []


def test_many_sweeps_at_once_play_one_turn():
    match = market(*[person(name) for name in ("Anna", "Bob", "Cleo")])
    for seat in (0, 1, 2):
        play_turn(match, seat)
    late = match.seats.get(to_act=True)
    later = late.deadline + GRACE
    sweep = {"match_id": match.pk, "seat": late.index, "now": later}
    at_once(*[lambda: services.match_expire(**sweep)] * THREADS)
    match.refresh_from_db()
    assert [(move.text, move.by) for move in match.moves.all()].count(("end_turn", "clock")) == 1
    assert differences(match) == []
    assert [holder.missed for holder in Holder.objects.order_by("seat")] == [1, 0, 0]


def test_many_sweeps_at_once_end_a_match_of_two_once():
    match = begun(person("Anna"), person("Bob"))
    sweep = {"match_id": match.pk, "seat": 0, "now": match.seats.get(index=0).deadline + GRACE}
    at_once(*[lambda: services.match_expire(**sweep)] * THREADS)
    match.refresh_from_db()
    assert (match.status, match.ending) == ("finished", "on_time")
    assert [line.key for line in match.lines.exclude(at=None)] == ["site_lost_on_time"]
    assert Notice.objects.filter(kind="finished").count() == 2


def test_a_move_and_a_sweep_at_the_same_moment_leave_one_of_them():
    match = begun(person("Anna"), person("Bob"))
    sweep = {"match_id": match.pk, "seat": 0, "now": match.seats.get(index=0).deadline + GRACE}
    click = {"match_id": match.pk, "seat": 0, "token": token(match, 0), "text": legal(match, 0)[0]}
    answers = at_once(lambda: services.match_expire(**sweep), lambda: services.match_play(**click))
    match.refresh_from_db()
    awaited = [seat.index for seat in match.seats.filter(to_act=True)]
    # The match was over before the click; or the turn lay ready after it, and was ended so.
    assert (answers[1], match.status, awaited) in [
        ("game_over", "finished", []),
        ("done", "running", [1]),
    ]
    assert differences(match) == []


def test_a_day_of_vacation_that_two_matches_need_at_once_is_spent_once():
    anna = person("Anna", vacation_by_itself=True)
    matches = [duel(anna, person(name)) for name in ("Bob", "Cleo", "Dirk")]
    now = max(match.seats.get(index=0).deadline for match in matches) + GRACE
    at_once(
        *[
            lambda match=match: services.match_expire(match_id=match.pk, seat=0, now=now)
            for match in matches
        ]
    )
    assert [one.days for one in anna.vacations.all()] == [1]
    assert all(match.seats.get(index=0).deadline + GRACE > now for match in matches)


def test_the_end_of_a_match_is_told_once():
    match = duel(person("Anna"), person("Bob"))
    while True:
        last = match.seats.get(to_act=True).index
        match.refresh_from_db()
        state = session_of(match).state
        if state.last_round == "full" and state.idle(last) == ("end_turn",):
            break
        services.match_play(
            match_id=match.pk,
            seat=last,
            token=token(match, last),
            text=" ".join(map(str, state.idle(last))),
        )
    click = {"match_id": match.pk, "seat": last, "token": token(match, last), "text": "end_turn"}
    answers = at_once(*[lambda: services.match_play(**click)] * THREADS)
    assert Counter(answers) == {"done": 1, "game_over": THREADS - 1}
    assert Notice.objects.filter(kind="finished").count() == 2


def test_a_form_posted_twice_at_once_makes_one_table():
    anna = person("Anna")
    at_once(
        *[
            lambda: match_create(
                user=anna, game="obelisk", opponents=[Opponent("bot", "easy")], once="form-1"
            )
        ]
        * THREADS
    )
    assert [match.status for match in Match.objects.all()] == ["running"]


def test_requests_through_the_whole_site_make_one_move_too():
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    seen, text = token(match, 0), legal(match, 0)[0]
    clients = [Client() for _ in range(THREADS)]
    for client in clients:
        client.force_login(anna)

    def post(client: Client) -> None:
        answer = client.post(
            f"/matches/{match.pk}/move/",
            {"move": text, "token": seen},
            headers={"HX-Request": "true"},
        )
        statuses.append(answer.status_code)

    statuses: list[int] = []
    at_once(*[lambda client=client: post(client) for client in clients])
    assert Counter(statuses) == {200: 1, 409: THREADS - 1}
    assert match.moves.count() == 1


def test_four_people_at_four_matches_do_not_disturb_each_other():
    matches = [duel(person(f"A{number}"), person(f"B{number}")) for number in range(4)]
    answers = at_once(
        *[lambda match=match: [play_turn(match, seat) for seat in (0, 1)] for match in matches]
    )
    assert answers == ["done"] * 4
    for match in matches:
        match.refresh_from_db()
        assert differences(match) == []
        assert match.seats.get(to_act=True).index == 0


# --- a match that is held --------------------------------------------------------------------


def test_a_move_waits_until_the_match_is_free_and_is_then_made():
    anna = person("Anna")
    match = duel(anna, person("Bob"))
    form = {"move": legal(match, 0)[0], "token": token(match, 0)}
    client, held = Client(), Event()
    client.force_login(anna)
    times = {}

    def hold() -> None:
        with transaction.atomic():
            Match.objects.select_for_update().get(pk=match.pk)
            held.set()
            time.sleep(1.5)
            times["free"] = time.monotonic()

    def move() -> None:
        held.wait()
        answer = client.post(f"/matches/{match.pk}/move/", form)
        times["answered"] = time.monotonic()
        assert answer.status_code == 302

    assert at_once(hold, move) == ["done", "done"]
    assert times["answered"] > times["free"]
    assert [one.text for one in match.moves.all()] == [form["move"]]
