"""Play stored matches again under today's rules and report what comes out otherwise."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Match
from games.queries import SEATS, differences


class Command(BaseCommand):
    help = "Plays stored matches again from their seeds; fails if anything differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", type=int, help="numbers of matches")
        parser.add_argument("--all", action="store_true", help="every match that was started")

    def handle(self, *args: Any, ids: list[int], **options: Any) -> None:
        if bool(ids) == options["all"]:
            raise CommandError("Name the matches, or say --all.")
        matches = Match.objects.exclude(snapshot="").order_by("pk").prefetch_related(SEATS)
        wanted = matches.filter(pk__in=ids) if ids else matches
        seen, broken = set(), 0
        for match in wanted.iterator(chunk_size=100):
            seen.add(match.pk)
            found = differences(match)
            broken += bool(found)
            for difference in found:
                self.stdout.write(f"#{match.pk} {difference.key}: {difference.detail}")
        if missing := [number for number in ids if number not in seen]:
            raise CommandError(f"No such match has been played: {missing}")
        self.stdout.write(f"{len(seen)} played again, {broken} differ")
        if broken:
            raise CommandError("The rules of today do not give the matches that are stored.")
