"""Statements that say nearly the same and differ in one place: which words stand there instead of which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from gate.measures.base import Tools
from gate.measures.clash import MOST, opposed
from gate.text import STOPWORDS, normalise, numbers, same, sentences, stem, tokens

LONGEST = 60  # words of a statement that is compared
SHARED = 0.6  # share of a statement's words that stand in the other one, in the same order
SPAN = 5  # words that are exchanged, at most
RUN = 2  # words in a row that both have beside the place
ALONE = 5  # words that both have, where what is exchanged is no opposite: then it is all that they differ in
# Cosine of two phrases, by the shipped embedder, from which they say the same ("start", "begin": 0.96; "change",
# "read": 0.65; "screen", "display": 0.84).
SYNONYM = 0.82
_PERSONS = frozenset(["i", "we", "you", "he", "she", "they"])
_LIGHT = STOPWORDS - {"all", "both", "any", "no", "not", "only", "first", "last", "before", "after", "on", "off"}


@dataclass(frozen=True, slots=True)
class Twin:
    """A statement, the words that stand in it (`theirs`) where a claim has others (`mine`), and whether these are the
    opposite, or another person."""

    sentence: str
    mine: str
    theirs: str
    opposite: bool


def twin(claim: str, text: str, tools: Tools) -> Twin | None:
    """The sentence of `text` that says what `claim` does but for the words in one place; None where there is none, or
    where another sentence says it, or where the words in that place say the same."""
    said = _words(claim)
    if not RUN < len(said) <= LONGEST:
        return None
    found: list[Twin] = []
    for sentence, other in _sentences(text):
        exchanged = list(_exchanged(said, other))
        if not exchanged and _holds(said, other):
            return None
        made = [_twin(sentence, *pair) for pair in exchanged]
        found += [one for one in made if one.opposite or _all_else(said, one, other)]
    return next((one for one in found if one.opposite or not _alike(one, tools)), None)


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = (text[start:end] for start, end in sentences(text)[:MOST])
    return tuple((sentence, words) for sentence in found if 0 < len(words := _words(sentence)) <= LONGEST)


def _words(text: str) -> tuple[str, ...]:
    return tuple(tokens(normalise(text[:2000])))


def _holds(said: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a sentence has all the words of a claim."""
    return set(map(stem, said)) <= set(map(stem, other))


def _all_else(said: Sequence[str], one: Twin, other: Sequence[str]) -> bool:
    """Whether the sentence has every other word of a claim that is not short."""
    rest, there = list(said), set(map(stem, other))
    for word in one.mine.split():
        rest.remove(word)
    return len(rest) >= ALONE and all(stem(word) in there for word in rest)


def _exchanged(said: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(words of `said`, words that stand in their place in `other`): where both go on alike and neither says elsewhere
    what it has there."""
    mine, theirs = [stem(word) for word in said], [stem(word) for word in other]
    steps = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    runs = [b - a if kind == "equal" else 0 for kind, a, b, _, _ in steps]
    if sum(runs) < SHARED * len(mine):
        return
    for place, (kind, a, b, c, d) in enumerate(steps):
        beside = max(runs[max(0, place - 1) : place + 2])
        if kind != "replace" or beside < RUN or max(b - a, d - c) > SPAN:
            continue
        if _telling(mine[a:b], theirs) and _telling(theirs[c:d], mine):
            yield " ".join(said[a:b]), " ".join(other[c:d])


def _telling(span: Sequence[str], other: Sequence[str]) -> bool:
    """Whether words say something, and say it nowhere in the other statement."""
    heavy = [word for word in span if word not in _LIGHT or word in _PERSONS]
    return bool(heavy) and not any(word in other for word in heavy)


def _twin(sentence: str, mine: str, theirs: str) -> Twin:
    one, other = mine.split(), theirs.split()
    persons = bool(_PERSONS & set(one)) and bool(_PERSONS & set(other))
    return Twin(sentence, mine, theirs, persons or opposed(one, other))


def _alike(one: Twin, tools: Tools) -> bool:
    amounts = list(numbers(one.mine)), list(numbers(one.theirs))
    if amounts[0] and amounts[1]:  # amounts are compared by their value elsewhere
        return any(same(a, b) for a in amounts[0] for b in amounts[1])
    vectors = tools.embed([one.mine, one.theirs])
    return float(vectors[0] @ vectors[1]) >= SYNONYM
