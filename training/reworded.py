"""The 17 statements of ContractNLI in other words, so that no training claim is a claim of its test set.

`reworded.txt` holds the beginning of each statement and, indented below it, our wordings.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

WORDINGS = Path(__file__).with_suffix(".txt")


@cache
def _reworded() -> dict[str, tuple[str, ...]]:
    """Beginning of a statement -> our wordings."""
    found: dict[str, tuple[str, ...]] = {}
    for line in WORDINGS.read_text(encoding="utf-8").splitlines():
        if line[:1].isspace():
            last = next(reversed(found))
            found[last] = (*found[last], line.strip())
        else:
            found[line] = ()
    return found


def variants(claim: str) -> tuple[str, ...]:
    """Our wordings of a ContractNLI statement; empty for one that is not known."""
    return next((new for start, new in _reworded().items() if claim.startswith(start)), ())
