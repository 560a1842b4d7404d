"""Bring the .po files in step with the source and say what is left to translate."""

from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

from config import messages


class Command(BaseCommand):
    help = "Collect the texts of the site and of each game into their .po files."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for locale, paths in messages.sources().items():
            po = messages.update(locale, paths)
            missing = [entry for entry in po if not entry.translated()]
            place = messages.po_path(locale).relative_to(settings.BASE_DIR)
            self.stdout.write(f"{place}: {len(po)} texts, {len(missing)} to translate")
        messages.compile_all()
