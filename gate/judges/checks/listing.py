"""Enumerations item by item: an item of the claim's list that the document's list of the others does not have."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.polarity import any_meets
from gate.judges.reading import Reading, Term, read

_PART = re.compile(r"[;:()!?\u2014]|\.(?=\s|$)|\s-\s")
_MARK = re.compile(r",\s{1,9}(?:and|or)\s|,\s|\s(?:and|or)\s")
_DENIED = re.compile(r"\b(?:not|cannot|no|neither|without|except|instead)\b|n't\b", re.IGNORECASE)
_OPEN = re.compile(  # a list that need not be whole
    r"\b(?:such as|includ\w*|for example|for instance|e\.g|among|like|etc|others?|more|at least|any|also|as well|plus"
    r"|additional\w*)\b|\.\.\.",
    re.IGNORECASE,
)
_LONGEST = 3  # words of an item that stands between two others


class Listed(NamedTuple):
    """One item: its text where it is told, and its terms with content (`none` and figures have none)."""

    text: str
    terms: tuple[Term, ...]


def check_listing(alignment: Alignment) -> list[Finding]:
    """At most one finding: of three items or more, one stands nowhere while the others stand together in one list of
    the window that is whole. A list that has another item in its place may name the same thing otherwise, unless both
    are names (XML for YAML)."""
    gone = {term.key for term, share in zip(alignment.terms, alignment.anywhere, strict=True) if not share}
    if not gone or _DENIED.search(alignment.claim.plain):
        return []
    for items in lists(alignment.claim.plain):
        missing = [item for item in items if item.terms and all(term.key in gone for term in item.terms)]
        others = [item for item in items if item not in missing]
        if len(missing) != 1 or len(others) < 2:
            continue
        for i in range(alignment.first, alignment.last):
            if _stands_without(alignment.sentences[i].reading, missing[0], others, alignment.claim.plain):
                message = f"the document lists {_told(others)} without '{missing[0].text}'"
                return [Finding("listing", 0.9, message, True, i)]
    return []


def _stands_without(reading: Reading, missing: Listed, others: list[Listed], claim: str) -> bool:
    """Whether a list of the sentence has each of the others and nothing that may be the missing one."""
    if _OPEN.search(reading.plain) or _DENIED.search(reading.plain):
        return False
    for items in lists(reading.plain):
        homes = [
            next((n for n, item in enumerate(items) if any_meets(other.terms, item.terms)), -1) for other in others
        ]
        if -1 in homes or len(set(homes)) < len(homes):
            continue
        rest = [item for n, item in enumerate(items) if n not in homes]
        if not rest or (_is_name(missing, claim) and all(_is_name(item, reading.plain) for item in rest)):
            return True
    return False


def _is_name(item: Listed, text: str) -> bool:
    """A single word with a capital that is not the first of its text (YAML, Oracle): it is not said otherwise."""
    return bool(re.fullmatch(r"[A-Z][\w./+#-]+", item.text)) and not text.startswith(item.text)


def _told(items: list[Listed]) -> str:
    return " and ".join(f"'{item.text}'" for item in items[:2])


def lists(text: str) -> list[list[Listed]]:
    """The lists of a text, each of two items or more that end in `and` or `or`: of the first item its last word, of
    the last one the words before the next without content."""
    found = []
    for part in _PART.split(text):
        marks = list(_MARK.finditer(part))
        ends = [0, *(mark.end() for mark in marks)]
        pieces = [part[a:b] for a, b in zip(ends, [*(mark.start() for mark in marks), len(part)], strict=True)]
        first = 0
        for n, mark in enumerate(marks):
            if n > first and len(pieces[n].split()) > _LONGEST:
                first = n
            if mark[0].strip(" ,"):  # `and` or `or`: the piece behind it is the last
                if listed := _items(pieces[first : n + 2]):
                    found.append(listed)
                first = n + 1
    return found


def _items(pieces: list[str]) -> list[Listed]:
    items = [_trimmed(piece, n == 0, n == len(pieces) - 1) for n, piece in enumerate(pieces)]
    return [item for item in items if item] if all(items) else []


def _trimmed(piece: str, first: bool, last: bool) -> Listed | None:
    terms = list(read(piece).terms)
    if first:
        terms = terms[-1:]
    elif last:
        terms = terms[next((n for n, term in enumerate(terms) if term.weight > 0), 0) :]
        end = next(
            (b.at - terms[0].at for a, b in pairwise(terms) if b.weight == 0 or b.clause != a.clause), len(terms)
        )
        terms = terms[:end]
    terms = [term for term in terms if term.weight > 0]
    words = piece.split()
    if not words or len(terms) > _LONGEST:
        return None
    shown = words[-1] if first else " ".join(words[: len(terms)]) if last else piece
    return Listed(shown.strip(" .,'\""), tuple(terms))
