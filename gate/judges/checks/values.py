"""Amounts beside their subject: the default in a row of a table, and which of two things an amount belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import Run, Words
from gate.judges.checks.standing import written
from gate.judges.evidence import Sentence
from gate.judges.lexicon import listed
from gate.judges.measured import MEASURES
from gate.judges.reading import Reading
from gate.text import Number, same, tokens

KIND = "other value"
_SAYS = 0.6  # coverage of the claim's subject from which a sentence speaks of it
_CLEAR = 0.1  # by how much it is to be better than the best sentence that has the claim's amount
_FEWEST = 2  # terms of a subject, and of a phrase
_DEFAULT = listed("default defaults")
# A sum or a part of an amount differs from it and is right all the same; what is excepted has another one.
_RECKONED = re.compile(
    r"\b(?:in (?:all|total)|total\w*|altogether|together|twice|half|apart|except|other|others|unlike|instead"
    r"|each(?! (?:year|month|quarter|week|day|night|hour|minute|second|time)))\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\s(?:to|for|on|in|of|off|from|with) (?:the |an? |your |each )?(?=[^\W\d])", re.IGNORECASE
)  # `4 weeks to birth leave`
_SERIES = re.compile(r"\d,? (?:and |or )?$")  # `10, 20, 40 s` are steps, and no one value
_FIGURE = re.compile(r"\d[\d,.]*|\w+")


def check_values(alignment: Alignment) -> list[Finding]:
    """At most one finding: the row of a table that speaks of what the claim gives a default for has another amount of
    the same kind; or a sentence has both amounts, the claim's with something else.

    Other sentences are left alone: one that says "more than 30 days" has nothing against six weeks.
    """
    for number in measured(alignment.claim):
        if finding := _of_default(alignment, number) or _exchanged(alignment, number):
            return [finding]
    return []


def measured(claim: Reading) -> Iterator[Number]:
    """The amounts with a measure of a claim that reckons and excepts nothing."""
    if not _RECKONED.search(claim.plain):
        yield from (number for number in claim.numbers if number.unit in MEASURES)


def _of_default(alignment: Alignment, number: Number) -> Finding | None:
    """The row that speaks of what the claim gives a default for, where it has one amount of this kind and another."""
    claim = alignment.claim
    if not claim.words & _DEFAULT:
        return None
    shares = _subject_shares(alignment)
    near = [i for i, sentence in enumerate(alignment.sentences) if _alike(number, sentence.reading)]
    best = max(near, key=lambda i: shares[i], default=-1)
    if best < 0 or shares[best] < _SAYS:
        return None
    reading = alignment.sentences[best].reading
    found = _alike(number, reading)
    apart = len(found) == 1 and not any(same(found[0], own) for own in claim.numbers)
    apart = apart and not _SERIES.search(reading.plain[: found[0].start])
    if not apart or reading.text.count("|") < _FEWEST or _figured(claim, number, reading):
        return None
    beside = max((shares[i] for i in near if _has(number, alignment.sentences[i])), default=0.0)
    return _finding(claim, number, (reading, found[0]), best) if shares[best] - beside >= _CLEAR else None


def _exchanged(alignment: Alignment, number: Number) -> Finding | None:
    """A sentence of the window that gives two things an amount each, the other one what the claim names."""
    claim = alignment.claim
    keys = {term.key for term in claim.terms}
    for i in range(alignment.first, alignment.last):
        reading = alignment.sentences[i].reading
        found = _alike(number, reading)
        mine = [_before(reading, other) for other in found if same(number, other)]
        if all(_OBJECT.match(reading.plain, other.end) for other in found):
            continue  # what each belongs to stands behind it
        if not mine or any(not run or keys.issuperset(run) for run in mine):
            continue
        for other in found:
            run = _before(reading, other)
            free = not any(same(other, own) for own in claim.numbers)
            if free and len(run) >= _FEWEST and keys.issuperset(run):
                return _finding(claim, number, (reading, other), i)
    return None


def _before(reading: Reading, number: Number) -> Run:
    """The run of words with content that stands last before an amount: the build logs of `build logs for 90 days`."""
    words = Words(reading)
    at = min(len(tokens(reading.plain[: number.start])), len(words.terms)) - 1
    while at >= 0 and not words.content(at):
        at -= 1
    return words.run(at, -1, words.terms[at].clause) if at >= 0 else ()


def _subject_shares(alignment: Alignment) -> list[float]:
    """How well each sentence meets what the claim's amounts are about."""
    claim = alignment.claim
    said = {word for number in claim.numbers for word in tokens(claim.plain[number.start : number.end])} | _DEFAULT
    places = [i for i, term in enumerate(alignment.terms) if term.at >= 0 and term.word not in said]
    if len(places) < _FEWEST:
        return [0.0] * len(alignment.sentences)
    terms = [alignment.terms[i] for i in places]
    return [cover(terms, [row[i] for i in places]) for row in alignment.rows]


def _alike(number: Number, reading: Reading) -> list[Number]:
    return [other for other in reading.numbers if other.unit == number.unit]


def _has(number: Number, sentence: Sentence) -> bool:
    return any(same(number, other) for other in sentence.reading.numbers)


def _figured(claim: Reading, number: Number, there: Reading) -> bool:
    """Whether the figure of an amount stands in a sentence, perhaps without its unit (`up to 32`)."""
    figure = _FIGURE.search(claim.plain, number.start, number.end)
    return figure is None or written(figure[0].strip(".,").lower(), there.plain.lower())


def _finding(claim: Reading, number: Number, other: tuple[Reading, Number], place: int) -> Finding:
    reading, told = other
    there, said = reading.plain[told.start : told.end].strip(), claim.plain[number.start : number.end].strip()
    return Finding(KIND, 0.9, f"the document says '{there}' of this where the claim says '{said}'", True, place)
