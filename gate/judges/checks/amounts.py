"""Amounts, dates, durations and versions of the claim, compared by value with those of the documents."""

from __future__ import annotations

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.finding import Finding
from gate.judges.checks.reckoned import is_case, reckoned, within
from gate.judges.checks.standing import equal, other_period, stands, written
from gate.judges.measured import MEASURES
from gate.judges.reading import Reading
from gate.text import Number, stem
from gate.text_days import week_of

_DAY = 86400.0  # seconds
_ROUGHLY = 1.5  # times an amount that one may round to it: half an hour for 40 minutes
_SPEAKS = 0.5  # coverage of a claim without its amounts from which a sentence speaks of it


def check_amounts(alignment: Alignment) -> list[Finding]:
    """One finding for every amount that is another one, or none, in the documents."""
    claim = alignment.claim
    found = [finding for number in claim.numbers if (finding := _amount(alignment, number))]
    return found + [finding for version in claim.versions if (finding := _version(alignment, version))]


def _amount(alignment: Alignment, number: Number) -> Finding | None:
    places, near = _ordered(alignment), alignment.last - alignment.first
    said = alignment.claim.plain[number.start : number.end].strip()
    met = [i for i in places if stands(alignment, number, i)]
    if set(met) & set(places[:near]) or reckoned(alignment, number) or _of_week(alignment, number):
        return None
    few, rough = number.unit not in MEASURES and number.value <= 3, _rough(said)
    small = few or rough
    if met:
        if other := _instead(alignment, number, met):
            there = _shown(alignment.sentences[alignment.focus].reading, other)
            message = f"the document says '{there}' of this, and '{said}' of something else"
            return Finding("number missing", 0.8, message, True, alignment.focus)
        message = f"'{said}' stands in the documents only in another place"
        return Finding("number elsewhere", 0.3 if small else 0.6, message)
    home = [i for i, s in enumerate(alignment.sentences) if s.passage == alignment.sentences[alignment.focus].passage]
    if any(within(alignment.claim, number, alignment.sentences[i].reading) for i in home):  # often another row
        return Finding("number elsewhere", 0.3, f"'{said}' lies within what the document says")
    for i in places[:near]:
        reading = alignment.sentences[i].reading
        # The same figure for another period tells more than another figure.
        for other in sorted(reading.numbers, key=lambda one: one.value != number.value):
            if _comparable(number, other) and not _said(alignment.claim, number, other):
                weight = 1.0 if number.unit in MEASURES else 0.7
                shown, told = _shown(reading, other), _shown(alignment.claim, number)
                message = f"the document says '{shown}' where the claim says '{told}'"
                loose = few or (rough and _near(number, other))
                strength = weight * (0.4 if loose and not other_period(number, other) else 1.0)
                return Finding("number", strength, message, True, i)
    # The case that a claim is about is the asker's, and no document need name it.
    strength = 0.3 if small else 0.6 if is_case(alignment.claim, number) else 0.8
    return Finding("number missing", strength, f"'{said}' is not in the documents found")


def _instead(alignment: Alignment, number: Number, met: list[int]) -> Number | None:
    """The amount that the sentence about the claim has in place of one that stands only where else is spoken of."""
    terms = [i for i, term in enumerate(alignment.terms) if term.at >= 0 and not term.amounts and term.key[0] != "#"]
    said = [alignment.terms[i] for i in terms]
    mine, *others = (cover(said, [alignment.rows[at][i] for i in terms]) for at in (alignment.focus, *met))
    if mine < _SPEAKS or max(others) > mine / 2 or number.unit not in MEASURES:
        return None
    there = alignment.sentences[alignment.focus].reading.numbers
    found = [one for one in there if _comparable(number, one)]
    return found[0] if len(found) == 1 and not _said(alignment.claim, number, found[0]) else None


def _of_week(alignment: Alignment, number: Number) -> bool:
    """Whether so many days a week are those that the window names: six, for `Monday to Saturday`."""
    spans = (week_of(sentence.reading.plain) for sentence in alignment.window)
    return number.per == "week" and any(len(days) * _DAY == number.value for days in spans)


def _said(claim: Reading, number: Number, other: Number) -> bool:
    """Whether the claim gives the document's amount too, beside its own: `36 hours, so after two days it is gone`."""
    return any(one is not number and equal(one, other) for one in claim.numbers)


def _rough(said: str) -> bool:
    """Whether an amount is told by halves or quarters of a unit, as one speaks: `half an hour`."""
    return not any(c.isdigit() for c in said) and any(part in said.lower() for part in ("half", "quarter"))


def _near(number: Number, other: Number) -> bool:
    """Whether one may say the one for the other, roughly."""
    low, high = sorted((abs(number.value), abs(other.value)))
    return high <= _ROUGHLY * low


def _shown(reading: Reading, number: Number) -> str:
    """An amount as it is written, with its period."""
    written = reading.plain[number.start : number.end].strip()
    return f"{written} per {number.per}" if number.per else written


def _ordered(alignment: Alignment) -> list[int]:
    """Sentences by nearness: focus, window, its passage, the others."""
    inside = [i for i in range(alignment.first, alignment.last) if i != alignment.focus]
    rest = [i for i in range(len(alignment.sentences)) if not alignment.first <= i < alignment.last]
    home = alignment.sentences[alignment.focus].passage
    return [alignment.focus, *inside, *sorted(rest, key=lambda i: (alignment.sentences[i].passage != home, i))]


def _comparable(a: Number, b: Number) -> bool:
    if a.unit in MEASURES or b.unit in MEASURES:
        return a.unit == b.unit
    return stem(a.unit) == stem(b.unit)


def _version(alignment: Alignment, version: str) -> Finding | None:
    if any(
        version in sentence.reading.versions or written(version, sentence.reading.plain)
        for sentence in alignment.sentences
    ):
        return None
    for i in range(alignment.first, alignment.last):
        for other in alignment.sentences[i].reading.versions:
            return Finding("version", 1.0, f"the document says version {other} where the claim says {version}", True, i)
    return Finding("version missing", 0.8, f"version {version} is not in the documents found")
