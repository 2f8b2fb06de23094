"""Opens what is put around every provider of a run, and tells the faults that cost it nothing."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.providers.budget import Budget
    from gate.providers.chain import Chain


def open_chain(path: Path, budget: Budget, concurrency: int, *, fresh: bool, trial: bool, closing: ExitStack) -> Chain:
    """The chain over the record at `path`; `fresh` asks again for what is in it, `trial` makes one attempt a call.

    Errors: StoreError.
    """
    from gate.providers.cache import Locks
    from gate.providers.calls import Calls
    from gate.providers.chain import Chain, Patience

    calls = Calls(path)
    calls.prune()
    closing.callback(calls.close)
    patience = Patience(attempts=1, sleep=budget.sleep) if trial else Patience(sleep=budget.sleep)
    turns = Locks(path.with_suffix(".lock"), budget.sleep)
    closing.callback(turns.close)
    return Chain(budget, calls, concurrency, fresh, patience, warn, turns)


def warn(message: str) -> None:
    """A fault that costs the run nothing but should be known. It may name what stands in a file of a stranger."""
    from gate.reports.safe import line

    sys.stderr.write(f"warning: {line(message)}\n")
