"""Until and after: the same moment or amount as the end of what the claim has begin there, or the other way round."""

from __future__ import annotations

import re

from gate.judges.alignment import CONTEXT, Alignment, match
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said, said_elsewhere
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import CUES, Reading, read
from gate.text import Number, same

_WAYS = re.compile(
    r"\b(?:(?P<ends>until|till|up to|before|within|no later than)|(?P<begins>after|from|since|later than"
    r"|no earlier than))"
    r" (?:the |about |around )?$",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"[;.:()\u2014]\s|,? (?:and|but|while|whereas|after that|then|otherwise|afterwards) ", re.IGNORECASE
)
_WORDS = listed("until till up before within after from since later earlier")
_TURNS = listed("unless except only late stop stops end ends start starts begin begins out off over gone")
_REACH = 24  # characters before an amount in which its word stands
_SAID = {"ends": "in the document it ends there", "begins": "in the document it begins there"}


def check_ends(alignment: Alignment) -> list[Finding]:
    """At most one finding: a clause with every word of the claim has it `until` an amount, and the claim `after` it."""
    claim = alignment.claim
    if claim.words & (CUES | _TURNS):
        return []
    for number in claim.numbers:
        mine = _way(claim, number)
        for place in range(alignment.first, alignment.last) if mine else ():
            reading = alignment.sentences[place].reading
            ways = {_way(reading, other): other for other in reading.numbers if same(number, other)}
            if len(ways) != 1 or ways.keys() & {mine, ""}:
                continue
            way, other = ways.popitem()
            clause = read(_clause(reading.plain, other))
            if not _says_all(alignment, clause) or said_elsewhere(alignment, {place}):
                continue
            return [Finding("bound", 0.9, f"{_SAID[way]}: '{said(claim, number)}'", True, place)]
    return []


def _way(reading: Reading, number: Number) -> str:
    found = _WAYS.search(reading.plain[max(0, number.start - _REACH) : number.start])
    return (found.lastgroup or "") if found else ""


def _clause(text: str, number: Number) -> str:
    """The part of a sentence that an amount stands in."""
    start = max((m.end() for m in _JOINT.finditer(text, 0, number.start)), default=0)
    end = _JOINT.search(text, number.end)
    return text[start : end.start() if end else len(text)]


def _says_all(alignment: Alignment, clause: Reading) -> bool:
    """Whether a clause has every word of the claim but for those that tell the end, and denies or turns nothing."""
    wanted = [term for term in alignment.claim.content if term.word not in _WORDS]
    turned = any(lexicon().opposed(term.key, key) for term in wanted for key in clause.keys)
    return not clause.words & (CUES | _TURNS) and not turned and all(match(term, clause) >= CONTEXT for term in wanted)
