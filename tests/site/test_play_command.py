"""`manage.py play` for real: it serves, works, stops on Ctrl-C and leaves nothing behind."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings

from tests.services import free_port

pytestmark = pytest.mark.slow


class Play:
    """A running `manage.py play` in a folder of its own."""

    def __init__(self, var: Path, port: int) -> None:
        self.var, self.port = var, port
        self.log = var / "play.log"
        hidden = ("DATABASE_URL", "TEST_DATABASE_URL", "DJANGO_SETTINGS_MODULE", "SITE_URL")
        clean = {name: value for name, value in os.environ.items() if name not in hidden}
        self.environment = clean | {"NILEPOST_VAR": str(var)}
        self.process = self.start()

    def start(self, *before: str, terminal: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
        with self.log.open("a") as log:
            return subprocess.Popen(
                [*before, sys.executable, "manage.py", "play", "--port", str(self.port)],
                cwd=settings.BASE_DIR,
                env=self.environment,
                stdin=terminal,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def get(self, path: str) -> str:
        """Fetch a page, waiting until the site is up."""
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as response:
                    page: str = response.read().decode(errors="replace")
                    return page
            except (urllib.error.URLError, ConnectionError):
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() < deadline, self.log.read_text()
                time.sleep(0.1)

    def children(self) -> list[int]:
        """Return every process of this site, found by its folder in the environment."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                ours = f"NILEPOST_VAR={self.var}".encode() in (path / "environ").read_bytes()
                # A process that has ended but not been waited for has no command line left.
                alive = bool((path / "cmdline").read_bytes())
            except OSError:
                continue
            if ours and alive and int(path.name) != self.process.pid:
                found.append(int(path.name))
        return found

    def web(self) -> list[int]:
        """Return the processes that answer requests: the web server's own children."""
        server = [
            pid
            for pid in self.children()
            if b"granian" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        return [pid for pid in server if min(server) != pid]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    site = Play(tmp_path, free_port())
    yield site
    for pid in [site.process.pid, *site.children()]:
        if pid != site.process.pid or site.process.poll() is None:
            os.kill(pid, signal.SIGKILL)
    site.process.wait()


def test_the_site_starts_serves_stops_on_ctrl_c_and_starts_again(play: Play) -> None:
    for _start in range(2):
        assert "<h1>Log in</h1>" in play.get("/accounts/login/")
        assert len(play.children()) >= 5, "web server with two processes below it, worker, beat"
        play.process.send_signal(signal.SIGINT)
        assert play.process.wait(20) == 0, play.log.read_text()
        assert play.children() == []
        play.process = play.start()
    assert "Traceback" not in play.log.read_text()
    assert list(play.var.glob("beat*")) == [], "beat keeps no file that a full disk could break"


def test_pages_find_their_static_files_and_carry_a_policy(play: Play) -> None:
    page = play.get("/accounts/login/")
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    for file in files:
        assert play.get(file)


@pytest.mark.parametrize("before", [[], ["nohup"]])
def test_the_site_ends_when_its_terminal_hangs_up_unless_that_is_not_to_matter(
    play: Play, before: list[str]
) -> None:
    play.process.kill()
    play.process.wait()
    play.process = play.start(*before)
    play.get("/accounts/login/")
    play.process.send_signal(signal.SIGHUP)
    if before:
        time.sleep(1)
        assert "<h1>Log in</h1>" in play.get("/accounts/login/")
        play.process.send_signal(signal.SIGTERM)
    assert play.process.wait(20) == 0, play.log.read_text()
    assert play.children() == []


def test_nothing_is_left_when_the_command_is_killed(play: Play) -> None:
    play.get("/accounts/login/")
    play.process.kill()
    deadline = time.monotonic() + 20
    while play.children() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert play.children() == []


def test_a_web_process_that_is_killed_is_replaced(play: Play) -> None:
    play.get("/")
    killed, *others = play.web()
    os.kill(killed, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while killed in play.web() or len(play.web()) <= len(others):
        assert time.monotonic() < deadline, play.log.read_text()
        time.sleep(0.2)
    play.get("/")
    assert play.process.poll() is None


KEY = """
from accounts.apikeys import key_create
from accounts.models import User
print(key_create(User.objects.create_user("Anna"), "a program"))
"""
MOVES = 15  # that are answered, while the processes that answer are killed


def manage(play: Play, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        env=play.environment,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )


def ask(play: Play, key: str, path: str, sent: object = None) -> dict[str, Any]:
    """Ask the API for something, or send it something."""
    body = None if sent is None else json.dumps(sent).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    asked = urllib.request.Request(f"http://127.0.0.1:{play.port}{path}", body, headers)
    with urllib.request.urlopen(asked, timeout=20) as answer:  # noqa: S310 - of our own site
        told: dict[str, Any] = json.loads(answer.read())
        return told


def test_web_processes_killed_in_the_middle_of_moves_lose_and_double_none(play: Play) -> None:
    play.get("/")
    key = manage(play, "shell", "-v", "0", "-c", KEY).stdout.strip()
    bot = {"game": "cheops", "opponents": [{"kind": "bot", "who": "easy"}], "pace": "friends"}
    address = f"/api/matches/{ask(play, key, '/api/matches/', bot)['id']}/"
    chance, killed, answered, lost = Random(1), [], 0, 0

    def kill() -> None:
        for pid in play.web()[:1]:
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    deadline = time.monotonic() + 240
    while answered < MOVES and time.monotonic() < deadline:
        with contextlib.suppress(OSError, http.client.HTTPException):  # cut off
            match = ask(play, key, address)
            if not match["moves"]:
                time.sleep(0.2)
                continue
            lost += 1  # unless the answer comes
            if (answered + lost) % 3 == 0:
                threading.Timer(chance.uniform(0, 0.05), kill).start()
            move = {"token": match["token"], "move": match["moves"][answered % len(match["moves"])]}
            ask(play, key, f"{address}move/", move)
            answered, lost = answered + 1, lost - 1
    assert (answered, len(killed) > 3) == (MOVES, True), play.log.read_text()
    with contextlib.closing(sqlite3.connect(play.var / "db.sqlite3")) as database:
        [made] = database.execute("SELECT count(*) FROM games_move WHERE by = 'player'").fetchone()
    assert MOVES <= made <= MOVES + lost
    again = manage(play, "replay", "--all")
    assert (again.returncode, again.stdout) == (0, "1 played again, 0 differ\n"), again.stdout


@pytest.mark.parametrize("part", ["worker", "beat"])
def test_the_site_ends_when_a_part_of_it_does_without_which_nobody_is_called(
    play: Play, part: str
) -> None:
    play.get("/accounts/login/")
    [killed] = [
        pid
        for pid in play.children()
        if part.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    ]
    os.kill(killed, signal.SIGKILL)
    assert play.process.wait(20) == 1
    assert play.children() == []
    assert f"The {part} stopped by itself" in play.log.read_text()


def test_the_site_ends_with_its_terminal_even_if_no_signal_says_so(play: Play) -> None:
    """Who calls `make` through ssh and closes the window: only that `make` hears of it."""
    play.process.kill()
    play.process.wait()
    ours, its = os.openpty()
    play.process = play.start(terminal=its)
    os.close(its)
    play.get("/accounts/login/")
    os.close(ours)
    assert play.process.wait(20) == 0, play.log.read_text()
    assert play.children() == []


@pytest.mark.parametrize(
    ("port", "words"),
    [
        ("abc", "manage.py play: error: argument --port: invalid int value: 'abc'"),
        ("0", "CommandError: Port 0 cannot be used (bind(): port must be 0-65535.): "),
        ("70000", "CommandError: Port 70000 cannot be used (bind(): port must be 0-65535.): "),
    ],
)
def test_what_is_no_port_is_refused_in_one_line(tmp_path: Path, port: str, words: str) -> None:
    play = subprocess.run(
        [sys.executable, "manage.py", "play"],
        env=os.environ | {"NILEPOST_VAR": str(tmp_path), "PORT": port},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert play.returncode > 0
    assert play.stderr.splitlines()[-1].startswith(words)
    assert "Traceback" not in play.stderr


def test_a_taken_port_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        play = Play(tmp_path, port)
        assert play.process.wait(30) == 1
    assert play.log.read_text().splitlines() == [
        f"CommandError: Port {port} cannot be used (Address already in use): "
        "choose another, as in `make play PORT=8001`."
    ]
