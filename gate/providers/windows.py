"""Windows: where a long text is cut so that each piece fits a model."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def cut(count: int, breaks: Sequence[int], size: int, overlap: int) -> list[tuple[int, int]]:
    """Ranges [start, end) of at most `size` that cover 0..count. Each begins `overlap` to twice that before the end of
    the last, or at that end. They begin and end at `breaks` (ascending) where there is one; a run without is torn."""
    ranges: list[tuple[int, int]] = []
    start = end = 0
    while end < count:
        full = start + size  # always past the last end: the start has moved by one at least
        end = count if full >= count else _last(breaks, end + 1, full, full)
        ranges.append((start, end))
        start = _last(breaks, max(start + 1, end - 2 * overlap), end - overlap, end)
    return ranges


def _last(breaks: Sequence[int], low: int, high: int, default: int) -> int:
    """The last break in [low, high], else `default`."""
    position = bisect_right(breaks, high) - 1
    return breaks[position] if position >= 0 and breaks[position] >= low else default
