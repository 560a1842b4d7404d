"""Paces and deadlines: how long a seat may think.

One model for all speeds: a reserve per seat, an increment for each completed turn, and a cap.
Times are aware datetimes; nothing here touches the database.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TABLE_LIFETIME = timedelta(days=7)  # an open table that does not fill closes after this


@dataclass(frozen=True, kw_only=True)
class Pace:
    slug: str
    label: Promise
    explanation: Promise
    start: timedelta | None  # None: no clock at all
    increment: timedelta = timedelta()
    cap: timedelta = timedelta()

    def reserve(self) -> timedelta | None:
        return self.start

    def after_turn(self, reserve: timedelta | None, used: timedelta) -> timedelta | None:
        """Give what is left of a seat's reserve after a turn that took `used`."""
        if reserve is None:
            return None
        return min(self.cap, max(timedelta(), reserve - used) + self.increment)


PACES = {
    pace.slug: pace
    for pace in (
        Pace(
            slug="brisk",
            label=_("Brisk"),
            explanation=_("2 days to start with, 12 hours more for every turn, at most 3 days."),
            start=timedelta(days=2),
            increment=timedelta(hours=12),
            cap=timedelta(days=3),
        ),
        Pace(
            slug="standard",
            label=_("Standard"),
            explanation=_("3 days to start with, 1 day more for every turn, at most 5 days."),
            start=timedelta(days=3),
            increment=timedelta(days=1),
            cap=timedelta(days=5),
        ),
        Pace(
            slug="leisurely",
            label=_("Leisurely"),
            explanation=_("7 days to start with, 36 hours more for every turn, at most 10 days."),
            start=timedelta(days=7),
            increment=timedelta(hours=36),
            cap=timedelta(days=10),
        ),
        Pace(
            slug="friends",
            label=_("Friends"),
            explanation=_("No clock. For people who trust each other; never rated."),
            start=None,
        ),
    )
}
DEFAULT_PACE = "standard"


def deadline(called: datetime | None, reserve: timedelta | None) -> datetime | None:
    return None if called is None or reserve is None else called + reserve
