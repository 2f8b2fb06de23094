"""The seam of the judges: items in, verdicts out, in the same order; and what is asked of them beside claims."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from gate.records import Claim, Evidence, Item, JudgeInfo, Label, Verdict

if TYPE_CHECKING:
    from gate.providers.base import Provider

CRITERION_VERSION = 1  # of the sheet of a criterion; another one judges otherwise
SHARES = {
    "share_unparsed": ("unparsed_replies", ("replies",)),
    "share_sent_on": ("sent_on", ("sent_on", "settled_locally")),
}


class Judge(Protocol):
    """Labels claims; it knows no threshold that decides a run. A `remote` one waits for calls: answers are given to it
    one by one, several at once, from threads of their own."""

    remote: bool

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict for every item, in order; what could not be labelled is `unjudged` with its reason.
        Errors of a remote one: ProviderError, LimitError."""
        ...

    def info(self) -> JudgeInfo:
        """Who judged, with the counters so far."""
        ...


class Looking(Judge, Protocol):
    """A judge that asks a model, and can ask it again: each `look` is a call of its own."""

    def judge(self, items: Sequence[Item], look: int = 0) -> list[Verdict]:
        """As Judge."""
        ...


class Statement(NamedTuple):
    """What the local judge is asked beside a run's claims: how far `texts` bear out `claim`, which is read within its
    `context`."""

    claim: str
    texts: tuple[str, ...]
    context: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """How far texts bear out a claim: the label, whether they say otherwise, the probability of support (0..1), and
    the words that decided (may be empty)."""

    label: Label
    contradicted: bool
    chance: float
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What an exact check finds: something of a claim that stands nowhere in the documents.

    `said` is verbatim from the claim. `found` is verbatim from the evidence: all that stands there instead, or nothing.
    `denied` tells that the best windows give another value for it.
    """

    kind: Literal["amount", "identifier"]
    said: str
    found: tuple[str, ...]
    denied: bool


@dataclass(frozen=True, slots=True)
class Grade:
    """A model's grade (1..5) of an answer, with its reason; None where it gave none that can be read. `rubric` is the
    version of what it graded by; 0 where no model was asked."""

    value: float | None
    why: str
    rubric: int = 0


def chance_of(verdict: Verdict) -> float | None:
    """The judge's probability that the claim is not supported, in 0..1; None where it judged nothing or told none."""
    if verdict.label is Label.UNJUDGED:
        return None
    if verdict.support is not None:
        return 1.0 - verdict.support
    if not verdict.confidence:
        return None
    return 1.0 - verdict.confidence if verdict.label is Label.SUPPORTED else verdict.confidence


def unjudged(claim: Claim, reason: str) -> Verdict:
    """No label, and why."""
    return Verdict(claim, Label.UNJUDGED, f"Not judged: {reason}.", reason=reason)


def line_at(evidence: Evidence, offset: int) -> int:
    """The 1-based line (page for PDF) of the character at `offset` of a passage's text."""
    row = evidence.text.count("\n", 0, offset)
    return evidence.lines[row] if row < len(evidence.lines) else evidence.line + (0 if evidence.lines else row)


def shares(counts: Mapping[str, int]) -> dict[str, float]:
    """Counts of one run's judge, or sums of them over shards, as shares in 0..1: share_unparsed (of the model's replies
    those that could not be read whole), share_sent_on (of the claims those that the local judge sent on). Each where
    its counts are there."""
    found = {}
    for name, (part, whole) in SHARES.items():
        if part in counts and all(key in counts for key in whole):
            every = sum(counts[key] for key in whole)
            found[name] = round(counts[part] / every, 4) if every else 0.0
    return found


def list_schema(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a reply that is one list, called `name`, of objects with these fields and no others."""

    def only(fields: Mapping[str, Any]) -> dict[str, Any]:
        return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}

    return only({name: {"type": "array", "items": only(properties)}})


def criteria_judge(model: Provider) -> JudgeInfo:
    """Who judges by the user's own criteria: another version of the sheet is another judge, for its calibration too."""
    return JudgeInfo(model.name, model.model, f"criterion-{CRITERION_VERSION}")


def calibration_name(criterion: str) -> str:
    """The file in the gate's folder that holds the calibration of a criterion, whatever its case and spacing."""
    known = " ".join(criterion.casefold().split())
    return f"criterion-{hashlib.sha256(known.encode('utf-8', 'replace')).hexdigest()[:16]}.json"
