"""What the gate makes of its process: streams that cannot break it, numpy on one thread, and signals that end the work
of a run but never the telling of what came of it."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from types import FrameType, TracebackType

NAME = "OPENBLAS_NUM_THREADS"
OURS = "01"  # reads as one, and is told from what a user has set
SIGNALS = (signal.SIGINT, signal.SIGTERM)
SOON = 0.02  # seconds until a signal that came at a bad moment comes again
_IMPORTS = "<frozen importlib."


def prepare() -> None:
    """Make the process fit for any terminal, for closed streams and for being cancelled, and light."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who started us: a file opened later must not become our output
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character must not end a run
    alone()
    take_signals()


def alone(environment: MutableMapping[str, str] = os.environ) -> None:
    """Have OpenBLAS, once it is loaded, start no threads of its own, unless the user says how many: the products here
    are small, and threads that wait for the next one spin, which took a fifth of a run's processor time."""
    environment.setdefault(NAME, OURS)


def passed_on(environment: MutableMapping[str, str] = os.environ) -> dict[str, str]:
    """The environment for a program of the user's, as it was before `alone`."""
    return {name: value for name, value in environment.items() if (name, value) != (NAME, OURS)}


def cores() -> int:
    """How many the process may use: in a container fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def take_signals() -> None:
    """Make both signals end the process by KeyboardInterrupt: a cancelled CI job is sent SIGTERM, and what was paid for
    is kept as at Ctrl-C. A signal that is ignored stays so (`nohup`)."""
    if threading.current_thread() is not threading.main_thread():
        return
    for one in SIGNALS:
        if one is signal.SIGTERM or signal.getsignal(one) is signal.default_int_handler:
            signal.signal(one, interrupt)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but never inside of an import: it could leave a lock taken that all imports need, and
    a thread that imports would then hold the end of the process for ever. The signal comes again a little later.
    Errors: KeyboardInterrupt."""
    if not _importing(frame):
        raise KeyboardInterrupt
    timer = threading.Timer(SOON, _send, (threading.get_ident(), number))
    timer.daemon = True
    timer.start()


def _send(thread: int, number: int) -> None:
    """To that thread itself: of what another one is sent it hears only when what it waits for is over."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, number)
    else:  # Windows
        signal.raise_signal(number)


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORTS):
            return True
        frame = frame.f_back
    return False


class Interrupts:
    """Within it, a signal raises KeyboardInterrupt where that is `allowed`; anywhere else it is held back until it is
    allowed, or until the end. Signals that are not KeyboardInterrupt already (ignored, say) stay as they are."""

    def __init__(self) -> None:
        self._allowed = False
        self._held = False
        self._changed: list[signal.Signals] = []

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._changed = [one for one in SIGNALS if signal.getsignal(one) is interrupt]
        for one in self._changed:
            signal.signal(one, self._take)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Errors: KeyboardInterrupt, where a signal was held back to the end."""
        for one in self._changed:
            signal.signal(one, interrupt)
        if self._held and error is None:
            raise KeyboardInterrupt

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """A signal may end what is done in here. Errors: KeyboardInterrupt, also for one that was held back before."""
        try:
            self._allowed = True
            if self._held:
                self._held = False
                raise KeyboardInterrupt
            yield
        finally:
            self._allowed = False

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self._allowed:
            interrupt(number, frame)
        else:
            self._held = True
