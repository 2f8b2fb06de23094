"""Amounts of a neighbour: `The library card costs 30 euros`, where that is what the pool card costs."""

from __future__ import annotations

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.reckoned import within
from gate.judges.checks.standing import stands
from gate.judges.checks.values import measured
from gate.judges.evidence import Sentence
from gate.judges.lexicon import listed
from gate.judges.reading import CUES, Reading
from gate.text import Number, tokens

_MORE, _OTHER = 1, 2  # words that the sentence about the claim has beyond it, and that its neighbour has instead
_FEWEST = 2  # words that the three have in common
_EVERY = listed("any all every each always")  # what holds for some things alone is then another's, too


def check_rivals(alignment: Alignment) -> list[Finding]:
    """At most one finding: a sentence is the claim but for its amount, and the claim's own amount stands only in
    sentences that are the claim but for what they speak of."""
    claim = alignment.claim
    if claim.words & CUES:
        return []
    for number in measured(claim):
        if finding := _of_neighbour(alignment, number):
            return [finding]
    return []


def _of_neighbour(alignment: Alignment, number: Number) -> Finding | None:
    claim, named = alignment.claim, _named(alignment.claim)
    has = [i for i in range(len(alignment.sentences)) if stands(alignment, number, i)]
    least = 0 if claim.words & _EVERY else 1
    if not has or not all(_alike(named, alignment.sentences[i], least) for i in has):
        return None
    for place, sentence in enumerate(alignment.sentences):
        reading = sentence.reading
        mine, found = _named(reading), [other for other in reading.numbers if other.unit == number.unit]
        if not named <= mine | _header(sentence) or len(mine - named) > _MORE or len(found) != 1:
            continue
        if place not in has and not reading.words & CUES and not within(claim, number, reading):
            there = reading.plain[found[0].start : found[0].end].strip()
            said = claim.plain[number.start : number.end].strip()
            message = f"the document says '{there}' of this, and '{said}' of something else"
            return Finding("number", 1.0, message, True, place)
    return None


def _named(reading: Reading) -> frozenset[str]:
    """What a sentence speaks of, without its amounts."""
    amounts = {word for number in reading.numbers for word in tokens(reading.plain[number.start : number.end])}
    return frozenset(
        term.key for term in reading.content if not term.amounts and term.key[0] != "#" and term.word not in amounts
    )


def _alike(named: frozenset[str], sentence: Sentence, least: int) -> bool:
    """Whether a sentence says the like of something else: one or two words more, in the place of `least` to two."""
    other = _named(sentence.reading)
    gone, new = named - other - _header(sentence), other - named
    return len(named) - len(gone) >= _FEWEST and 1 <= len(new) <= _OTHER and least <= len(gone) <= _OTHER


def _header(sentence: Sentence) -> frozenset[str]:
    """The words above a row of a table; those above prose may be its neighbour's."""
    return sentence.context if sentence.told else frozenset()
