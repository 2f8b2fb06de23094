"""The seam of the judges: a batch of items in, one verdict for each out, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gate.records import Item, JudgeInfo, Verdict


class Looking(Protocol):
    """A judge that asks a model, and can ask it again: each `look` is a call of its own."""

    def judge(self, items: Sequence[Item], look: int = 0) -> list[Verdict]:
        """As Judge."""
        ...

    def info(self) -> JudgeInfo:
        """As Judge."""
        ...


class Judge(Protocol):
    """Labels claims; it knows no threshold that decides a run. A `remote` one waits for calls: answers are given to it
    one by one, several at once, from threads of their own."""

    remote: bool

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict for every item, in order; what could not be labelled is `unjudged` with its reason.
        Errors of a remote one: ProviderError, LimitError."""
        ...

    def info(self) -> JudgeInfo:
        """Who judged, with the counters so far."""
        ...
