"""How far texts bear out claims, quickly: the local judge, whose reader is asked only about what it would decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gate.judges.local import LONGEST, LocalJudge
from gate.judges.look import Look, consult, kindred, look, shown
from gate.measures.base import Support
from gate.records import Claim, Evidence, Item, Label, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gate.judges.look import Scorer
    from gate.providers.base import Embedder

Pair = tuple[str, tuple[str, ...]]
# The probability without the reader that settles a claim: up to SURE_NOT and from SURE on the reader hardly ever
# changed a label (benchmarks/README.md, "Measures: speed").
SURE_NOT, SURE = 0.15, 0.8
FEW = 16  # sentences that are all compared with the claim


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


class Weigher(LocalJudge):
    """The local judge for a claim that was looked at already."""

    def weigh(self, item: Item, seen: Look | None) -> Verdict:
        """The verdict on one item by what was seen of it."""
        return self._one(item, seen)


class QuickJudge:
    """Two local judges that look once: one without the reader, and one with it for what the first does not settle."""

    def __init__(self, embedder: Embedder, reader: Scorer | None) -> None:
        self._embedder, self._reader = embedder, reader
        self._first = Weigher(embedder)
        self._then = Weigher(embedder, reader=reader)

    def support(self, pairs: Sequence[Pair]) -> list[Support]:
        """One Support for each (claim, texts), in order; each depends on its pair alone. Errors: ModelFileError."""
        items = [_item(claim, texts) for claim, texts in pairs]
        looks = look(items, self._embedder)
        verdicts = [self._first.weigh(item, seen) for item, seen in zip(items, looks, strict=True)]
        open_ = [n for n, verdict in enumerate(verdicts) if _unsettled(verdict)] if self._reader else []
        self._read([items[n] for n in open_], [looks[n] for n in open_])
        for n in open_:
            verdicts[n] = self._then.weigh(items[n], looks[n])
        return [_support(verdict) for verdict in verdicts]

    def _read(self, items: Sequence[Item], looks: Sequence[Look | None]) -> None:
        """Adds what the reader makes of the windows by words and, in texts of FEW sentences, of those about the
        sentence that means the same: in long ones it costs too much to compare every sentence."""
        if self._reader is None:
            return
        brief = [seen if seen and len(seen.alignment.sentences) <= FEW else None for seen in looks]
        kin = kindred(items, brief, self._embedder)
        windows = [shown(item, seen, place) for item, seen, place in zip(items, looks, kin, strict=True)]
        consult(items, looks, windows, self._reader)


def _unsettled(verdict: Verdict) -> bool:
    return verdict.support is not None and SURE_NOT < verdict.support < SURE


def _item(claim: str, texts: tuple[str, ...]) -> Item:
    evidence = tuple(Evidence("", number, text, 1.0, lines=()) for number, text in enumerate(texts, 1))
    # A claim that is too long to be judged is not read at all, but told by its length.
    return Item(Claim("", "", "", claim, 0, len(claim)), evidence if len(claim) <= LONGEST else ())


def _support(verdict: Verdict) -> Support:
    quote = verdict.evidence[0].quote if verdict.evidence else ""
    # What nothing speaks of has no probability from the judge, and neither has what it could not judge.
    chance = verdict.support if verdict.support is not None else 0.0
    return Support(verdict.label, verdict.contradicted and verdict.label is Label.UNSUPPORTED, chance, quote)
