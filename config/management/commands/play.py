"""The whole site in one foreground command: web server, worker and beat.

The children stop with the parent whatever ends it: Ctrl-C, a signal, a closed terminal, the death
of any child, and (on Linux) even `kill -9`.
"""

import argparse
import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import BaseCommand, CommandError, call_command

from config import messages

GRACE_SECONDS = 10
PR_SET_PDEATHSIG = 1
# On a machine of one's own, root may well be the only user there is.
QUIET = {"TZ": "UTC", "PYTHONWARNINGS": "ignore:You're running the worker with superuser"}

Children = dict[str, "subprocess.Popen[bytes]"]


class Command(BaseCommand):
    help = "Run the site on this machine: web server, worker and beat."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=os.environ.get("PORT", "8000"))

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        refuse_taken_port(host, port)
        messages.compile_all()
        call_command("migrate", verbosity=0)
        if not static_files_are_current():
            call_command("collectstatic", interactive=False, verbosity=0)
        forget_old_messages()

        signals = Signals()
        address = f"http://localhost:{port}" if host == "127.0.0.1" else f"http://{host}:{port}"
        environment = {"SITE_URL": address} | os.environ | QUIET
        children = {
            "web server": start(web_command(host, port), environment),
            "worker": start(worker_command(), environment),
            "beat": start(celery_command("beat"), environment),
        }
        signals.children = children
        self.stdout.write(f"Nilepost is at {address}  (Ctrl-C stops it)")
        self.stdout.flush()
        try:
            died = wait_for_end(children, signals)
        finally:
            stop(children)
        if died:
            raise CommandError(f"The {died} stopped by itself; see its last lines above.")
        self.stdout.write("Stopped.")


class Signals:
    """Remember that somebody wants us to stop; on the second time, insist."""

    def __init__(self) -> None:
        self.children: Children = {}
        self.asked_to_stop = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.receive)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # `nohup` wants it to go on
            signal.signal(signal.SIGHUP, self.receive)

    def receive(self, number: int, frame: FrameType | None) -> None:
        if self.asked_to_stop:
            kill(self.children)
        self.asked_to_stop = True


def refuse_taken_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port or -1))  # 0 would mean any that is free
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CommandError(
                f"Port {port} cannot be used ({reason}): "
                "choose another, as in `make play PORT=8001`."
            ) from None


def static_files_are_current() -> bool:
    """Tell whether nothing changed since the last start: compressing it all takes seconds."""
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    sources = (
        Path(storage.path(name)) for finder in get_finders() for name, storage in finder.list([])
    )
    return manifest.exists() and manifest.stat().st_mtime > max(
        source.stat().st_mtime for source in sources
    )


def forget_old_messages() -> None:
    """Empty the file broker: what was due is in the database, and the first tick finds it."""
    if not settings.REDIS_URL:
        for message in settings.BROKER_DIR.glob("*.msg"):
            message.unlink(missing_ok=True)


def web_command(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi"),
        *("--host", host, "--port", str(port)),
        # Sync views are fastest with one thread per process.
        *("--workers", "2", "--blocking-threads", "1"),
        *("--workers-kill-timeout", "3", "--respawn-failed-workers", "--respawn-interval", "0.5"),
        *("--no-ws", "--log-level", "warning"),
        "config.wsgi:application",
    ]


def worker_command() -> list[str]:
    return [
        *celery_command("worker"),
        *("--pool", "threads", "--concurrency", "2"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def celery_command(part: str) -> list[str]:
    quiet = ("--app", "config", "--quiet", part, "--loglevel", "warning")
    return [sys.executable, "-m", "celery", *quiet]


def start(command: list[str], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command,
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.DEVNULL,
        # A group of its own: Ctrl-C reaches only the parent, which then stops all in order.
        start_new_session=True,
        preexec_fn=die_with_parent if sys.platform == "linux" else None,
    )


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def wait_for_end(children: Children, signals: Signals) -> str | None:
    """Return the name of a child that died, or None when asked to stop.

    A closed terminal asks as well. Its signal may reach only the `make` that started us, which then
    waits for us.
    """
    had_terminal = has_terminal()
    while not signals.asked_to_stop and has_terminal() == had_terminal:
        for name, child in children.items():
            if child.poll() is not None:
                return name
        time.sleep(0.1)
    return None


def has_terminal() -> bool:
    return any(map(os.isatty, (0, 1, 2)))


def stop(children: Children) -> None:
    """Ask all children to finish what they do, wait a little, and leave nothing behind."""
    deadline = time.monotonic() + GRACE_SECONDS
    for child in children.values():
        if child.poll() is None:
            child.terminate()
    for child in children.values():
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.1, deadline - time.monotonic()))
    kill(children)
    for child in children.values():
        child.wait()


def kill(children: Children) -> None:
    for child in children.values():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
