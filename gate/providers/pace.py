"""The pace: how many calls a provider is asked to answer at once, learnt from how it answers."""

from __future__ import annotations

import threading

from gate.errors import ProviderError
from gate.providers.base import Provider, Reply, Request

_TOO_MUCH = frozenset({"throttled", "server", "timeout"})
# The share of refusals is a running mean over about 16 calls. Below a fifth it is noise: halving for each single 429
# of 5 % made a run of 1,000 calls ten times as long, where repeating those few costs nothing.
_MEMORY, _TOLERATED = 1 / 16, 0.2


class Pace:
    """A provider that is asked as often at once as it bears: slowly more while it answers, half when it throttles.

    Additive increase, multiplicative decrease (Chiu and Jain, 1989), between 1 and `ceiling` calls at once, from the
    ceiling on; it grows by a sixteenth of the ceiling (at least 1) in each round. Calls that were in flight when it
    was halved do not count again.
    """

    def __init__(self, inner: Provider, ceiling: int) -> None:
        self.name, self.model = inner.name, inner.model
        self.identity = getattr(inner, "identity", "")
        self._inner, self._ceiling = inner, ceiling
        self.width = float(ceiling)
        self._refused = 0.0
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
            with self._change:
                self._busy -= 1
                if epoch == self._epoch:
                    self._learn(error)
                self._change.notify_all()

    def _learn(self, error: BaseException | None) -> None:
        refused = isinstance(error, ProviderError) and error.kind in _TOO_MUCH
        self._refused += _MEMORY * (refused - self._refused)
        if self._refused > _TOLERATED:
            self._epoch += 1
            self._refused = 0.0
            self.width = max(1.0, self.width / 2)
        elif error is None:
            self.width = min(float(self._ceiling), self.width + max(1.0, self._ceiling / 16) / self.width)
