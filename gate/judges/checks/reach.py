"""Where the claim is a sentence of the document word for word, but for how far it goes or what it denies."""

from __future__ import annotations

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import chain, framed, said_elsewhere
from gate.judges.checks.polarity import meets
from gate.judges.lexicon import listed
from gate.judges.reading import CUES, Reading, Term
from gate.text import sentences

_ONLY = listed("only solely exclusively")
_ALL = listed("all every always each everyone everything")
_PART = listed(
    "some sometimes usually often many most mostly partly generally typically frequently normally few several"
)
_MUST = listed("must required mandatory shall compulsory obligatory")
_MAY = listed("may might can optional optionally voluntary")
_FREE = listed("optional optionally voluntary")
_REACH = _ONLY | _ALL | _PART | _MUST | _MAY | CUES
# What takes back or limits what a sentence says: with one of these, the two sides are not told apart by one word.
_LIMITS = listed(
    "except unless if but only without not never no instead until than when where other nowhere hardly rarely seldom "
    "zero off disabled refused forbidden prohibited unable impossible fail fails failed lack lacks otherwise longer"
)
_GRATIS = listed("free gratis complimentary included waived")  # what is free costs nothing
EXTRA = 2
_NEAR = 0.5  # coverage below which no sentence is the claim but for one word
_FEWEST = 2  # terms without which two sentences are alike by chance


def check_reach(alignment: Alignment) -> list[Finding]:
    """At most one finding: a sentence of the window that is the claim but for one word, where no other one found may
    say what the claim says."""
    claim = alignment.claim
    mine = chain(claim, _REACH)
    if len(mine) < _FEWEST or len(sentences(claim.plain)) > 1:
        return []
    said: dict[int, str] = {}
    for i, sentence in enumerate(alignment.sentences):
        if cover(alignment.terms, alignment.rows[i]) < _NEAR:
            continue
        if inside := framed(mine, chain(sentence.reading, _REACH), EXTRA):
            said[i] = _conflict(claim, sentence.reading, inside)
    near = [i for i in said if alignment.first <= i < alignment.last]
    if not near or not all(said.values()) or said_elsewhere(alignment, said):
        return []
    return [Finding("reach", 0.9, said[near[0]], True, near[0])]


def _conflict(claim: Reading, there: Reading, inside: list[Term]) -> str:
    """What to say of the one word that tells them apart; empty where there is none, or more than one."""
    a, b = claim.words, there.words
    mine = chain(claim, _REACH)
    if a & _ONLY and not b & (_LIMITS | CUES) and _more(claim, there, mine, inside):
        return "the claim says 'only', the document names others as well"
    if len(mine) + EXTRA < len(inside) or (a | b) & _ONLY:
        return ""
    denied = bool(a & CUES), bool(b & CUES)
    if denied[0] != denied[1]:
        told = not (a ^ b) & ((_LIMITS | _REACH | _GRATIS) - CUES) and (denied[0] or _denied(there, mine, inside))
        sides = ("claim", "document") if denied[0] else ("document", "claim")
        return f"the {sides[0]} denies what the {sides[1]} says" if told else ""
    if any(denied) or (a ^ b) & _LIMITS:
        return ""
    for wide, narrow in ((_ALL, _PART), (_MUST, _MAY), (_FREE, _MUST)):
        if a & wide and b & narrow and not a & narrow and not b & wide:
            return f"the claim says '{min(a & wide)}', the document '{min(b & narrow)}'"
    return ""


def _denied(there: Reading, mine: list[Term], inside: list[Term]) -> bool:
    """Whether a document with one denial denies what the claim says, and not something else ("writes, not reads")."""
    cues = [term for term in there.terms if term.word in CUES]
    behind = next((term for term in there.chain if term.at > cues[0].at and term.word not in _REACH), None)
    within = behind is not None and behind in inside and cues[0].clause == behind.clause
    return len(cues) == 1 and within and any(meets(term, behind) for term in mine if behind)


def _more(claim: Reading, there: Reading, mine: list[Term], inside: list[Term]) -> bool:
    """Whether the document joins another to what the claim says `only` of: "administrators and editors"."""
    new = [term for term in inside if not any(meets(other, term) for other in mine)]
    at = next(term.at for term in claim.terms if term.word in _ONLY)
    named = [term for term in claim.chain if term.at > at][: None if at else 1]  # "Only administrators ...": of these
    for term in there.terms:
        if new and any(meets(other, term) for other in named):
            ends = min(term.at, new[0].at), max(term.at, new[-1].at) + 1
            row = [other for other in there.terms[slice(*ends)] if other not in new and other is not term]
            if row and all(other.word in ("and", "or") for other in row):
                return True
    return False
