"""`make bench`: measure, print the table of numbers, write docs/benchmarks.md. Fails nothing.

`--quick` takes about a minute and leaves the file alone; a full run takes some minutes.
"""

import argparse
import os
import platform
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from bench import databases, engine
from bench.peers import Found, find_peers
from bench.report import Part, document

TARGET = Path(__file__).parent.parent / "docs" / "benchmarks.md"
INTRO = """\
Written by `make bench`{quick} on {day}: {machine}, load {load} at the start, {minutes:.1f} minutes.

Figures are medians with the lowest and highest round in brackets. Engines take turns in every
round and ratios are formed round by round, so that a busy machine slows both sides; times are CPU
seconds of the measured process unless said otherwise. Absolute figures belong to this machine;
only ratios should be compared with another run."""


def main() -> None:
    arguments = _arguments()
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    began, load = monotonic(), os.getloadavg()[0]
    whole = _measure(arguments)
    intro = INTRO.format(
        quick=" (quick)" if arguments.quick else "",
        day=datetime.now(UTC).date(),
        machine=_machine(),
        load=f"{load:.1f}",
        minutes=(monotonic() - began) / 60,
    )
    text = document(intro, whole)
    print(text)
    if not (arguments.quick or arguments.only):
        TARGET.write_text(text)
        print(f"written to docs/{TARGET.name}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few short rounds, nothing written")
    parser.add_argument(
        "--only", choices=("engine", "pages", "sweep"), help="one part, nothing written"
    )
    parser.add_argument("--no-peers", action="store_true", help="our own figures only")
    return parser.parse_args()


def _measure(arguments: argparse.Namespace) -> Part:
    quick, only = arguments.quick, arguments.only
    whole = Part()
    if only in (None, "engine"):
        found = Found([], []) if arguments.no_peers else find_peers()
        whole.missing += found.missing
        _say("engine: playouts, views, snapshots, bots")
        try:
            whole.add(engine.part(found.peers, quick=quick))
        finally:
            for peer in found.peers:
                peer.stop()
    modules = {
        "bench.pages": ["3" if quick else "9"],
        "bench.sweep": ["20" if quick else "50", "100000" if quick else "1000000"],
    }
    chosen = {
        module: words for module, words in modules.items() if only in (None, module.split(".")[1])
    }
    if chosen:
        _say(f"databases: {', '.join(chosen)}")
        whole.add(databases.part(chosen))
    return whole


def _say(text: str) -> None:
    print(f"... {text}", file=sys.stderr, flush=True)


def _machine() -> str:
    cores = f"{os.cpu_count()} cores"
    python = f"Python {platform.python_version()}"
    try:
        model = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        model = None
    return ", ".join([model[1] if model else platform.machine(), cores, python])


if __name__ == "__main__":
    main()
