"""Which claim of one run is which of another: the same words first, then the most similar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from gate.reports.document import ClaimEntry
from gate.reports.repeats import known_by
from gate.text import tokens, words

SAME = 0.7  # shared share of words from which two claims of one prompt are the same in other words

Pair = tuple[ClaimEntry | None, ClaimEntry | None]


def fingerprint(claim: ClaimEntry) -> tuple[str, ...]:
    """What a claim is known by across runs: its words, without case, markup and spacing; of a short one (`No.`) all
    words, and those of its question."""
    known = known_by(claim)
    return tuple(tokens(known) if known != claim["claim"] else words(known))


def match(base: Sequence[ClaimEntry], head: Sequence[ClaimEntry]) -> Iterator[Pair]:
    """Claims of one prompt in pairs: equal ones first, then the most similar (shared words over all words) above SAME;
    what has no partner comes alone."""
    there, here = [fingerprint(claim) for claim in base], [fingerprint(claim) for claim in head]
    waiting: dict[tuple[str, ...], list[int]] = {}
    for i in reversed(range(len(base))):
        waiting.setdefault(there[i], []).append(i)
    right: list[int] = []
    for j, claim in enumerate(head):
        if equal := waiting.get(here[j]):
            yield base[equal.pop()], claim
        else:
            right.append(j)
    left = dict.fromkeys(sorted(chain.from_iterable(waiting.values())))
    unmet = dict.fromkeys(right)
    said = {i: frozenset(words(base[i]["claim"])) for i in left}, {j: frozenset(words(head[j]["claim"])) for j in right}
    for _, i, j in sorted(_alike(*said)):
        if i in left and j in unmet:
            del left[i], unmet[j]
            yield base[i], head[j]
    yield from ((base[i], None) for i in left)
    yield from ((None, head[j]) for j in unmet)


def _alike(left: dict[int, frozenset[str]], right: dict[int, frozenset[str]]) -> Iterator[tuple[float, int, int]]:
    """(less the similarity, place, place) of the pairs from SAME on. Two sets that share so many words share one of the
    rarest of the first, so that only claims with one of these are looked at and not each with each."""
    often = Counter(chain.from_iterable(right.values()))
    where: dict[str, list[int]] = {}
    for j, said in right.items():
        for word in said:
            where.setdefault(word, []).append(j)
    for i, said in left.items():
        rare = sorted(said, key=lambda word: (often[word], word))[: len(said) - int(SAME * len(said)) + 1]
        for j in set(chain.from_iterable(where.get(word, ()) for word in rare)):
            share = len(said & right[j]) / len(said | right[j])
            if share >= SAME:
                yield -share, i, j
