"""What the local judge sees of one claim while it judges, and the features that it comes to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gate.judges.checks.base import Finding
from gate.judges.windows import Piece, Window
from gate.records import Item

SURE = 1e-4  # no reader is surer than this
FEW = 4  # words: a shorter claim says little by itself


@dataclass(frozen=True, slots=True)
class Read:
    """What the reader makes of a window: the chances that it supports the claim, contradicts it, or does neither."""

    window: Window
    supported: float
    contradicted: float
    neither: float


@dataclass(slots=True)
class Look:
    """One claim, or one part of a long one, while it is judged; all texts as the reader is shown them."""

    item: Item
    claim: str
    context: str
    pieces: list[Piece]
    windows: list[Window]
    reads: list[Read] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    chance: float = 0.0
    denied: bool = False  # not supported, because the documents say otherwise

    @property
    def deciding(self) -> Read:
        """The window that decides: that which denies the claim most, else that which supports it most."""
        return max(self.reads, key=lambda read: read.contradicted if self.denied else read.supported)


def features(look: Look) -> dict[str, float]:
    """The features of the line (log odds are natural, held within ln(SURE)).

    `supported`, `contradicted`: the highest log odds of either in any window; `margin`: the mean of ln(supported /
    contradicted), each window weighed by the odds that it speaks of the claim; `first`: the log odds of support in the
    window whose words meet the claim best; `met`: how well they do (0 to 1); `missing`, `denied`: amounts that stand
    nowhere, and that the documents give otherwise; `unknown`: identifiers that stand nowhere; `short`: 1 for a claim of
    fewer than FEW words; `short_supported`: `supported` for such a claim.
    """
    reads = look.reads
    supported = max(_odds(read.supported) for read in reads)
    weights = [(1 - _held(read.neither)) / _held(read.neither) for read in reads]
    ratios = [math.log(_held(read.supported) / _held(read.contradicted)) for read in reads]
    short = float(len(look.claim.split()) < FEW)
    amounts = [finding for finding in look.findings if finding.kind == "amount"]
    return {
        "supported": supported,
        "contradicted": max(_odds(read.contradicted) for read in reads),
        "margin": sum(w * r for w, r in zip(weights, ratios, strict=True)) / (1 + sum(weights)),
        "first": _odds(reads[0].supported),
        "met": min(1.0, reads[0].window.score),
        "missing": float(any(not finding.denied for finding in amounts)),
        "denied": float(any(finding.denied for finding in amounts)),
        "unknown": float(any(finding.kind == "identifier" for finding in look.findings)),
        "short": short,
        "short_supported": short * supported,
    }


def _held(chance: float) -> float:
    return min(1 - SURE, max(SURE, chance))


def _odds(chance: float) -> float:
    return math.log(_held(chance) / (1 - _held(chance)))
