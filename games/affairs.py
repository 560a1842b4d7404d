"""What a match asks of its viewer beside the moves: about time, absent players and agreements.

Made from rows; every button names an action of views/affairs.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import prose
from games.chairs import URGENT
from games.clock import LONGEST_PAUSE
from games.models import Match, Seat
from games.services.agreements import PAUSE, RATED, may_be_nudged, rating_in_doubt

PAUSES = (2, 3, 7, 14, LONGEST_PAUSE)  # days one may propose


class Button(NamedTuple):
    action: str
    label: str
    is_primary: bool = False
    seat: int | None = None

    @property
    def value(self) -> str:
        return self.action if self.seat is None else f"{self.action} {self.seat}"


class Affair(NamedTuple):
    """Something to know or to decide, and the answers that can be given."""

    text: str
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Affairs:
    asked: tuple[Affair, ...] = ()  # stands beside the board
    pace: tuple[str, ...] = ()  # the clock of this match in words
    buttons: tuple[Button, ...] = ()  # what one may do at any time; what presses is asked
    pauses: tuple[tuple[int, str], ...] = ()  # how many days one may propose, in words


def affairs_of(match: Match, mine: Seat | None, now: datetime) -> Affairs:
    """Gather what a viewer (None: who has no seat) may know and decide."""
    seats = list(match.seats.all())
    if match.status != Match.Status.RUNNING:
        return Affairs(pace=pace_words(match))
    people = [seat for seat in seats if seat.has_person]
    can_agree = mine is not None and mine.has_person and len(people) > 1 and not match.proposal
    timed = match.start is not None
    return Affairs(
        asked=tuple(_asked(match, seats, mine, now)),
        pace=pace_words(match),
        buttons=tuple(_buttons(match, seats, mine, now, can_agree)),
        pauses=tuple((days, _days(days)) for days in PAUSES) if can_agree and timed else (),
    )


def pace_words(match: Match) -> tuple[str, ...]:
    """Say all about the clock of a match: whoever joins must know it before."""
    words = [f"{match.pace.label}: {match.pace.explanation}"]
    if match.start is None:
        return tuple(words)
    words.append(_("The clock stands still in each player’s quiet hours."))
    if match.weekends:
        words.append(_("It stands still on each player’s two weekend days."))
    if match.vacations:
        words.append(_("It stands still on vacation."))
    else:
        words.append(_("No vacation: it runs on then."))
    if match.courtesy and match.seats_wanted == 2:
        words.append(_("Courtesy: who runs out of time may be granted more by the opponent."))
    return tuple(words)


def _asked(
    match: Match, seats: Sequence[Seat], mine: Seat | None, now: datetime
) -> Iterator[Affair]:
    if mine and mine.has_caretaker:
        back = Button("back", _("I’m back"), is_primary=True)
        yield Affair(_("A caretaker bot plays for you while you are away."), (back,))
    if mine and mine.has_person:
        yield from _decisions(match, seats, mine)
        yield from _pressing(match, seats, mine, now)
    yield from _states(match, now)
    free = next((seat for seat in seats if seat.offered), None)
    if free and mine is None:
        take = Button("take", _("Take this seat"), is_primary=True)
        words = _("%(name)s has gone; a caretaker bot plays. You may take over the seat.")
        yield Affair(words % {"name": free.name}, (take,))


def awaits_answer(match: Match, mine: Seat) -> bool:
    """Tell whether a player is to decide something: all of it is asked beside the board."""
    others = [seat for seat in match.seats.all() if seat != mine]
    is_late = any(seat.asked for seat in others)
    is_proposed = match.proposal is not None and mine.index not in match.proposal["agreed"]
    return mine.has_person and (_have_gone(others) or is_late or is_proposed)


def _have_gone(others: Sequence[Seat]) -> bool:
    return any(seat.has_caretaker for seat in others) and not any(
        seat.has_person for seat in others
    )


def _decisions(match: Match, seats: Sequence[Seat], mine: Seat) -> Iterator[Affair]:
    """List what a player is asked: about the only one left, a late opponent, a proposal."""
    others = [seat for seat in seats if seat is not mine]
    if _have_gone(others):
        yield Affair(
            _("All the others have gone. You need not wait for anybody."),
            (
                Button("claim", _("Win by default"), is_primary=True),
                Button("play_on", _("Play on against bots")),
            ),
        )
    for seat in seats:
        if seat.asked and seat is not mine:
            yield Affair(
                _("The time of %(name)s is up.") % {"name": seat.name},
                (
                    Button("grant", _("Grant time for a turn"), is_primary=True),
                    Button("deny", _("Claim the win")),
                ),
            )
        elif seat.asked:
            yield Affair(_("Your time is up. Move now, unless your opponent claims the win."))
    if match.proposal:
        yield _proposed(match, seats, mine)
    elif rating_in_doubt(match, seats) and any(seat.has_person for seat in others):
        yield _in_doubt(seats)


def _pressing(match: Match, seats: Sequence[Seat], mine: Seat, now: datetime) -> Iterator[Affair]:
    """Offer what helps when one's own time is short, or somebody keeps the match waiting."""
    if _may_take_day(match, mine) and _is_short(mine, now):
        text = _("Your time is nearly up. A day of your vacation stops this clock for 24 hours.")
        yield Affair(text, (_day(),))
    nudges = () if mine.to_act else _nudges(seats, mine, now)
    if nudges:
        names = [seats[button.seat or 0].name for button in nudges]
        text = _("The match has waited for %(names)s for more than twelve hours.")
        yield Affair(text % {"names": get_text_list(names, _("and"))}, nudges)


def _may_take_day(match: Match, mine: Seat) -> bool:
    return bool(mine.deadline and match.vacations and not mine.asked)


def _is_short(mine: Seat, now: datetime) -> bool:
    return mine.deadline is not None and mine.deadline - now < URGENT


def _day() -> Button:
    return Button("day", _("I need a day"))


def _nudges(seats: Sequence[Seat], mine: Seat, now: datetime) -> tuple[Button, ...]:
    return tuple(
        Button("nudge", _("Nudge %(name)s") % {"name": seat.name}, seat=seat.index)
        for seat in seats
        if seat is not mine and may_be_nudged(seat, now)
    )


def _in_doubt(seats: Sequence[Seat]) -> Affair:
    """Say what a caretaker means for the rating, and let a player ask the others to go on."""
    names = get_text_list([seat.name for seat in seats if seat.has_caretaker], _("and"))
    text = _(
        "A caretaker bot plays for %(names)s. If it makes most turns of the seat this match does"
        " not count for your rating, unless all who are left agree to go on rated."
    )
    return Affair(text % {"names": names}, (Button("rated", _("Propose to go on rated")),))


def _proposed(match: Match, seats: Sequence[Seat], mine: Seat) -> Affair:
    proposal = match.proposal or {}
    text = proposal_words(match, seats[proposal["by"]].name)
    if mine.index in proposal["agreed"]:
        missing = [s.name for s in seats if s.has_person and s.index not in proposal["agreed"]]
        text += " " + _("%(names)s must agree too.") % {"names": get_text_list(missing, _("and"))}
        return Affair(text, (Button("decline", _("Withdraw")),))
    agree = Button("agree", _("Agree"), is_primary=True)
    return Affair(text, (agree, Button("decline", _("Decline"))))


def proposal_words(match: Match, name: str) -> str:
    proposal = match.proposal or {}
    who = {"name": name, "days": _days(proposal["days"])}
    if proposal["kind"] == PAUSE:
        return _("%(name)s proposes a pause of %(days)s.") % who
    if proposal["kind"] == RATED:
        return _("%(name)s proposes to go on rated though a caretaker plays.") % who
    return _("%(name)s proposes to end the match without a result.") % who


def _states(match: Match, now: datetime) -> Iterator[Affair]:
    ends = [end for begin, end in match.pause_spans if begin <= now < end]
    if ends:
        text = _("The match pauses until %(time)s. You may move all the same.")
        yield Affair(text % {"time": prose.moment(max(ends))})
    if match.rated_with_caretaker:
        yield Affair(_("All who are left agreed: this match stays rated with a caretaker."))
    if match.expires and match.asleep:
        text = _("All players have gone: the match sleeps, and is cancelled on %(time)s.")
        yield Affair(text % {"time": prose.moment(match.expires)})
    elif match.expires and match.warned:
        text = _("If nobody moves this match is cancelled on %(time)s.")
        yield Affair(text % {"time": prose.moment(match.expires)})


def _buttons(
    match: Match, seats: Sequence[Seat], mine: Seat | None, now: datetime, can_agree: bool
) -> Iterator[Button]:
    if mine is None or not mine.has_person:
        return
    if _may_take_day(match, mine) and not _is_short(mine, now):
        yield _day()
    if mine.to_act:
        yield from _nudges(seats, mine, now)
    if can_agree:
        yield Button("end", _("Propose to end without a result"))


def _days(count: int) -> str:
    return ngettext("%(count)s day", "%(count)s days", count) % {"count": count}
