"""What happens when time is up: a vacation day, a question, a loss, or the ladder.

A turn that lies ready is ended as it lies, and nothing of this happens.
Run by the sweep and by whoever opens the match; the second one finds nothing left to do.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from config.trouble import by_the_way
from games.clock import DAY, GRACE, VACATION_IN_A_TURN
from games.engine.contract import Refused
from games.models import Holder, Match, Move, Notice, Seat
from games.queries import is_overdue, session_of
from games.services.change import Change, cancel
from games.services.clocks import deadline_of, standstill_of
from games.services.seats import hand_over, leave, lose
from games.services.transaction import changing
from games.services.vacations import days_left, vacation_spread, vacation_take

LONGEST_TURN = 200  # moves the clock makes for a seat at most: no rule needs nearly as many
TURNS_BEFORE_LOSS = 2  # each; a match that ends on time before is no match
COURTESY = timedelta(days=3)  # for the opponent to answer; then the clock decides
MISSES_IN_A_ROW, MISSES_IN_ALL = 2, 3  # the last one brings the caretaker


def match_expire(*, match_id: int, seat: int, now: datetime) -> bool:
    """Do what a passed deadline demands; False if the time of this seat is not up."""
    with changing(match_id, now) as change:
        late = _overdue(change, seat)
        if late is None:
            return False
        change.is_sweep = True
        took_vacation = _time_is_up(change, late)
    if took_vacation and late.user:
        vacation_spread(user=late.user, now=now, besides=match_id)
    return True


def match_catch_up(*, match: Match, now: datetime) -> bool:
    """Do in a match at hand what the sweep would; True if it has to be read again."""
    late = [seat.index for seat in match.seats.all() if is_overdue(seat, now)]
    with by_the_way():
        for seat in late:
            match_expire(match_id=match.pk, seat=seat, now=now)
    return bool(late)


def _overdue(change: Change, index: int) -> Seat | None:
    """Find the seat if its time is up: computed anew, for a vacation may have begun elsewhere."""
    seat = change.seats[index] if index < len(change.seats) else None
    if (
        seat is None
        or change.match.status != Match.Status.RUNNING
        or seat.deadline is None
        or seat.deadline + GRACE > change.now
    ):
        change.drop()
        return None
    due = seat.deadline if seat.asked else deadline_of(change, seat)
    if due and due + GRACE <= change.now:
        return seat
    change.deadlines_moved = True
    return None


def _time_is_up(change: Change, seat: Seat) -> bool:
    """Take the next step; True if that was a day of vacation."""
    if _lies_ready(change, seat):
        change.announce("ended", seat=seat.index)
        change.play(seat.index, change.running.state.idle(seat.index), Move.By.CLOCK)
        change.movers[seat.index] = Move.By.PLAYER  # it was the player's turn, not the clock's
    elif _vacation_is_too_long(change, seat):
        hand_over(change, seat, Holder.Ended.AWAY)
    elif _may_take_vacation(change, seat) and seat.user and seat.deadline:
        vacation_take(user=seat.user, begins=seat.deadline, now=change.now)
        del change.vacations  # read them again
        change.deadlines_moved = True
        change.announce("vacation_used", seat=seat.index)
        change.tell(Notice.Kind.VACATION_USED, seat, [seat])
        return True
    elif len(change.seats) == 2:
        _lose_on_time(change, seat)
    else:
        _climb(change, seat)
    return False


def _lies_ready(change: Change, seat: Seat) -> bool:
    """Tell whether a player has laid out a turn that lacks nothing but its end."""
    # A clock that was stopped counts the turn from when it went on; drafts are of this turn too.
    of_the_turn = Q(at__gt=seat.called) | Q(epoch=change.match.epoch)
    made = Move.objects.filter(of_the_turn, match=change.match, seat=seat.index)
    if not made.filter(by=Move.By.PLAYER).exists():
        return False
    trial = session_of(change.match)
    turn = trial.state.turn()
    trial.play(seat.index, trial.state.idle(seat.index))
    return trial.state.turn() != turn or seat.index not in trial.state.to_act()


def _vacation_is_too_long(change: Change, seat: Seat) -> bool:
    _still, limit = standstill_of(change, seat)
    return limit is not None and limit <= change.now


def _may_take_vacation(change: Change, seat: Seat) -> bool:
    """Vacation is taken by itself, unless its owner or the match will not have it so."""
    user, called, due = seat.user, seat.called, seat.deadline
    if not (user and called and due and change.match.vacations and user.vacation_by_itself):
        return False
    if seat.asked or days_left(user, due) < 1:
        return False
    taken = [one for one in change.vacations if one.user_id == user.pk and one.ends > called]
    total = sum((one.ends - max(called, one.begins) for one in taken), timedelta())
    return len(change.seats) == 2 or total + DAY <= VACATION_IN_A_TURN


# --- two players -----------------------------------------------------------------------------


def is_too_soon(holders: Iterable[Holder]) -> bool:
    """Tell whether a match of two that ends on time now would be no match."""
    return min(holder.turns for holder in holders) < TURNS_BEFORE_LOSS


def _lose_on_time(change: Change, seat: Seat) -> None:
    if is_too_soon(change.holders.values()):
        leave(change, seat, Holder.Ended.TIMED_OUT)
        change.announce("too_soon", seat=seat.index)
        cancel(change, Match.Ending.TOO_SOON)
        change.tell(Notice.Kind.CANCELLED, about=seat)
    elif change.match.courtesy and seat.asked is None:
        seat.asked, seat.deadline = change.now, change.now + COURTESY
        change.announce("asked", seat=seat.index)
        change.tell(Notice.Kind.TIMED_OUT, about=seat)
    else:
        lose(change, seat, Holder.Ended.TIMED_OUT, Match.Ending.ON_TIME)
        change.tell(Notice.Kind.TIMED_OUT, about=seat)


def time_grant(*, match_id: int, user: User) -> Change:
    """Let an opponent whose time is up play on, with time for one more turn."""
    with changing(match_id) as change:
        late = _asked(change, user)
        late.asked, late.deadline = None, None  # so that the clock runs from now
        late.reserve = change.match.pace.increment
        change.deadlines_moved = True
        mine = change.seat_of(user)
        change.announce("granted", seat=mine.index, other=late.index)
        change.tell(Notice.Kind.GRANTED, mine, [late])
    return change


def time_claim(*, match_id: int, user: User) -> Change:
    """Do not grant time: the opponent has lost."""
    with changing(match_id) as change:
        lose(change, _asked(change, user), Holder.Ended.TIMED_OUT, Match.Ending.ON_TIME)
    return change


def _asked(change: Change, user: User) -> Seat:
    """Give the late opponent about whom this player was asked."""
    mine = change.person(user)
    late = next((seat for seat in change.seats if seat.asked and seat is not mine), None)
    if late is None:
        raise Refused("not_asked")
    return late


# --- three and more --------------------------------------------------------------------------


def is_last_miss(holder: Holder) -> bool:
    """Tell whether one more missed turn brings the caretaker."""
    in_a_row, in_all = holder.missed_in_a_row + 1, holder.missed + 1
    return in_a_row >= MISSES_IN_A_ROW or in_all >= MISSES_IN_ALL


def _climb(change: Change, seat: Seat) -> None:
    """Play a neutral turn for who missed one; who misses too many gets a caretaker."""
    holder = change.holders[seat.index]
    change.tell(Notice.Kind.TIMED_OUT, about=seat)
    if is_last_miss(holder):
        holder.missed += 1
        holder.missed_in_a_row += 1
        hand_over(change, seat, Holder.Ended.TIMED_OUT)
        return
    change.announce("missed", seat=seat.index)
    session = change.running
    for _ in range(LONGEST_TURN):
        change.play(seat.index, session.state.idle(seat.index), Move.By.CLOCK)
        if seat.index in change.done or seat.index not in session.state.to_act():
            break
