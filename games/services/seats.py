"""Who plays a seat: its owner, a caretaker while the owner is away, or a substitute.

Every step is told to everybody, in the log and by notice.
"""

from accounts.models import User
from accounts.ties import are_apart
from games.engine.contract import Refused
from games.engine.session import ranks
from games.models import Holder, Match, Notice, Seat
from games.services.agreements import settle_proposal
from games.services.change import Change, cancel, finish
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
        for other in change.seats:
            if other.has_caretaker:
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
    levels = list(change.match.game.levels)
    seat.bot, seat.caretaker_since = levels[len(levels) // 2], change.now
    seat.deadline = seat.asked = None
    change.holders[seat.index].ended = why
    change.holders[seat.index].save()
    change.announce(f"caretaker_{why}", seat=seat.index)
    change.tell(Notice.Kind.CARETAKER, about=seat.index)
    _count_people(change)


def substitute(change: Change, seat: Seat, user: User) -> None:
    """Give a seat to somebody else for good, beside the record of who held it before."""
    former = seat.name
    others = [other for other in change.seats if other is not seat]
    change.tell(Notice.Kind.SUBSTITUTED, seat.index, [seat])  # while it is still theirs
    _let_go(change, seat)
    change.holders[seat.index] = Holder.objects.create(seat=seat, user=user, since=change.now)
    seat.user = user
    Seat.objects.filter(pk=seat.pk).update(muted=False)  # that was the other's wish
    _sit_down(change, seat)
    change.announce("substituted", seat=seat.index, former=former)
    change.tell(Notice.Kind.SUBSTITUTED, seat.index, others)


def take_back(change: Change, seat: Seat) -> None:
    """Give a seat back to its owner; what was missed stays on record."""
    holder = change.holders[seat.index]
    holder.ended = ""
    holder.save()
    _sit_down(change, seat)
    change.announce("back", seat=seat.index)
    change.tell(Notice.Kind.BACK, seat.index, [one for one in change.seats if one is not seat])


def offer(change: Change, seat: Seat) -> None:
    """Offer a seat that a caretaker has played for long to anybody who wants it."""
    seat.offered = change.now
    change.announce("offered", seat=seat.index)
    change.tell(Notice.Kind.SUBSTITUTE_SOUGHT, about=seat.index)


def lose(change: Change, seat: Seat, how: Holder.Ended, ending: Match.Ending) -> None:
    """End a match of two: who ran out of time or gave up is last, whatever the score."""
    change.holders[seat.index].ended = how
    change.announce(f"lost_{ending}", seat=seat.index)
    finish(change, [2 if other is seat else 1 for other in change.seats], ending)


def _sit_down(change: Change, seat: Seat) -> None:
    """Let a person play a caretaker's seat, with time enough for a turn."""
    pace = change.match.pace
    seat.bot, seat.caretaker_since, seat.offered = "", None, None
    if pace.start is not None:
        seat.reserve = max(seat.reserve or pace.increment, pace.increment)
    change.match.asleep = None
    change.deadlines_moved = True


def _let_go(change: Change, seat: Seat) -> None:
    """Close the record of a seat's holder, if it has one: a bot has none."""
    holder = change.holders.pop(seat.index, None)
    if holder is None:
        return
    holder.until, holder.substituted = change.now, True
    holder.save()


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
        change.tell(Notice.Kind.LONE, people[0].index, people)
    else:
        settle_proposal(change)
