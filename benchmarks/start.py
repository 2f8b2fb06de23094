"""Cold start of the command line, as a ratio to an empty interpreter, in one run.

python benchmarks/start.py            # CPU seconds of each, and the ratio, pair by pair
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path


def cpu_seconds(command: list[str]) -> float:
    """User and system seconds of one finished process, as the system accounts them."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Time `gate --help` and `python -c pass` in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=21)
    runs = parser.parse_args().n
    gate = [str(Path(sys.executable).with_name("gate")), "--help"]
    empty = [sys.executable, "-c", "pass"]
    pairs = [(cpu_seconds(gate), cpu_seconds(empty)) for _ in range(runs + 1)][1:]
    helped, passed = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(
        f"gate --help {helped * 1000:.1f} ms CPU, python -c pass {passed * 1000:.1f} ms, "
        f"ratio {ratio:.2f} ({runs} pairs)"
    )


if __name__ == "__main__":
    main()
