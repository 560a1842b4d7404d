"""The other engines we are measured beside: brought into .venv-bench, each run as a child.

A child plays whole random games with its own engine and answers rounds over a pipe, counting its
own CPU seconds. What cannot be had (no network, no node) is named, and nothing fails. Standard
library only: the children import this package too.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from bench.measure import Spent

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
HOME = PROJECT / ".venv-bench"  # an environment of their own: never the project's
PYTHON = HOME / "bin" / "python"
PATIENCE = 240  # seconds for one installation


class Peer:
    """A running child; `play` spends CPU seconds on whole games."""

    def __init__(self, title: str, command: list[str], folder: Path = PROJECT) -> None:
        self.title = title
        self.child = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"NODE_ENV": "production", "PYTHONPATH": str(PROJECT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._answer()

    def play(self, seconds: float) -> Spent:
        assert self.child.stdin  # noqa: S101 - opened above
        self.child.stdin.write(f"{seconds}\n")
        self.child.stdin.flush()
        done, used = self._answer().split()
        return Spent(int(done), float(used))

    def stop(self) -> None:
        self.child.communicate()  # closes its input: it ends by itself

    def _answer(self) -> str:
        assert self.child.stdout  # noqa: S101 - opened above
        if line := self.child.stdout.readline().strip():
            return line
        raise RuntimeError(self.child.communicate()[1].strip().splitlines()[-1])


class Found(NamedTuple):
    peers: list[Peer]
    missing: list[str]  # a sentence for each peer that could not be had


def find_peers() -> Found:
    """Install what is missing and start every peer that can run."""
    peers, missing = [], []
    for title, start in (
        ("catanatron", _catanatron),
        ("boardgame.io", _boardgame_io),
        ("OpenSpiel gin rummy", _openspiel),
    ):
        try:
            peers.append(start(title))
        except (OSError, RuntimeError, subprocess.SubprocessError) as problem:
            missing.append(f"{title} was not measured: {_reason(problem)}")
    return Found(peers, missing)


def _catanatron(title: str) -> Peer:
    return _python_peer(title, "catanatron")


def _openspiel(title: str) -> Peer:
    return _python_peer(title, "openspiel")


def _python_peer(title: str, name: str) -> Peer:
    if not PYTHON.exists():
        _run([sys.executable, "-m", "venv", "--clear", str(HOME)])
    requirements = HERE / f"{name}.txt"
    pip = [str(PYTHON), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries=1"]
    _once(HOME / f".{name}", requirements, [*pip, "--require-hashes", "-r", str(requirements)])
    return Peer(title, [str(PYTHON), "-m", f"bench.peers.{name}_games"])


def _boardgame_io(title: str) -> Peer:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise RuntimeError("it needs node and npm")
    folder = HOME / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    package = Path(shutil.copy(HERE / "package.json", folder))
    install = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund"]
    _once(folder / ".installed", package, [*install, "--no-package-lock", "--ignore-scripts"])
    # Node looks for packages beside the script.
    script = str(shutil.copy(HERE / "boardgameio_games.js", folder))
    return Peer(title, [node, script], folder)


def _once(stamp: Path, requirements: Path, command: list[str]) -> None:
    """Install unless the same requirements were installed before."""
    wanted = requirements.read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    _run(command)
    stamp.write_text(wanted)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)


def _reason(problem: Exception) -> str:
    """Say in a few words why; the installer's own words go to the terminal only."""
    if isinstance(problem, subprocess.CalledProcessError):
        print(problem.stderr, file=sys.stderr)
        return "its installation failed (no network?)"
    if isinstance(problem, subprocess.TimeoutExpired):
        return f"its installation took more than {PATIENCE} s"
    return str(problem)
