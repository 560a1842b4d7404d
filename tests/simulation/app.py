"""The site's own Celery app under the simulated clock: what workers and beats here run.

Boards in mails and the thoughts of caretakers are dear and beside the point; everything else is as
in production.
"""

import os
from pathlib import Path

from celery.signals import task_postrun, task_prerun, worker_init
from django.utils import timezone

from tests.simulation.clock import Gate, SharedClock

FOLDER = Path(os.environ["SIMULATION"])
timezone.now = SharedClock(FOLDER / "now").now  # before anything of the site is imported

from config.celery import app  # noqa: E402

app.conf.beat_schedule["tick"]["schedule"] = float(os.environ["SIMULATION_TICK"])

gate = Gate(FOLDER)
task_prerun.connect(gate.enter)
task_postrun.connect(gate.leave)


@worker_init.connect
def prepare(**_signal: object) -> None:
    """Once in a worker, so that each of its children that is killed costs no more than a fork."""
    from django.template.loader import get_template
    from django.urls import reverse

    from games import correspondence
    from games.catalogue import shelf

    correspondence.MOST_PICTURES = 0
    for game in shelf().values():
        game.levels.update(dict.fromkeys(game.levels, 0.0))  # type: ignore[attr-defined]
    reverse("home")
    get_template("mail/letter.txt"), get_template("mail/letter.html")


__all__ = ["app"]
