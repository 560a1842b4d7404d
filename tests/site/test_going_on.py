"""From one match to another: the next one, a match given up, and a rematch."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Match, Seat
from games.services import Opponent, match_create
from tests.site.pages import address, page, post
from tests.site.people import duel, finish, person, play_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(anna, bob):
    return duel(anna, bob)


def test_next_goes_to_the_match_with_least_time_left_and_round_the_others(client, anna, bob):
    matches = [duel(anna, bob) for _ in range(3)]
    for match, hours in zip(matches, (9, 3, 6), strict=True):
        soon = timezone.now() + timedelta(hours=hours)
        Seat.objects.filter(match=match, user=anna).update(deadline=soon)
    slow, quick, middle = matches
    client.force_login(anna)

    def after(query: str) -> str:
        return client.get("/matches/next/" + query)["Location"]

    assert after("") == address(quick)
    assert after(f"?after={quick.pk}") == address(middle)
    assert after(f"?after={middle.pk}") == address(slow)
    assert after(f"?after={slow.pk}") == address(quick)
    assert after("?after=nonsense") == address(quick)
    play_turn(quick, 0)
    assert after(f"?after={quick.pk}") == address(middle)


def test_next_without_another_match_says_so(client, anna, bob, match):
    client.force_login(anna)
    assert client.get(f"/matches/next/?after={match.pk}")["Location"] == address(match)
    client.force_login(bob)
    assert client.get("/matches/next/")["Location"] == "/matches/"
    client.logout()
    assert "/accounts/login/" in client.get("/matches/next/")["Location"]


def test_resigning_from_a_match_of_two_asks_first_and_then_is_a_loss(client, anna, match):
    assert "You lose this match." in page(client, anna, match, "resign/")
    match.refresh_from_db()
    assert match.status == "running"
    answer = client.post(address(match, "resign/"))
    assert answer["Location"] == "/matches/"
    match.refresh_from_db()
    assert (match.status, [seat.rank for seat in match.seats.all()]) == ("finished", [2, 1])


def test_the_last_person_to_resign_calls_the_match_off(client, anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("bot", "easy")])
    assert "the match will be called off" in page(client, anna, match, "resign/")
    client.post(address(match, "resign/"))
    match.refresh_from_db()
    assert match.status == "cancelled"
    assert "This match was called off." in page(client, None, match)


def test_a_finished_match_shows_the_result_and_offers_a_rematch(client, anna, bob, match):
    finish(match)
    html = page(client, anna, match)
    seats = sorted(match.seats.all(), key=lambda seat: (seat.rank, seat.index))
    rows = re.findall(r"<td>(\d)</td><th scope=\"row\">(?:<a [^>]+>)?(\w+)", html)
    assert rows == [(str(seat.rank), seat.name) for seat in seats]
    assert 'name="move"' not in html
    assert "Rematch" in html
    result = html.split('class="result')[1].split("</section>")[0]
    assert f'href="/matches/next/?after={match.pk}">Next match waiting for me' in result
    again = client.post(address(match, "rematch/"))["Location"]
    client.force_login(bob)
    assert client.post(address(match, "rematch/"))["Location"] == again
    assert Match.objects.filter(rematch_of=match).count() == 1


def test_a_rematch_of_a_running_match_or_by_a_stranger_is_refused(client, anna, match):
    assert post(client, anna, match, "rematch/").status_code == 422
    finish(match)
    answer = post(client, person("Mallory"), match, "rematch/")
    assert answer.status_code == 403
    assert not Match.objects.filter(rematch_of=match).exists()
