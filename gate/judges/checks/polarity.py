"""Negation and opposites: what the claim affirms and the document denies, or the other way round, term by term."""

from __future__ import annotations

from gate.judges.alignment import AKIN, Alignment, match
from gate.judges.checks.finding import Finding
from gate.judges.reading import Reading, Term, listed, word_table

CUES = listed("not no never without neither nor none nothing nobody cannot")
_REACH = 2  # content terms behind a cue that it negates
_PREFIXES = ("un", "in", "im", "non", "dis", "ir", "il")


def negated(reading: Reading) -> frozenset[int]:
    """The places of the terms that stand in the scope of a negation (an even number of cues cancels out)."""
    turned: dict[int, int] = {}
    terms = reading.terms
    for at, term in enumerate(terms):
        if term.word not in CUES or (at + 1 < len(terms) and terms[at + 1].word == "only"):
            continue
        reached = 0
        for later in terms[at + 1 : at + 8]:
            if later.word in ("but", "because", "unless", *CUES) or reached == _REACH:
                break
            if later.weight > 0:
                turned[later.at] = turned.get(later.at, 0) + 1
                reached += 1
    return frozenset(at for at, times in turned.items() if times % 2)


def check_polarity(alignment: Alignment) -> list[Finding]:
    """Conflicts in the focus sentence that no sentence of like coverage takes back."""
    claim = alignment.claim
    turned = negated(claim)
    found = []
    for term in claim.content:
        verdicts = {i: _conflict(term, term.at in turned, alignment.sentences[i].reading) for i in _rivals(alignment)}
        against = verdicts[alignment.focus]
        if against and "" not in verdicts.values():
            strength = min(1.0, 0.4 + 0.6 * term.weight)
            found.append(Finding("polarity", strength, against, True, alignment.focus))
    return found or _lonely(alignment)


def _rivals(alignment: Alignment) -> list[int]:
    return list(range(alignment.first, alignment.last))


def _conflict(term: Term, turned: bool, reading: Reading) -> str | None:
    """What conflicts; an empty text if the term is met with the same sense; None if it is not met."""
    denied = negated(reading)
    places = [other for other in reading.terms if _meets(term, other)]
    if places:
        if any((other.at in denied) == turned for other in places):
            return ""
        who = ("the claim", "the document") if turned else ("the document", "the claim")
        return f"{who[0]} negates '{places[0].word if who[0] != 'the claim' else term.word}', {who[1]} does not"
    for other in reading.terms:
        if _opposes(term.key, other.key):
            if (other.at in denied) != turned:
                return ""
            return f"the document says '{other.word}' where the claim says '{term.word}'"
    return None


def _meets(term: Term, other: Term) -> bool:
    if term.key == other.key:
        return True
    return other.weight > 0 and match(term, Reading(other.word, (other,))) >= AKIN


def _opposes(a: str, b: str) -> bool:
    if b in word_table()[2].get(a, ()):
        return True
    long, short = (a, b) if len(a) > len(b) else (b, a)
    return len(short) > 3 and any(long == prefix + short for prefix in _PREFIXES)


def _lonely(alignment: Alignment) -> list[Finding]:
    """A negation on one side only, where no term tells."""
    in_claim = any(term.word in CUES for term in alignment.claim.terms)
    in_focus = any(term.word in CUES for term in alignment.sentences[alignment.focus].reading.terms)
    in_window = any(term.word in CUES for sentence in alignment.window for term in sentence.reading.terms)
    if in_claim and not in_window:
        return [
            Finding(
                "negation", 0.5, "the claim denies something that the document does not deny", False, alignment.focus
            )
        ]
    if in_focus and not in_claim:
        return [
            Finding(
                "negation there", 0.5, "the document denies something where the claim does not", False, alignment.focus
            )
        ]
    return []
