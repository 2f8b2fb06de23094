"""The local judge: alignment, hard checks, embedding and reader, weighed by a stack; no key, no network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gate.judges.alignment import Alignment, align, split
from gate.judges.features import Features, features
from gate.judges.justify import justify
from gate.judges.quotes import quotes
from gate.judges.reading import Reading, read
from gate.judges.stack import Stack, load_stack
from gate.records import Item, JudgeInfo, Label, Verdict

if TYPE_CHECKING:
    from gate.providers.base import Embedder

LONGEST = 4000  # characters of a claim: what is longer is no single statement, and is not judged


class LocalJudge:
    """Labels claims by what their evidence says. A claim's verdict depends on that claim and its evidence alone."""

    def __init__(self, embedder: Embedder | None = None, stack: Stack | None = None) -> None:
        self._embedder = embedder
        self._stack = stack or load_stack()
        self._counts = {"judged": 0, "unsure": 0}

    def info(self) -> JudgeInfo:
        """Who judged: the stack's version stands for the prompt's."""
        return JudgeInfo("local", "stack", self._stack.version, dict(self._counts))

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict for every item, in order. Empty evidence is `unsupported`; a claim over LONGEST is `unjudged`."""
        known: dict[str, list[tuple[int, int, Reading]]] = {}
        verdicts = [self._one(item, known) for item in items]
        self._counts["judged"] += sum(verdict.label is not Label.UNJUDGED for verdict in verdicts)
        self._counts["unsure"] += sum(verdict.unsure for verdict in verdicts)
        return verdicts

    def _one(self, item: Item, known: dict[str, list[tuple[int, int, Reading]]]) -> Verdict:
        if len(item.claim.text) > LONGEST:
            why = f"the claim has {len(item.claim.text)} characters, more than {LONGEST}"
            return Verdict(item.claim, Label.UNJUDGED, f"Not judged: {why}.", reason=why)
        claim = read(item.claim.text)
        if not claim.content:
            why = "the claim has no words that could be looked up"
            return Verdict(item.claim, Label.UNJUDGED, f"Not judged: {why}.", reason=why)
        alignment = align(claim, split(item.evidence, known))
        if alignment is None or alignment.cover_all == 0:
            return Verdict(item.claim, Label.UNSUPPORTED, "Nothing in the documents speaks of this.", confidence=0.99)
        return self._verdict(item, alignment, features(alignment))

    def _verdict(self, item: Item, alignment: Alignment, seen: Features) -> Verdict:
        stack = self._stack
        chance = stack.supported.probability(seen.values)
        against = stack.contradicted.probability(seen.values)
        contradicted = chance <= stack.low and against >= 0.5
        label = (
            Label.SUPPORTED
            if chance >= stack.high
            else Label.UNSUPPORTED
            if chance <= stack.low
            else Label.WEAKLY_SUPPORTED
        )
        return Verdict(
            claim=item.claim,
            label=label,
            justification=justify(label, contradicted, alignment, seen.findings),
            contradicted=contradicted,
            confidence=round(_confidence(label, chance), 4),
            evidence=quotes(item, alignment, seen.findings if contradicted else ()),
            unsure=label is Label.WEAKLY_SUPPORTED,
        )


def _confidence(label: Label, chance: float) -> float:
    """The probability of the label; of `weakly_supported`, how far the claim is from being settled."""
    if label is Label.SUPPORTED:
        return chance
    return 1.0 - chance if label is Label.UNSUPPORTED else 1.0 - max(chance, 1.0 - chance)
