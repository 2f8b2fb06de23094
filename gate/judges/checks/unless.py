"""What a document says unless something is so, and the claim says just of that."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said_elsewhere
from gate.judges.checks.polarity import any_meets
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import CUES, Reading, read

_UNLESS = re.compile(
    r"(?:(?P<main>[^.;:\u2014]{10,200}?),? unless (?P<case>[^.,;:()\u2014]{4,80})"
    r"|^unless (?P<case2>[^.,;:()\u2014]{4,80}), (?P<main2>[^.;:\u2014]{10,200}))",
    re.IGNORECASE,
)
# A claim with one of these may say what the document does: `the lease ends if it is not renewed`.
_TURNS = CUES | listed(
    "unless except until otherwise even if whether only yet still too else fail fails refuse refuses"
)
_SAYS = 0.8  # coverage, both ways, from which claim and document say the same beside the case
_LEAST = 0.4  # weight of the case, less than which many things are


def check_unless(alignment: Alignment) -> list[Finding]:
    """At most one finding: the claim says of the very case what a sentence of the window says of all others."""
    claim = alignment.claim
    if claim.words & _TURNS:
        return []
    for place in range(alignment.first, alignment.last):
        reading = alignment.sentences[place].reading
        found = _UNLESS.search(reading.plain)
        if not found:
            continue
        case, main = read(found["case"] or found["case2"]), read(found["main"] or found["main2"])
        if _in_case(claim, case, main) and not said_elsewhere(alignment, {place}):
            said = (found["case"] or found["case2"]).strip()
            return [Finding("reach", 0.9, f"the document says so 'unless {said}'", True, place)]
    return []


def _in_case(claim: Reading, case: Reading, main: Reading) -> bool:
    own = [term for term in case.content if not any_meets([term], main.terms)]
    if case.words & CUES or main.words & CUES or sum(term.weight for term in own) < _LEAST:
        return False
    if not all(any_meets([term], claim.terms) for term in own):
        return False
    rest = [term for term in claim.content if not any_meets([term], case.terms)]
    whole = cover(main.content, [1.0 if any_meets([term], claim.terms) else 0.0 for term in main.content])
    turned = any(lexicon().opposed(term.key, key) for term in rest for key in main.keys)
    met = cover(rest, [1.0 if any_meets([term], main.terms) or term.key in main.keys else 0.0 for term in rest])
    return bool(rest) and not turned and min(met, whole) >= _SAYS
