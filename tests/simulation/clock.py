"""The time of the simulation, shared by all of its processes, and the gate that holds them up."""

import fcntl
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path


class SharedClock:
    """A moment in a file. Every process asks the file; only the driver writes it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def now(self) -> datetime:
        return datetime.fromisoformat(self.path.read_text())

    def set(self, moment: datetime) -> None:
        aside = self.path.with_suffix(".next")
        aside.write_text(moment.isoformat())
        aside.replace(self.path)  # nobody ever reads half a moment


class Gate:
    """Tasks run only while the gate is open; to close it is to wait for those that run.

    A lock on a file: the kernel takes it away from a process that is killed.
    """

    def __init__(self, folder: Path) -> None:
        self.path, self.at_work = folder / "gate", folder / "at-work"
        self.path.touch()
        self.at_work.mkdir(exist_ok=True)
        self.held: int | None = None

    # --- in the driver ---------------------------------------------------------------------------

    def try_to_close(self) -> bool:
        """Close the gate unless somebody is at work."""
        lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self.held = lock
        return True

    def open(self) -> None:
        if self.held is not None:
            os.close(self.held)
            self.held = None

    def working(self) -> list[int]:
        """List the processes that are inside, or were when they died."""
        return [int(mark.name) for mark in self.at_work.iterdir()]

    # --- in a worker -----------------------------------------------------------------------------

    def enter(self, **_signal: object) -> None:
        self.held = os.open(self.path, os.O_RDONLY)  # each its own: a share is not inherited
        fcntl.flock(self.held, fcntl.LOCK_SH)
        (self.at_work / str(os.getpid())).touch()

    def leave(self, **_signal: object) -> None:
        with suppress(FileNotFoundError):
            (self.at_work / str(os.getpid())).unlink()
        self.open()
