"""What an exact check finds, and how each of them is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """Something of a claim that stands nowhere in the documents.

    `said` is verbatim from the claim. `found` is verbatim from the evidence: what stands there instead, or nothing.
    `denied` tells that the best windows give another value for it.
    """

    kind: Literal["amount", "identifier"]
    said: str
    found: str
    denied: bool


# claim, context (the question in its first line), windows (best first), all passages.
Check = Callable[[str, str, Sequence[str], Sequence[str]], tuple[Finding, ...]]
