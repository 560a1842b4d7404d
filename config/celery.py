"""The Celery app and its schedule of one entry.

The database is the queue: `tick` finds there whatever is due, and is safe to run twice. The
broker only wakes the worker early, so every message may be lost without harm.
"""

import os

from celery import Celery
from celery.signals import task_prerun
from kombu.transport import TRANSPORT_ALIASES

from config.logs import task_begins

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
TRANSPORT_ALIASES["files"] = "config.fsbroker:Transport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "config.redisbroker:Transport"

TICK_SECONDS = 10

app = Celery("nilepost")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["games"])
app.conf.beat_schedule = {
    "tick": {
        "task": "games.tasks.tick",
        "schedule": TICK_SECONDS,
        # A worker that was away must not work through a heap of old ticks.
        "options": {"expires": TICK_SECONDS},
    },
}
task_prerun.connect(task_begins)
