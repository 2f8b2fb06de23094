"""How far texts bear out claims, quickly: the local judge, whose reader is asked only about what it would decide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gate.judges.local import LocalJudge
from gate.judges.windows import prose
from gate.measures.base import Support
from gate.records import Claim, Evidence, Item, Label, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gate.judges.look import Scorer
    from gate.providers.base import Embedder

Pair = tuple[str, tuple[str, ...]]
# The probability without the reader that settles a claim: up to SURE_NOT and from SURE on the reader hardly ever
# changed a label (benchmarks/README.md, "Measures: speed").
SURE_NOT, SURE = 0.1, 0.8


class Remembering:
    """An embedder that computes each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self.name = embedder.name
        self.dimension = embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32, rows of length 1, in the order of `texts`. Errors: the embedder's own."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if fresh:
            self._vectors.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._vectors[text] for text in texts])

    def windows(self, text: str) -> list[str]:
        """As the embedder's."""
        return self._embedder.windows(text)


class BestWindow:
    """A reader that reads the best window of each claim only; the others count as saying nothing. Pairs of one claim
    stand side by side, best first, as `look` gives them."""

    def __init__(self, reader: Scorer) -> None:
        self._reader = reader

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As Reader: (n, 3) float32. Errors: ModelFileError."""
        best = [n for n, (claim, _) in enumerate(pairs) if n == 0 or claim != pairs[n - 1][0]]
        rows = np.tile(np.array([0.0, 0.0, 1.0], dtype=np.float32), (len(pairs), 1))
        if best:
            rows[best] = self._reader.score([pairs[n] for n in best])
        return rows


class QuickJudge:
    """Two local judges: one without the reader, and one with it for what the first does not settle."""

    def __init__(self, embedder: Embedder, reader: Scorer | None) -> None:
        self._first = LocalJudge(embedder)
        self._then = LocalJudge(embedder, reader=BestWindow(reader)) if reader else None

    def support(self, pairs: Sequence[Pair]) -> list[Support]:
        """One Support for each (claim, texts), in order; each depends on its pair alone. Errors: ModelFileError."""
        items = [_item(claim, texts) for claim, texts in pairs]
        verdicts = self._first.judge(items)
        if self._then:
            open_ = [n for n, verdict in enumerate(verdicts) if _unsettled(verdict)]
            for places in _rounds(open_, [prose(item.claim.text) for item in items]):
                for n, verdict in zip(places, self._then.judge([items[n] for n in places]), strict=True):
                    verdicts[n] = verdict
        return [_support(verdict) for verdict in verdicts]


def _unsettled(verdict: Verdict) -> bool:
    return verdict.support is not None and SURE_NOT < verdict.support < SURE


def _rounds(places: Sequence[int], claims: Sequence[str]) -> list[list[int]]:
    """The places in rounds, no claim twice in one: the reader could not tell where the one ends."""
    seen: Counter[str] = Counter()
    rounds: dict[int, list[int]] = defaultdict(list)
    for place in places:
        rounds[seen[claims[place]]].append(place)
        seen[claims[place]] += 1
    return list(rounds.values())


def _item(claim: str, texts: tuple[str, ...]) -> Item:
    evidence = tuple(Evidence("", number, text, 1.0, lines=()) for number, text in enumerate(texts, 1))
    return Item(Claim("", "", "", claim, 0, len(claim)), evidence)


def _support(verdict: Verdict) -> Support:
    quote = verdict.evidence[0].quote if verdict.evidence else ""
    # What nothing speaks of has no probability from the judge, and neither has what it could not judge.
    chance = verdict.support if verdict.support is not None else 0.0
    return Support(verdict.label, verdict.contradicted and verdict.label is Label.UNSUPPORTED, chance, quote)
