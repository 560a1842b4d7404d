"""The processes of the simulation: workers and two beats on one Redis, killed and started again."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from django.conf import settings
from redis import Redis

from tests import services
from tests.conftest import missing

WORKERS, BEATS = 2, 2
TICK = 0.4  # real seconds between the ticks of one beat


class Plant:
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.port = services.free_port()
        self.begin_redis()
        self.environment = os.environ | environment
        self.environment |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "NILEPOST_VAR": str(folder),
            "REDIS_URL": self.redis_url,
            "SIMULATION": str(folder),
            "SIMULATION_TICK": str(TICK),
        }
        self.begun = 0
        self.workers = [self._worker() for _ in range(WORKERS)]
        self.beats = [self._beat() for _ in range(BEATS)]

    def _worker(self) -> "subprocess.Popen[bytes]":
        return self._celery(
            *("worker", "--concurrency=2", "--without-gossip", "--without-mingle"),
            *("--without-heartbeat", f"--hostname=worker{self.begun}@simulation"),
        )

    def _beat(self) -> "subprocess.Popen[bytes]":
        return self._celery("beat", "--pidfile=")

    def _celery(self, *arguments: str) -> "subprocess.Popen[bytes]":
        self.begun += 1
        with (self.folder / f"{self.begun:03}-{arguments[0]}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "tests.simulation.app", *arguments],
                cwd=settings.BASE_DIR,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    # --- what befalls them -----------------------------------------------------------------------

    def kill_working(self, pids: list[int]) -> int:
        """Kill -9 those of our workers' children that are at work; tell how many that were."""
        ours = {worker.pid for worker in self.workers}
        killed = 0
        for pid in pids:
            with suppress(ProcessLookupError):
                if os.getpgid(pid) in ours:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            (self.folder / "at-work" / str(pid)).unlink(missing_ok=True)
        return killed

    def replace_worker(self, chance: Random) -> None:
        """Kill -9 a worker with all its children, and start another."""
        place = chance.randrange(WORKERS)
        _kill(self.workers[place])
        self.workers[place] = self._worker()

    def replace_beat(self, chance: Random) -> None:
        place = chance.randrange(BEATS)
        _kill(self.beats[place])
        self.beats[place] = self._beat()

    def begin_redis(self) -> None:
        server = services.private_redis(self.port)
        self.redis_url = server.address or missing(server.note)

    def restart_redis(self, *, away: float) -> None:
        self._end_redis()
        time.sleep(away)
        self.begin_redis()

    def _end_redis(self) -> None:
        os.kill(Redis.from_url(self.redis_url).info()["process_id"], signal.SIGKILL)

    def end(self) -> None:
        for one in [*self.workers, *self.beats]:
            _kill(one)
        self._end_redis()

    def last_words(self) -> str:
        """Give the end of every log, for a failure's report."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text()[-600:]}" for log in logs[-5:])


def _kill(one: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(one.pid, signal.SIGKILL)
    one.wait()
