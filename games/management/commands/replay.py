"""Play matches again under today's rules and report what comes out otherwise.

Either stored ones, by number, or records (docs/records.md) from files.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Match
from games.queries import SEATS, Difference, differences
from games.records import Unreadable, read_record
from games.records import differences as differences_in

LONGEST = 300  # characters of what is told of one file
LARGEST = 2**20  # characters of a file; a long match has a twentieth of it


class Command(BaseCommand):
    help = "Plays matches again from their seeds; fails if anything differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "matches", nargs="*", help="numbers of stored matches, or files with records"
        )
        parser.add_argument("--all", action="store_true", help="every match that was started")

    def handle(self, *args: Any, matches: list[str], **options: Any) -> None:
        if bool(matches) == options["all"]:
            raise CommandError("Name the matches, or say --all.")
        ids = [int(name) for name in matches if name.isdecimal()]
        files = [Path(name) for name in matches if not name.isdecimal()]
        found = [self._told(file.name, _recorded(file)) for file in files]
        if ids or options["all"]:
            found += [self._told(f"#{match.pk}", differences(match)) for match in _stored(ids)]
        self.stdout.write(f"{len(found)} played again, {sum(found)} differ")
        if any(found):
            raise CommandError("The rules of today do not give the matches that are recorded.")

    def _told(self, name: str, found: list[Difference]) -> bool:
        for difference in found:
            self.stdout.write(f"{name} {difference.key}: {plain(difference.detail)}")
        return bool(found)


def _stored(ids: list[int]) -> Iterator[Match]:
    """Go through the named matches, or through all."""
    played = Match.objects.exclude(snapshot="").order_by("pk").prefetch_related(SEATS)
    wanted = played.filter(pk__in=ids) if ids else played
    if missing := sorted({*ids} - {*wanted.values_list("pk", flat=True)}) if ids else []:
        raise CommandError(f"No such match has been played: {missing}")
    return wanted.iterator(chunk_size=100)


def _recorded(file: Path) -> list[Difference]:
    try:
        with file.open(encoding="utf-8") as text:
            return differences_in(read_record(text.read(LARGEST)))
    except (OSError, UnicodeDecodeError) as failure:
        raise CommandError(f"{file} cannot be read: {failure}") from None
    except Unreadable as unreadable:
        raise CommandError(f"{file} is no record: {plain(str(unreadable))}") from None


def plain(text: str) -> str:
    """Print what a file from anywhere says so that no terminal obeys it."""
    shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text[:LONGEST])
    return f"{shown} …" if len(text) > LONGEST else shown
