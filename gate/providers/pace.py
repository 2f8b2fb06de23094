"""The pace: how many calls a provider is asked to answer at once, learnt from how it answers."""

from __future__ import annotations

import threading

from gate.errors import ProviderError
from gate.providers.base import Provider, Reply, Request

_TOO_MUCH = frozenset({"throttled", "server", "timeout"})


class Pace:
    """A provider that is asked as often at once as it bears: slowly more while it answers, half when it throttles.

    Additive increase, multiplicative decrease (Chiu and Jain, 1989), between 1 and `ceiling` calls at once, from the
    ceiling on. A burst of refusals of calls that were in flight together halves once.
    """

    def __init__(self, inner: Provider, ceiling: int) -> None:
        self.name, self.model = inner.name, inner.model
        self.identity = getattr(inner, "identity", "")
        self._inner, self._ceiling = inner, ceiling
        self.width = float(ceiling)
        self._busy = 0
        self._epoch = 0
        self._change = threading.Condition()

    def complete(self, request: Request) -> Reply:
        """Ask when it is this call's turn. Errors: those of the provider."""
        with self._change:
            while self._busy >= int(self.width):
                self._change.wait()
            self._busy += 1
            epoch = self._epoch
        error: BaseException | None = None
        try:
            return self._inner.complete(request)
        except BaseException as caught:
            error = caught
            raise
        finally:
            self._learn(epoch, error)

    def _learn(self, epoch: int, error: BaseException | None) -> None:
        with self._change:
            self._busy -= 1
            if error is None:
                self.width = min(float(self._ceiling), self.width + 1 / self.width)
            elif epoch == self._epoch and isinstance(error, ProviderError) and error.kind in _TOO_MUCH:
                self._epoch += 1
                self.width = max(1.0, self.width / 2)
            self._change.notify_all()
