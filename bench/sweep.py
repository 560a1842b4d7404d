"""The sweep: what `tick` asks every few seconds, among few and among very many waiting matches.

Run as a child with BENCH_DATABASE_URL. Rows are made by the database itself; nothing is played.
"""

import os
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

import django

from bench.measure import Figure, figure
from bench.report import Part, Row, Section, at_most, table

FEW, DUE = 10_000, 100
NOTE = """\
Wall time of the whole question and its answer, one after the other on the same connection. Of
every twenty matches one is an open table and one has a bot; of each kind exactly a hundred are
due, and every query must find them."""


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
        "tables_overdue": lambda: ask.tables_overdue(now).values_list("pk")[:batch],
        "bots_to_act": lambda: ask.bots_to_act(now).values_list("match")[:batch],
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
        # Medians, not rounds: the two tables cannot exist side by side.
        grown = Figure(lot.middle / few.middle, lot.low / few.low, lot.high / few.high)
        lines.append([name, _milli(few), _milli(lot), f"{grown.short()}x"])
        if name == "seats_overdue":
            full = "Seq Scan" in plans[name] or "SCAN games_seat" in plans[name].split("USING")[0]
            what = f"clock sweep on {vendor}, {DUE} due among {many:,} against {FEW:,}"
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

    later, past = now + timedelta(days=2), now - timedelta(minutes=1)
    if connection.vendor == "postgresql":
        series = "generate_series(%(first)s, %(last)s) AS n"
    else:
        series = (
            "(WITH RECURSIVE counted(n) AS (SELECT %(first)s UNION ALL "
            "SELECT n + 1 FROM counted WHERE n < %(last)s) SELECT n FROM counted) AS numbers"
        )
    values: dict[str, Any] = {"first": made + 1, "last": size, "first_due": 20 * DUE}
    values |= {"later": later, "past": past, "now": now}
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (MATCHES, SEATS, NOTICES):
            cursor.execute(statement.format(series=series), values)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


# Of every twenty matches one is an open table, one waits for a bot, the others for a person.
# Only the first hundred of each kind are due; later bots have moved and wait for their opponent.
MATCHES = """
INSERT INTO games_match (id, game, version, options, seats_wanted, pace, rated, private, link,
    seed, snapshot, epoch, revision, status, created, expires)
SELECT n, 'obelisk', 1, '{{}}', 2, 'standard', false, false, 'link' || n, 'seed', '{{}}', 1, 1,
    CASE WHEN n %% 20 = 0 THEN 'open' ELSE 'running' END, %(now)s,
    CASE WHEN n %% 20 <> 0 THEN NULL WHEN n <= %(first_due)s THEN %(past)s ELSE %(later)s END
FROM {series}
"""
SEATS = """
INSERT INTO games_seat (match_id, "index", bot, invitee_email, to_act, called, deadline)
SELECT n, 0, CASE WHEN n %% 20 = 1 THEN 'hard' ELSE '' END, '',
    n %% 20 > 1 OR (n %% 20 = 1 AND n <= %(first_due)s), %(now)s,
    CASE WHEN n %% 20 < 2 THEN NULL WHEN n %% 20 = 2 AND n <= %(first_due)s THEN %(past)s
        ELSE %(later)s END
FROM {series}
"""
NOTICES = """
INSERT INTO games_notice (seat_id, kind, epoch, created, due, attempts, error)
SELECT id, 'your_turn', 1, %(now)s,
    CASE WHEN match_id %% 20 = 2 AND match_id <= %(first_due)s THEN %(past)s ELSE %(later)s END,
    0, ''
FROM games_seat WHERE match_id BETWEEN %(first)s AND %(last)s AND bot = ''
"""


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    django.setup()
    print(part(int(sys.argv[1]), int(sys.argv[2])).dump())
