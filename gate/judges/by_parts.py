"""A judge whose reader sees only so much of a claim: a longer one is judged in parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from gate.judges.base import Judge
from gate.judges.local import LONGEST
from gate.judges.parts import Fits, parts
from gate.records import Item, JudgeInfo, Label, Quote, Verdict

_ORDER = (Label.UNJUDGED, Label.UNSUPPORTED, Label.WEAKLY_SUPPORTED, Label.SUPPORTED)
QUOTES = 4  # of a claim, at most


class ByParts:
    """Judges what is too long for a reader to see whole (`fits`) in parts, and takes the worst verdict for the whole:
    what a reader was not shown, nobody has read. What fits is judged as it is."""

    remote = False

    def __init__(self, judge: Judge, fits: Fits) -> None:
        self._judge, self._fits = judge, fits
        self._counts = {"judged": 0, "unsure": 0}

    def info(self) -> JudgeInfo:
        """Of the judge within; what it counts are claims, not parts."""
        inner = self._judge.info()
        return replace(inner, details={**inner.details, **self._counts})

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict for every item, in order. Errors: the judge's own and the reader's."""
        cut = [self._cut(item.claim.text) for item in items]
        shown = [
            item if text == item.claim.text else replace(item, claim=replace(item.claim, text=text))
            for item, texts in zip(items, cut, strict=True)
            for text in texts
        ]
        given = iter(self._judge.judge(shown))
        verdicts = [_whole(item, list(islice(given, len(texts)))) for item, texts in zip(items, cut, strict=True)]
        self._counts["judged"] += sum(verdict.label is not Label.UNJUDGED for verdict in verdicts)
        self._counts["unsure"] += sum(verdict.unsure for verdict in verdicts)
        return verdicts

    def _cut(self, claim: str) -> list[str]:
        """The parts, at least one: what is too long for any judge, or says nothing, stays as it is."""
        return (parts(claim, self._fits) if len(claim) <= LONGEST else []) or [claim]


def _whole(item: Item, verdicts: Sequence[Verdict]) -> Verdict:
    if len(verdicts) == 1:
        return replace(verdicts[0], claim=item.claim)
    worst = min(verdicts, key=lambda v: (_ORDER.index(v.label), 1.0 if v.support is None else v.support))
    return replace(
        worst,
        claim=item.claim,
        justification=f"{worst.justification} So much of the weakest of {len(verdicts)} parts of a long claim.",
        evidence=_quotes(worst, verdicts),
        ceiling=min((verdict.ceiling for verdict in verdicts), key=_ORDER.index),
    )


def _quotes(worst: Verdict, verdicts: Sequence[Verdict]) -> tuple[Quote, ...]:
    """Those of the worst part, then the first of each other one."""
    others = [quote for verdict in verdicts for quote in verdict.evidence[:1]]
    return tuple(dict.fromkeys([*worst.evidence, *others]))[:QUOTES]
