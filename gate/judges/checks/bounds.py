"""Bounds: the same amount as the most on one side and as the least on the other."""

from __future__ import annotations

import re

from gate.judges.alignment import CONTEXT, Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said_elsewhere
from gate.judges.lexicon import listed
from gate.judges.reading import Reading
from gate.text import Number, same

# Which way an amount bounds what is said, by what stands before and behind it. The longer form is tried first.
_BEFORE = re.compile(
    r"\b(?:(?P<most>up to|at most|no more than|not more than|no longer than|not exceed(?:ing)?|maximum of|max(?:imum)?"
    r"|limited to|a limit of|within|no later than|less than|fewer than|below|under"
    r"|(?:small|low|short|light|young|thinn|narrow|earli|cheap|slow)er than)"
    r"|(?P<least>at least|no less than|no fewer than|not less than|minimum of|min(?:imum)?|no earlier than|more than"
    r"|(?:great|larg|bigg|high|long|old|heavi|wid|deep|tall|thick|fast|strong|lat)er than|over|above|exceed(?:s|ing)?))"
    r"[\s$€£₹]{0,3}(?:the |a |about |an? (?:[a-z-]+ ){1,2}of )?$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\s?(?:[\w%-]+ ){0,2}?(?:(?P<most>at (?:the )?most|(?:or|and) (?:less|fewer|below|under|earlier)|maximum)"
    r"|(?P<least>at (?:the )?least|(?:or|and) (?:more|above|over|longer|later|older)|minimum))\b",
    re.IGNORECASE,
)
_BOUND_NO = re.compile(r"\b(?:no|not) (?=more|less|fewer|longer|later|earlier|exceed)", re.IGNORECASE)
_NO = re.compile(r"\b(?:not|no|never|cannot|without|nobody|none|nothing|neither|nor)\b|n't\b", re.IGNORECASE)
_WORDS = listed(
    "above below under over within exceed exceeds limit limited maximum minimum max min later earlier longer larger "
    "bigger greater higher older smaller lower shorter"
)
_REACH = 40  # characters before an amount in which its bound stands


def check_bounds(alignment: Alignment) -> list[Finding]:
    """At most one finding: the sentence that says all that the claim says bounds the amount the other way."""
    claim = alignment.claim
    for number in claim.numbers:
        mine = way(claim, number)
        if not mine:
            continue
        for i in range(alignment.first, alignment.last):
            reading = alignment.sentences[i].reading
            ways = {way(reading, other) for other in reading.numbers if same(number, other)}
            if len(ways) != 1 or ways & {mine, ""} or not _says_all(alignment, i):
                continue
            if _denials(claim) == _denials(reading) and not said_elsewhere(alignment, {i}):
                said = claim.plain[number.start : number.end].strip()
                words = {"most": "at most", "least": "at least or more than"}
                message = f"the document says {words[ways.pop()]} '{said}', the claim {words[mine]}"
                return [Finding("bound", 0.9, message, True, i)]
    return []


def _says_all(alignment: Alignment, place: int) -> bool:
    """Whether a sentence has every word of the claim but for those of the bound: otherwise each side may bound
    something else ("up to 5 are free, more than 5 cost")."""
    met = zip(alignment.terms, alignment.rows[place], strict=True)
    return all(share >= CONTEXT or term.word in _WORDS for term, share in met)


def way(reading: Reading, number: Number) -> str:
    """`most`, `least` or nothing."""
    behind = _BEHIND.match(reading.plain, number.end)
    found = behind or _BEFORE.search(reading.plain[max(0, number.start - _REACH) : number.start])
    return (found.lastgroup or "") if found else ""


def _denials(reading: Reading) -> int:
    """How often a text denies, but for the `no` that belongs to a bound (`no more than`)."""
    return len(_NO.findall(_BOUND_NO.sub("", reading.plain)))
