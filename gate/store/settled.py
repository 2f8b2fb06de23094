"""Which queries words alone settle: a passage that says all of a claim's words is found by them, and neither what the
vectors find nor what the claim was said about can say more. Pure.

No labelled line is found later for it (benchmarks/README.md, "Retrieval"), and a vector is made, or paid for, only
where words leave something open.
"""

from __future__ import annotations

from collections.abc import Sequence

from gate.store.passages import Cut, key_terms

LOOKED = 3  # chunks, the best by BM25, that are looked into
LEAST = 4  # key terms of a query; fewer stand together in many places
_AROUND = 1  # sentences on either side that make a passage of one


def settled(query: str, chunks: Sequence[Cut]) -> bool:
    """Whether a sentence of the first LOOKED `chunks` says, with its neighbours, every key term of the query."""
    wanted = frozenset(key_terms(query))
    return not short(query) and any(_says(wanted, chunk) for chunk in chunks[:LOOKED])


def short(query: str) -> bool:
    """Whether a query has too few words for them to settle anything."""
    return len(key_terms(query)) < LEAST


def _says(wanted: frozenset[str], chunk: Cut) -> bool:
    if not all(term in chunk.where for term in wanted):
        return False
    units = chunk.units
    return any(
        wanted <= frozenset[str]().union(*(unit.terms for unit in units[max(0, at - _AROUND) : at + _AROUND + 1]))
        for at in range(len(units))
    )


def sought(query: str, about: str, is_settled: bool) -> str:
    """What is looked for: a claim that its own words do not settle together with what it was said about. The line break
    keeps it apart from a claim that reads the same, which may be settled."""
    return query if is_settled or not about else f"{about}\n{query}"
