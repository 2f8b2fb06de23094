"""Ctrl-C and SIGTERM while a run lasts: they end the work that is done, never the telling of what came of it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Within it, a signal raises KeyboardInterrupt where that is `allowed`; anywhere else it is held back until it is
    allowed, or until the end. Signals that are not KeyboardInterrupt already (ignored, say) stay as they are."""

    def __init__(self) -> None:
        self._allowed = False
        self._held = False
        self._changed: list[signal.Signals] = []

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._changed = [one for one in SIGNALS if signal.getsignal(one) is signal.default_int_handler]
        for one in self._changed:
            signal.signal(one, self._take)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Errors: KeyboardInterrupt, where a signal was held back to the end."""
        for one in self._changed:
            signal.signal(one, signal.default_int_handler)
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
            raise KeyboardInterrupt
        self._held = True
