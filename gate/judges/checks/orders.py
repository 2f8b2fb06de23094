"""What is more than what, and what comes before what."""

from __future__ import annotations

from collections.abc import Iterator

from gate.judges.checks.frame import ARTICLES, Relation, Words
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import Reading

ORDER = ("before",)  # the link of two things in time, however it is told
_TIMES = listed("before after")
_PLACES = listed("before after over above below under")
_SKIPPED = ARTICLES | listed(
    "you we they it to is are was were be been being gets get can may might must shall should will would does do did "
    "has have had also always then"
)
CASES = listed(
    "if when whenever unless where"
)  # `if it is cold, then ..` tells no order, and what holds in one case none of another
# Verbs that say no more than that something is done: "run the migration before you validate the file".
_DOING = listed("run start perform do carry happen take place begin make come first complete")
_SPAN = 3  # tokens before `than` in which the comparative stands


def orders(reading: Reading) -> Iterator[Relation]:
    """`a costs more than b`; and in time, as ORDER: `a is started before b`, `before b, a is started`, `b is started
    after a`, `start a, then b`."""
    words = Words(reading)
    for i, term in enumerate(words.terms):
        if term.word == "than":
            yield from _compared(words, i)
        elif term.word in _PLACES:
            yield from _placed(words, i)
        elif term.word == "then" and i and not reading.words & CASES:
            yield from _followed(words, i)


def _compared(words: Words, i: int) -> Iterator[Relation]:
    terms = words.terms
    back = [k for k in range(max(0, i - _SPAN), i) if terms[k].word in ("more", "less", "fewer", "rather")]
    back = back or [k for k in range(max(0, i - 2), i) if terms[k].word.endswith("er")]
    if back:
        inside = [k for k, other in enumerate(terms[: back[0]]) if other.clause == terms[i].clause]
        link = tuple(other.key for other in terms[back[0] : i + 1])
        yield from _related(link, words.keys(inside), words.across(i + 1, terms[i].clause, _SKIPPED))


def _placed(words: Words, i: int) -> Iterator[Relation]:
    terms, term = words.terms, words.terms[i]
    right = words.across(i + 1, term.clause, _SKIPPED)
    inside = [k for k, other in enumerate(terms[:i]) if other.clause == term.clause]
    if not inside and term.word in _TIMES:  # the clause opens with it: what it belongs to comes behind
        inside = [k for k, other in enumerate(terms) if other.clause == term.clause + 1]
    sides = words.keys(inside), right
    if term.word in _TIMES:
        yield from _related(ORDER, *(sides if term.word == "before" else sides[::-1]))
    else:
        yield from _related((term.key,), *sides)


def _followed(words: Words, i: int) -> Iterator[Relation]:
    """What stands before and behind a `then` that begins its clause, or follows an `and`."""
    terms, term = words.terms, words.terms[i]
    begins = terms[i - 1].clause != term.clause
    if begins or terms[i - 1].word == "and":
        clause = terms[i - 1].clause
        left = words.keys(k for k, other in enumerate(terms[:i]) if other.clause == clause)
        yield from _related(ORDER, left, words.across(i + 1, term.clause, _SKIPPED))


def _related(link: tuple[str, ...], left: frozenset[str], right: frozenset[str]) -> Iterator[Relation]:
    if left - right and right - left:
        yield Relation(link, left - right, right - left)


def turned_round(a: Relation, b: Relation) -> bool:
    """Whether all of each right side stands on the other's left, and the claim `a` says no more of the two than `b`."""
    light = frozenset(map(lexicon().key, _DOING)) if a.link == ORDER else frozenset()
    if a.right <= b.left and b.right <= a.left:
        return a.left - b.right - light <= b.left - a.right - light
    return a.link == ORDER and _crossed(a, b, light)


def _crossed(a: Relation, b: Relation, light: frozenset[str]) -> bool:
    """Whether the two steps of an order are exchanged, each with all of its words."""
    first, last = a.left - light, a.right - light
    return bool(first and last) and first <= b.right - light and last <= b.left - light


def kept(a: Relation, b: Relation) -> bool:
    """Whether `b` says what the claim `a` says."""
    return a.right == b.right and bool(a.left & b.left)
