"""Swapped operands: who does what to whom, what is more than what, and what comes before what, the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import Relation, Run, Words, said_elsewhere
from gate.judges.checks.orders import CASES, ORDER, kept, orders, turned_round
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import Reading

_BE = listed("is are was were be been being gets get")
_MODAL = listed("can may might must shall should will would does do did has have had also always then")
_TO = listed("to from for onto into")
# What holds both ways round, or is said of both sides.
_MUTUAL = listed(
    "match matches matched equal equals meet meets mirror mirrors mirrored differ differs join joins joined overlap "
    "overlaps intersect intersects border borders resemble resembles combine combines combined means mean connect "
    "connects connected link links linked correspond corresponds relate relates related conflict conflicts contradicts "
    "compare compares compared exchange exchanges touches adjoins marries contact contacts sync syncs synced"
)
_TOO_LATE = listed("too late")  # `entered after the interview is too late` says that it has to be before
_BOTH = listed("both mutual mutually vice either other another reciprocal together respectively")
_BEHIND = 7  # tokens behind a passive in which `by` stands


def check_swapped(alignment: Alignment) -> list[Finding]:
    """At most one finding: a relation of the claim that a sentence of the window states the other way round, and that
    nothing found states as the claim does."""
    claim = alignment.claim
    if claim.denied or mutual(claim) or claim.words & _TOO_LATE:
        return []
    for find, turned, agreed in ((roles, _exchanged, _shared), (orders, turned_round, kept)):
        if find is orders and claim.words & CASES:
            continue
        for relation in find(claim):
            if finding := _check(alignment, relation, find, turned, agreed):
                return [finding]
    return []


def _check(
    alignment: Alignment,
    relation: Relation,
    find: Callable[[Reading], Iterator[Relation]],
    turned: Callable[[Relation, Relation], bool],
    agreed: Callable[[Relation, Relation], bool],
) -> Finding | None:
    against = []
    for i, sentence in enumerate(alignment.sentences):
        if relation.link != ORDER and relation.link[0] not in sentence.reading.keys:
            continue
        there = [other for other in find(sentence.reading) if other.link == relation.link]
        if any(agreed(relation, other) for other in there):
            return None
        settled = not sentence.reading.denied and not mutual(sentence.reading)
        if settled and any(turned(relation, other) for other in there):
            against.append(i)
    near = [i for i in against if alignment.first <= i < alignment.last]
    if not near or said_elsewhere(alignment, against):
        return None
    links = (ORDER + ("after", "then")) if relation.link == ORDER else ()
    word = next(t.word for t in alignment.claim.terms if t.key == relation.link[0] or t.word in links)
    message = f"the document says it the other way round: what stands before and after '{word}' is swapped"
    return Finding("swapped", 0.9, message, True, near[0])


def mutual(reading: Reading) -> bool:
    """Whether a text says that what holds one way holds the other way, too."""
    return any(term.word in _BOTH for term in reading.terms)


def roles(reading: Reading) -> Iterator[Relation]:
    """Who does a thing to whom: `a pays b`, `b is paid by a`, `a sends c to b`, `c is copied from a to b`."""
    words = Words(reading)
    for i, term in enumerate(words.terms):
        if not words.content(i) or term.word in _MUTUAL:
            continue
        before = i - 1
        while before >= 0 and words.terms[before].word in _MODAL | _BE:
            before -= 1
        aux = {other.word for other in words.terms[before + 1 : i]}
        left = words.run(before, -1, term.clause)
        if not left or not (aux or term.word.endswith(("s", "ed")) or term.word in lexicon().lemmas):
            continue
        yield from _roles_of(words, i, left, passive=bool(aux & _BE) and not term.word.endswith("ing"))


def _roles_of(words: Words, i: int, left: Run, passive: bool) -> Iterator[Relation]:
    terms, (verb, clause) = words.terms, (words.terms[i].key, words.terms[i].clause)
    if moved := _moved(words, i):
        yield _relation((verb, "from"), *moved)
    if passive:
        yield from _done_by(words, i, left)
        return
    yield _relation((verb,), left, words.after(i + 1, clause))
    at = next((k for k in range(i + 1, min(i + 5, len(terms))) if terms[k].word in _TO), 0)
    if at and terms[at].clause == clause:
        between = sorted(words.keys(range(i + 1, at)))
        yield _relation((verb, terms[at].word, *between), left, words.after(at + 1, clause))


def _done_by(words: Words, i: int, left: Run) -> Iterator[Relation]:
    """`c is sent by a`, `c is sent to b by a`: what the active says too."""
    terms, (verb, clause) = words.terms, (words.terms[i].key, words.terms[i].clause)
    near = [k for k in range(i + 1, min(i + _BEHIND, len(terms))) if terms[k].clause == clause]
    by = next((k for k in near if terms[k].word == "by"), 0)
    if not by:
        return
    agent, at = words.after(by + 1, clause), next((k for k in near if terms[k].word in _TO), 0)
    yield _relation((verb,), agent, left)
    if at:
        yield _relation((verb, terms[at].word, *sorted(left)), agent, words.after(at + 1, clause))


def _moved(words: Words, i: int) -> tuple[Run, Run] | None:
    """The two ends of `from a to b` behind the i-th term."""
    terms, clause = words.terms, words.terms[i].clause
    start = next((k for k in range(i + 1, min(i + 5, len(terms))) if terms[k].word == "from"), 0)
    end = next((k for k in range(start + 2, min(start + 6, len(terms))) if terms[k].word == "to"), 0) if start else 0
    return (words.after(start + 1, clause), words.after(end + 1, clause)) if end else None


def _relation(link: Run, left: Run, right: Run) -> Relation:
    """What both sides have in common (`service provider`, `service customer`) tells nothing apart."""
    return Relation(
        link, frozenset(left) - frozenset(right), frozenset(right) - frozenset(left), left[-1] if left else ""
    )


def _exchanged(a: Relation, b: Relation) -> bool:
    """Whether the sides are crossed; what follows both right sides alike ("against claims") does not matter."""
    alike = a.right & b.right
    crossed = any(key in b.right - alike for key in a.left if key == a.head or a.head not in a.left)
    back = any(key in a.right - alike for key in b.left if key == b.head or b.head not in b.left)
    return crossed and back and not a.left & b.left


def _shared(a: Relation, b: Relation) -> bool:
    return bool(a.left & b.left and a.right & b.right)
