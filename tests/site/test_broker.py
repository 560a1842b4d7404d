"""The brokers: files lose and tear nothing, and a Redis that is away costs no player time."""

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
import time_machine
from celery import Celery
from celery.beat import Scheduler
from django.conf import settings
from django.utils import timezone
from kombu import Connection
from redis import Redis

from config.celery import TICK_SECONDS, app
from tests import services
from tests.conftest import missing

SEND = """
import time, django
django.setup()
from config.celery import app
from django.core.cache import cache
def timed(action):
    begin = time.monotonic()
    try:
        outcome = action()
    except Exception as error:
        outcome = type(error).__name__
    print(outcome, time.monotonic() - begin < 10)
timed(lambda: app.send_task("games.tasks.tick") and "sent")
timed(lambda: app.send_task("games.tasks.tick") and "sent")
timed(lambda: cache.set("key", "kept"))
timed(lambda: cache.get("key", "forgotten"))
"""


def test_beat_does_not_wait_for_a_clock_that_was_set_back() -> None:
    beat = Scheduler(app)
    beat.setup_schedule()
    assert 0 < beat.tick() <= TICK_SECONDS
    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        assert 0 < beat.tick() <= TICK_SECONDS


def what_a_site_on(redis_url: str, var: Path) -> list[str]:
    """Return what sending a task and using the cache came to, and whether soon.

    The settings allow a fraction of a second, a busy machine makes it several; unset they would
    allow for ever.
    """
    ran = subprocess.run(
        [sys.executable, "-c", SEND],
        cwd=settings.BASE_DIR,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "NILEPOST_VAR": str(var),
            "REDIS_URL": redis_url,
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.services
def test_a_redis_that_is_there_takes_tasks_and_remembers(redis_url: str, tmp_path: Path) -> None:
    assert what_a_site_on(redis_url, tmp_path) == ["sent True"] * 2 + ["None True", "kept True"]


@pytest.mark.services
def test_a_redis_that_is_gone_fails_soon_and_the_cache_forgets(tmp_path: Path) -> None:
    nobody = f"redis://127.0.0.1:{services.free_port()}/0"
    assert what_a_site_on(nobody, tmp_path) == [
        "OperationalError True",
        "OperationalError True",
        "None True",
        "forgotten True",
    ]


@pytest.mark.services
def test_a_redis_that_hangs_fails_soon(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts and never answers
        port = silent.getsockname()[1]
        assert what_a_site_on(f"redis://127.0.0.1:{port}/0", tmp_path) == [
            "OperationalError True",
            "OperationalError True",
            "None True",
            "forgotten True",
        ]


# --- a worker whose Redis goes away --------------------------------------------------------------


class Napping:
    """A worker as the README starts it, on a Redis of its own, which can be killed."""

    def __init__(self, var: Path) -> None:
        self.var, self.port = var, services.free_port()
        self.begin_redis()
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "NILEPOST_VAR": str(var),
            "REDIS_URL": self.address,
        }
        with (var / "log").open("w") as log:
            self.worker = subprocess.Popen(
                [
                    *(sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency=2"),
                    *("--without-gossip", "--without-mingle", "--include=tests.naps"),
                ],
                cwd=settings.BASE_DIR,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def begin_redis(self) -> None:
        server = services.private_redis(self.port)
        self.address = server.address or missing(server.note)

    def end_redis(self) -> None:
        os.kill(Redis.from_url(self.address).info()["process_id"], signal.SIGKILL)

    def ask(self, name: str, *, seconds: float = 0) -> Path:
        mark = self.var / name
        with Connection(self.address) as connection:
            Celery().send_task("nap", args=[seconds, str(mark)], connection=connection)
        return mark

    def end(self) -> None:
        os.killpg(self.worker.pid, signal.SIGKILL)
        self.worker.wait()
        self.end_redis()


@pytest.fixture
def napping(tmp_path: Path) -> Iterator[Napping]:
    one = Napping(tmp_path)
    yield one
    one.end()


def appears(mark: Path, seconds: float) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends and not mark.exists():
        time.sleep(0.05)
    return mark.exists()


@pytest.mark.services
@pytest.mark.slow
def test_after_the_broker_was_restarted_a_worker_takes_up_work_again_by_itself(
    napping: Napping,
) -> None:
    """Whether it was idle or at work when the broker died, and whether that was short or long."""
    assert appears(napping.ask("at first"), 30)
    for number, (at_work, away) in enumerate([(True, 2), (True, 2), (False, 0.2), (True, 0.2)]):
        begun = napping.ask(f"begun {number}", seconds=4) if at_work else None
        time.sleep(0.5)  # by now it is being run
        napping.end_redis()
        time.sleep(away)
        napping.begin_redis()
        assert appears(napping.ask(f"afterwards {number}"), 20), (napping.var / "log").read_text()
        assert begun is None or appears(begun, 10)
    assert "EMERGENCY" not in (napping.var / "log").read_text()


# --- files ---------------------------------------------------------------------------------------


@pytest.fixture
def file_broker(tmp_path: Path) -> Callable[[], Any]:
    """A function that opens a channel of its own to one shared folder."""
    options = {
        "data_folder_in": str(tmp_path),
        "data_folder_out": str(tmp_path),
        "control_folder": str(tmp_path),
        "processed_folder": str(tmp_path),
    }
    return lambda: Connection("files://localhost//", transport_options=options).channel()


def test_messages_in_files_arrive_once_and_in_order(file_broker: Callable[[], Any]) -> None:
    channel = file_broker()
    for number in range(5):
        channel._put("celery", {"number": number})
    assert channel._size("celery") == 5
    assert [channel._get("celery")["number"] for _message in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        channel._get("celery")


def test_queues_do_not_mix(file_broker: Callable[[], Any]) -> None:
    channel = file_broker()
    channel._put("other.celery", {"number": 1})
    with pytest.raises(Empty):
        channel._get("celery")
    assert channel._get("other.celery") == {"number": 1}


def test_a_damaged_message_is_passed_over(file_broker: Callable[[], Any], tmp_path: Path) -> None:
    (tmp_path / "00000000000000000000_torn.celery.msg").write_text('{"numb')
    channel = file_broker()
    channel._put("celery", {"number": 1})
    assert channel._get("celery") == {"number": 1}
    assert list(tmp_path.iterdir()) == []


def test_many_writers_and_readers_share_the_folder(file_broker: Callable[[], Any]) -> None:
    arrived: list[int] = []
    finished = threading.Event()

    def write(first: int) -> None:
        channel = file_broker()
        for number in range(first, first + 200):
            channel._put("celery", {"number": number})

    def read() -> None:
        channel = file_broker()
        while True:
            done = finished.is_set()
            try:
                arrived.append(channel._get("celery")["number"])
            except Empty:
                if done:
                    return
                time.sleep(0.001)

    readers = [threading.Thread(target=read) for _reader in range(3)]
    writers = [threading.Thread(target=write, args=(1000 * n,)) for n in range(3)]
    for thread in readers + writers:
        thread.start()
    for thread in writers:
        thread.join()
    finished.set()
    for thread in readers:
        thread.join()
    assert sorted(arrived) == [1000 * n + number for n in range(3) for number in range(200)]


def test_on_a_full_disk_nothing_is_left_of_a_message_that_did_not_fit(
    file_broker: Callable[[], Any], tmp_path: Path
) -> None:
    channel = file_broker()
    may_hold = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, may_hold[1]))  # no file may grow
    try:
        with pytest.raises(OSError, match="File too large"):
            channel._put("celery", {"number": 1})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, may_hold)
    assert list(tmp_path.iterdir()) == []
    channel._put("celery", {"number": 2})
    assert channel._get("celery") == {"number": 2}


def test_a_worker_outlives_the_folder_and_the_next_message_makes_it_anew(
    file_broker: Callable[[], Any], tmp_path: Path
) -> None:
    channel = file_broker()
    channel._put("celery", {"number": 1})
    shutil.rmtree(tmp_path)
    with pytest.raises(Empty):
        channel._get("celery")
    assert (channel._size("celery"), channel._purge("celery")) == (0, 0)
    channel._put("celery", {"number": 2})
    assert channel._get("celery") == {"number": 2}
