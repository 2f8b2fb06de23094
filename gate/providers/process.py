"""One run of a program: bytes in, bytes out, with a deadline and a bound, and nothing of it left alive."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.threads import passed_on

# Once the program has ended, a child that it left behind may still hold its output open: it gets this long, in seconds.
_AFTERMATH = 0.3


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: `code` is its exit code (negative: the signal), None if it was killed for `reason`."""

    code: int | None
    stdout: bytes
    stderr: bytes
    reason: str = ""  # `timeout`, `too_long` or empty


class Processes:
    """The programs that run now; `close` ends them all."""

    def __init__(self) -> None:
        self._alive: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def run(self, command: Sequence[str], given: bytes, cwd: Path, seconds: float, limit: int) -> Ended:
        """Run `command` in a process group of its own, without a shell. Errors: OSError if it cannot be started."""
        with tempfile.TemporaryFile() as stdin:  # a file, so that a program that reads nothing cannot block us
            stdin.write(given)
            stdin.seek(0)
            process = subprocess.Popen(  # noqa: S603 - the command is the user's own, from the configuration
                list(command),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=passed_on(),
                start_new_session=True,
            )
        self._alive.add(process)
        if self._closed:  # closed between the two lines above
            _kill(process)
        try:
            return _watch(process, time.monotonic() + seconds, limit)
        finally:
            self._alive.discard(process)
            _kill(process)
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()

    def close(self) -> None:
        """Kill what still runs; the threads that wait for it see its end."""
        self._closed = True
        for process in list(self._alive):
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, its leader being dead or not."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _watch(process: subprocess.Popen[bytes], deadline: float, limit: int) -> Ended:
    taken: dict[str, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}

    def ended(code: int | None, reason: str = "") -> Ended:
        return Ended(code, bytes(taken["stdout"]), bytes(taken["stderr"]), reason)

    for name, data in _output(process, deadline):
        taken[name] += data
        if len(taken["stdout"]) > limit:
            return ended(None, "too_long")
        if len(taken["stderr"]) > limit:  # only its end is told
            del taken["stderr"][: limit // 2]
    try:
        return ended(process.wait(max(0.0, deadline - time.monotonic())))
    except subprocess.TimeoutExpired:
        return ended(None, "timeout")


def _output(process: subprocess.Popen[bytes], deadline: float) -> Iterator[tuple[str, bytes]]:
    """Pieces of the two outputs as they come, until both are closed, the program is gone, or the deadline is over."""
    with selectors.DefaultSelector() as selector:
        for name, pipe in (("stdout", process.stdout), ("stderr", process.stderr)):
            if pipe is not None:
                selector.register(pipe, selectors.EVENT_READ, name)
        while selector.get_map() and (left := deadline - time.monotonic()) > 0:
            ready = selector.select(min(left, _AFTERMATH))
            if not ready and process.poll() is not None:
                return
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                if data:
                    yield key.data, data
                else:
                    selector.unregister(key.fileobj)
