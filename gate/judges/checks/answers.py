"""A short answer behind its question (`What is in it? A pump.`): the words of the question do not bear it out."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.reading import read

_ASKED = re.compile(r"\?\s+(?=[^?]*$)")
_ITEM = re.compile(r"\s*(?:[,;]\s*(?:and\s+|or\s+)?|\b(?:and|or|plus)\s+)")
_POLAR = re.compile(r"(?:yes|no|not|true|false|correct|never|always|none|nothing)\b", re.IGNORECASE)
_CASE = re.compile(r"(?:even |only |but )*(?:if|unless|when|until|once|as long as|so long as)\b", re.IGNORECASE)
LONGEST = 12  # words of an answer that is no sentence


def check_answers(alignment: Alignment) -> list[Finding]:
    """At most one finding: a thing that the answer names, and of which no word stands anywhere in the documents found.
    Amounts are left to their own check, a yes or no has no words to find, and a condition names nothing."""
    claim = alignment.claim.plain
    asked = _ASKED.search(claim)
    if not asked:
        return []
    answer = claim[asked.end() :].strip(" .!")
    if len(answer.split()) > LONGEST or _POLAR.match(answer):
        return []
    gone = {term.key for term, share in zip(alignment.terms, alignment.anywhere, strict=True) if not share}
    for item in _ITEM.split(answer):
        if _CASE.match(item):
            continue
        terms = [term for term in read(item).terms if term.weight > 0]
        if terms and all(term.key in gone and not term.amounts for term in terms):
            return [Finding("answer missing", 0.9, f"the answer names what stands nowhere: '{item.strip()}'")]
    return []
