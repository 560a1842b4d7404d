"""Compute all ratings again from the matches and say what differs; `--write` replaces them."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Model

from games.models import Rating, Standing
from games.services.ratings import ratings_rewrite, recomputed


class Command(BaseCommand):
    help = "Compute all ratings again from the matches; say what differs from what is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true", help="replace what is kept")

    def handle(self, *_args: Any, **options: Any) -> None:
        ratings, standings = recomputed()
        kept = _rows(Rating.objects.iterator(), Standing.objects.iterator())
        found = _rows(ratings, standings)
        for row in sorted(kept ^ found):
            self.stdout.write(f"{'kept' if row in kept else 'computed'}: {row}")
        self.stdout.write(f"{len(ratings)} ratings, {len(kept ^ found)} differences")
        if options["write"]:
            ratings_rewrite()


def _rows(*rows: Iterable[Model]) -> set[str]:
    """Write every column but the row's own number, so that whatever differs is seen."""
    return {_written(row) for row in chain(*rows)}


def _written(row: Model) -> str:
    columns = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
    return " ".join([type(row).__name__, *(f"{name}={getattr(row, name)}" for name in columns)])
