"""What pages say and offer about time: before joining, at the match, in the lobby and settings."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games import services, tasks
from games.catalogue import shelf
from games.clock import DAY, HOUR
from games.models import Match
from games.prose import moment
from games.services import Opponent, match_create, match_join
from tests.site.people import awaited, away, begun, chosen, duel, market, person, play_turn, sweep

pytestmark = pytest.mark.django_db


def words(answer) -> str:
    text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", unescape(text))


def page(client, user: User | None, match: Match) -> str:
    client.logout()
    if user:
        client.force_login(user)
    return words(client.get(f"/matches/{match.pk}/"))


def do(client, user: User, match: Match, action: str, **form: object):
    client.force_login(user)
    answer = client.post(f"/matches/{match.pk}/affair/", {"do": action} | form, follow=True)
    match.refresh_from_db()
    return answer


# --- before joining --------------------------------------------------------------------------


def test_all_about_the_clock_is_said_before_one_joins(client, anna):
    table = match_create(
        user=anna,
        game="obelisk",
        opponents=[Opponent("open")],
        pace="brisk",
        weekends=True,
        vacations=False,
        courtesy=True,
    )
    text = page(client, None, table)
    for sentence in (
        "Brisk: 2 days to start with, 12 hours more for every turn, at most 3 days.",
        "The clock stands still in each player’s quiet hours.",
        "It stands still on each player’s two weekend days.",
        "No vacation: it runs on then.",
        "Courtesy: who runs out of time may be granted more by the opponent.",
    ):
        assert sentence in text
    lobby = words(client.get("/lobby/"))
    assert "Brisk · free weekends · no vacations · courtesy" in lobby


FORM = {"seats": 2, "opponent_1": "open", "option_expert": 0, "option_first_player": "random"}


def test_a_pace_of_ones_own_is_kept_with_the_match(client, anna):
    client.force_login(anna)
    own = {"pace": "custom", "start": 48, "increment": 36, "cap": 168, "weekends": "on"}
    answer = client.post("/new/obelisk/", FORM | own)
    match = Match.objects.get()
    assert answer["Location"] == f"/matches/{match.pk}/"
    assert (match.start, match.increment, match.cap) == (2 * DAY, 36 * HOUR, 7 * DAY)
    assert (match.weekends, match.vacations, match.pace_slug) == (True, True, "custom")
    assert "2 days to start with, 36 hours more for every turn, at most 7 days." in words(
        client.get("/lobby/")
    )


@pytest.mark.parametrize(
    "own",
    [
        {"start": 240, "increment": 24, "cap": 48},
        {"start": 24, "increment": 168, "cap": 48},
        {"start": 1, "increment": 24, "cap": 48},
        {"start": 24, "increment": "", "cap": 48},
    ],
)
def test_a_pace_that_is_not_fair_is_refused_in_words(client, anna, own):
    client.force_login(anna)
    answer = client.post("/new/obelisk/", FORM | {"pace": "custom"} | own)
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) & {"start", "cap"}
    assert not Match.objects.exists()


def test_a_preset_that_changes_later_changes_no_match(anna, bob):
    match = begun(anna, bob, pace="brisk")
    assert (match.pace.start, match.pace.increment) == (2 * DAY, 12 * HOUR)
    Match.objects.filter(pk=match.pk).update(increment=5 * DAY, cap=9 * DAY)
    match.refresh_from_db()
    assert match.pace.explanation.endswith("5 days more for every turn, at most 9 days.")


# --- at the match ----------------------------------------------------------------------------


def test_a_deadline_is_shown_with_weekday_and_zone_of_the_reader(client, bob):
    anna = person("Anna", time_zone="Europe/Amsterdam")
    with time_machine.travel(datetime(2026, 6, 1, 10, tzinfo=UTC)):
        match = begun(anna, bob, pace="standard")
        assert "until Saturday 12:0" in page(client, anna, match)
        assert "CEST" in page(client, anna, match)
        assert "until Saturday 10:0" in page(client, bob, match)
        assert "UTC" in page(client, bob, match)


def test_who_has_a_caretaker_reads_it_and_comes_back_with_one_click(client, anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, anna)
    text = page(client, anna, match)
    assert "A caretaker bot plays for you while you are away." in text
    assert "Your turn" not in text
    assert "caretaker bot" in page(client, bob, match)
    do(client, anna, match, "back")
    assert match.seats.get(index=0).bot == ""
    assert "Your turn" in page(client, anna, match)


def test_the_only_one_left_chooses_on_the_page(client, anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    assert "Win by default" not in page(client, anna, match)
    away(match, bob, cleo)
    text = page(client, anna, match)
    assert "Win by default" in text
    assert "Play on against bots" in text
    answer = do(client, anna, match, "claim")
    assert "You have won. Reason: won by default." in words(answer)


def test_a_loss_on_time_and_a_cancelled_match_give_their_reason_in_words(client, anna, bob):
    lost, cancelled = (
        begun(anna, bob),
        match_create(
            user=anna, game="obelisk", opponents=[Opponent("open")], options={"first_player": 0}
        ),
    )
    match_join(match_id=cancelled.pk, user=bob)
    sweep(lost)
    sweep(cancelled)
    assert "Bob has won. Reason: lost on time." in page(client, anna, lost)
    assert (
        "This match was called off. It has no result. Reason: time ran out before both had made"
        " two turns." in page(client, None, cancelled)
    )


def test_a_match_that_will_be_cancelled_shows_when(client, anna, bob, cleo):
    """Nothing is closed silently: without a clock, after a warning; asleep, from the beginning."""
    idle, asleep = duel(anna, bob, pace="friends"), chosen(anna, bob, cleo)
    away(asleep, anna, bob, cleo)
    shown = f"the match sleeps, and is cancelled on {moment(asleep.expires)}."
    assert shown in page(client, None, asleep)
    with time_machine.travel(idle.started + 31 * DAY):
        tasks.tick()
        idle.refresh_from_db()
        shown = f"If nobody moves this match is cancelled on {moment(idle.expires)}."
        assert shown in page(client, None, idle)


def test_proposals_are_made_and_answered_on_the_page(client, anna, bob):
    match = begun(anna, bob)
    due = awaited(match).deadline
    do(client, anna, match, "pause", days=7)
    assert "Anna proposes a pause of 7 days. Bob must agree too." in page(client, anna, match)
    assert "Anna proposes a pause of 7 days." in page(client, bob, match)
    do(client, bob, match, "agree")
    assert awaited(match).deadline == due + 7 * DAY
    assert "The match pauses until" in page(client, None, match)
    do(client, bob, match, "end")
    do(client, anna, match, "decline")
    assert "Anna does not agree." in page(client, bob, match)


def test_courtesy_is_asked_for_and_granted_on_the_page(client, anna, bob):
    match = begun(anna, bob, courtesy=True)
    now = sweep(match)
    with time_machine.travel(now + HOUR, tick=False):
        assert "The time of Anna is up." in page(client, bob, match)
        assert "Your time is up." in page(client, anna, match)
        do(client, bob, match, "grant")
        assert awaited(match).deadline == timezone.now() + match.increment
        assert "Bob grants Anna time for another turn." in page(client, anna, match)


def test_a_day_and_a_nudge_are_one_click_each(client, anna, bob):
    match = begun(anna, bob)
    due = awaited(match).deadline
    answer = do(client, anna, match, "day")
    assert "The clock stands still for a day." in words(answer)
    assert awaited(match).deadline == due + DAY
    with time_machine.travel(timezone.now() + 25 * HOUR):
        assert "Nudge Anna" in page(client, bob, match)
        assert "A reminder is on its way." in words(do(client, bob, match, "nudge 0"))
        assert "Nudge Anna" not in page(client, bob, match)
        assert do(client, bob, match, "nudge 0").status_code == 422


def beside(client, user: User, match: Match) -> str:
    """What the match asks of somebody beside the board, and the buttons for it."""
    client.force_login(user)
    html = client.get(f"/matches/{match.pk}/").content.decode()
    asked = html.partition('<section class="affairs panel"')[2].partition("</section>")[0]
    return re.sub(r"\s+", " ", re.sub(r"^[^>]*>|<[^>]+>", " ", asked)).strip()


def test_who_waits_for_long_finds_the_nudge_beside_the_board(client, anna, bob, cleo):
    match = market(anna, bob, cleo)
    play_turn(match, 2)
    with time_machine.travel(timezone.now() + 11 * HOUR):
        assert beside(client, cleo, match) == ""
    with time_machine.travel(timezone.now() + 13 * HOUR):
        assert beside(client, cleo, match) == (
            "The match has waited for Anna and Bob for more than twelve hours. Nudge Anna Nudge Bob"
        )
        assert beside(client, anna, match) == "", "who must move is to move first"
        assert "Nudge Bob" in page(client, anna, match)
        assert "A reminder is on its way." in words(do(client, cleo, match, "nudge 1"))


@pytest.mark.parametrize(
    ("vacations", "asked"),
    [
        (
            True,
            "Your time is nearly up. A day of your vacation stops this clock for 24 hours. "
            "I need a day",
        ),
        (False, ""),
    ],
)
def test_who_has_little_time_left_finds_a_day_beside_the_board(client, anna, bob, vacations, asked):
    match = begun(anna, bob, vacations=vacations)
    due = awaited(match).deadline
    with time_machine.travel(due - 13 * HOUR):
        assert beside(client, anna, match) == ""
        assert page(client, anna, match).count("I need a day ") == int(vacations)
        assert ("takes one day of your yearly" in page(client, anna, match)) is vacations
        assert "takes one day of your yearly" not in page(client, bob, match)
    with time_machine.travel(due - 11 * HOUR):
        assert beside(client, anna, match) == asked
        assert page(client, anna, match).count("I need a day ") == int(vacations)


def test_who_waits_reads_that_the_other_is_on_vacation_and_until_when(client, anna, bob):
    with time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC), tick=False):
        match = begun(anna, bob)
        services.vacation_start(user=anna, begins=timezone.now(), days=3)
        told = "Waiting for Anna. Anna is on vacation until Thursday 7 May, 12:00 UTC."
        assert told in page(client, bob, match)


def test_nobody_is_said_to_think_in_a_match_that_sleeps(client, anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, bob, cleo, anna)
    client.force_login(bob)
    answer = client.get(f"/matches/{match.pk}/")
    assert "The match sleeps until somebody comes back." in words(answer)
    assert "is thinking" not in words(answer)
    assert 'data-poll="15"' in answer.content.decode()


@pytest.mark.parametrize("action", ["", "fly", "pause", "nudge x", "nudge 99", "agree", "claim"])
def test_nonsense_is_refused_and_changes_nothing(client, anna, bob, action):
    match = begun(anna, bob)
    before = list(match.seats.values())
    answer = do(client, anna, match, action)
    assert (answer.status_code, "Why?" in words(answer)) == (422, False)  # the rules say nothing
    assert list(match.seats.values()) == before


def test_a_substitute_comes_from_the_lobby(client, anna, bob, cleo):
    match, dirk = chosen(anna, bob, cleo), person("Dirk")
    away(match, anna)
    services.match_look(match_id=match.pk, now=timezone.now() + 3 * DAY)
    client.force_login(dirk)
    assert "Substitutes wanted" in words(client.get("/lobby/"))
    assert "Take this seat" in page(client, dirk, match)
    answer = client.post(f"/matches/{match.pk}/take/", follow=True)
    assert "The seat is yours." in words(answer)
    assert match.seats.get(index=0).user == dirk
    assert "Dirk takes over the seat." in page(client, bob, match)
    assert "Substitutes wanted" not in words(client.get("/lobby/"))


@pytest.mark.parametrize("slug", list(shelf()))
def test_every_game_shows_a_match_that_ended_before_its_end(client, anna, bob, slug):
    match = match_create(user=anna, game=slug, opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=bob)
    for seat in match.seats.filter(to_act=True):
        play_turn(match, seat.index)
    services.match_resign(match_id=match.pk, user=bob)
    match.refresh_from_db()
    assert match.status == "finished"
    assert "Reason: resigned." in page(client, anna, match)
    for part in ("replay/", "check/", "record.txt"):
        assert client.get(f"/matches/{match.pk}/{part}").status_code == 200


# --- one's own time --------------------------------------------------------------------------


def test_quiet_hours_and_weekend_are_settings(client, anna):
    client.force_login(anna)
    form = {"quiet": "on", "quiet_from": 22, "quiet_until": 7, "weekend": 4}
    client.post("/accounts/settings/clock/", form)
    anna.refresh_from_db()
    kept = (anna.quiet, anna.quiet_from, anna.quiet_until, anna.weekend, anna.vacation_by_itself)
    assert kept == (True, 22, 7, 4, False)
    refused = client.post("/accounts/settings/clock/", form | {"quiet_until": 12})
    assert "Quiet hours last one to nine hours." in words(refused)
    anna.refresh_from_db()
    assert anna.quiet_until == 7


@time_machine.travel(datetime(2026, 5, 4, 12, tzinfo=UTC))  # no day of it is of another year
def test_before_leaving_one_sees_where_the_clock_runs_on(client, anna, bob):
    without, usual = begun(anna, bob, vacations=False), begun(anna, bob)
    client.force_login(anna)
    text = words(client.get("/vacation/"))
    assert "You have 21 days left this year, of 21." in text
    assert f"opened without vacations: Obelisk #{without.pk} " in text
    first = timezone.localdate() + timedelta(days=1)
    answer = client.post("/vacation/", {"first": first.isoformat(), "days": 5}, follow=True)
    assert "Have a good time! Your opponents are told." in words(answer)
    assert "You have 16 days left" in words(answer)
    vacation = anna.vacations.get()
    assert "is on vacation from" in page(client, bob, usual)
    client.force_login(anna)
    client.post(f"/vacation/{vacation.pk}/end/")
    assert not anna.vacations.exists()


@pytest.mark.parametrize(
    "form", [{}, {"first": "x", "days": 2}, {"first": "2020-01-01", "days": 2}]
)
def test_an_impossible_vacation_is_refused(client, anna, form):
    client.force_login(anna)
    assert client.post("/vacation/", form).status_code == 422
    assert not anna.vacations.exists()


def test_nobody_ends_the_vacation_of_another(client, anna, bob):
    vacation = services.vacation_start(user=anna, begins=timezone.now() + DAY, days=2)
    client.force_login(bob)
    client.post(f"/vacation/{vacation.pk}/end/")
    assert anna.vacations.count() == 1


def test_the_opponents_see_who_is_on_vacation(client, anna, bob):
    match = begun(anna, bob)
    services.vacation_start(user=anna, begins=timezone.now(), days=3)
    client.force_login(bob)
    answer = client.get(f"/matches/{match.pk}/").content.decode()
    assert re.search(r'title="on vacation until \w+ \d+ \w+, \d\d:\d\d UTC">on vacation<', answer)
