"""How far texts bear out claims, quickly: the local judge, whose reader is asked only about what it would decide."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from gate.judges.local import LONGEST, LocalJudge
from gate.judges.look import consult, look
from gate.judges.meaning import kindred
from gate.judges.parts import Fits, parts
from gate.judges.seen import Look
from gate.measures.base import Support
from gate.records import Claim, Evidence, Item, Label, Verdict

if TYPE_CHECKING:
    from gate.judges.look import Scorer
    from gate.providers.base import Embedder

Pair = tuple[str, tuple[str, ...]]
# The probability without the reader that settles a claim: up to SURE_NOT and from SURE on the reader hardly ever
# changed a label (benchmarks/README.md, "Measures: speed").
SURE_NOT, SURE = 0.15, 0.8
FEW = 16  # sentences that are all compared with the claim


class Weigher(LocalJudge):
    """The local judge for a claim that was looked at already."""

    def weigh(self, item: Item, seen: Look | None) -> Verdict:
        """The verdict on one item by what was seen of it."""
        return self._one(item, seen)


class QuickJudge:
    """Two local judges that look once: one without the reader, and one with it for what the first does not settle."""

    def __init__(self, embedder: Embedder, reader: Scorer | None, fits: Fits | None = None) -> None:
        """`fits`: whether the reader sees a claim whole."""
        self._embedder, self._reader, self._fits = embedder, reader, fits
        self._first = Weigher(embedder)
        self._then = Weigher(embedder, reader=reader)

    def support(self, pairs: Sequence[Pair]) -> list[Support]:
        """One Support for each (claim, texts), in order; each depends on its pair alone. A claim that is longer than
        the reader sees is borne out as far as the worst of its parts. Errors: ModelFileError."""
        cut = [self._cut(claim) for claim, _ in pairs]
        shown = [(part, texts) for some, (_, texts) in zip(cut, pairs, strict=True) for part in some]
        given = iter(self._supports(shown))
        return [min(islice(given, len(some)), key=lambda support: support.chance) for some in cut]

    def _cut(self, claim: str) -> list[str]:
        return (parts(claim, self._fits) if self._fits and len(claim) <= LONGEST else []) or [claim]

    def _supports(self, pairs: Sequence[Pair]) -> list[Support]:
        items = [_item(claim, texts) for claim, texts in pairs]
        looks = look(items, self._embedder)
        verdicts = [self._first.weigh(item, seen) for item, seen in zip(items, looks, strict=True)]
        if self._reader is not None:
            open_ = [n for n, verdict in enumerate(verdicts) if _unsettled(verdict)]
            consult([items[n] for n in open_], [looks[n] for n in open_], self._kin, self._reader)
            for n in open_:
                verdicts[n] = self._then.weigh(items[n], looks[n])
        return [_support(verdict) for verdict in verdicts]

    def _kin(self, items: Sequence[Item], looks: Sequence[Look | None]) -> list[int | None]:
        """The places of the sentences that mean the same, in texts of FEW sentences: in long ones it costs too much to
        compare every sentence."""
        brief = [seen if seen and len(seen.alignment.sentences) <= FEW else None for seen in looks]
        return kindred(items, brief, self._embedder)


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
