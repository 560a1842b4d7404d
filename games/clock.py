"""Paces, standstills and deadlines: how long a seat may think.

One model for all speeds: a reserve per seat, an increment for each completed turn, and a cap. Only
running time is used up: a clock rests at night, on free days, on vacation and in a pause.
Times are aware datetimes; nothing here touches the database.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from heapq import merge
from typing import NamedTuple, Self
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

NOTHING, HOUR, DAY = timedelta(), timedelta(hours=1), timedelta(days=1)

GRACE = HOUR  # after a deadline, untold: mail may be late and a shown clock may lag
LEAST_TURN = 12 * HOUR  # no pace gives less for a turn
MOST_RESERVE = 30 * DAY
YEARLY_VACATION = 21  # days
VACATION_IN_A_TURN = 7 * DAY  # so long may one player's vacation hold up three or more
LONGEST_PAUSE = 30  # days
TABLE_LIFETIME = 7 * DAY  # an open table that does not fill closes after this
IDLE_LIFETIME = 60 * DAY  # a match without a clock that nobody moves in closes after this
SLEEP_LIFETIME = 14 * DAY  # a match whose players have all gone closes after this

Span = tuple[datetime, datetime]


# --- paces -----------------------------------------------------------------------------------

LABELS: dict[str, Promise] = {
    "brisk": _("Brisk"),
    "standard": _("Standard"),
    "leisurely": _("Leisurely"),
    "friends": _("Friends"),
    "custom": _("Own pace"),
}


@dataclass(frozen=True, kw_only=True)
class Pace:
    slug: str
    start: timedelta | None  # None: no clock at all
    increment: timedelta = NOTHING
    cap: timedelta = NOTHING

    @property
    def label(self) -> Promise:
        return LABELS[self.slug]

    @property
    def explanation(self) -> str:
        if self.start is None:
            return gettext("No clock. For people who trust each other; never rated.")
        return gettext(
            "%(start)s to start with, %(increment)s more for every turn, at most %(cap)s."
        ) % {
            "start": worded(self.start),
            "increment": worded(self.increment),
            "cap": worded(self.cap),
        }

    @property
    def is_fair(self) -> bool:
        """Nobody ever gets less than the least turn, and nobody waits for ever."""
        if self.start is None:
            return True
        return (
            LEAST_TURN <= self.increment <= self.cap
            and LEAST_TURN <= self.start <= self.cap <= MOST_RESERVE
        )

    def after_turn(self, reserve: timedelta | None, used: timedelta) -> timedelta | None:
        """Give what is left of a seat's reserve after a turn that took `used`."""
        if self.start is None or reserve is None:
            return None
        return min(self.cap, max(NOTHING, reserve - used) + self.increment)


def worded(length: timedelta) -> str:
    """Word a duration of whole days or hours."""
    if length % DAY == NOTHING:
        return ngettext("%(count)s day", "%(count)s days", length.days) % {"count": length.days}
    hours = int(length / HOUR)
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}


PACES = {
    pace.slug: pace
    for pace in (
        Pace(slug="brisk", start=2 * DAY, increment=12 * HOUR, cap=3 * DAY),
        Pace(slug="standard", start=3 * DAY, increment=DAY, cap=5 * DAY),
        Pace(slug="leisurely", start=7 * DAY, increment=36 * HOUR, cap=10 * DAY),
        Pace(slug="friends", start=None),
    )
}
DEFAULT_PACE, CUSTOM = "standard", "custom"


# --- standstills -----------------------------------------------------------------------------


class Rest(NamedTuple):
    """When a player's clock rests by itself: the quiet hours, and two free days in some matches.

    A seat keeps the rest it was called with, so that a change works from the next turn on.
    """

    zone: str = "UTC"
    quiet: tuple[int, int] | None = None  # from one hour of the day to another
    weekend: int | None = None  # the first of two days, 0 = Monday

    def __str__(self) -> str:
        quiet = f"{self.quiet[0]}-{self.quiet[1]}" if self.quiet else "-"
        return f"{self.zone} {quiet} {'-' if self.weekend is None else self.weekend}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what str() wrote; nothing means a clock that never rests."""
        if not text:
            return cls()
        zone, quiet, weekend = text.split(" ")
        first, _dash, last = quiet.partition("-")
        return cls(
            zone,
            (int(first), int(last)) if first else None,
            None if weekend == "-" else int(weekend),
        )

    def spans(self, begin: datetime) -> Iterator[Span]:
        """Give every rest that ends after `begin`, in order, without end; they may overlap."""
        if self.quiet is None and self.weekend is None:
            return iter(())
        day = begin.astimezone(ZoneInfo(self.zone)).date() - 2 * DAY
        return merge(self._nights(day), self._weekends(day))

    def _nights(self, day: date) -> Iterator[Span]:
        if self.quiet is None or self.quiet[0] == self.quiet[1]:
            return
        first, last = self.quiet
        while True:
            yield self._at(day, first), self._at(day + DAY if last < first else day, last)
            day += DAY

    def _weekends(self, day: date) -> Iterator[Span]:
        if self.weekend is None:
            return
        day -= timedelta(days=(day.weekday() - self.weekend) % 7)
        while True:
            yield self._at(day, 0), self._at(day + 2 * DAY, 0)
            day += 7 * DAY

    def _at(self, day: date, hour: int) -> datetime:
        """Find the instant at which local clocks show this hour (the first, if they do twice)."""
        local = datetime.combine(day, time(hour), ZoneInfo(self.zone))
        return local.astimezone(ZoneInfo("UTC"))


class Standstill(NamedTuple):
    """All that stops one seat's clock: its own rest, and spans of vacation and pause."""

    rest: Rest = Rest()
    spans: tuple[Span, ...] = ()

    def after(self, begin: datetime) -> Iterator[Span]:
        """Give when the clock stands still after `begin`: in order, apart from each other."""
        return _apart(merge(self.rest.spans(begin), sorted(self.spans)), begin)


def _apart(spans: Iterable[Span], begin: datetime) -> Iterator[Span]:
    first = last = begin
    for one, other in spans:
        if one > last:
            if last > first:
                yield first, last
            first, last = one, max(one, other)
        else:
            last = max(last, other)
    if last > first:
        yield first, last


def deadline(called: datetime, reserve: timedelta, still: Standstill) -> datetime:
    """Find the last moment at which no more than the reserve has run."""
    at, left = called, reserve
    for begin, end in still.after(called):
        if begin - at > left:
            break
        at, left = end, left - (begin - at)
    return at + left


def used(called: datetime, until: datetime, still: Standstill) -> timedelta:
    """Tell how long a clock ran between two moments."""
    at, run = called, NOTHING
    for begin, end in still.after(called):
        if begin >= until:
            break
        run += begin - at
        at = end
    return run + max(NOTHING, until - at)


def within(
    spans: Sequence[Span], called: datetime, most: timedelta
) -> tuple[list[Span], datetime | None]:
    """Keep of some spans no more than `most` in all; tell when the rest is cut off, if any is."""
    kept: list[Span] = []
    left = most
    for begin, end in _apart(sorted(spans), called):
        if end - begin > left:
            return [*kept, (begin, begin + left)], begin + left
        kept.append((begin, end))
        left -= end - begin
    return kept, None
