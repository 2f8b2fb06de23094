"""Who does it: the document names another one for what the claim says that somebody does."""

from __future__ import annotations

from collections.abc import Iterator

from gate.judges.alignment import AKIN, Alignment, match
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import ARTICLES, Relation, said_elsewhere
from gate.judges.checks.gapped import JOINT, has_verb
from gate.judges.checks.swapped import mutual, roles
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import Reading, read

# Stand for others, of which the claim's may be one.
_ANYBODY = listed(
    "anyone anybody everyone everybody someone somebody whoever whichever whatever those they they're it's former "
    "latter one ones same others other rest each all any both who which that time times"
)
_SO = listed("does do did so too likewise nor neither also")  # say of a second one what was said of the first
_WHOEVER = listed("whoever anyone anybody everyone everybody whichever")
_EACH = listed("each every all any some")
_OPENS = listed(
    "by if when once unless because since while whereas but after before until that so then otherwise where"
)
_LEAST = 0.4  # weight of what it is done with, less than which is said of many things


def check_agents(alignment: Alignment) -> list[Finding]:
    """At most one finding: a sentence of the window speaks of the one that the claim names, and says that another does
    what the claim says of it; and nothing found says it of both."""
    claim = alignment.claim
    if claim.denied or mutual(claim):
        return []
    for mine in _acts(claim):
        for place in range(alignment.first, alignment.last):
            reading = alignment.sentences[place].reading
            other = next((there for there in _acts(reading) if _by_another(mine, there, claim, reading)), None)
            if other and not _said(alignment, mine) and not said_elsewhere(alignment, {place}):
                words = {term.key: term.word for term in (*reading.terms, *claim.terms)}
                message = f"the document says that of '{words[other.head]}', the claim of '{words[mine.head]}'"
                return [Finding("swapped", 0.9, message, True, place)]
    return []


def _acts(reading: Reading) -> Iterator[Relation]:
    """What somebody does with something, where it is plain who that is."""
    weights = {term.key: term.weight for term in reading.terms}
    for relation in roles(reading):
        if len(relation.link) > 1 or not relation.left or sum(weights[key] for key in relation.right) < _LEAST:
            continue
        if _plain(reading, relation):
            yield relation


def _plain(reading: Reading, relation: Relation) -> bool:
    """Whether the left side begins its clause: of `the clerk with the key opens it` and `the clerk who has the key
    opens it` the key opens nothing. Nor is it one of several, or each of them."""
    first = min(term.at for term in reading.terms if term.key in relation.left)
    clause, at = reading.terms[first].clause, first - 1
    while at >= 0 and reading.terms[at].clause == clause and reading.terms[at].word in ARTICLES - _EACH:
        at -= 1
    before = reading.terms[at] if at >= 0 else None
    return before is None or before.word in _OPENS or (before.clause != clause and before.word not in _EACH)


def _by_another(mine: Relation, there: Relation, claim: Reading, reading: Reading) -> bool:
    """Whether `there` is the same done with the same by another, in a sentence that knows who the claim speaks of."""
    if mine.link != there.link or not mine.right <= there.right or mine.left & (there.left | there.right):
        return False
    if reading.denied or mutual(reading) or reading.words & (_SO | _WHOEVER) or not mine.left <= reading.keys:
        return False
    if any(mine.left & other.left for other in roles(reading) if other.link[0] == mine.link[0]) or _gapped(
        mine, reading
    ):
        return False
    if there.head in map(lexicon().key, _ANYBODY) or mine.head in map(lexicon().key, _ANYBODY):
        return False
    terms = {term.key: term for term in claim.terms}
    heads = [term for term in reading.terms if term.key in there.left]
    doing = any(term.word.endswith("ing") for term in heads)  # `coming late costs 10 euros`
    return bool(heads) and not doing and not any(match(terms[key], _only(reading, there)) >= AKIN for key in mine.left)


def _gapped(mine: Relation, reading: Reading) -> bool:
    """Whether the one that the claim names stands in a part of the sentence whose verb is left out: `the borrower
    insures it on the way there, the lender on the way back`."""
    parts = [read(part).terms for part in JOINT.split(reading.plain)[1:]]
    return any(mine.left & {term.key for term in part} and not has_verb(part) for part in parts)


def _only(reading: Reading, relation: Relation) -> Reading:
    kept = tuple(term for term in reading.terms if term.key in relation.left)
    return Reading(reading.text, reading.plain, kept, ())


def _said(alignment: Alignment, mine: Relation) -> bool:
    """Whether some sentence says it of the one that the claim names."""
    return any(
        mine.link == there.link and mine.left & there.left and mine.right & there.right
        for sentence in alignment.sentences
        if mine.link[0] in sentence.reading.keys
        for there in _acts(sentence.reading)
    )
