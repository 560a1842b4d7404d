"""Fair time: a clock runs only while its player could play, in every zone and on every day."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.clock import (
    DAY,
    HOUR,
    LEAST_TURN,
    NOTHING,
    PACES,
    Pace,
    Rest,
    Span,
    Standstill,
    deadline,
    used,
    within,
)

# Both directions of summer time, half an hour's change, a day that was skipped, and none at all.
ZONES = [
    "UTC",
    "Europe/Amsterdam",
    "America/New_York",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Asia/Kathmandu",
    "Africa/Cairo",
]
MINUTE = timedelta(minutes=1)
slowly = settings(deadline=None, suppress_health_check=list(HealthCheck))  # a machine may be busy

# Every second moment lies in the week before the clocks change somewhere.
CHANGES = ("2026-03-08", "2026-03-29", "2026-04-24", "2026-10-25", "2026-10-30", "2026-11-01")
before_changes = st.tuples(st.sampled_from(CHANGES), st.integers(0, 7 * 24 * 60)).map(
    lambda pair: datetime.fromisoformat(pair[0]).replace(tzinfo=UTC) - pair[1] * MINUTE
)
any_time = st.integers(0, 2 * 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + minutes * MINUTE
)
moments = before_changes | any_time
lengths = st.integers(0, 30 * 24 * 60).map(lambda minutes: minutes * MINUTE)
quiets = st.none() | st.tuples(st.integers(0, 23), st.integers(0, 9)).map(
    lambda pair: (pair[0], (pair[0] + pair[1]) % 24)
)
rests = st.builds(Rest, st.sampled_from(ZONES), quiets, st.none() | st.integers(0, 6))
absences = st.lists(
    st.tuples(moments, lengths).map(lambda pair: (pair[0], pair[0] + pair[1])), max_size=4
).map(tuple)
standstills = st.builds(Standstill, rests, absences)

hours_sharp = moments.map(lambda moment: moment.replace(minute=0, second=0, microsecond=0))
absences_by_the_hour = st.lists(
    st.tuples(hours_sharp, st.integers(0, 500)).map(
        lambda pair: (pair[0], pair[0] + pair[1] * HOUR)
    ),
    max_size=4,
).map(tuple)
by_the_hour = ["Europe/Amsterdam", "America/New_York", "Africa/Cairo", "Pacific/Apia"]
rests_by_the_hour = st.builds(
    Rest, st.sampled_from(by_the_hour), quiets, st.none() | st.integers(0, 6)
)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def stands(moment: datetime, still: Standstill) -> bool:
    """The slow and obvious way to ask: does this clock stand still at this moment?"""
    rest, zone = still.rest, ZoneInfo(still.rest.zone)
    if any(begin <= moment < end for begin, end in still.spans):
        return True
    here = moment.astimezone(zone)
    if rest.weekend is not None and (here.weekday() - rest.weekend) % 7 < 2:
        return True
    if rest.quiet is None:
        return False
    first, last = rest.quiet
    return (here.hour - first) % 24 < (last - first) % 24


# --- the two functions -----------------------------------------------------------------------


@slowly
@given(moments, lengths, standstills)
def test_exactly_the_reserve_has_run_at_the_deadline(called, reserve, still):
    assert used(called, deadline(called, reserve, still), still) == reserve


@slowly
@given(moments, lengths, standstills, lengths)
def test_after_the_deadline_more_than_the_reserve_has_run(called, reserve, still, later):
    late = deadline(called, reserve, still) + MINUTE + later
    assert used(called, late, still) > reserve


@slowly
@given(moments, lengths, standstills)
def test_a_standstill_only_ever_moves_a_deadline_back(called, reserve, still):
    assert deadline(called, reserve, still) >= called + reserve


@slowly
@given(moments, lengths, lengths, standstills)
def test_time_is_used_in_pieces_as_it_is_used_at_once(called, first, second, still):
    middle, end = called + first, called + first + second
    assert used(called, middle, still) + used(middle, end, still) == used(called, end, still)


@slowly
@given(hours_sharp, st.integers(0, 7 * 24), rests_by_the_hour, absences_by_the_hour)
def test_a_clock_runs_in_those_hours_in_which_nothing_stops_it(called, hours, rest, spans):
    still = Standstill(rest, spans)
    running = sum(not stands(called + hour * HOUR, still) for hour in range(hours))
    assert used(called, called + hours * HOUR, still) == running * HOUR


@slowly
@given(moments, lengths, standstills)
def test_however_much_rests_a_deadline_comes(called, reserve, still):
    """Five days of fifteen hours run in every week that is no vacation."""
    away = sum((max(NOTHING, end - begin) for begin, end in still.spans), NOTHING)
    weeks = reserve / (70 * HOUR) + 2
    assert deadline(called, reserve, still) <= called + away + weeks * 7 * DAY


@slowly
@given(rests)
def test_a_rest_is_kept_as_text(rest):
    assert Rest.read(str(rest)) == rest


def test_no_text_is_a_clock_that_never_rests():
    assert Rest.read("") == Rest()


# --- nights, weekends, changes of the clock --------------------------------------------------

NIGHT = (23, 8)


def test_a_day_of_reserve_lasts_until_after_the_second_night():
    still = Standstill(Rest("Europe/Amsterdam", NIGHT))
    called = local("2026-06-01 20:00", "Europe/Amsterdam")  # 3 hours, 15 hours, 6 hours
    assert deadline(called, DAY, still) == local("2026-06-03 14:00", "Europe/Amsterdam")


def test_a_turn_that_begins_at_night_begins_in_the_morning():
    still = Standstill(Rest("America/New_York", NIGHT))
    called = local("2026-06-02 03:00", "America/New_York")
    assert deadline(called, 12 * HOUR, still) == local("2026-06-02 20:00", "America/New_York")


def test_a_reserve_that_runs_out_as_the_night_begins_lasts_until_morning():
    still = Standstill(Rest("UTC", NIGHT))
    assert deadline(utc("2026-06-01 11:00"), 12 * HOUR, still) == utc("2026-06-02 08:00")


@pytest.mark.parametrize(
    ("night", "hours"),
    [
        ("2026-03-28", 8),  # the clock skips an hour of the night
        ("2026-10-24", 10),  # and gives one back
        ("2026-06-01", 9),
    ],
)
def test_a_night_lasts_from_bedtime_to_morning_also_when_the_clock_changes(night, hours):
    still = Standstill(Rest("Europe/Amsterdam", NIGHT))
    evening = local(f"{night} 23:00", "Europe/Amsterdam")
    assert deadline(evening, NOTHING, still) - evening == hours * HOUR


def test_a_weekend_is_two_days_of_ones_own():
    friday = Standstill(Rest("Africa/Cairo", None, 4))
    saturday = Standstill(Rest("Europe/Amsterdam", None, 5))
    called = utc("2026-06-04 12:00")  # a Thursday
    assert deadline(called, DAY, friday) == called + 3 * DAY
    assert deadline(called, DAY, saturday) == called + DAY
    assert deadline(called, 2 * DAY, saturday) == called + 4 * DAY


def test_a_weekend_takes_an_hour_less_when_summer_time_begins_in_it():
    still = Standstill(Rest("Europe/Amsterdam", None, 5))
    friday = local("2026-03-27 12:00", "Europe/Amsterdam")
    assert deadline(friday, DAY, still) == local("2026-03-30 12:00", "Europe/Amsterdam")
    assert deadline(friday, DAY, still) - friday == 3 * DAY - HOUR


def test_a_weekend_that_stands_still_does_not_refill_a_clock():
    """A flat clock could never run out elsewhere, because each weekend gave it all time again."""
    flat = Pace(slug="custom", start=5 * DAY, increment=5 * DAY, cap=5 * DAY)
    still = Standstill(Rest("UTC", None, 5))
    called = utc("2026-06-01 12:00")  # a Monday
    assert flat.start is not None
    assert deadline(called, flat.start, still) == utc("2026-06-08 12:00")
    monday = utc("2026-06-08 11:00")
    assert used(called, monday, still) == 5 * DAY - HOUR


def test_a_weekend_counts_for_flat_clocks_as_for_all_others():
    still = Standstill(Rest("UTC", None, 5))
    friday = utc("2026-06-05 12:00")
    for pace in PACES.values():
        if pace.start is not None:
            assert deadline(friday, pace.start, still) == friday + pace.start + 2 * DAY * (
                1 if pace.start < 5.5 * DAY else 2
            )


# --- vacations -------------------------------------------------------------------------------


def test_a_vacation_moves_a_deadline_by_its_length():
    called = utc("2026-07-01 12:00")
    away = (utc("2026-07-02 00:00"), utc("2026-07-09 00:00"))
    assert deadline(called, 3 * DAY, Standstill(spans=(away,))) == called + 10 * DAY


def test_a_vacation_that_begins_at_the_deadline_moves_it():
    called = utc("2026-07-01 12:00")
    end = deadline(called, 3 * DAY, Standstill())
    assert deadline(called, 3 * DAY, Standstill(spans=((end, end + DAY),))) == end + DAY


def test_overlapping_vacations_count_once():
    called, still = utc("2026-07-01 00:00"), (utc("2026-07-02 00:00"), utc("2026-07-05 00:00"))
    twice = Standstill(spans=(still, still, (still[0] + DAY, still[1] + DAY)))
    assert deadline(called, 2 * DAY, twice) == called + 6 * DAY


def test_a_long_vacation_is_cut_and_it_is_told_when():
    called = utc("2026-07-01 00:00")
    first = (called + DAY, called + 4 * DAY)
    second = (called + 5 * DAY, called + 12 * DAY)
    assert within([second, first], called, 7 * DAY) == (
        [first, (second[0], second[0] + 4 * DAY)],
        second[0] + 4 * DAY,
    )
    assert within([first], called, 7 * DAY) == ([first], None)


@slowly
@given(absences, moments, lengths)
def test_what_is_kept_of_vacations_is_never_more_than_the_limit(spans: tuple[Span, ...], at, most):
    kept, cut = within(spans, at, most)
    total = sum((end - begin for begin, end in kept), NOTHING)
    assert total == most if cut else total <= most
    assert cut is None or cut == kept[-1][1]


# --- paces -----------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", PACES.values(), ids=PACES)
def test_no_pace_ever_gives_less_than_half_a_day_for_a_turn(pace):
    assert pace.is_fair
    if pace.start is not None:
        assert pace.after_turn(pace.start, 100 * DAY) >= LEAST_TURN


@slowly
@given(st.integers(1, 800), st.integers(1, 800), st.integers(1, 800), lengths, lengths)
def test_a_fair_pace_keeps_every_reserve_between_the_least_turn_and_the_cap(
    start, increment, cap, reserve, spent
):
    pace = Pace(slug="custom", start=start * HOUR, increment=increment * HOUR, cap=cap * HOUR)
    if pace.is_fair:
        left = pace.after_turn(min(reserve, pace.cap), spent)
        assert left is not None
        assert LEAST_TURN <= left <= pace.cap


@pytest.mark.parametrize(
    ("start", "increment", "cap"), [(11, 12, 24), (24, 6, 24), (48, 12, 24), (24, 24, 31 * 24)]
)
def test_a_pace_that_is_too_fast_or_too_slow_is_not_fair(start, increment, cap):
    pace = Pace(slug="custom", start=start * HOUR, increment=increment * HOUR, cap=cap * HOUR)
    assert not pace.is_fair


def test_a_pace_is_explained_in_words():
    assert [pace.explanation for pace in PACES.values()] == [
        "2 days to start with, 12 hours more for every turn, at most 3 days.",
        "3 days to start with, 1 day more for every turn, at most 5 days.",
        "7 days to start with, 36 hours more for every turn, at most 10 days.",
        "No clock. For people who trust each other; never rated.",
    ]
