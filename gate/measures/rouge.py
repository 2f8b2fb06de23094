"""ROUGE-L: how much of two texts is one common sequence of words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from gate.text import tokens


def rouge_l(one: str, other: str) -> float:
    """The F-measure of the longest common subsequence of tokens, 0..1 (Lin 2004); 1 where neither has any."""
    left, right = tokens(one), tokens(other)
    if not left or not right:
        return float(left == right)
    return 2 * common(left, right) / (len(left) + len(right))


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence; a row of the table is one integer (Hyyrö 2004)."""
    places: dict[str, int] = defaultdict(int)
    for at, token in enumerate(one):
        places[token] |= 1 << at
    whole = (1 << len(one)) - 1
    row = whole
    for token in other:
        met = row & places.get(token, 0)
        row = ((row + met) | (row - met)) & whole
    return len(one) - row.bit_count()
