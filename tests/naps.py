"""A task that takes a while, for tests of the worker that runs it."""

import time
from pathlib import Path

from celery import shared_task


@shared_task(name="nap")
def nap(seconds: float, mark: str) -> None:
    time.sleep(seconds)
    Path(mark).touch()
