"""The local judge: alignment, hard checks, embedding and reader, weighed by a stack; no key, no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gate.judges.justify import justify
from gate.judges.look import Scorer, look
from gate.judges.quotes import quotes
from gate.judges.reads import denied
from gate.judges.seen import Look
from gate.judges.stack import Stack, Variant, load_stack
from gate.measures.refit import most
from gate.records import Item, JudgeInfo, Label, Verdict

if TYPE_CHECKING:
    from gate.providers.base import Embedder

_VARIANTS = {(False, False): "plain", (True, False): "embedding", (False, True): "reader", (True, True): "both"}
HARD = 0.7  # strength of a finding that no coverage makes good
# Findings that leave a claim at best unsure; those of the second line have no weight in the stack.
_DOUBTED = frozenset(
    ("number missing", "version", "version missing", "name", "opposite",
     "swapped", "listing", "bound", "default value", "reach", "other value",
     "answer missing")
)  # fmt: skip
LONGEST = 4000  # characters of a claim: what is longer is no single statement


class LocalJudge:
    """Labels claims by what their evidence says. A verdict depends on its claim and evidence alone.

    An embedder is used if it is the one that the stack was fitted with; any other would be weighed wrongly. `reader`
    is the shipped one, for which the stack has weights.
    Errors: ModelFileError where the shipped weights or word tables are missing.
    """

    remote = False

    def __init__(
        self, embedder: Embedder | None = None, stack: Stack | None = None, reader: Scorer | None = None
    ) -> None:
        self._stack = stack or load_stack()
        self._embedder = embedder if embedder and embedder.name == self._stack.embedder else None
        self._reader = reader
        name = _VARIANTS[self._embedder is not None, reader is not None]
        self._name = name if name in self._stack.variants else "plain"
        self._counts = {"judged": 0, "unsure": 0}

    def info(self) -> JudgeInfo:
        """Who judged; the version of the stack stands for that of a prompt."""
        return JudgeInfo("local", f"stack-{self._name}", self._stack.version, dict(self._counts))

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict for every item, in order. No evidence is `unsupported`; a claim of more than LONGEST characters
        or without words is `unjudged`. Errors: the embedder's own."""
        fit = [item if len(item.claim.text) <= LONGEST else _emptied(item) for item in items]
        line = self._stack.variants[self._name].choosing
        looks = look(
            fit,
            self._embedder if "likeness" in line.weights else None,
            self._reader if "reads_supported" in line.weights else None,
            line.probability,
        )
        verdicts = [self._one(item, seen) for item, seen in zip(items, looks, strict=True)]
        self._counts["judged"] += sum(verdict.label is not Label.UNJUDGED for verdict in verdicts)
        self._counts["unsure"] += sum(verdict.unsure for verdict in verdicts)
        return verdicts

    def _one(self, item: Item, seen: Look | None) -> Verdict:
        size = len(item.claim.text)
        if size > LONGEST:
            return _unjudged(item, f"the claim has {size} characters, more than {LONGEST}")
        if not any(c.isalnum() for c in item.claim.text):
            return _unjudged(item, "the claim has no words")
        if seen is None or seen.alignment.cover_all == 0:
            why = "Nothing in the documents speaks of this."
            return Verdict(item.claim, Label.UNSUPPORTED, why, confidence=0.99)
        return _weigh(item, seen, self._stack.variants[self._name])


def _weigh(item: Item, seen: Look, variant: Variant) -> Verdict:
    ceiling = _ceiling(seen)
    chance = min(variant.supported.probability(seen.values), most(ceiling, variant.low, variant.high))
    label = _label(chance, variant)
    contradicted = label is Label.UNSUPPORTED and variant.contradicted.probability(seen.values) >= 0.5
    return Verdict(
        claim=item.claim,
        label=label,
        justification=justify(label, contradicted, seen),
        contradicted=contradicted,
        confidence=round(_confidence(label, chance), 4),
        evidence=quotes(item, seen, contradicted),
        unsure=not variant.settles(chance),
        support=round(chance, 6),
        ceiling=ceiling,
    )


def _ceiling(seen: Look) -> Label:
    """What a hard check found is not outweighed by words: at best the claim is unsure, and if it names what the
    documents do not know or gives an amount that they give otherwise, it is not supported. Nor is what the reader is
    certain of, wherever the claim's words stand: `Guests can ..` and `Guests cannot ..` share them all."""
    hard = {finding.kind for finding in seen.findings if finding.strength >= HARD}
    if hard & {"number", "name missing"} or denied(seen.reads):
        return Label.UNSUPPORTED
    return Label.WEAKLY_SUPPORTED if hard & _DOUBTED else Label.SUPPORTED


def _label(chance: float, variant: Variant) -> Label:
    if chance >= variant.high:
        return Label.SUPPORTED
    return Label.UNSUPPORTED if chance <= variant.low else Label.WEAKLY_SUPPORTED


def _confidence(label: Label, chance: float) -> float:
    """The probability of the label; for `weakly_supported`, that of the less likely side: at most a half."""
    if label is Label.SUPPORTED:
        return chance
    return 1.0 - chance if label is Label.UNSUPPORTED else min(chance, 1.0 - chance)


def _unjudged(item: Item, why: str) -> Verdict:
    return Verdict(item.claim, Label.UNJUDGED, f"Not judged: {why}.", reason=why)


def _emptied(item: Item) -> Item:
    """The item without its words: nothing is computed over a claim that is not judged."""
    return replace(item, claim=replace(item.claim, text=""))
