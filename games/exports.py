"""Past matches as the rows of a file: one query and one row at a time, however many there are."""

import csv
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from django.db.models import F, QuerySet

from games.models import Holder, Seat
from games.profiles import gain_of

LONGEST = 20_000  # matches
COLUMNS = (
    *("match", "game", "finished", "place", "players", "points", "opponents", "rated"),
    *("rating_change", "ended", "options"),
)

Row = dict[str, Any]


def rows_of(history: QuerySet[Holder]) -> Iterator[Row]:
    """Tell each of somebody's past matches; one line of the database for each seat of it."""
    seat, match = "seat__match__seats", "seat__match"
    lines = (
        history.prefetch_related(None)
        .order_by(*history.query.order_by, f"{seat}__index")
        .values(
            *("pk", "ended", "mu_before", "mu_after", "seat__index", "seat__rank", "seat__score"),
            *(f"{match}__{name}" for name in ("game_slug", "finished", "rated", "options")),
            match=F(match),
            index=F(f"{seat}__index"),
            bot=F(f"{seat}__bot"),
            name=F(f"{seat}__user__username"),
        )
    )
    matches = groupby(lines.iterator(chunk_size=2000), key=itemgetter("pk"))
    return (_row(list(seats)) for _pk, seats in islice(matches, LONGEST))


def _row(seats: list[Row]) -> Row:
    one = seats[0]
    others = [seat for seat in seats if seat["index"] != one["seat__index"]]
    return {
        "match": one["match"],
        "game": one["seat__match__game_slug"],
        "finished": one["seat__match__finished"].isoformat(),
        "place": one["seat__rank"],
        "players": len(seats),
        "points": one["seat__score"][0] if one["seat__score"] else None,
        "opponents": [seat["name"] or _bot_name(seat) for seat in others],
        "rated": one["seat__match__rated"],
        "rating_change": gain_of(one["mu_before"], one["mu_after"]),
        "ended": one["ended"],
        "options": [f"{key}={value}" for key, value in sorted(one["seat__match__options"].items())],
    }


def _bot_name(seat: Row) -> str:
    return Seat(index=seat["index"], bot=seat["bot"]).name


class Echo:
    """A file that hands every line on instead of keeping it."""

    def write(self, line: str) -> str:
        return line


def as_csv(rows: Iterable[Row]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow([_cell(row[column]) for column in COLUMNS])


def _cell(value: Any) -> str:
    """Write a value so that no spreadsheet takes it for a formula."""
    text = " ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    is_formula = text.startswith(("=", "+", "-", "@")) and not text.lstrip("-").isdigit()
    return f"'{text}" if is_formula else text
