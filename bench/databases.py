"""The databases of the site, one after the other, each measured in a child of its own.

SQLite is always there; PostgreSQL when tests.services can start or find a server, and then in a
database of our own that is dropped afterwards.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from bench.report import Part
from tests.services import start_postgres


def part(modules: dict[str, list[str]]) -> Part:
    """Run modules of this package, with their arguments, on every database."""
    whole = Part()
    server = start_postgres()
    if server.address is None:
        whole.missing.append(f"PostgreSQL was not measured: {server.note}")
    for module, arguments in modules.items():
        whole.add(_child(module, arguments, ""))
        if server.address:
            with _database_of_our_own(server.address) as url:
                whole.add(_child(module, arguments, url))
    return whole


def _child(module: str, arguments: list[str], url: str) -> Part:
    """A measurement that breaks is told, and keeps nothing else from being measured."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env=os.environ | {"BENCH_DATABASE_URL": url},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        where, why = urlsplit(url).scheme or "SQLite", done.stderr.strip().splitlines()[-1]
        return Part(missing=[f"`{module}` failed on {where}: {why}"])
    return Part.load(done.stdout)


@contextmanager
def _database_of_our_own(server: str) -> Iterator[str]:
    name = f"nilepost_bench_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)
