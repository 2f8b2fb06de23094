"""Runs `gate` as its users do: a process of its own in a folder, timed."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DECIDED = (0, 1, 3)


class Done(NamedTuple):
    """Exit code, wall and CPU seconds of a run, the most MB of any run so far, and what it printed."""

    code: int
    wall: float
    cpu: float
    rss: int
    told: str

    def decided(self) -> int:
        """The exit code. Ends the benchmark, with what was printed, where the gate came to no decision."""
        if self.code not in DECIDED:
            raise SystemExit(f"gate gave {self.code}: {self.told[-2000:]}")
        return self.code


def gate(folder: Path, *words: str, shown: bool = False, program: Path | None = None) -> Done:
    """`gate WORDS` in the folder; its output goes to the terminal if it is `shown`. `program`: another checkout's
    `gate` in place of this one's."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environ = {**os.environ, "NO_COLOR": "1"} | ({} if program else {"PYTHONPATH": str(ROOT)})
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    ends = {} if shown else {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    command = [str(program), *words] if program else [sys.executable, "-m", "gate", *words]
    done = subprocess.run(command, cwd=folder, env=environ, text=True, check=False, **ends)  # type: ignore[call-overload]
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Done(done.returncode, wall, cpu, after.ru_maxrss // 1024, done.stdout or "")


def check(holds: bool, fault: str) -> None:
    """Ends the benchmark with a fault, unless what it says not to be `holds`."""
    if not holds:
        sys.exit(f"FAULT: {fault}")


def started(work: Path, *words: str) -> subprocess.Popen[bytes]:
    """`gate WORDS` in the folder, under way."""
    command = [sys.executable, "-m", "gate", *words]
    return subprocess.Popen(command, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finished(work: Path, *words: str) -> tuple[int, str, float]:
    """(exit code, errors, seconds) of `gate WORDS`."""
    begun = time.perf_counter()
    process = started(work, *words)
    _, errors = process.communicate()
    return process.returncode, errors.decode(), time.perf_counter() - begun


def killed(work: Path, words: tuple[str, ...], wait: float) -> bool:
    """Kill `gate WORDS` after `wait` seconds; False where it was over before."""
    process = started(work, *words)
    time.sleep(wait)
    process.kill()
    process.communicate()
    return process.returncode < 0


def kill_often(rounds: int, seed: int, whole: float, once: Callable[[float], str]) -> Counter[str]:
    """What so many kills at random moments of `whole` seconds left behind; `once` kills after a wait, and says it in
    words (empty: it was over before)."""
    dice = random.Random(seed)  # noqa: S311
    outcomes: Counter[str] = Counter()
    while outcomes.total() < rounds:
        if outcome := once(dice.uniform(0, whole)):
            outcomes[outcome] += 1
        else:
            whole *= 0.9  # the machine has become faster: kill earlier
    return outcomes
