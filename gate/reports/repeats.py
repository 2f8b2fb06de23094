"""A claim that many answers make, such as a closing phrase, is told once: else it would hide all others."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from gate.reports import telling
from gate.reports.document import ClaimEntry

Told = tuple[ClaimEntry, int]  # a claim, and how often it is made again with the same label


def once(claims: Iterable[ClaimEntry], new: AbstractSet[tuple[str, str]]) -> list[Told]:
    """The claims in their order, each text once; one of the `new` against the base is not told with one that is not."""
    found: dict[tuple[str, str, bool], list[ClaimEntry]] = {}
    for claim in claims:
        key = (telling.known_by(claim), telling.kind(claim), (claim["prompt_id"], claim["claim"]) in new)
        found.setdefault(key, []).append(claim)
    return [(first, len(more)) for first, *more in found.values()]


def again(more: int) -> str:
    """`and 3 more times`; empty for a claim that is made once."""
    if more < 2:
        return "and once more" if more else ""
    return f"and {more:,} more times"
