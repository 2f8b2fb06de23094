"""What the strict checks share: runs of words with content, and whether a sentence is the claim all but word for word.

A strict finding caps the label by itself, so that it asks for the same words in the same build on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.polarity import meets
from gate.judges.lexicon import listed
from gate.judges.reading import Reading, Term
from gate.text import Number

ARTICLES = listed("a an the this that these those its their his her our your my any each every all some")
SAYS_AS_MUCH = 0.9  # coverage from which another sentence may say what the claim says
_LETTER = re.compile(r"(?<![\w'-])[aA](?![\w'-])")
_OPERAND = re.compile(r"A (?:is|was|are|can|may|must|has|will|should|runs?|comes?|starts?|costs?)\b")

Run = tuple[str, ...]  # the keys of neighbours


class Relation(NamedTuple):
    """`left` and `right` of one `link` (a verb, a comparative with `than`, `before`)."""

    link: Run
    left: frozenset[str]
    right: frozenset[str]
    head: str = ""  # the last word of the left side as it stands: what it is about


class Words:
    """The terms of a reading; the capital A that names something (`plan A`) counts as a word with content."""

    def __init__(self, reading: Reading) -> None:
        self.terms: Sequence[Term] = reading.terms
        self._named = _named(reading)

    def content(self, i: int) -> bool:
        """Whether the i-th term says something by itself."""
        return self.terms[i].weight > 0 or i in self._named

    def run(self, i: int, step: int, clause: int) -> Run:
        """The keys of the neighbours with content from i on, in reading order, within a clause."""
        found = []
        while 0 <= i < len(self.terms) and self.terms[i].clause == clause and self.content(i):
            found.append(self.terms[i].key)
            i += step
        return tuple(found[::step])

    def after(self, i: int, clause: int, skip: Collection[str] = ARTICLES) -> Run:
        """The run behind what may be skipped from i on."""
        while i < len(self.terms) and self.terms[i].word in skip and not self.content(i):
            i += 1
        return self.run(i, 1, clause)

    def across(self, i: int, clause: int, skip: Collection[str]) -> frozenset[str]:
        """The keys with content from i on, up to the first word without that may not be skipped."""
        found = set()
        while i < len(self.terms) and self.terms[i].clause == clause:
            if self.content(i):
                found.add(self.terms[i].key)
            elif self.terms[i].word not in skip:
                break
            i += 1
        return frozenset(found)

    def keys(self, places: Iterable[int]) -> frozenset[str]:
        """The keys of those of the places that have content."""
        return frozenset(self.terms[i].key for i in places if self.content(i))


def _named(reading: Reading) -> frozenset[int]:
    letters = list(_LETTER.finditer(reading.plain))
    places = [i for i, term in enumerate(reading.terms) if term.word == "a"]
    if len(letters) != len(places):
        return frozenset()
    named = (
        m[0] == "A"
        and (m.start() > 0 and reading.plain[m.start() - 1] == " " or _OPERAND.match(reading.plain, m.start()))
        for m in letters
    )
    return frozenset(place for place, name in zip(places, named, strict=True) if name)


def framed(claim: Sequence[Term], sentence: Sequence[Term], extra: int) -> list[Term] | None:
    """The sentence's terms from the first to the last that meets one of the claim's, if all are met in the claim's
    order with at most `extra` others between and beside them in their clauses; else None."""
    places, at = [], 0
    for term in claim:
        at = next((i for i in range(at, len(sentence)) if meets(term, sentence[i])), -1) + 1
        if not at:
            return None
        places.append(sentence[at - 1].clause)
    inside = [term for term in sentence if places[0] <= term.clause <= places[-1]]
    return inside if len(inside) - len(claim) <= extra else None


def chain(reading: Reading, without: Collection[str]) -> list[Term]:
    """What counts in a reading, amounts included, in order."""
    return [term for term in reading.chain if term.word not in without]


def said(reading: Reading, number: Number) -> str:
    """An amount as it is written."""
    return reading.plain[number.start : number.end].strip()


def said_elsewhere(alignment: Alignment, places: Collection[int]) -> bool:
    """Whether a sentence that says something else than those at `places` has the words of the claim: it may say what
    the claim says. Passages overlap, so that a sentence may stand there twice."""
    told = {alignment.sentences[i].reading.text for i in places}
    rows = zip(alignment.sentences, alignment.rows, strict=True)
    return any(s.reading.text not in told and cover(alignment.terms, row) >= SAYS_AS_MUCH for s, row in rows)
