"""How long a match will take: by the calendar, going by how fast its players usually answer."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match, Seat
from games.profiles import responses_of

USUAL = timedelta(hours=8)  # to an answer, of somebody of whom nothing is known yet
WEEKS_FROM = 14  # days: longer matches are told in weeks


def lengths_of(tables: Sequence[Match]) -> dict[int, timedelta]:
    """Estimate how long the matches of these tables will take: one query for all of them."""
    seats = {table.pk: list(table.seats.all()) for table in tables}
    people = {seat.user_id for table in seats.values() for seat in table if seat.user_id}
    usual = responses_of(people)
    return {table.pk: _length(table, seats[table.pk], usual) for table in tables}


def _length(table: Match, seats: Sequence[Seat], usual: Mapping[int, float]) -> timedelta:
    """Let each seat make its share of the turns; a bot answers at once."""
    answers = [_answer(table, seat, usual) for seat in seats]
    return table.game.turns[len(seats)] * sum(answers, timedelta()) / len(seats)


def _answer(table: Match, seat: Seat, usual: Mapping[int, float]) -> timedelta:
    if seat.bot:
        return timedelta()
    seconds = usual.get(seat.user_id or 0)
    answer = USUAL if seconds is None else timedelta(seconds=seconds)
    # Nobody can be slower for long than the clock gives back.
    return min(answer, table.increment) if table.increment else answer


def length_words(length: timedelta) -> str:
    """Word a length roughly, for it is a guess: in days, of longer ones in weeks."""
    days = round(length / timedelta(days=1))
    if days < 2:
        return _("a day or less")
    if days < WEEKS_FROM:
        return ngettext("about %(days)s day", "about %(days)s days", days) % {"days": days}
    weeks = round(days / 7)
    return ngettext("about %(weeks)s week", "about %(weeks)s weeks", weeks) % {"weeks": weeks}
