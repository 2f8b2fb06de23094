"""Which queries words alone settle: a passage that says all of a claim's words is found by them, and neither what the
vectors find nor what the claim was said about can say more. Pure.

No labelled line is found later for it (benchmarks/README.md, "Retrieval"), and a vector is made, or paid for, only
where words leave something open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

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


def sought(queries: Sequence[str], about: Sequence[str], done: Collection[str]) -> list[str]:
    """What is looked for: claims that their own words do not settle together with what they were said about, if that is
    known. The line break keeps such a text apart from a claim that reads the same, which may be settled."""
    pairs = zip(queries, about or [""] * len(queries), strict=True)
    return [query if query in done or not of else f"{of}\n{query}" for query, of in pairs]
