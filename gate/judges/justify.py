"""One sentence for people: what was found, missing or contradicted."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.records import Label
from gate.text import normalise

_LONG = re.compile(r"'([^']{60})[^']*'")  # of a word or a name, a justification repeats no more


def justify(label: Label, contradicted: bool, alignment: Alignment, findings: tuple[Finding, ...]) -> str:
    """A sentence that fits the label; it repeats no more of the documents than the checks quote."""
    told = sorted((f for f in findings if f.message), key=lambda f: (not f.against if contradicted else 0, -f.strength))
    share = f"{round(100 * alignment.cover_passage)} % of the claim's weighted words stand in the best passage"
    if label is Label.SUPPORTED:
        return f"Found: {share}."
    if label is Label.WEAKLY_SUPPORTED:
        doubt = "; ".join(_short(f.message) for f in told[:2]) or _absent(alignment) or share
        return f"Not sure: {doubt}."
    if contradicted:
        reason = (
            _short(told[0].message) if told else _absent(alignment) or "the passage that is nearest says something else"
        )
        return f"Contradicted: {reason}."
    missing = "; ".join(_short(f.message) for f in told[:2]) or _absent(alignment)
    return f"Not in the documents: {missing or share}."


def _absent(alignment: Alignment) -> str:
    gone = [
        (term.weight, term.word)
        for term, share in zip(alignment.claim.content, alignment.found, strict=True)
        if not share and term.weight > 0.3
    ]
    if not gone:
        return ""
    shown = ", ".join(f"'{_short(word)}'" for _, word in sorted(gone, key=lambda pair: -pair[0])[:3])
    return f"the nearest passage has nothing of {shown}"


def _short(text: str) -> str:
    text = re.sub(r"\s+", " ", normalise(text))
    return _LONG.sub(r"'\1…'", text)
