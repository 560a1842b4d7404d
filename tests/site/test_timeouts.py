"""When time is up: two players, the ladder for three to five, and matches that everybody left."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games import services, tasks
from games.clock import DAY, GRACE, HOUR, Pace
from games.engine.contract import Refused
from games.models import Holder, Match, Notice, Seat
from games.queries import differences, may_watch, seats_offered, session_of
from tests.site.people import (
    awaited,
    away,
    begun,
    chosen,
    duel,
    finish,
    legal,
    market,
    noticed,
    person,
    play,
    play_turn,
    refused,
    sweep,
    token,
    told,
)

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


# --- before anything happens -----------------------------------------------------------------


def test_an_hour_of_grace_passes_in_silence(anna, bob):
    match = begun(anna, bob)
    late = awaited(match)
    just_before = late.deadline + GRACE - SECOND
    assert not services.match_expire(match_id=match.pk, seat=0, now=just_before)
    assert (told(match), noticed(match, "timed_out")) == ([], [])
    assert services.match_expire(match_id=match.pk, seat=0, now=late.deadline + GRACE)


def test_a_move_in_the_hour_of_grace_counts_and_pays_its_increment(anna, bob):
    match = begun(anna, bob)
    with time_machine.travel(awaited(match).deadline + GRACE / 2):
        play_turn(match, 0)
    assert match.seats.get(index=0).reserve == match.increment


def test_an_overdue_match_ends_when_it_is_opened_and_also_when_nobody_opens_it(client, anna, bob):
    opened, unseen = begun(anna, bob), begun(anna, bob)
    later = max(awaited(match).deadline for match in (opened, unseen)) + GRACE
    with time_machine.travel(later + SECOND):
        client.force_login(bob)
        assert "Anna has lost on time." in client.get(f"/matches/{opened.pk}/").content.decode()
        tasks.tick()
    for match in (opened, unseen):
        match.refresh_from_db()
        assert (match.status, match.ending) == ("finished", "on_time")


def lay_out(match: Match, seat: int, by: str = "player") -> None:
    """Let a player make a turn but for its end."""
    before = match.moves.count()
    while match.moves.count() == before or "end_turn" not in legal(match, seat):
        play(match, seat, next(one for one in legal(match, seat) if one != "end_turn"), by)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_turn_that_was_laid_out_but_not_ended_counts_and_burns_nothing(anna, bob, cleo, seats):
    """Elsewhere an extension was spent on orders that were in, only not confirmed."""
    User.objects.update(vacation_by_itself=True)
    match = begun(anna, bob) if seats == 2 else chosen(anna, bob, cleo)
    late = awaited(match).index
    made = Holder.objects.get(seat__match=match, seat__index=late).turns
    lay_out(match, late)
    sweep(match)
    assert (match.status, awaited(match).index != late) == ("running", True)
    holder = Holder.objects.get(seat__match=match, seat__index=late)
    assert (holder.turns, holder.missed, holder.ended) == (made + 1, 0, "")
    assert told(match) == ["ended"]
    assert (noticed(match, "timed_out"), noticed(match, "vacation_used")) == ([], [])
    assert match.seats.get(index=late).reserve == match.increment
    assert differences(match) == []


def test_a_day_that_is_taken_after_a_turn_was_laid_out_does_not_burn_it(anna, bob):
    """Every card from the quarry seals what lies before it; then the deadline moves."""
    match = begun(anna, bob)
    while "end_turn" not in (texts := legal(match, 0)):
        play(match, 0, next(one for one in texts if one.startswith("take ")))
    assert not match.moves.filter(epoch=match.epoch).exists()
    services.day_take(match_id=match.pk, user=anna)
    sweep(match)
    assert (match.status, awaited(match).index) == ("running", 1)
    assert told(match) == ["day_taken", "ended"]
    assert Holder.objects.get(seat__match=match, seat__index=0).missed == 0


def test_a_turn_that_was_laid_out_before_the_clock_stopped_and_ran_on_counts(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    lay_out(match, 0)
    away(match, bob, cleo)  # nobody waits: there is no clock
    with time_machine.travel(timezone.now() + DAY):
        services.match_return(match_id=match.pk, user=bob)
    sweep(match)
    assert told(match)[-2:] == ["back", "ended"]
    assert Holder.objects.get(user=anna).missed == 0


def test_a_turn_that_the_caretaker_laid_out_is_not_its_owners(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, anna)
    lay_out(match, 0, by="bot")
    services.match_return(match_id=match.pk, user=anna)
    sweep(match)
    assert told(match)[-1] == "missed"
    assert Holder.objects.get(user=anna).missed == 1


def test_a_turn_that_lacks_more_than_its_end_is_a_miss(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    play(match, 0, next(one for one in legal(match, 0) if one.startswith("take ")))
    assert "end_turn" not in legal(match, 0)
    sweep(match)
    assert told(match) == ["missed"]
    assert Holder.objects.get(seat__match=match, seat__index=0).missed == 1


def test_with_the_last_move_the_match_is_over_and_no_clock_runs(anna, bob):
    """Elsewhere a clock ran on while the players had yet to confirm the end."""
    match = begun(anna, bob)
    finish(match)
    clocks = list(match.seats.values_list("to_act", "deadline"))
    assert (match.status, clocks) == ("finished", [(False, None), (False, None)])
    assert not services.match_expire(match_id=match.pk, seat=0, now=timezone.now() + 365 * DAY)


# --- two players -----------------------------------------------------------------------------


def test_of_two_who_runs_out_of_time_loses_whatever_the_score(anna, bob):
    match = begun(anna, bob)
    now = sweep(match)
    assert (match.status, match.ending, match.finished) == ("finished", "on_time", now)
    assert [seat.rank for seat in match.seats.all()] == [2, 1]
    assert [holder.ended for holder in Holder.objects.order_by("seat")] == ["timed_out", "played"]
    assert told(match) == ["lost_on_time"]
    assert noticed(match, "finished") == ["Anna", "Bob"]
    assert noticed(match, "timed_out") == ["Anna", "Bob"]
    assert differences(match) == []


def test_a_match_that_ends_on_time_before_both_made_two_turns_is_cancelled(anna, bob):
    match = duel(anna, bob, rated=True)
    for seat in (0, 1, 0):
        play_turn(match, seat)
    sweep(match)
    assert (match.status, match.ending) == ("cancelled", "too_soon")
    assert [seat.rank for seat in match.seats.all()] == [None, None]
    assert noticed(match, "cancelled") == ["Anna", "Bob"]
    assert told(match) == ["too_soon"]


def test_the_first_move_gets_the_full_time(anna, bob):
    match = duel(anna, bob, pace="leisurely")
    seat = awaited(match)
    assert seat.deadline - seat.called == timedelta(days=7)


def test_of_courtesy_the_opponent_is_asked_and_may_grant_time_for_a_turn(anna, bob):
    match = begun(anna, bob, courtesy=True)
    now = sweep(match)
    assert (match.status, told(match)) == ("running", ["asked"])
    assert refused(services.time_grant, match_id=match.pk, user=anna) == "not_asked"
    with time_machine.travel(now + HOUR):
        services.time_grant(match_id=match.pk, user=bob)
    late = awaited(match)
    assert late.deadline - late.called == match.increment
    sweep(match)
    assert told(match) == ["asked", "granted", "asked"]
    services.time_claim(match_id=match.pk, user=bob)
    match.refresh_from_db()
    assert (match.ending, [seat.rank for seat in match.seats.all()]) == ("on_time", [2, 1])


def test_who_is_asked_and_says_nothing_for_three_days_has_decided_too(anna, bob):
    match = begun(anna, bob, courtesy=True)
    now = sweep(match)
    sweep(match, now + 3 * DAY + GRACE)
    assert (match.status, match.ending) == ("finished", "on_time")


def test_while_the_opponent_is_asked_no_vacation_of_theirs_takes_the_three_days_back(anna, bob):
    match = begun(anna, bob, courtesy=True)
    now = sweep(match)
    with time_machine.travel(now + HOUR):
        services.vacation_start(user=bob, begins=timezone.now(), days=1)
    assert awaited(match).deadline == now + 3 * DAY


def test_while_the_opponent_is_asked_a_late_move_is_still_a_move(anna, bob):
    match = begun(anna, bob, courtesy=True)
    now = sweep(match)
    with time_machine.travel(now + HOUR):
        play_turn(match, 0)
    assert (awaited(match).index, match.seats.get(index=0).asked) == (1, None)


# --- three to five: the ladder ---------------------------------------------------------------


def test_the_first_miss_is_a_neutral_turn_a_strike_and_one_increment(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    sweep(match)
    holder = Holder.objects.get(user=anna)
    assert (holder.missed, holder.missed_in_a_row, holder.turns) == (1, 1, 1)
    assert match.seats.get(index=0).reserve == match.increment
    assert awaited(match).index == 1
    assert {move.by for move in match.moves.filter(seat=0)} == {"player", "clock"}
    assert (told(match), noticed(match, "timed_out")) == (["missed"], ["Anna", "Bob", "Cleo"])


def test_the_clock_makes_one_secret_choice_not_the_next_decision_too(anna, bob, cleo):
    match = market(anna, bob, cleo)
    later = timezone.now() + 4 * DAY
    for seat in (1, 2, 0):
        assert services.match_expire(match_id=match.pk, seat=seat, now=later)
    assert [move.seat for move in match.moves.all()] == [1, 2, 0]
    assert [seat.index for seat in match.seats.filter(to_act=True)] == [0]


def test_the_second_miss_in_a_row_brings_a_caretaker_who_moves_at_once(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    sweep(match)
    play_turn(match, 1)
    play_turn(match, 2)
    sweep(match)
    seat = match.seats.get(index=0)
    assert (seat.user, seat.bot, seat.has_caretaker) == (anna, "medium", True)
    assert (seat.to_act, seat.deadline, seat.name) == (True, None, "Anna")
    assert noticed(match, "caretaker") == ["Anna", "Bob", "Cleo"]
    assert told(match) == ["missed", "caretaker_timed_out"]
    Seat.objects.filter(pk=seat.pk).update(bot="easy")  # thinks faster
    tasks.think(match.pk)
    assert awaited(match).index == 1
    assert Holder.objects.get(user=anna).caretaker_turns == 1


def test_a_turn_made_in_between_forgives_a_row_but_the_third_miss_of_all_does_not(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    for number in range(3):
        sweep(match)
        play_turn(match, 1)
        play_turn(match, 2)
        if number < 2:
            assert not match.seats.get(index=0).bot
            play_turn(match, 0)
            play_turn(match, 1)
            play_turn(match, 2)
    assert match.seats.get(index=0).has_caretaker
    assert Holder.objects.get(user=anna).missed == 3


def test_the_owner_comes_back_any_time_with_time_for_a_turn_and_strikes_stay(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    sweep(match)
    play_turn(match, 1)
    play_turn(match, 2)
    now = sweep(match)
    with time_machine.travel(now + DAY):
        services.match_return(match_id=match.pk, user=anna)
    seat = match.seats.get(index=0)
    assert (seat.bot, seat.deadline - seat.called) == ("", match.increment)
    holder = Holder.objects.get(user=anna)
    assert (holder.ended, holder.missed) == ("", 2)
    assert noticed(match, "back") == ["Bob", "Cleo"]
    sweep(match)
    assert match.seats.get(index=0).has_caretaker


def test_who_comes_back_has_an_increment_even_where_one_began_with_less(anna, bob, cleo):
    short = Pace(slug="custom", start=12 * HOUR, increment=DAY, cap=2 * DAY)
    match = chosen(anna, bob, cleo, pace=short)
    Seat.objects.filter(match=match, index=0).update(reserve=12 * HOUR)
    away(match, anna)
    services.match_return(match_id=match.pk, user=anna)
    seat = match.seats.get(index=0)
    assert (seat.reserve, seat.deadline - seat.called) == (DAY, DAY)


def test_a_thought_that_comes_after_the_owner_is_refused(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, anna)
    services.match_return(match_id=match.pk, user=anna)
    session = session_of(match)
    thought = {"match_id": match.pk, "seat": 0, "token": session.token(0), "by": "bot"}
    move = " ".join(map(str, session.state.idle(0)))
    assert refused(services.match_play, text=move, **thought) == "stale"


def test_who_has_a_caretaker_moves_only_after_coming_back(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, anna)
    with pytest.raises(Refused, match="caretaker"):
        play_turn(match, 0)


def test_who_has_a_caretaker_takes_nothing_back(anna, bob, cleo):
    match = market(anna, bob, cleo)
    play_turn(match, 0)
    away(match, anna)
    undo = {"match_id": match.pk, "seat": 0, "token": token(match, 0)}
    assert refused(services.match_undo, **undo) == "caretaker"
    assert refused(services.match_undo, whole_turn=True, **undo) == "caretaker"


def test_resigning_among_three_brings_the_caretaker_and_is_taken_back_by_returning(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, anna)
    assert (match.status, match.seats.get(index=0).has_caretaker) == ("running", True)
    assert Holder.objects.get(user=anna).ended == "resigned"
    services.match_return(match_id=match.pk, user=anna)
    assert Holder.objects.get(user=anna).ended == ""


def test_after_three_days_a_substitute_is_sought_and_everybody_is_told(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, anna)
    since = match.seats.get(index=0).caretaker_since
    assert not services.match_look(match_id=match.pk, now=since + 3 * DAY - SECOND)
    assert services.match_look(match_id=match.pk, now=since + 3 * DAY)
    assert not services.match_look(match_id=match.pk, now=since + 3 * DAY)
    assert noticed(match, "substitute_sought") == ["Anna", "Bob", "Cleo"]
    assert [one.pk for one in seats_offered()] == [match.pk]


def test_after_five_turns_of_the_caretaker_a_substitute_is_sought_sooner(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, anna)
    Holder.objects.filter(user=anna).update(caretaker_turns=4)
    Seat.objects.filter(match=match, index=0).update(bot="easy")
    tasks.think(match.pk)
    tasks.tick()
    assert match.seats.get(index=0).offered


def test_a_substitute_is_a_new_holder_and_the_old_record_stays(anna, bob, cleo):
    match, dirk = chosen(anna, bob, cleo, private=False), person("Dirk")
    away(match, anna)
    assert refused(services.seat_take, match_id=match.pk, user=dirk) == "no_seat_offered"
    now = match.seats.get(index=0).caretaker_since + 3 * DAY
    services.match_look(match_id=match.pk, now=now)
    assert refused(services.seat_take, match_id=match.pk, user=bob) == "already_seated"
    with time_machine.travel(now):
        services.seat_take(match_id=match.pk, user=dirk)
    seat = match.seats.get(index=0)
    assert (seat.user, seat.bot, seat.offered) == (dirk, "", None)
    assert seat.deadline - seat.called == max(match.increment, seat.reserve)
    assert [
        (holder.user, holder.ended, holder.substituted, holder.turns, holder.until is None)
        for holder in seat.holders.all()
    ] == [(anna, "resigned", True, 1, False), (dirk, "", False, 0, True)]
    assert refused(services.match_return, match_id=match.pk, user=anna) == "not_seated"
    assert noticed(match, "substituted") == ["Dirk", "Bob", "Cleo"]
    said = match.lines.filter(key__in=("site_relieved", "site_substituted")).order_by("pk")
    assert [(line.key, line.args) for line in said] == [
        ("site_relieved", {"seat": 0}),
        ("site_substituted", {"seat": 0}),
    ]


def test_no_guest_takes_over_a_seat_of_a_rated_match(anna, bob, cleo):
    match = chosen(anna, bob, cleo, rated=True)
    away(match, anna)
    services.match_look(match_id=match.pk, now=timezone.now() + 3 * DAY)
    take = {"match_id": match.pk, "user": person("Visitor", is_guest=True)}
    assert refused(services.seat_take, **take) == "members_only"


def test_the_seat_of_a_private_match_is_taken_by_its_link_and_the_former_holder_still_sees_it(
    anna, bob, cleo
):
    match, dirk = chosen(anna, bob, cleo), person("Dirk")
    Match.objects.filter(pk=match.pk).update(private=True)
    away(match, bob)
    services.match_look(match_id=match.pk, now=timezone.now() + 4 * DAY)
    assert list(seats_offered()) == []
    assert refused(services.seat_take, match_id=match.pk, user=dirk) == "not_invited"
    services.seat_take(match_id=match.pk, user=dirk, link=match.link)
    match.refresh_from_db()
    assert [may_watch(match, user) for user in (bob, dirk, person("Eva"))] == [True, True, False]


# --- few and none ----------------------------------------------------------------------------


def test_the_only_one_left_has_no_clock_and_may_win_by_default(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, bob, cleo)
    assert noticed(match, "lone") == ["Anna", "Bob", "Cleo"]
    assert awaited(match).deadline is None
    services.match_claim(match_id=match.pk, user=anna)
    match.refresh_from_db()
    assert (match.status, match.ending) == ("finished", "by_default")
    assert match.seats.get(index=0).rank == 1
    assert [holder.ended for holder in Holder.objects.order_by("seat")] == [
        "played",
        "resigned",
        "resigned",
    ]
    assert differences(match) == []


def test_the_only_one_left_may_play_on_against_bots(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    assert refused(services.match_play_on, match_id=match.pk, user=anna) == "not_alone"
    away(match, bob, cleo)
    services.match_play_on(match_id=match.pk, user=anna)
    assert [seat.user for seat in match.seats.all()] == [anna, None, None]
    assert refused(services.match_return, match_id=match.pk, user=bob) == "not_seated"
    assert refused(services.match_claim, match_id=match.pk, user=anna) == "not_alone"
    match.refresh_from_db()
    assert (match.status, match.expires is not None) == ("running", True)


def test_when_the_second_comes_back_both_clocks_run_again_from_then(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, bob, cleo)
    with time_machine.travel(timezone.now() + 20 * DAY):
        now = timezone.now()
        services.match_return(match_id=match.pk, user=bob)
        assert awaited(match).deadline >= now + match.increment


def test_when_all_are_gone_nothing_is_played_and_the_match_ends_in_two_weeks(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, bob, cleo, anna)
    before = match.moves.count()
    assert (match.asleep is not None, noticed(match, "asleep")) == (True, ["Anna", "Bob", "Cleo"])
    since = match.asleep
    for day in range(1, 7):
        with time_machine.travel(since + day * DAY):
            tasks.tick()
            tasks.think(match.pk)
    assert (match.moves.count(), noticed(match, "expires_soon")) == (before, [])
    for day in (7, 7, 13):
        services.match_look(match_id=match.pk, now=since + day * DAY)
    assert noticed(match, "expires_soon") == ["Anna", "Bob", "Cleo"]
    services.match_look(match_id=match.pk, now=since + 14 * DAY)
    match.refresh_from_db()
    assert (match.status, match.ending) == ("cancelled", "abandoned")
    assert noticed(match, "cancelled") == ["Anna", "Bob", "Cleo"]


def test_a_sleeping_match_wakes_when_one_comes_back(anna, bob, cleo):
    match = chosen(anna, bob, cleo)
    away(match, bob, cleo, anna)
    services.match_return(match_id=match.pk, user=cleo)
    match.refresh_from_db()
    assert match.asleep is None
    assert match.expires > timezone.now() + 50 * DAY


def test_when_everybody_is_absent_the_clock_does_not_run_ahead(anna, bob, cleo):
    """Elsewhere a match in which nobody moved was played years ahead in one night."""
    match = chosen(anna, bob, cleo)
    with time_machine.travel(timezone.now() + 365 * DAY):
        for _sweep in range(10):
            tasks.tick()
        assert match.moves.filter(by="clock").values("seat").distinct().count() == 1
        assert awaited(match).deadline > timezone.now()


# --- idle matches and tables -----------------------------------------------------------------


def test_a_match_without_a_clock_closes_after_sixty_idle_days_and_two_warnings(anna, bob):
    match = duel(anna, bob, pace="friends")
    begin = match.started
    for day, warned in ((29, 0), (30, 1), (52, 1), (53, 2), (59, 2)):
        services.match_look(match_id=match.pk, now=begin + day * DAY)
        match.refresh_from_db()
        assert (match.status, match.warned) == ("running", warned)
    assert noticed(match, "expires_soon") == ["Anna", "Anna", "Bob", "Bob"]
    services.match_look(match_id=match.pk, now=begin + 60 * DAY)
    match.refresh_from_db()
    assert (match.status, match.ending) == ("cancelled", "idle")
    assert told(match) == ["closes", "closes", "idle"]


def test_any_move_lets_the_sixty_days_begin_again(anna, bob):
    match = duel(anna, bob, pace="friends")
    with time_machine.travel(match.started + 40 * DAY):
        tasks.tick()
        play_turn(match, 0)
        match.refresh_from_db()
        assert (match.warned, match.expires > timezone.now() + 59 * DAY) == (0, True)


def test_a_nudge_is_no_move_and_lets_no_match_live_longer(anna, bob):
    match = duel(anna, bob, pace="friends")
    expires = match.expires
    with time_machine.travel(timezone.now() + DAY):
        services.nudge(match_id=match.pk, user=bob, seat=0)
    match.refresh_from_db()
    assert match.expires == expires


def test_a_table_that_does_not_fill_is_announced_a_day_before_it_closes(anna):
    table = services.match_create(user=anna, game="obelisk", opponents=[services.Opponent("open")])
    assert not services.match_look(match_id=table.pk, now=table.expires - DAY - SECOND)
    assert services.match_look(match_id=table.pk, now=table.expires - DAY)
    assert not services.match_look(match_id=table.pk, now=table.expires - SECOND)
    assert services.match_look(match_id=table.pk, now=table.expires)
    table.refresh_from_db()
    assert (table.status, table.ending) == ("cancelled", "unfilled")
    assert [notice.kind for notice in Notice.objects.order_by("pk")] == ["expires_soon", "expired"]


def test_with_bots_alone_there_is_no_clock_and_resigning_calls_the_match_off(anna):
    match = services.match_create(
        user=anna, game="obelisk", opponents=[services.Opponent("bot", "easy")] * 2
    )
    assert [(seat.reserve, seat.deadline) for seat in match.seats.all()] == [(None, None)] * 3
    services.match_resign(match_id=match.pk, user=anna)
    match.refresh_from_db()
    assert (match.status, match.ending) == ("cancelled", "left")
