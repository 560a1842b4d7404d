"""The sweep: what `tick` asks every few seconds, among few and among very many waiting matches.

Run as a child with BENCH_DATABASE_URL. One match is opened as players do; the database multiplies
its rows, so that a new column changes nothing here.
"""

import os
import re
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

import django

from bench.measure import Figure, figure
from bench.report import Part, Row, Section, at_most, table

FEW, DUE = 10_000, 100
# Reading the whole of seat_bot_to_act is none: nothing stands in it but bots that are to act.
FULL_SCAN = re.compile(r"Seq Scan on games_|SCAN games_(?!seat USING INDEX seat_bot_to_act)")
NOTE = """\
Wall time of the whole question and its answer, one after the other on the same connection. Of
every twenty matches one is to be looked after and one has a bot; a hundred of each kind are
due, and every query must find them. What grows is the quickest round."""


def part(rounds: int, many: int) -> Part:
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    call_command("migrate", "--run-syncdb", verbosity=0)
    now, title = timezone.now(), connection.vendor
    times: dict[str, dict[int, list[float]]] = {name: {} for name in queries(now)}
    plans: dict[str, str] = {}
    made = 0
    for size in (FEW, many):
        _fill(made, size, now)
        made = size
        for name, ask in queries(now).items():
            _seconds(ask)  # the first one compiles, plans and reads from disk
            times[name][size] = [_seconds(ask) for _ in range(rounds)]
            plans[name] = ask().explain()
    return _part(title, times, plans, many)


def queries(now: datetime) -> dict[str, Callable[[], Any]]:
    """Everything a tick looks for, as it looks for it."""
    from games import queries as ask

    batch = 200
    return {
        "seats_overdue": lambda: ask.seats_overdue(now).values_list("match", "index")[:batch],
        "matches_to_look_at": lambda: ask.matches_to_look_at(now).values_list("pk")[:batch],
        "bots_to_act": lambda: ask.bots_to_act(now).values_list("match")[:batch],
        "readers_due": lambda: ask.readers_due(now)[:batch],
        "notices_due": lambda: ask.notices_due(now)[:batch],
    }


def _seconds(ask: Callable[[], Any]) -> float:
    began = perf_counter()
    found = len(list(ask()))
    if found != DUE:
        raise RuntimeError(f"{found} found, {DUE} are due")
    return perf_counter() - began


def _part(
    vendor: str, times: dict[str, dict[int, list[float]]], plans: dict[str, str], many: int
) -> Part:
    made, lines = Part(), []
    for name, by_size in times.items():
        few, lot = figure(by_size[FEW]), figure(by_size[many])
        # The two tables cannot exist side by side, and a machine is busier at one time than at
        # another; the quickest round of each is what it was disturbed in least.
        grown = figure([lot.low / few.low])
        lines.append([name, _milli(few), _milli(lot), f"{grown.short()}x"])
        full = FULL_SCAN.search(plans[name])
        what = f"{name} on {vendor}, {DUE} due among {many:,} against {FEW:,}"
        measured = f"{grown.short()}x, {'a full scan' if full else 'no full scan'}"
        met = "no" if full else at_most(3, grown)
        made.rows.append(Row(what, "<= 3x, no full scan", measured, met))
    head = ["query of a tick", f"among {FEW:,}, ms", f"among {many:,}, ms", "grows"]
    shown = "\n\n".join(f"{name}:\n\n```\n{plan}\n```" for name, plan in plans.items())
    body = f"{table(head, lines)}\n\n{NOTE}\n\nPlans among {many:,}:\n\n{shown}"
    made.sections.append(Section(f"The sweep on {vendor}", body))
    return made


def _milli(seconds: Figure) -> str:
    return str(Figure(*(value * 1e3 for value in seconds)))


# --- rows -----------------------------------------------------------------------------------------


def _fill(made: int, size: int, now: datetime) -> None:
    """Bring the number of waiting matches from `made` to `size`."""
    from django.db import connection, transaction

    from games.models import Match, Notice, Seat

    if made == 0:
        _model()
    values: dict[str, Any] = {"first": made + 1, "last": size, "first_due": 20 * DUE}
    values |= {"later": now + timedelta(days=2), "past": now - timedelta(hours=2), "now": now}
    with transaction.atomic(), connection.cursor() as cursor:
        for model, changes in ((Match, MATCH), (Seat, SEAT), (Notice, NOTICE)):
            cursor.execute(_multiplied(model, changes), values)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _model() -> None:
    """Open one match as players do; what is measured are copies of its rows."""
    from accounts.models import User
    from games.models import Match, Notice, Seat
    from games.services import Opponent, match_create, match_join

    host, guest = User.objects.create_user("Anna"), User.objects.create_user("Bob")
    match = match_create(user=host, game="obelisk", opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=guest)
    seat = Seat.objects.filter(match=match, to_act=True).get()
    kept = Notice.objects.filter(seat=seat).first()
    assert kept is not None  # noqa: S101 - whoever is called is told
    # The rows that are copied must not count themselves.
    Notice.objects.filter(pk=kept.pk).update(due=None)
    Notice.objects.exclude(pk=kept.pk).delete()
    Seat.objects.filter(match=match).update(to_act=False)
    Match.objects.filter(pk=match.pk).update(once=None, look_again=None)
    MODEL.update(Match=match.pk, Seat=seat.pk, Notice=kept.pk)


def _multiplied(model: Any, changes: dict[str, str]) -> str:
    """Word a statement that copies the model row for every number, but for what changes."""
    from django.db import connection

    table_, named = model._meta.db_table, [field.column for field in model._meta.concrete_fields]
    picked = ", ".join(changes.get(column, f'kept."{column}"') for column in named)
    columns = ", ".join(f'"{column}"' for column in named)
    series = SERIES["postgresql" if connection.vendor == "postgresql" else "other"]
    return (
        f"INSERT INTO {table_} ({columns}) SELECT {picked} "  # noqa: S608 - our own names
        f"FROM {series}, {table_} AS kept WHERE kept.id = {MODEL[model.__name__]}"
    )


MODEL: dict[str, int] = {}
AFTER = 1_000  # the numbers of copies begin here
SERIES = {
    "postgresql": "generate_series(%(first)s, %(last)s) AS numbers(n)",
    "other": (
        "(WITH RECURSIVE counted(n) AS (SELECT %(first)s UNION ALL "
        "SELECT n + 1 FROM counted WHERE n < %(last)s) SELECT n FROM counted) AS numbers"
    ),
}
# Of every twenty matches one is to be looked at some day, one waits for a bot, the others for a
# person. Only the first hundred of each kind are due; later bots have moved and wait.
IS_DUE = "n <= %(first_due)s"
MATCH = {
    "id": f"n + {AFTER}",
    "link": "'link' || n",
    "look_again": (
        f"CASE WHEN n %% 20 <> 0 THEN NULL WHEN {IS_DUE} THEN %(past)s ELSE %(later)s END"
    ),
}
SEAT = {
    "id": f"n + {AFTER}",
    "match_id": f"n + {AFTER}",
    "bot": "CASE WHEN n %% 20 = 1 THEN 'hard' ELSE '' END",
    "to_act": f"n %% 20 > 1 OR (n %% 20 = 1 AND {IS_DUE})",
    "called": "%(now)s",
    "deadline": (
        f"CASE WHEN n %% 20 < 2 THEN NULL WHEN n %% 20 = 2 AND {IS_DUE} THEN %(past)s "
        "ELSE %(later)s END"
    ),
}
NOTICE = {
    "id": f"n + {AFTER}",
    "seat_id": f"n + {AFTER}",
    "due": f"CASE WHEN n %% 20 = 2 AND {IS_DUE} THEN %(past)s ELSE %(later)s END",
}


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    django.setup()
    print(part(int(sys.argv[1]), int(sys.argv[2])).dump())
