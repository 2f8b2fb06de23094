"""Identifiers, options and paths by exact form, and terms of the claim that the documents do not know."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.text import parts, stem

_HEAVY = 0.55  # weight from which a missing word is worth a word


def check_names(alignment: Alignment) -> list[Finding]:
    """A finding for every name of the claim that stands nowhere; a conflict where the window has its like."""
    there = {
        form
        for sentence in alignment.sentences
        for code in _codes(alignment, sentence.passage)
        for form in _forms(code)
    }
    words = {key for sentence in alignment.sentences for key in sentence.reading.keys}
    found = []
    for code in alignment.claim.codes:
        forms = _forms(code)
        if forms & there or (_plain_name(code) and all(stem(part) in words for part in parts(code))):
            continue
        like = _like(alignment, code)
        if like:
            message = f"the document has '{like[1]}' where the claim has '{code}'"
            found.append(Finding("name", 0.9, message, True, like[0]))
        else:
            found.append(Finding("name missing", 0.9, f"'{code}' is not in the documents found"))
    return found


def check_missing(alignment: Alignment) -> list[Finding]:
    """The heaviest words that stand in no passage found."""
    terms = zip(alignment.claim.content, alignment.anywhere, strict=True)
    gone = [
        term
        for term, share in terms
        if not share and term.weight >= _HEAVY and not term.code and not term.key.startswith("#")
    ]
    return [Finding("word missing", term.weight, f"'{term.word}' is not in the documents found") for term in gone]


def _codes(alignment: Alignment, passage: int) -> set[str]:
    return {code for sentence in alignment.sentences if sentence.passage == passage for code in sentence.reading.codes}


def _forms(code: str) -> set[str]:
    """The ways to write one name: with and without its owner, flags with and without dashes."""
    low = code.lower().strip("-./:@~$#()")
    pieces = re.split(r"[.:/]+", low)
    return {low, pieces[-1]} if len(pieces[-1]) > 2 and not low.startswith("/") and "/" not in code else {low}


def _plain_name(code: str) -> bool:
    """Capitals or digits only (`SSL`, `HTTP2`): written in many ways, so its words are enough."""
    return not re.search(r"[_./:]|[a-z][A-Z]|^-", code)


def _like(alignment: Alignment, code: str) -> tuple[int, str] | None:
    """A name in the window that shares half of its parts and that the claim does not have."""
    mine = {stem(part) for part in parts(code)}
    known = {other.lower() for other in alignment.claim.codes}
    for i in (alignment.focus, *range(alignment.first, alignment.last)):
        for other in alignment.sentences[i].reading.codes:
            theirs = {stem(part) for part in parts(other)}
            if other.lower() not in known and 2 * len(mine & theirs) >= max(len(mine), len(theirs)) > 1:
                return i, other
    return None
