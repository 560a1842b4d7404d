"""Compile the translations; unlike Django's compilemessages it needs no gettext."""

from typing import Any

from django.core.management import BaseCommand

from config import messages


class Command(BaseCommand):
    help = "Compile every .po file that changed."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        messages.compile_all()
