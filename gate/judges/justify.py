"""One sentence for people: what was found, missing or contradicted."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.seen import Look
from gate.records import Label
from gate.text import normalise

_LONG = re.compile(r"'([^']{60})[^']*'")  # of a word or a name, a justification repeats no more
_NAMED = re.compile(r"'([^']+)'")
_ELSE = "the nearest passage says something else"
LIKELY = 0.5  # chance from which the reader takes a passage to deny a claim
_NOTABLE = 0.3  # weight from which a word is worth naming


def justify(label: Label, contradicted: bool, seen: Look) -> str:
    """A sentence that fits the label; of claim and documents it repeats single words, names and amounts only."""
    alignment = seen.alignment
    told = sorted(seen.findings, key=lambda f: (contradicted and not f.against, -f.strength))
    reasons = _apart([_short(finding.message) for finding in told])[:2]
    unmet = _named(alignment, missing=True)
    percent = round(100 * alignment.cover_passage)
    denial = _denial(seen)
    share = f"{percent} % of the claim by weight stands in one passage"
    if label is Label.SUPPORTED:
        return f"Found: {_named(alignment, missing=False) or 'the claim'}; {share}."
    if label is Label.WEAKLY_SUPPORTED:
        return f"Not sure: {'; '.join(reasons) or denial or _without(unmet) or _doubtful(percent)}."
    if contradicted:
        if told and told[0].against:
            return f"Contradicted: {reasons[0]}."
        beside = _apart([_short(finding.message) for finding in told if _of_denial(finding, seen)])
        return f"Contradicted: {'; '.join([denial or _ELSE, *(beside if denial else reasons)[:1]])}."
    return f"Not in the documents: {'; '.join(reasons) or _without(unmet) or share}."


def denies(chance: float) -> str:
    """What is said of a reader that gives a passage this chance of denying a claim."""
    return f"the reader takes a passage to deny it ({chance:.2f})"


def _apart(messages: list[str]) -> list[str]:
    """The messages, of several about one name or amount the first."""
    kept: dict[str, str] = {}
    for message in messages:
        kept.setdefault(next(iter(_NAMED.findall(message)), message), message)
    return list(kept.values())


def _doubtful(percent: int) -> str:
    words = "all its words stand" if percent == 100 else f"{percent} % of its words, by weight, stand"
    return f"{words} in one passage, which may not say the same"


def _denial(seen: Look) -> str:
    """That a reader, where there is one, takes a passage to say the opposite."""
    sure = max((read.chances[1] for read in seen.reads), default=0.0)
    return denies(sure) if sure >= LIKELY else ""


def _of_denial(finding: Finding, seen: Look) -> bool:
    """Whether a finding is about the window that the reader takes to deny the claim, or about no sentence."""
    window = max(seen.reads, key=lambda read: read.chances[1]).window if seen.reads else None
    return window is None or finding.sentence < 0 or window.first <= finding.sentence < window.last


def _without(unmet: str) -> str:
    return f"the nearest passage says nothing of {unmet}" if unmet else ""


def _named(alignment: Alignment, missing: bool) -> str:
    """The heaviest words of the claim that the window has, or has not."""
    pairs = zip(alignment.terms, alignment.found, strict=True)
    words = [(t.weight, t.word) for t, share in pairs if (share == 0) is missing and t.weight > _NOTABLE and t.at >= 0]
    return ", ".join(_short(f"'{word}'") for _, word in sorted(words, key=lambda pair: -pair[0])[:3])


def _short(text: str) -> str:
    return _LONG.sub(r"'\1…'", re.sub(r"\s+", " ", normalise(text)))
