"""Compute all ratings again from the matches and say what differs; `--write` replaces them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.models import Rating, Standing
from games.services.ratings import ratings_rewrite, recomputed

Rows = set[tuple[object, ...]]


class Command(BaseCommand):
    help = "Compute all ratings again from the matches; say what differs from what is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true", help="replace what is kept")

    def handle(self, *_args: Any, **options: Any) -> None:
        ratings, standings = recomputed()
        kept = _rows(Rating.objects.iterator(), Standing.objects.iterator())
        found = _rows(ratings, standings)
        for row in sorted(kept ^ found, key=str):
            self.stdout.write(f"{'kept' if row in kept else 'computed'}: {row}")
        self.stdout.write(f"{len(ratings)} ratings, {len(kept ^ found)} differences")
        if options["write"]:
            ratings_rewrite()


def _rows(ratings: Any, standings: Any) -> Rows:
    """Give ratings and standings as plain values that can be compared."""
    rows: Rows = {
        (one.match_id, one.user_id, one.game_slug, one.mu, one.sigma, one.note) for one in ratings
    }
    return rows | {
        (one.game_slug, one.user_id, one.mu, one.sigma, one.matches) for one in standings
    }
