"""The Celery app and its schedule of one entry.

The database is the queue: `tick` finds there whatever is due, and is safe to run twice. The
broker only wakes the worker early, so every message may be lost without harm.
"""

import os
import time
from datetime import UTC, datetime

from celery import Celery
from celery.schedules import schedule
from celery.signals import task_prerun
from kombu.transport import TRANSPORT_ALIASES

from config.logs import task_begins

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
TRANSPORT_ALIASES["files"] = "config.fsbroker:Transport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "config.redisbroker:Transport"

TICK_SECONDS = 10


def steady() -> datetime:
    """Give a time that only goes on: if the clock is set back, beat must not wait for it."""
    return datetime.fromtimestamp(time.monotonic(), UTC)


app = Celery("nilepost")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["games"])
app.conf.beat_schedule = {
    "tick": {
        "task": "games.tasks.tick",
        "schedule": schedule(TICK_SECONDS, nowfun=steady),
        # A worker that was away must not work through a heap of old ticks.
        "options": {"expires": TICK_SECONDS},
    },
}
task_prerun.connect(task_begins)
