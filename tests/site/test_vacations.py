"""Vacations, days, pauses and nudges: time that players give themselves and each other."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games import services
from games.clock import DAY, GRACE, HOUR
from games.engine.contract import Refused
from games.models import Holder, Match, Notice, Seat, Vacation
from games.queries import match_with_seats
from games.services import Opponent, match_create
from tests.site.people import (
    awaited,
    away,
    begun,
    chosen,
    duel,
    market,
    noticed,
    person,
    play_turn,
    refused,
    sweep,
    token,
    told,
)

pytestmark = pytest.mark.django_db


def leave(user: User, days: int, begins: datetime | None = None) -> Vacation:
    return services.vacation_start(user=user, begins=begins or timezone.now(), days=days)


# --- quiet hours -----------------------------------------------------------------------------


def test_new_players_sleep_from_eleven_to_eight_and_are_never_timed_out_at_night():
    sleeper = User.objects.create_user("Sleeper", time_zone="Europe/Amsterdam")
    with time_machine.travel(datetime(2026, 6, 1, 18, tzinfo=UTC), tick=False):
        match = duel(sleeper, person("Bob"), pace="brisk")
    # Two days of reserve are 48 waking hours: 3 on Monday evening, 15 on each of three days.
    assert awaited(match).deadline == datetime(2026, 6, 5, 6, tzinfo=UTC)


def test_a_change_of_quiet_hours_works_from_the_next_turn_on(anna, bob):
    match = begun(anna, bob)
    before = awaited(match).deadline
    User.objects.filter(pk=anna.pk).update(quiet=True, quiet_from=12, quiet_until=21)
    leave(bob, 1)  # whatever makes deadlines be computed anew
    assert awaited(match).deadline == before
    play_turn(match, 0)
    play_turn(match, 1)
    seat = awaited(match)
    assert (seat.rest, seat.deadline - seat.called > seat.reserve) == ("UTC 12-21 -", True)


def test_weekends_are_free_only_in_matches_that_say_so_and_on_each_players_own_days(bob):
    friday = datetime(2026, 6, 5, 12, tzinfo=UTC)
    anna = person("Anna", weekend=5)
    with time_machine.travel(friday, tick=False):
        free, usual = duel(anna, bob, weekends=True), duel(anna, bob)
    assert awaited(usual).deadline == friday + 3 * DAY
    assert awaited(free).deadline == friday + 5 * DAY


# --- vacation --------------------------------------------------------------------------------


def test_a_vacation_stops_the_clocks_of_all_matches_and_is_told_to_all_opponents(anna, bob, cleo):
    matches = [begun(anna, bob), begun(anna, cleo)]
    before = [awaited(match).deadline for match in matches]
    vacation = leave(anna, 5)
    assert [awaited(match).deadline for match in matches] == [due + 5 * DAY for due in before]
    for match in matches:
        assert told(match) == ["vacation"]
        seats = match_with_seats(match.pk).seats.all()
        assert [seat.vacation_until for seat in seats] == [vacation.ends, None]


def test_a_player_on_vacation_may_move_and_loses_no_increment(anna, bob):
    match = begun(anna, bob)
    reserve = awaited(match).reserve
    leave(anna, 5)
    with time_machine.travel(timezone.now() + 2 * DAY):
        play_turn(match, 0)
    left = match.seats.get(index=0).reserve
    assert left > min(match.cap, reserve + match.increment) - timedelta(minutes=2)


def test_a_vacation_announced_for_later_begins_later(anna, bob):
    match = duel(anna, bob, pace="standard")
    due = awaited(match).deadline
    leave(anna, 3, timezone.now() + 2 * DAY)
    assert awaited(match).deadline == due + 3 * DAY
    leave(anna, 3, timezone.now() + 30 * DAY)
    assert awaited(match).deadline == due + 3 * DAY


def test_nobody_has_more_than_twenty_one_days_a_year(anna):
    with time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC)):
        leave(anna, 14)
        arguments = {"user": anna, "begins": timezone.now() + 20 * DAY}
        assert refused(services.vacation_start, days=8, **arguments) == "vacation_spent"
        services.vacation_start(days=7, **arguments)
        assert services.days_left(anna, timezone.now()) == 0
        leave(anna, 21, datetime(2027, 2, 1, tzinfo=UTC))


@time_machine.travel(datetime(2026, 12, 1, tzinfo=UTC))
def test_a_year_begins_in_ones_own_zone():
    kiritimati = person("Anna", time_zone="Pacific/Kiritimati")  # fourteen hours ahead
    eve = datetime(2026, 12, 31, 11, tzinfo=UTC)  # new year's day there
    leave(kiritimati, 2, eve)
    left = [services.days_left(kiritimati, at) for at in (timezone.now(), eve, eve + 30 * DAY)]
    assert left == [21, 19, 19]
    with timezone.override(UTC):  # whoever asks, and from wherever
        assert services.days_left(kiritimati, eve) == 19


@time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC))
def test_a_day_of_twenty_three_hours_is_a_day(anna):
    midnight = datetime(2026, 3, 27, tzinfo=ZoneInfo("Europe/Amsterdam"))  # spring begins in it
    leave(anna, 7, midnight)
    vacation = Vacation.objects.get()
    assert vacation.ends - vacation.begins == 7 * DAY - HOUR
    assert services.days_left(anna, timezone.now()) == 21 - 7


def test_vacations_do_not_overlap_and_begin_no_earlier_than_today(anna):
    leave(anna, 5)
    later = {"user": anna, "begins": timezone.now() + 4 * DAY, "days": 2}
    assert refused(services.vacation_start, **later) == "vacation_overlaps"
    past = {"user": anna, "begins": timezone.now() - 3 * DAY, "days": 2}
    assert refused(services.vacation_start, **past) == "bad_vacation"


def test_who_comes_back_early_has_spent_the_days_that_had_begun(anna, bob):
    match = begun(anna, bob)
    due = awaited(match).deadline
    vacation = leave(anna, 10)
    with time_machine.travel(timezone.now() + 2 * DAY + HOUR):
        services.vacation_end(user=anna, vacation_id=vacation.pk)
    assert services.days_left(anna, vacation.begins) == 21 - 3
    assert awaited(match).deadline == due + 3 * DAY


def test_a_vacation_that_has_not_begun_can_be_called_off(anna):
    vacation = leave(anna, 10, timezone.now() + 5 * DAY)
    services.vacation_end(user=anna, vacation_id=vacation.pk)
    assert services.days_left(anna, vacation.begins) == 21
    again = {"user": anna, "vacation_id": vacation.pk}
    assert refused(services.vacation_end, **again) == "no_vacation"


def test_a_match_without_vacations_runs_on(anna, bob):
    match = begun(anna, bob, vacations=False)
    due = awaited(match).deadline
    leave(anna, 5)
    assert (awaited(match).deadline, told(match)) == (due, [])
    assert refused(services.day_take, match_id=match.pk, user=anna) == "no_vacations_here"


def test_before_a_timeout_a_day_of_vacation_is_used_and_its_owner_told(bob):
    anna = person("Anna", vacation_by_itself=True)
    match, other = begun(anna, bob), begun(anna, bob)
    due, elsewhere = awaited(match).deadline, awaited(other).deadline
    sweep(match)
    assert (match.status, awaited(match).deadline) == ("running", due + DAY)
    assert awaited(other).deadline == elsewhere + DAY
    assert noticed(match, "vacation_used") == ["Anna"]
    assert [(one.days, one.by_itself) for one in anna.vacations.all()] == [(1, True)]
    assert told(match) == ["vacation_used"]


def test_a_deadline_just_before_a_vacation_is_moved_by_it(bob):
    anna = person("Anna", vacation_by_itself=True)
    match = begun(anna, bob)
    due = awaited(match).deadline
    vacation = leave(anna, 3, due + 5 * HOUR)
    sweep(match)
    vacation.refresh_from_db()
    assert (vacation.begins, vacation.days) == (due, 3)
    assert awaited(match).deadline == vacation.ends
    assert anna.vacations.count() == 1


def test_who_opted_out_or_has_none_left_gets_no_day_by_itself(bob):
    thrifty = person("Thrifty", vacation_by_itself=False)
    spent = person("Spent", vacation_by_itself=True)
    with time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC)):
        leave(spent, 21)
    with time_machine.travel(datetime(2026, 6, 1, tzinfo=UTC)):
        for user in (thrifty, spent):
            match = begun(user, bob)
            sweep(match)
            assert match.ending == "on_time"


def test_a_year_that_ends_in_the_hour_of_grace_gives_no_days_of_the_next(bob):
    spent = person("Spent", vacation_by_itself=True)
    with time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC)):
        leave(spent, 21)
    with time_machine.travel(datetime(2026, 12, 1, tzinfo=UTC)):
        match = begun(spent, bob)
    due = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    late = awaited(match)
    Seat.objects.filter(pk=late.pk).update(called=due - late.reserve, deadline=due)
    sweep(match)
    assert match.ending == "on_time"


def test_of_three_one_waits_for_a_vacation_a_week_of_a_turn_then_a_caretaker_plays(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    vacation = leave(anna, 14)
    assert awaited(match).deadline == vacation.begins + 7 * DAY
    sweep(match)
    assert told(match) == ["vacation", "caretaker_away"]
    holder = Holder.objects.get(user=anna)
    assert (holder.ended, holder.missed) == ("away", 0)


def test_between_two_vacations_one_is_back_and_no_sweep_finds_the_match_again(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    vacation = leave(anna, 14)
    leave(anna, 5, begins=vacation.ends + 10 * DAY)
    sweep(match)
    match.refresh_from_db()
    services.match_look(match_id=match.pk, now=match.look_again)  # a substitute is sought
    match.refresh_from_db()
    assert match.look_again == vacation.ends
    services.match_look(match_id=match.pk, now=vacation.ends)
    match.refresh_from_db()
    assert (match.seats.get(index=0).bot, match.look_again) == ("", None)


def test_who_was_on_vacation_is_back_when_it_ends(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    vacation = leave(anna, 14)
    sweep(match)
    match.refresh_from_db()
    assert match.look_again == match.seats.get(index=0).caretaker_since + 3 * DAY
    services.match_look(match_id=match.pk, now=match.look_again)
    services.match_look(match_id=match.pk, now=vacation.ends)
    seat = match.seats.get(index=0)
    assert (seat.bot, Holder.objects.get(user=anna).ended) == ("", "")
    assert told(match)[-1] == "back"


def test_vacation_by_itself_holds_up_three_players_for_seven_days_at_most(bob, cleo):
    anna = person("Anna", vacation_by_itself=True)
    match = chosen(anna, bob, cleo)
    for _day in range(7):
        sweep(match)
    assert told(match) == ["vacation_used"] * 7
    sweep(match)
    assert told(match)[7:] == ["missed"]


# --- I need a day, pause, end, nudge ---------------------------------------------------------


def test_i_need_a_day_moves_one_deadline_by_a_day_of_ones_own_vacation(anna, bob):
    match, other = begun(anna, bob), begun(anna, bob)
    due, elsewhere = awaited(match).deadline, awaited(other).deadline
    services.day_take(match_id=match.pk, user=anna)
    assert awaited(match).deadline == due + DAY
    assert awaited(other).deadline == elsewhere
    assert services.days_left(anna, timezone.now()) == 20
    assert refused(services.day_take, match_id=match.pk, user=bob) == "no_clock"


def test_a_pause_needs_all_who_are_there_and_has_an_end(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    due = awaited(match).deadline
    away(match, cleo)
    services.proposal_make(match_id=match.pk, user=bob, kind="pause", days=7)
    assert noticed(match, "proposed") == ["Anna"]
    assert awaited(match).deadline == due
    services.proposal_answer(match_id=match.pk, user=anna, agree=True)
    assert awaited(match).deadline == due + 7 * DAY
    assert told(match)[-2:] == ["proposed_pause", "paused"]
    assert noticed(match, "paused") == ["Anna", "Bob", "Cleo"]
    play_turn(match, 0)  # one may always move
    assert awaited(match).deadline > timezone.now() + 7 * DAY


def test_who_declines_or_withdraws_ends_a_proposal(anna, bob):
    match = begun(anna, bob)
    ask = {"match_id": match.pk, "user": anna, "kind": "end"}
    for user in (bob, anna):
        services.proposal_make(**ask)
        assert refused(services.proposal_make, **ask) == "already_proposed"
        services.proposal_answer(match_id=match.pk, user=user, agree=False)
        match.refresh_from_db()
        assert (match.proposal, match.status) == (None, "running")
    answer = {"match_id": match.pk, "user": bob, "agree": True}
    assert refused(services.proposal_answer, **answer) == "no_proposal"


def test_who_plays_against_bots_alone_has_nobody_to_ask(anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("bot", "easy")])
    ask = {"match_id": match.pk, "user": anna, "kind": "end"}
    assert refused(services.proposal_make, **ask) == "nobody_to_ask"


def test_after_a_week_without_an_answer_something_else_may_be_proposed(anna, bob):
    match = begun(anna, bob, pace="friends")
    services.proposal_make(match_id=match.pk, user=anna, kind="end")
    ask = {"match_id": match.pk, "user": bob, "kind": "end"}
    with time_machine.travel(timezone.now() + 7 * DAY - HOUR):
        assert refused(services.proposal_make, **ask) == "already_proposed"
    with time_machine.travel(timezone.now() + 7 * DAY):
        services.proposal_make(**ask)
    match.refresh_from_db()
    assert (match.proposal["by"], match.status) == (1, "running")


@pytest.mark.parametrize("days", [-1, 0, 31])
def test_a_pause_lasts_a_day_to_a_month(anna, bob, days):
    match = begun(anna, bob)
    ask = {"match_id": match.pk, "user": anna, "kind": "pause", "days": days}
    assert refused(services.proposal_make, **ask) == "bad_proposal"


def test_those_who_are_left_may_agree_to_end_and_who_is_absent_consents(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, cleo)
    services.proposal_make(match_id=match.pk, user=anna, kind="end")
    services.proposal_answer(match_id=match.pk, user=bob, agree=True)
    match.refresh_from_db()
    assert (match.status, match.ending) == ("cancelled", "agreed")
    assert noticed(match, "cancelled") == ["Anna", "Bob", "Cleo"]


def test_who_leaves_consents_to_what_the_others_agreed_on(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    services.proposal_make(match_id=match.pk, user=anna, kind="end")
    services.proposal_answer(match_id=match.pk, user=bob, agree=True)
    away(match, cleo)
    assert (match.status, match.ending) == ("cancelled", "agreed")


@pytest.mark.parametrize(("seat", "left"), [(0, None), (1, [0])])
def test_who_takes_a_seat_over_has_agreed_to_nothing(anna, bob, cleo, seat, left):
    match, root = chosen(anna, bob, cleo), person("Root", is_staff=True)
    services.proposal_make(match_id=match.pk, user=anna, kind="end")
    services.proposal_answer(match_id=match.pk, user=bob, agree=True)
    new = {"seat": seat, "user": person("Dirk"), "by": root, "reason": "asked"}
    services.seat_replace(match_id=match.pk, **new)
    match.refresh_from_db()
    assert (match.proposal and match.proposal["agreed"], match.status) == (left, "running")


def test_a_player_is_nudged_once_a_day_and_not_in_the_first_hours(anna, bob):
    match = begun(anna, bob)
    nudge = {"match_id": match.pk, "user": bob, "seat": 0}
    called = awaited(match).called
    for hours in (12, 36):
        with time_machine.travel(called + hours * HOUR - timedelta(seconds=1), tick=False):
            assert refused(services.nudge, **nudge) == "no_nudge"
        with time_machine.travel(called + hours * HOUR, tick=False):
            services.nudge(**nudge)
            assert refused(services.nudge, match_id=match.pk, user=anna, seat=0) == "no_nudge"
    notices = Notice.objects.filter(kind="nudged")
    assert [(notice.seat.name, notice.about) for notice in notices] == [("Anna", 1), ("Anna", 1)]


def test_nobody_is_nudged_on_vacation_or_in_a_pause(anna, bob):
    match = begun(anna, bob)
    nudge = {"match_id": match.pk, "user": bob, "seat": 0}
    begin = timezone.now()
    services.proposal_make(match_id=match.pk, user=anna, kind="pause", days=2)
    services.proposal_answer(match_id=match.pk, user=bob, agree=True)
    with time_machine.travel(begin + DAY):
        assert refused(services.nudge, **nudge) == "no_nudge"
        services.vacation_start(user=anna, begins=timezone.now(), days=2)
    with time_machine.travel(begin + 2.5 * DAY):
        assert refused(services.nudge, **nudge) == "no_nudge"
    with time_machine.travel(begin + 3.5 * DAY):
        services.nudge(**nudge)


def test_nobody_is_nudged_whose_time_is_up(anna, bob):
    match = begun(anna, bob, courtesy=True)
    with time_machine.travel(sweep(match), tick=False):
        nudge = {"match_id": match.pk, "user": bob, "seat": 0}
        assert refused(services.nudge, **nudge) == "no_nudge"


def test_a_nudge_of_the_turn_before_bars_none_in_the_next(anna, bob):
    match = begun(anna, bob)
    nudge = {"match_id": match.pk, "user": bob, "seat": 0}
    with time_machine.travel(timezone.now() + 12 * HOUR):
        services.nudge(**nudge)
        play_turn(match, 0)
        play_turn(match, 1)
    with time_machine.travel(timezone.now() + 24 * HOUR):
        services.nudge(**nudge)
    assert Notice.objects.filter(kind="nudged").count() == 2


# --- recalling and recording -----------------------------------------------------------------


def test_recalling_a_choice_days_later_costs_no_time_and_flags_nobody(anna, bob, cleo):
    """Elsewhere a take-back charged the wrong clock, and the player lost at once."""
    match = market(anna, bob, cleo)
    play_turn(match, 0)
    with time_machine.travel(timezone.now() + 2 * DAY):
        services.match_undo(match_id=match.pk, seat=0, token=token(match, 0))
        seat = match.seats.get(index=0)
        assert seat.deadline - timezone.now() > 3 * DAY - timedelta(minutes=2)
        assert seat.reserve <= 3 * DAY


def test_how_a_seat_was_held_is_kept_turn_by_turn(anna, bob):
    match = duel(anna, bob)
    with time_machine.travel(match.started + 6 * HOUR, tick=False):
        play_turn(match, 0)
    with time_machine.travel(match.started + 10 * HOUR, tick=False):
        play_turn(match, 1)
    holders = Holder.objects.order_by("seat")
    assert [(one.turns, one.responses) for one in holders] == [(1, [21600]), (1, [14400])]
    assert [(one.user, one.since, one.until) for one in holders] == [
        (anna, match.started, None),
        (bob, match.started, None),
    ]


def test_each_simultaneous_chooser_has_an_own_clock(bob, cleo):
    anna = person("Anna", quiet=True, quiet_from=0, quiet_until=9)
    match = market(anna, bob, cleo)
    deadlines = [seat.deadline for seat in match.seats.all()]
    assert deadlines[1] == deadlines[2] == match.seats.get(index=1).called + 3 * DAY
    assert deadlines[0] > deadlines[1]
    play_turn(match, 1)
    assert match.seats.get(index=1).deadline is None
    assert match.seats.get(index=0).deadline == deadlines[0]


def test_an_unseated_or_absent_player_decides_nothing(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, cleo)
    eva = person("Eva")
    for service, arguments in (
        (services.day_take, {}),
        (services.proposal_make, {"kind": "end"}),
        (services.proposal_answer, {"agree": True}),
        (services.nudge, {"seat": 0}),
        (services.match_claim, {}),
        (services.time_grant, {}),
    ):
        for user, key in ((eva, "not_seated"), (cleo, "caretaker")):
            with pytest.raises(Refused, match=key):
                service(match_id=match.pk, user=user, **arguments)
    assert isinstance(Match.objects.get(pk=match.pk), Match)
    assert Seat.objects.filter(match=match, index=0, bot="").exists()


def test_a_deadline_that_has_moved_elsewhere_is_found_by_the_sweep_before_it_acts(anna, bob):
    match = begun(anna, bob)
    due = awaited(match).deadline
    Vacation.objects.create(user=anna, begins=due - DAY, ends=due + DAY)  # the rest was cut short
    services.match_expire(match_id=match.pk, seat=0, now=due + GRACE)
    match.refresh_from_db()
    assert (match.status, awaited(match).deadline) == ("running", due + 2 * DAY)
