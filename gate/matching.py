"""Which claims of two answers to one prompt say the same, or speak about the same thing: by words, then by meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from gate.errors import ModelFileError
from gate.judges.reader import shipped_reader
from gate.providers.local_embedder import LocalEmbedder
from gate.reports.document import ClaimEntry
from gate.reports.words import FEWEST, NOT_SUPPORTED, claim_key
from gate.text import normalise, plain, tokens, words

if TYPE_CHECKING:
    from gate.judges.reader import Scorer, Triple
    from gate.providers.base import Embedder

SAME = 0.7  # shared share of words from which two claims of one prompt are the same in other words
NEAR = 0.5  # cosine below which two claims are not even read: unlike ones of one answer reach 0.8, like ones 0.6
CLOSEST = 3  # the nearest claims that each bad claim is read beside
LIKELY = 0.5  # probability, both ways, from which two claims are taken to be so related
READ = 150  # pairs that are read at most: some seconds of work
EMBEDDED = 600  # texts that are embedded at most
Pair = tuple[ClaimEntry, ClaimEntry]
T = TypeVar("T")


class Relation(NamedTuple):
    """The probability that two claims speak `about` the same thing, and that they say the `same` of it."""

    about: float
    same: float


UNLIKE, EQUAL, ALIKE = Relation(0.0, 0.0), Relation(1.0, 1.0), Relation(1.0, 0.0)
Related = Callable[[Sequence[Pair]], Sequence[Relation | None]]  # None where nobody looked


def fingerprint(claim: ClaimEntry) -> tuple[str, ...]:
    """What a claim is known by across runs: its words, without case, markup and spacing; of a short one (`No.`) all
    words, and those of its question."""
    known = claim_key(claim)
    return tuple(tokens(known) if known != claim["claim"] else words(known))


def match(base: Sequence[ClaimEntry], head: Sequence[ClaimEntry]) -> dict[int, int]:
    """Place in `base` -> place in `head` of the claims with the same words: equal ones first, then the most similar
    (shared words over all words) from SAME on. Each has one partner at most."""
    there, here = [fingerprint(claim) for claim in base], [fingerprint(claim) for claim in head]
    waiting: dict[tuple[str, ...], list[int]] = {}
    for i in reversed(range(len(base))):
        waiting.setdefault(there[i], []).append(i)
    found: dict[int, int] = {}
    right: dict[int, frozenset[str]] = {}
    for j, claim in enumerate(head):
        if equal := waiting.get(here[j]):
            found[equal.pop()] = j
        else:
            right[j] = frozenset(words(claim["claim"]))
    left = {i: frozenset(words(base[i]["claim"])) for i in sorted(chain.from_iterable(waiting.values()))}
    taken: set[int] = set()
    for _, i, j in sorted(_alike(left, right)):
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


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


def by_words(pairs: Sequence[Pair]) -> list[Relation | None]:
    """The pairs with the same words, as `match` sees it; None for all others. The fallback for `Meaning`."""
    prints = _each(pairs, fingerprint)
    said = _each(pairs, lambda claim: frozenset(words(claim["claim"])))

    def relation(a: int, b: int) -> Relation | None:
        if prints[a] == prints[b]:
            return EQUAL
        left, right = said[a], said[b]
        enough = min(len(left), len(right)) >= FEWEST and len(left & right) >= SAME * len(left | right)
        return ALIKE if enough else None

    return [relation(id(a), id(b)) for a, b in pairs]


def _each(pairs: Sequence[Pair], make: Callable[[ClaimEntry], T]) -> dict[int, T]:
    """What is made of each claim, once: it stands in many pairs."""
    claims = {id(claim): claim for pair in pairs for claim in pair}
    return {place: make(claim) for place, claim in claims.items()}


@dataclass(frozen=True)
class Meaning:
    """Whether claims speak about the same thing, by an embedder, which finds the pairs that are worth a look, and a
    reader, which takes either claim as the evidence of the other: what it supports or contradicts, it speaks about.

    No more than READ pairs are read, the nearest first. Errors: ModelFileError.
    """

    embedder: Embedder
    reader: Scorer

    def __call__(self, pairs: Sequence[Pair]) -> list[Relation | None]:
        """See Related."""
        known = _each(pairs, _known)
        texts = list(dict.fromkeys(known.values()))[:EMBEDDED]
        place = {text: n for n, text in enumerate(texts)}
        vectors = self.embedder.embed(texts)
        found: list[Relation | None] = [None] * len(pairs)
        cosines: dict[int, float] = {}
        for n, pair in enumerate(pairs):
            left, right = (place.get(known[id(claim)]) for claim in pair)
            if left is not None and right is not None:
                cosines[n], found[n] = float(vectors[left] @ vectors[right]), UNLIKE
        worth = _nearest(pairs, cosines)
        for n in worth[READ:]:
            found[n] = None
        for n, score in zip(worth[:READ], self._both_ways([pairs[n] for n in worth[:READ]]), strict=True):
            found[n] = score
        return found

    def _both_ways(self, pairs: Sequence[Pair]) -> list[Relation]:
        """The smaller probability of the two: what is named in passing is no evidence in the other direction, which is
        read only where the first has said yes."""
        found = self._read(pairs)
        likely = [n for n, one in enumerate(found) if one.about >= LIKELY]
        back_ways = self._read([(b, a) for a, b in (pairs[n] for n in likely)])
        for n, back in zip(likely, back_ways, strict=True):
            found[n] = Relation(min(found[n].about, back.about), min(found[n].same, back.same))
        return found

    def _read(self, pairs: Sequence[Pair]) -> list[Relation]:
        """The relations by the first claims, each read with the second as its evidence."""
        if not pairs:
            return []
        scores = self.reader.score([_triple(*pair) for pair in pairs])
        return [Relation(float(row[0] + row[1]), float(row[0])) for row in scores]


def _nearest(pairs: Sequence[Pair], cosines: dict[int, float]) -> list[int]:
    """The places of the pairs to read, the nearest first: from NEAR on, and among the CLOSEST of a bad claim."""
    seen: Counter[int] = Counter()
    worth = []
    for n in sorted(cosines, key=lambda n: (-cosines[n], n)):
        bad = [id(claim) for claim in pairs[n] if claim["label"] in NOT_SUPPORTED]
        if cosines[n] >= NEAR and any(seen[one] < CLOSEST for one in bad):
            worth.append(n)
            seen.update(bad)
    return worth


def _known(claim: ClaimEntry) -> str:
    """The claim in one line; a short one behind its question, without which it says nothing."""
    short = claim_key(claim) != claim["claim"]
    return _clean(f"{_question(claim)} {claim['claim']}" if short else claim["claim"])


def _question(claim: ClaimEntry) -> str:
    return claim.get("context", "").partition("\n")[0]


def _triple(claim: ClaimEntry, evidence: ClaimEntry) -> Triple:
    return _clean(claim["claim"]), _clean(_question(claim)), _known(evidence)


def _clean(text: str) -> str:
    """One line without markup."""
    return " ".join(plain(normalise(text)).split())


class _Shipped:
    """The models that ship with the gate, opened when there is something to read: most comparisons need none."""

    def __call__(self, pairs: Sequence[Pair]) -> list[Relation | None]:
        return self._meaning(pairs)

    @cached_property
    def _meaning(self) -> Meaning:
        return Meaning(LocalEmbedder(), shipped_reader())


by_meaning: Related = _Shipped()


def relate(pairs: Sequence[Pair], related: Related) -> tuple[list[Relation | None], str]:
    """(how the claims of each pair are related, what a reader of the comparison should know). `related` is asked only
    where the words do not say it."""
    found = by_words(pairs)
    asked = [n for n, score in enumerate(found) if score is None]
    if not asked:
        return found, ""
    try:
        scores = related([pairs[n] for n in asked])
    except ModelFileError as error:
        return found, f"claims were matched by their words alone: {error}"
    for n, score in zip(asked, scores, strict=True):
        found[n] = score
    missed = sum(score is None for score in scores)
    return found, f"{missed} pairs of claims were matched by their words alone: too many have changed" if missed else ""
