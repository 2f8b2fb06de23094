"""Comparisons turned round in other words: what the document calls cheaper, the claim calls dearer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said_elsewhere
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import CUES, Reading

# What is compared -> (the words for more of it, the words for less of it).
_POLES = {
    "amount": (
        "more higher larger bigger greater dearer pricier expensive costly",
        "less fewer lower smaller cheaper cheap",
    ),
    "length": ("longer", "shorter"),
    "speed": ("faster quicker fast", "slower slow"),
    "time": ("later", "earlier sooner"),
    "age": ("older", "newer younger"),
    "weight": ("heavier heavy", "lighter"),
    "strength": ("stronger strong stricter strict", "weaker laxer"),
    "width": ("wider broader", "narrower"),
    "warmth": ("warmer hotter", "colder cooler"),
    "height": ("taller", "lower"),
    "worth": ("better", "worse"),
}
_WAY = {
    word: (kind, sign)
    for kind, poles in _POLES.items()
    for sign, words in zip((1, -1), poles, strict=True)
    for word in words.split()
}
_DEGREE = {"more": 1, "less": -1}  # before a word that says of what: `less expensive`
_SPAN = 3  # terms before `than` in which the comparative stands
# Say only that something has a size, or that two things are set side by side.
_LIGHT = listed(
    "cost costs price priced prices charge charges fee pay paid take takes last lasts run runs get gets much"
)
_SOME = listed(
    "some sometimes may might can could usually often not always other others another both equally as half twice times"
)


class Comparison(NamedTuple):
    """`more` has more of a `kind` than `less`: the keys of both sides."""

    kind: str
    more: frozenset[str]
    less: frozenset[str]


def check_compared(alignment: Alignment) -> list[Finding]:
    """At most one finding: a sentence of the window that compares the two things of the claim, the other way round."""
    claim = alignment.claim
    if claim.words & (CUES | _SOME):
        return []
    for mine in _comparisons(claim):
        for place in range(alignment.first, alignment.last):
            reading = alignment.sentences[place].reading
            there = [other for other in _comparisons(reading) if other.kind == mine.kind]
            if len(there) != 1 or reading.words & (CUES | _SOME) or not _turned(mine, there[0]):
                continue
            if not said_elsewhere(alignment, {place}):
                return [Finding("swapped", 0.9, "the document compares them the other way round", True, place)]
    return []


def _comparisons(reading: Reading) -> Iterator[Comparison]:
    terms = reading.terms
    for i, term in enumerate(terms):
        if term.word != "than":
            continue
        found = [k for k in range(max(0, i - _SPAN), i) if terms[k].word in _WAY and terms[k].clause == term.clause]
        if not found:
            continue
        kind, sign = _way([terms[k].word for k in found])
        left = _keys(reading, range(found[0]), term.clause)
        right = _keys(reading, range(i + 1, len(terms)), term.clause)
        if kind and left - right and right - left:
            yield Comparison(kind, *((left, right) if sign > 0 else (right, left)))


def _way(words: list[str]) -> tuple[str, int]:
    """What a comparative compares, and which way: `cheaper`, `less expensive`."""
    kind, sign = _WAY[words[-1]]
    if len(words) == 1:
        return kind, sign
    return (kind, sign * _DEGREE[words[0]]) if len(words) == 2 and words[0] in _DEGREE else ("", 0)


def _keys(reading: Reading, places: range, clause: int) -> frozenset[str]:
    light = frozenset(map(lexicon().key, _LIGHT))
    inside = (reading.terms[k] for k in places)
    return (
        frozenset(t.key for t in inside if t.clause == clause and t.weight > 0 and not t.amounts and t.key[0] != "#")
        - light
    )


def _turned(mine: Comparison, there: Comparison) -> bool:
    """Whether the sides are exchanged, but for what stands on the same side of both: what is compared of the two."""
    same = (mine.more & there.more) | (mine.less & there.less)
    more, less = mine.more - same, mine.less - same
    crossed = bool(more & there.less and less & there.more)
    return crossed and more <= there.less and less <= there.more
