"""The clocks of a change: started by a call, stopped by a decision, paid by a completed turn."""

from datetime import datetime

from games import clock, notices
from games.clock import Rest, Standstill
from games.models import Match, Move, Seat
from games.services.change import Change


def set_clocks(change: Change, called: list[int], sealed: bool) -> None:
    """Start the clock of each newly called seat; pay the increment for each completed turn.

    A turn is completed when it is sealed: a choice that can still be recalled stops the clock but
    earns nothing, so taking back and choosing again cannot farm time.
    """
    for seat in change.seats:
        seat.to_act = seat.index in called
        if seat.called and not seat.to_act:
            seat.acted = seat.acted or change.now
        if seat.called and sealed and (seat.acted or seat.index in change.done):
            _complete(change, seat)
    for seat in change.seats:
        if not seat.to_act:
            seat.deadline = None
        elif seat.called is None:
            seat.called = change.now
            seat.rest = str(rest_of(change.match, seat))
            _call(change, seat)
        elif seat.acted or change.deadlines_moved:
            _resume(change, seat)


def _resume(change: Change, seat: Seat) -> None:
    """Go on with a turn: a clock that was stopped runs from now with what was left of it."""
    before = seat.deadline
    if seat.acted and seat.called and seat.reserve is not None:
        still, _limit = standstill_of(change, seat)
        seat.reserve -= min(seat.reserve, clock.used(seat.called, seat.acted, still))
    if before is None:  # it begins anew, perhaps for somebody else
        seat.called, seat.rest = change.now, str(rest_of(change.match, seat))
    seat.acted = None
    if seat.asked is None and (before is None or deadline_of(change, seat) != before):
        _call(change, seat, again=True)


def _call(change: Change, seat: Seat, *, again: bool = False) -> None:
    """Set the deadline and tell the player; telling it anew moves the reminders too."""
    seat.deadline = deadline_of(change, seat)
    if seat.has_person:
        notices.call_on(seat, change.match.epoch, change.now, again=again)


def is_timed(change: Change, seat: Seat) -> bool:
    """A clock runs for a person, and only if another person waits."""
    return change.match.start is not None and seat.has_person and len(change.people) > 1


def rest_of(match: Match, seat: Seat) -> Rest:
    """Read from a player's settings when this seat's clock rests."""
    user = seat.user
    if user is None or seat.bot:
        return Rest()
    return Rest(
        user.time_zone or "UTC",
        (user.quiet_from, user.quiet_until) if user.quiet else None,
        user.weekend if match.weekends else None,
    )


def deadline_of(change: Change, seat: Seat) -> datetime | None:
    """Find until when a seat must have acted; None: it has all the time in the world."""
    if not is_timed(change, seat) or seat.called is None or seat.reserve is None:
        return None
    still, limit = standstill_of(change, seat)
    due = clock.deadline(seat.called, seat.reserve, still)
    return min(due, limit) if limit else due


def standstill_of(change: Change, seat: Seat) -> tuple[Standstill, datetime | None]:
    """Gather all that stops a seat's clock in this turn, and when its vacation is too long."""
    match, limit = change.match, None
    spans = match.pause_spans
    if match.vacations and seat.called:
        away = [(one.begins, one.ends) for one in change.vacations if one.user_id == seat.user_id]
        if len(change.seats) > 2:
            away, limit = clock.within(away, seat.called, clock.VACATION_IN_A_TURN)
        spans += away
    return Standstill(Rest.read(seat.rest), tuple(spans)), limit


def _complete(change: Change, seat: Seat) -> None:
    """Pay for a completed turn and record how it was made."""
    called, acted = seat.called or change.now, seat.acted or change.now
    if seat.has_person:
        still, _limit = standstill_of(change, seat)
        seat.reserve = change.match.pace.after_turn(seat.reserve, clock.used(called, acted, still))
    if seat.index in change.holders:
        _record(change, seat, round((acted - called).total_seconds()))
    seat.called = seat.acted = seat.asked = seat.nudged = None


def _record(change: Change, seat: Seat, seconds: int) -> None:
    holder = change.holders[seat.index]
    mover = _mover(change, seat)
    if mover in (Move.By.PLAYER, Move.By.CLOCK) and is_timed(change, seat):
        holder.mark(change.now, in_time=mover == Move.By.PLAYER)
    match mover:
        case Move.By.PLAYER:
            holder.turns += 1
            holder.missed_in_a_row = 0
            holder.responses.append(seconds)
        case Move.By.CLOCK:
            holder.missed += 1
            holder.missed_in_a_row += 1
        case _:
            holder.caretaker_turns += 1
    holder.save()


def _mover(change: Change, seat: Seat) -> str:
    """Tell who made a turn: now, or (a secret choice) some changes ago."""
    if seat.index in change.movers:
        return change.movers[seat.index]
    made = Move.objects.filter(match=change.match, seat=seat.index).order_by("-pk")
    return made.values_list("by", flat=True).first() or Move.By.PLAYER
