"""What is done at the board: moves, and taking them back.

Whatever others may know of a move is told to them in a line. A draft without one is theirs neither
to see nor to count: it changes nothing that they get, no revision and no step of the replay.
"""

from accounts.models import User
from games.engine.contract import Refused, read
from games.models import Line, Move
from games.services.change import Change
from games.services.transaction import changing


def match_play(
    *, match_id: int, seat: int | User, token: str, text: str, by: str = Move.By.PLAYER
) -> Change:
    """Make one move. A stale token or an illegal move is refused and changes nothing."""
    decision = read(text)
    with changing(match_id) as change:
        seat, session = change.number_of(seat), change.running
        if token != session.token(seat):
            raise Refused("stale")
        if by == Move.By.BOT and not change.seats[seat].bot:
            raise Refused("stale")  # its owner has come back
        if by == Move.By.PLAYER and change.seats[seat].has_caretaker:
            raise Refused("caretaker")
        change.is_unheard = not change.play(seat, decision, by)
    return change


def match_undo(*, match_id: int, seat: int | User, token: str, whole_turn: bool = False) -> Change:
    """Take back the seat's last draft, or all of them."""
    with changing(match_id) as change:
        seat, session = change.number_of(seat), change.running
        if token != session.token(seat):
            raise Refused("stale")
        if change.seats[seat].has_caretaker:
            raise Refused("caretaker")
        drafts = Move.objects.filter(match=change.match, seat=seat, epoch=session.epoch)
        if whole_turn:
            session.restart(seat)
        else:
            session.undo(seat)
            drafts = drafts.filter(pk=drafts.order_by("-pk").values("pk")[:1])
        change.is_unheard = not Line.objects.filter(move__in=drafts).exclude(to=seat).exists()
        drafts.delete()
    return change
