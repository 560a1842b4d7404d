"""Who is away from everything at once: for the rating that counts once, and a visit ends it."""

from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.utils import timezone

from accounts.apikeys import key_create
from accounts.models import User
from games.clock import DAY, GRACE, HOUR
from games.models import Holder, Match, Rating, Standing
from games.services import match_expire
from games.services.ratings import match_rate, recomputed
from tests.site import people

pytestmark = pytest.mark.django_db


def begun(anna: User, opponent: str) -> Match:
    """A rated match in which both have made two turns, and Anna is to move."""
    return people.begun(anna, people.person(opponent), rated=True)


def late(match: Match, hours: int = 0) -> None:
    """Let Anna's time run out, some hours after the first moment it could."""
    due = match.seats.get(index=0).deadline + GRACE + hours * HOUR
    assert match_expire(match_id=match.pk, seat=0, now=due)
    match.refresh_from_db()


def anna_in(match: Match) -> tuple[int, str]:
    rating = Rating.objects.get(match=match, user__username="Anna", game_slug=match.game_slug)
    return rating.after.points, rating.note


def stands() -> tuple[int, int]:
    standing = Standing.objects.get(user__username="Anna", game_slug="obelisk")
    return standing.strength.points, standing.matches


def kept_and_computed() -> tuple[list, list]:
    fields = ("match_id", "user_id", "game_slug", "at", "mu_before", "mu", "sigma", "note")
    more = ("left", "seen", "returned")
    ratings, standings = recomputed()
    sums = ("user_id", "game_slug", "mu", "sigma", "matches")
    kept = [*Rating.objects.values_list(*fields, *more)]
    kept += sorted(Standing.objects.values_list(*sums))
    found = [tuple(getattr(one, name) for name in (*fields, *more)) for one in ratings]
    return kept, found + sorted(tuple(getattr(one, name) for name in sums) for one in standings)


def test_twice_out_of_time_counts_twice(anna):
    first, second = begun(anna, "Bob"), begun(anna, "Cleo")
    late(first)
    late(second)
    assert [anna_in(first)[1], anna_in(second)[1]] == ["timed_out", "timed_out"]
    assert stands()[1] == 2


def test_three_times_out_of_time_without_a_visit_count_once(anna):
    matches = [begun(anna, name) for name in ("Bob", "Cleo", "Dirk", "Eva")]
    for match in matches[:3]:
        late(match)
    assert [anna_in(match)[1] for match in matches[:3]] == ["timed_out", "timed_out", "absent"]
    assert stands() == (anna_in(matches[0])[0], 1)
    third = Rating.objects.get(match=matches[2], user=anna)
    assert third.returned == [matches[1].pk]
    late(matches[3])
    assert anna_in(matches[3]) == (anna_in(matches[0])[0], "absent")
    assert stands() == (anna_in(matches[0])[0], 1)
    kept, computed = kept_and_computed()
    assert kept == computed


def test_the_opponents_gain_all_the_same(anna):
    matches = [begun(anna, name) for name in ("Bob", "Cleo", "Dirk")]
    for match in matches:
        late(match)
    gains = [Rating.objects.exclude(user=anna).get(match=match).gain for match in matches]
    assert all(gain > 0 for gain in gains)


def test_the_match_page_says_so_in_words(client, anna):
    matches = [begun(anna, name) for name in ("Bob", "Cleo", "Dirk")]
    for match in matches:
        late(match)
    said = "Anna ran out of time in three matches or more without having been here"
    pages = [client.get(f"/matches/{match.pk}/").content.decode() for match in matches]
    assert [said in page for page in pages] == [False, False, True]
    assert "was away everywhere at once: that counts only once" in pages[2]
    told = "Anna was away from three matches or more at once: what this one cost"
    assert [told in page for page in pages] == [False, True, False]
    shown = "ran out of time: counts as last; given back since"
    assert [shown in page for page in pages] == [False, True, False]


def test_a_visit_in_between_begins_a_new_count(client, anna):
    matches = [begun(anna, name) for name in ("Bob", "Cleo", "Dirk")]
    late(matches[0])
    late(matches[1])
    with time_machine.travel(matches[1].finished + HOUR):
        client.force_login(anna)
        client.get("/matches/")
    late(matches[2], hours=5)
    assert [anna_in(match)[1] for match in matches] == ["timed_out"] * 3
    assert stands()[1] == 3
    kept, computed = kept_and_computed()
    assert kept == computed


def test_a_page_that_asks_for_news_by_itself_is_no_visit(client, anna):
    match = begun(anna, "Bob")
    client.force_login(anna)
    later = timezone.now() + DAY
    with time_machine.travel(later, tick=False):
        client.get(f"/matches/{match.pk}/?seen=1")
        client.get(f"/matches/{match.pk}/chat/?seen=0", headers={"hx-request": "true"})
        anna.refresh_from_db()
        assert anna.seen is None
        client.get(f"/matches/{match.pk}/")
        anna.refresh_from_db()
        assert anna.seen == later


def test_a_visit_is_written_down_once_in_some_minutes(client, anna):
    client.force_login(anna)
    begin = timezone.now()
    seen = []
    for minutes in (0, 4, 6):
        with time_machine.travel(begin + minutes * HOUR / 60, tick=False):
            client.get("/")
            anna.refresh_from_db()
            seen.append((anna.seen - begin) * 60 // HOUR)
    assert seen == [0, 0, 6]


def test_a_program_that_moves_is_a_visit_and_one_that_looks_is_none(client, anna):
    key = {"authorization": f"Bearer {key_create(anna, 'My bot')}"}
    client.get("/api/me/", headers=key)
    anna.refresh_from_db()
    assert anna.seen is None
    client.post("/api/matches/1/resign/", "{}", content_type="application/json", headers=key)
    anna.refresh_from_db()
    assert anna.seen is not None


def test_what_lies_three_days_apart_is_not_one_absence(anna):
    with time_machine.travel(timezone.now(), tick=False):
        matches = [begun(anna, name) for name in ("Bob", "Cleo", "Dirk")]
    for match, hours in zip(matches, (0, 30, 72), strict=True):
        late(match, hours)
    assert [anna_in(match)[1] for match in matches] == ["timed_out"] * 3


def test_a_loss_is_given_back_once_though_the_match_that_did_so_lies_far_off(anna):
    """The last to be rated was left first: a match of three that others played to its end."""
    matches = [begun(anna, name) for name in ("Bob", "Cleo", "Dirk", "Eva")]
    for match, hours in zip(matches, (40, 50, 110, 0), strict=True):
        late(match, hours)
    returned = Rating.objects.filter(user=anna).values_list("match", "returned")
    assert [back for _match, back in returned] == [[], [], [matches[1].pk], []]
    assert stands() == (anna_in(matches[0])[0], 1)
    kept, computed = kept_and_computed()
    assert kept == computed


def test_an_absence_from_two_games_gives_back_what_it_took_in_the_other(anna):
    matches = [begun(anna, name) for name in ("Bob", "Cleo", "Dirk")]
    late(matches[0])
    Match.objects.filter(pk=matches[1].pk).update(game_slug="cheops")  # rated by its places alone
    _end_as_cheops(matches[1])
    assert Standing.objects.get(user=anna, game_slug="cheops").matches == 1
    late(matches[2])
    cheops = Standing.objects.get(user=anna, game_slug="cheops")
    assert (cheops.strength.points, cheops.strength.spread, cheops.matches) == (1500, 667, 0)
    assert stands() == (anna_in(matches[0])[0], 1)
    rows = Rating.objects.filter(match=matches[2], user=anna).order_by("pk")
    assert [(row.game_slug, row.note, row.returned) for row in rows] == [
        ("obelisk", "absent", []),
        ("cheops", "absent", [matches[1].pk]),
    ]
    kept, computed = kept_and_computed()
    assert kept == computed


def _end_as_cheops(match: Match) -> None:
    """End a match whose rows say that it is one of Cheops: no rule is asked any more."""
    match.refresh_from_db()
    now = match.seats.get(index=0).deadline + GRACE
    for seat, rank, ended in zip(match.seats.all(), (2, 1), ("timed_out", "played"), strict=True):
        seat.rank, seat.to_act = rank, False
        seat.save()
        Holder.objects.filter(seat=seat).update(
            ended=ended, until=now, left=now if rank == 2 else None
        )
    match.status, match.finished, match.ending = "finished", now, "on_time"
    match.save()
    match_rate(match, list(match.seats.all()))


def test_absences_of_before_are_told_from_the_log_and_the_moves(anna):
    matches = [begun(anna, name) for name in ("Bob", "Cleo")]
    for match in matches:
        late(match)
    left = list(Holder.objects.filter(user=anna).order_by("pk").values_list("left", flat=True))
    Holder.objects.update(left=None, seen=None)
    Rating.objects.update(left=None, seen=None)
    import_module("games.migrations.0012_absences_of_before").fill(apps, None)
    moved = matches[1].moves.filter(seat=0).latest("pk").at
    held = Holder.objects.filter(user=anna).order_by("pk")
    assert [(one.left, one.seen) for one in held] == [(moment, moved) for moment in left]
    rows = Rating.objects.filter(user=anna).order_by("pk")
    assert [(one.left, one.seen) for one in rows] == [(moment, moved) for moment in left]
