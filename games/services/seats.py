"""Who plays a seat: its owner, a caretaker while the owner is away, or a substitute.

Every step is told to everybody, in the log and by notice.
"""

from django.db.models import Max

from accounts.models import User
from accounts.ties import are_apart
from games.engine.contract import Refused
from games.engine.session import ranks
from games.models import Holder, Match, Notice, Seat
from games.services.agreements import forget_consent, settle_proposal
from games.services.change import Change, cancel, finish
from games.services.tables import must_be_reliable
from games.services.transaction import changing

# --- what players do -------------------------------------------------------------------------


def match_resign(*, match_id: int, user: User) -> None:
    """Give up: of two, that loses; of more, a caretaker takes over; with bots alone, it is over."""
    with changing(match_id) as change:
        seat = change.person(user)
        others = [other for other in change.seats if other.user_id and other is not seat]
        if not others:
            cancel(change, Match.Ending.LEFT)
        elif len(change.seats) == 2:
            lose(change, seat, Holder.Ended.RESIGNED, Match.Ending.RESIGNED)
        else:
            hand_over(change, seat, Holder.Ended.RESIGNED)


def match_return(*, match_id: int, user: User) -> Change:
    """Take one's own seat back from its caretaker."""
    with changing(match_id) as change:
        seat = change.seat_of(user)
        assert change.running  # noqa: S101 - refuses before the start and after the end
        if not seat.has_caretaker:
            raise Refused("no_caretaker")
        take_back(change, seat)
    return change


def seat_take(*, match_id: int, user: User, link: str = "") -> Seat:
    """Take over the seat of somebody who is gone: a new holder, beside the record of the old."""
    with changing(match_id) as change:
        match = change.match
        assert change.running  # noqa: S101 - refuses before the start and after the end
        if any(seat.user_id == user.pk for seat in change.seats):
            raise Refused("already_seated")
        seat = next((seat for seat in change.seats if seat.offered), None)
        if seat is None:
            raise Refused("no_seat_offered")
        if match.private and link != match.link:
            raise Refused("not_invited")
        if match.rated and user.is_guest:
            raise Refused("members_only")
        if are_apart(user, [other.user_id for other in change.seats]):
            raise Refused("not_together")
        must_be_reliable(match, user)
        substitute(change, seat, user)
        return seat


def match_claim(*, match_id: int, user: User) -> Change:
    """Let the only person left win by default."""
    with changing(match_id) as change:
        seat = _lone(change, user)
        standing = change.running.state.scores()
        others = [other.index for other in change.seats if other is not seat]
        below = dict(zip(others, ranks([standing[other] for other in others]), strict=True))
        ranking = [1 + below.get(other.index, 0) for other in change.seats]
        change.announce("by_default", seat=seat.index)
        finish(change, ranking, Match.Ending.BY_DEFAULT)
    return change


def match_play_on(*, match_id: int, user: User) -> Change:
    """Let the only person left play on: the caretakers stay for good, and there is no clock."""
    with changing(match_id) as change:
        seat = _lone(change, user)
        gone = [other for other in change.seats if other.has_caretaker]
        change.tell(Notice.Kind.PLAYS_ON, seat, gone)  # while the seats are still theirs
        for other in gone:
            _let_go(change, other)
            other.user, other.caretaker_since, other.offered = None, None, None
        change.announce("plays_on", seat=seat.index)
    return change


def _lone(change: Change, user: User) -> Seat:
    seat = change.person(user)
    if len(change.people) > 1 or not any(other.has_caretaker for other in change.seats):
        raise Refused("not_alone")
    return seat


# --- parts of a change -----------------------------------------------------------------------


def hand_over(change: Change, seat: Seat, why: Holder.Ended) -> None:
    """Let a caretaker play for somebody who is gone, so that nobody waits again."""
    seat.bot, seat.caretaker_since = change.match.game.usual_level, change.now
    seat.deadline = seat.asked = None
    leave(change, seat, why)
    change.announce(f"caretaker_{why}", seat=seat.index)
    change.tell(Notice.Kind.CARETAKER, about=seat)
    _count_people(change)


def substitute(change: Change, seat: Seat, user: User) -> None:
    """Give a seat to somebody else for good, beside the record of who held it before."""
    others = [other for other in change.seats if other is not seat]
    if not seat.muted:  # while it is still theirs, and so is the wish
        change.tell(Notice.Kind.SUBSTITUTED, seat, [seat])
    change.announce("relieved", seat=seat.index)
    line, move = _let_go(change, seat)
    change.holders[seat.index] = Holder.objects.create(
        seat=seat, user=user, since=change.now, first_line=line + 1, first_move=move + 1
    )
    seat.user = user
    seat.deadline = seat.asked = None  # the time of the former holder
    forget_consent(change, seat)
    Seat.objects.filter(pk=seat.pk).update(muted=False)  # that was the other's wish
    _sit_down(change, seat)
    change.announce("substituted", seat=seat.index)
    change.tell(Notice.Kind.SUBSTITUTED, seat, others)


def take_back(change: Change, seat: Seat) -> None:
    """Give a seat back to its owner; what was missed stays on record."""
    holder = change.holders[seat.index]
    holder.ended, holder.left, holder.seen = "", None, None
    holder.save()
    _sit_down(change, seat)
    change.announce("back", seat=seat.index)
    change.tell(Notice.Kind.BACK, seat, [one for one in change.seats if one is not seat])


def offer(change: Change, seat: Seat) -> None:
    """Offer a seat that a caretaker has played for long to anybody who wants it."""
    seat.offered = change.now
    change.announce("offered", seat=seat.index)
    change.tell(Notice.Kind.SUBSTITUTE_SOUGHT, about=seat)


def lose(change: Change, seat: Seat, how: Holder.Ended, ending: Match.Ending) -> None:
    """End a match of two: who ran out of time or gave up is last, whatever the score."""
    leave(change, seat, how)
    change.announce(f"lost_{ending}", seat=seat.index)
    finish(change, [2 if other is seat else 1 for other in change.seats], ending)


def leave(change: Change, seat: Seat, how: Holder.Ended) -> None:
    """Note in the record of a seat's holder how and when they left."""
    holder = change.holders[seat.index]
    holder.ended, holder.left = how, change.now
    holder.seen = seat.user.seen if seat.user else None
    if how == Holder.Ended.TIMED_OUT:
        holder.mark(change.now, in_time=False)
    holder.save()


def _sit_down(change: Change, seat: Seat) -> None:
    """Let a person play a caretaker's seat, with time enough for a turn."""
    pace = change.match.pace
    seat.bot, seat.caretaker_since, seat.offered = "", None, None
    if pace.start is not None:
        seat.reserve = max(seat.reserve or pace.increment, pace.increment)
    change.match.asleep = None
    change.deadlines_moved = True


def _let_go(change: Change, seat: Seat) -> tuple[int, int]:
    """Close the record of a seat's holder, if it has one: a bot has none.

    Tells the last line and the last move of before.
    """
    line = change.match.lines.aggregate(last=Max("pk"))["last"] or 0
    move = change.match.moves.aggregate(last=Max("pk"))["last"] or 0
    seat.changed_hands = True
    if holder := change.holders.pop(seat.index, None):
        holder.until, holder.substituted = change.now, True
        holder.last_line, holder.last_move = line, move
        holder.save()
    return line, move


def _count_people(change: Change) -> None:
    """See who is left: enough to play, one who may choose, or nobody."""
    people, match = change.people, change.match
    change.deadlines_moved = True
    if not people:
        match.asleep = change.now
        change.announce("asleep")
        change.tell(Notice.Kind.ASLEEP)
    elif len(people) == 1:
        change.announce("lone", seat=people[0].index)
        change.tell(Notice.Kind.LONE, people[0])
    else:
        settle_proposal(change)
