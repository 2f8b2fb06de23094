"""Negation: what the claim affirms and the document denies, or the other way round."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import CUES, Reading, Term

# Words that may deny as well: with one of them in a clause, whether the clause denies is not settled.
_VEILED = listed(
    "forbid forbidden prohibit prohibited exclude excluded exempt ban banned refuse refused reject rejected fail fails "
    "failed unable impossible lack lacks lacking lose loses except unless ignore ignored stop stops prevent prevents "
    "avoid disable disabled instead rather otherwise hardly rarely zero omit omitted missing absent removed empty off "
    "free unlike excluding non than only just even until invalid unsupported unavailable unnecessary optional unlimited"
)
_OTHERWISE = listed("otherwise else")
_NONE: frozenset[int] = frozenset()
_LIGHT = 0.25  # weight below which a term is no evidence of what a clause says
_SHARED = 2  # terms of what is denied that a sentence has if it says the opposite
_STRONG = 0.45  # share of the terms from which a denial is called a conflict


def check_polarity(alignment: Alignment) -> list[Finding]:
    """What one side denies and the other does not: as a whole, then clause by clause."""
    return [*_denied_by_claim(alignment), *_denied_by_document(alignment)]


def _denied_by_claim(alignment: Alignment) -> list[Finding]:
    """A claim that denies, on a window in which nothing does."""
    claim = alignment.claim
    if not claim.denied or any(_denies(sentence.reading) for sentence in alignment.window):
        return []
    terms = [t for t in claim.content if t.clause in claim.denied and t.at >= 0 and t.weight >= _LIGHT]
    if not terms:
        return []
    focus = alignment.sentences[alignment.focus].reading
    against, _ = _against(terms, True, focus)
    told = [t for t in claim.content if t.clause in claim.denied and t.at >= 0]
    known = sum(any(meets(term, other) for other in focus.terms) for term in told)
    shared = known >= min(_SHARED, len(told))  # of a landlord who clears snow, nothing is said of when he comes in
    said = f"the claim denies what the document says of '{_heaviest(terms, focus)}'"
    message = said if shared else "the claim says no, and the nearest passage does not"
    return [Finding("polarity", max(0.2, against), message, shared and against > _STRONG, alignment.focus)]


def _denied_by_document(alignment: Alignment) -> list[Finding]:
    """A focus sentence that denies the claim, where the claim denies nothing and no other sentence affirms it."""
    terms = [t for t in alignment.claim.content if t.at >= 0 and t.weight >= _LIGHT]
    if not terms or _denies(alignment.claim):
        return []
    focus = alignment.sentences[alignment.focus].reading
    if _of_breach(terms, focus):
        return []
    shares = [_against(terms, False, sentence.reading) for sentence in alignment.window]
    against, agree = shares[alignment.focus - alignment.first]
    if against < 0.2 or any(other >= against + agree for other in (s[1] for s in shares)):
        return []
    word = _heaviest(terms, focus)
    message = f"the document denies what the claim says of '{word}'"
    return [Finding("negation", against, message, against > _STRONG, alignment.focus)]


def _of_breach(terms: list[Term], reading: Reading) -> bool:
    """Whether a claim tells what happens where a rule is broken, as the sentence does behind its denial: `It must not
    be wet; otherwise the mill stops with E4`."""
    at = next((term.at for term in reading.terms if term.word in _OTHERWISE), len(reading.terms))
    broken = any(term.clause in reading.denied for term in reading.terms[:at])
    return broken and any(meets(term, other) for term in terms for other in reading.terms[at + 1 :] if other.weight)


def _heaviest(terms: list[Term], reading: Reading) -> str:
    """The word to name: the heaviest that the reading has, if it has any."""
    met = [term for term in terms if any(meets(term, other) for other in reading.terms)]
    return max(met or terms, key=lambda term: term.weight).word


def _denies(reading: Reading) -> bool:
    return any(t.word in CUES or t.word in _VEILED or t.word.startswith("non-") for t in reading.terms)


def _against(terms: list[Term], denied: bool, reading: Reading) -> tuple[float, float]:
    """Weighted shares of the terms that stand in clauses of the other polarity only, and of the others that stand."""
    total = sum(term.weight for term in terms)
    against = agree = 0.0
    for term in terms:
        clauses = [other.clause for other in reading.terms if meets(term, other)]
        if clauses and all((c in reading.denied) != denied and not _veiled(reading, c) for c in clauses):
            against += term.weight
        elif clauses:
            agree += term.weight
    return against / total, agree / total


def _veiled(reading: Reading, clause: int) -> bool:
    return any(term.clause == clause and term.word in _VEILED for term in reading.terms)


def any_meets(terms: Iterable[Term], others: Collection[Term]) -> bool:
    """Whether one of the terms meets one of the others."""
    return any(meets(term, other) for term in terms for other in others)


def meets(term: Term, other: Term) -> bool:
    """Whether a term of a document is the claim's term, a synonym of it, or a part of the same amount."""
    if term.key == other.key or any(key in other.amounts for key in term.amounts):
        return True
    groups = lexicon().groups
    return not groups.get(term.key, _NONE).isdisjoint(groups.get(other.key, _NONE))
