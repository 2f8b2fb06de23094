"""The chain around a provider: recorded, retried, paced, metered and timed, in the one order that makes sense."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from gate.errors import StoreError
from gate.providers.base import Provider
from gate.providers.budget import Budget, Metered
from gate.providers.calls import Calls
from gate.providers.deadline import Deadline
from gate.providers.first import First
from gate.providers.pace import Pace
from gate.providers.recorder import Recorder
from gate.providers.refused import Refused, united
from gate.providers.retry import Patience, Retry
from gate.providers.turns import Turns


class Remote(Provider, Protocol):
    """A provider that reaches something: `timeout` is when a call is given up, in seconds; `identity` is what besides
    `name` and `model` tells its answers from those of another (an address, the hash of a program)."""

    timeout: float
    identity: str

    def close(self) -> None:
        """Release connections and processes."""
        ...


@dataclass(frozen=True, slots=True)
class Chain:
    """What the calls of a run share; `around` puts it around a provider.

    From the outside in: the record (what is known costs nothing), the retries, the pace (a call that waits to be
    repeated holds no place), the budget (each attempt is a call), the deadline.
    """

    budget: Budget
    calls: Calls
    concurrency: int = 16
    fresh: bool = False  # --no-cache
    patience: Patience = field(default_factory=Patience)
    on_fault: Callable[[str], None] = lambda message: None
    turns: Turns | None = None  # with the other processes that use this record

    def around(self, provider: Remote, before: Callable[[], None] | None = None) -> Provider:
        """The provider as agents and judges get it; `before` is done once, before the first call that is made."""
        if (refused := getattr(provider, "refused", None)) is not None:
            self._remember(refused, f"{provider.name}\n{provider.model}\n{provider.identity}")
        metered = self.metered(provider)
        asked = First(metered, before) if before is not None else metered
        return Recorder(asked, self.calls, self.fresh, self.budget.cached, self.on_fault, self.turns)

    def metered(self, provider: Remote) -> Provider:
        """The chain without its record: for an embedder, which records text by text what it asks in batches."""
        metered = Metered(Deadline(provider, provider.timeout), self.budget)
        return Retry(Pace(metered, self.concurrency), self.patience)

    def _remember(self, refused: Refused, server: str) -> None:
        """What a server refuses is learnt once, not in every run. The record may fail here: that costs a request."""

        def keep(learnt: str) -> None:
            with contextlib.suppress(StoreError):
                self.calls.learn(server, united(self.calls.learnt(server), learnt))

        known = None
        if not self.fresh:
            with contextlib.suppress(StoreError):
                known = self.calls.learnt(server)
        refused.remember(known, keep)
