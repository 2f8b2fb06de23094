"""Amounts, dates, durations and versions of the claim, compared by value with those of the documents."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.measured import MEASURES
from gate.judges.reading import Reading
from gate.text import Number, same, stem


def check_amounts(alignment: Alignment) -> list[Finding]:
    """One finding for every amount that is another one, or none, in the documents."""
    claim = alignment.claim
    found = [finding for number in claim.numbers if (finding := _amount(alignment, number))]
    return found + [finding for version in claim.versions if (finding := _version(alignment, version))]


def _amount(alignment: Alignment, number: Number) -> Finding | None:
    places, near = _ordered(alignment), alignment.last - alignment.first
    said = alignment.claim.plain[number.start : number.end].strip()
    met = [i for i in places if _stands(number, said, alignment.sentences[i].reading)]
    if set(met) & set(places[:near]):
        return None
    small = number.unit not in MEASURES and number.value <= 3
    if met:
        message = f"'{said}' stands in the documents only in another place"
        return Finding("number elsewhere", 0.3 if small else 0.6, message)
    for i in places[:near]:
        reading = alignment.sentences[i].reading
        # The same figure for another period tells more than another figure.
        for other in sorted(reading.numbers, key=lambda one: one.value != number.value):
            if _comparable(number, other):
                weight = 1.0 if number.unit in MEASURES else 0.7
                shown, told = _shown(reading, other), _shown(alignment.claim, number)
                message = f"the document says '{shown}' where the claim says '{told}'"
                strength = weight * (0.4 if small and not _other_period(number, other) else 1.0)
                return Finding("number", strength, message, True, i)
    return Finding("number missing", 0.3 if small else 0.8, f"'{said}' is not in the documents found")


def _shown(reading: Reading, number: Number) -> str:
    """An amount as it is written, with its period."""
    written = reading.plain[number.start : number.end].strip()
    return f"{written} per {number.per}" if number.per else written


def _stands(number: Number, said: str, reading: Reading) -> bool:
    """Whether a sentence has the amount, or, for one without a unit, the figure as it is written."""
    if any(_equal(number, other) for other in reading.numbers):
        return True
    bare = (not number.unit and not number.per) or "." in said.split()[0]
    return bare and said[:1].isdigit() and written(said.split()[0], reading.plain)


def written(figure: str, text: str) -> bool:
    """Whether a figure stands in a text as it is, no part of another."""
    return re.search(rf"(?<![\w.]){re.escape(figure)}(?![\d])", text) is not None


def _ordered(alignment: Alignment) -> list[int]:
    """Sentences by nearness: focus, window, its passage, the others."""
    inside = [i for i in range(alignment.first, alignment.last) if i != alignment.focus]
    rest = [i for i in range(len(alignment.sentences)) if not alignment.first <= i < alignment.last]
    home = alignment.sentences[alignment.focus].passage
    return [alignment.focus, *inside, *sorted(rest, key=lambda i: (alignment.sentences[i].passage != home, i))]


def _equal(a: Number, b: Number) -> bool:
    if same(a, b):
        return True
    if _other_period(a, b):
        return False
    if not a.unit and b.unit == "clock":  # "between 3 and 7 pm": the first end has no unit of its own
        return b.value in (60 * a.value, 60 * (a.value + 12))
    return b.unit not in MEASURES and a.value == b.value and a.unit != "date"  # `timeout=10` for ten seconds


def _other_period(a: Number, b: Number) -> bool:
    return bool(a.per and b.per) and a.per != b.per


def _comparable(a: Number, b: Number) -> bool:
    if a.unit in MEASURES or b.unit in MEASURES:
        return a.unit == b.unit
    return stem(a.unit) == stem(b.unit)


def _version(alignment: Alignment, version: str) -> Finding | None:
    if any(written(version, sentence.reading.plain) for sentence in alignment.sentences):
        return None
    for i in range(alignment.first, alignment.last):
        for other in alignment.sentences[i].reading.versions:
            return Finding("version", 1.0, f"the document says version {other} where the claim says {version}", True, i)
    return Finding("version missing", 0.8, f"version {version} is not in the documents found")
