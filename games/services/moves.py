"""What is done in a running match: moves, taking back, running out of time, resigning."""

from datetime import datetime

from accounts.models import User
from games.engine.contract import Refused, read
from games.models import Move
from games.services.transaction import Change, cancel, changing

LONGEST_TURN = 200  # moves the clock makes for a seat at most: no rule needs nearly as many


def match_play(
    *, match_id: int, seat: int, token: str, text: str, by: str = Move.By.PLAYER
) -> Change:
    """Make one move. A stale token or an illegal move is refused and changes nothing."""
    decision = read(text)
    with changing(match_id) as change:
        session = change.running
        if token != session.token(seat):
            raise Refused("stale")
        change.play(seat, decision, by)
    return change


def match_undo(*, match_id: int, seat: int, token: str, whole_turn: bool = False) -> Change:
    """Take back the seat's last draft, or all of them."""
    with changing(match_id) as change:
        session = change.running
        if token != session.token(seat):
            raise Refused("stale")
        drafts = Move.objects.filter(match=change.match, seat=seat, epoch=session.epoch)
        if whole_turn:
            session.restart(seat)
            drafts.delete()
        else:
            session.undo(seat)
            drafts.filter(pk=drafts.order_by("-pk").values("pk")[:1]).delete()
    return change


def match_expire(*, match_id: int, seat: int, now: datetime) -> bool:
    """Let the clock play out the turn of a seat whose time is up; False if it was not."""
    with changing(match_id) as change:
        late = change.seats[seat] if seat < len(change.seats) else None
        if late is None or not late.to_act or late.deadline is None or late.deadline > now:
            return False
        session = change.running
        for _ in range(LONGEST_TURN):
            change.play(seat, session.state.idle(seat), Move.By.CLOCK)
            if seat in change.done or seat not in session.state.to_act():
                break
        return True


def match_resign(*, match_id: int, user: User) -> None:
    """Hand the seat to a bot; a match that no other person plays is cancelled."""
    with changing(match_id) as change:
        seat = change.seat_of(user)
        assert change.running  # noqa: S101 - refuses before the start and after the end
        seat.user, seat.bot = None, "easy"
        seat.save()
        if not any(other.user_id for other in change.seats):
            cancel(change)
