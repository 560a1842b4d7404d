"""What players agree on: a pause, an end without a result, to go on rated; and a polite nudge."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from accounts.models import User
from accounts.ties import are_apart
from games.clock import LONGEST_PAUSE
from games.engine.contract import Refused
from games.models import Match, Notice, Seat
from games.services.change import Change, cancel
from games.services.transaction import changing

PAUSE, END, RATED = "pause", "end", "rated"
PROPOSAL_LIFETIME = timedelta(days=7)
NUDGE_AFTER = timedelta(hours=12)  # nobody is hurried in the first hours of a turn
NUDGE_AGAIN = timedelta(days=1)


def proposal_make(*, match_id: int, user: User, kind: str, days: int = 0) -> Change:
    """Ask for a pause of some days, an end without a result, or to go on rated with a caretaker."""
    with changing(match_id) as change:
        seat = change.person(user)
        _must_be_possible(change, kind, days)
        change.match.proposal = {
            "kind": kind,
            "by": seat.index,
            "days": days,
            "made": change.now.isoformat(),
            "agreed": [seat.index],
        }
        change.announce(f"proposed_{kind}", seat=seat.index, days=days)
        others = [other for other in change.people if other is not seat]
        change.tell(Notice.Kind.PROPOSED, seat, others)
    return change


def _must_be_possible(change: Change, kind: str, days: int) -> None:
    match = change.match
    if kind not in (PAUSE, END, RATED) or (kind == PAUSE and not 1 <= days <= LONGEST_PAUSE):
        raise Refused("bad_proposal")
    if kind == RATED and not rating_in_doubt(match, change.seats):
        raise Refused("bad_proposal")
    if kind == PAUSE and match.start is None:
        raise Refused("no_clock")
    if len(change.people) < 2:
        raise Refused("nobody_to_ask")
    if match.proposal:
        made = datetime.fromisoformat(match.proposal["made"])
        if change.now - made < PROPOSAL_LIFETIME:
            raise Refused("already_proposed")


def rating_in_doubt(match: Match, seats: Iterable[Seat]) -> bool:
    """Tell whether a match may end unrated because of a caretaker, and nothing is agreed yet."""
    nursed = any(seat.has_caretaker for seat in seats)
    return match.rated and nursed and not match.rated_with_caretaker


def proposal_answer(*, match_id: int, user: User, agree: bool) -> Change:
    """Agree, decline, or withdraw one's own proposal."""
    with changing(match_id) as change:
        seat = change.person(user)
        proposal = change.match.proposal
        if not proposal:
            raise Refused("no_proposal")
        if not agree:
            change.match.proposal = None
            change.announce("declined", seat=seat.index)
        else:
            agreed = sorted({*proposal["agreed"], seat.index})
            change.match.proposal = proposal | {"agreed": agreed}
            settle_proposal(change)
    return change


def settle_proposal(change: Change) -> None:
    """Do what was proposed once everybody who is there agrees: who is absent, consents."""
    match, proposal = change.match, change.match.proposal
    if not proposal or not {seat.index for seat in change.people} <= set(proposal["agreed"]):
        return
    match.proposal = None
    if proposal["kind"] == END:
        change.announce("agreed")
        cancel(change, Match.Ending.AGREED)
        change.tell(Notice.Kind.CANCELLED)
    elif proposal["kind"] == RATED:
        match.rated_with_caretaker = True
        change.announce("stays_rated")
    else:
        until = change.now + timedelta(days=proposal["days"])
        match.pauses = [*match.pauses, [change.now.isoformat(), until.isoformat()]]
        change.deadlines_moved = True
        change.announce("paused", until=until.isoformat())
        change.tell(Notice.Kind.PAUSED)


def forget_consent(change: Change, seat: Seat) -> None:
    """Let what a seat's former holder proposed or agreed to bind nobody who comes after."""
    proposal = change.match.proposal
    if proposal and proposal["by"] == seat.index:
        change.match.proposal = None
    elif proposal:
        agreed = [one for one in proposal["agreed"] if one != seat.index]
        change.match.proposal = proposal | {"agreed": agreed}


def nudge(*, match_id: int, user: User, seat: int) -> Change:
    """Remind a player whom the match waits for: politely, at most once a day."""
    with changing(match_id) as change:
        mine = change.person(user)
        change.mark_absent()
        other = change.seats[seat] if 0 <= seat < len(change.seats) else None
        if other is None or other is mine or not may_be_nudged(other, change.now):
            raise Refused("no_nudge")
        if are_apart(user, [other.user_id]):  # a nudge is a message
            raise Refused("no_nudge")
        other.nudged = change.now
        change.is_sweep = True
        change.tell(Notice.Kind.NUDGED, mine, [other])
    return change


def may_be_nudged(seat: Seat, now: datetime) -> bool:
    """Tell whether it is time to remind a player, and not a time off."""
    if seat.vacation_until or any(begin <= now < end for begin, end in seat.match.pause_spans):
        return False
    return (
        seat.to_act
        and seat.has_person
        and seat.asked is None  # then the opponent has more to say than that
        and seat.called is not None
        and now - seat.called >= NUDGE_AFTER
        and (seat.nudged is None or now - seat.nudged >= NUDGE_AGAIN)
    )
