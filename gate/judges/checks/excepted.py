"""Exceptions: what a claim takes in expressly (`even on Sundays`) and the document leaves out, or the other way."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.finding import Finding
from gate.judges.checks.polarity import any_meets
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import CUES, Reading, read

_IN = re.compile(r"\b(?:even|including|inclusive of)\s(?P<what>[^.,;:()\u2014]{2,80})", re.IGNORECASE)
_OUT = re.compile(
    r"\b(?:except(?:ing)?|excluding|excepted|other than|apart from|(?:but|though) not)\s(?:for\s)?"
    r"(?P<what>(?:(?!\b(?:but|which|where|unless)\b)[^.;:()\u2014]){2,120})",
    re.IGNORECASE,
)
_SIDES = (
    (_IN, _OUT, "the document leaves out what the claim takes in: '{}'"),
    (_OUT, _IN, "the document takes in what the claim leaves out: '{}'"),
)
_DENYING = CUES | listed("closed unless if")
_SPEAKS = 0.6  # coverage of what is not excepted from which a sentence says what the claim says


def check_excepted(alignment: Alignment) -> list[Finding]:
    """At most one finding: a sentence of the window that says what the claim says, but for what it excepts."""
    claim = alignment.claim
    for mine, theirs, message in _SIDES:
        said = mine.search(claim.plain)
        if not said or (mine is _IN and claim.words & _DENYING):
            continue
        for i in range(alignment.first, alignment.last):
            reading = alignment.sentences[i].reading
            there = theirs.search(reading.plain)
            speaks = there and _speaks(alignment, i, said["what"]) and not _opposed(claim, reading)
            if there and speaks and _holds(there["what"], said["what"]) and not mine.search(reading.plain):
                return [Finding("reach", 0.9, message.format(said["what"].strip()), True, i)]
    return []


def _speaks(alignment: Alignment, place: int, what: str) -> bool:
    """Whether a sentence has most of the claim's words beside those of the exception."""
    keys = read(what).keys
    rest = [i for i, term in enumerate(alignment.terms) if term.key not in keys]
    met = cover([alignment.terms[i] for i in rest], [alignment.rows[place][i] for i in rest])
    return bool(rest) and met >= _SPEAKS


def _holds(whole: str, part: str) -> bool:
    """Whether all that has content in `part` stands in `whole`."""
    terms, others = read(part).content, read(whole).terms
    return bool(terms) and all(any_meets([term], others) for term in terms)


def _opposed(claim: Reading, reading: Reading) -> bool:
    """Whether the two say opposite things of the rest: closed even at Easter, open except at Easter."""
    return any(lexicon().opposed(a, b) for a in claim.keys - reading.keys for b in reading.keys - claim.keys)
