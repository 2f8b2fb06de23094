"""Amounts that a sentence shares out: of `30 days on Basic and 90 days on Pro` nobody on Basic has 90."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from gate.extraction.lexicon import AUX, BASE, PAST, THIRD
from gate.extraction.tokens import tokenise
from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.frame import said, said_elsewhere
from gate.judges.checks.paired import RECKONED, unit
from gate.judges.lexicon import listed
from gate.judges.reading import CUES, Reading, read
from gate.text import Number, same

_JOINT = re.compile(r"[;,]\s(?:(?:and|but|or)\s)?|\s(?:and|but|while|whereas)\s", re.IGNORECASE)
_LEANS = re.compile(r"\b(?:it|that|this|them|these|those|which)\b", re.IGNORECASE)
_HALVES = re.compile(r";\s|,?\s(?:and|but|while|whereas)\s", re.IGNORECASE)
_VERBS = AUX | BASE | PAST | THIRD
_CASES = CUES | listed("unless where")
_IF = re.compile(r"\b(?:if|when)\b.*", re.IGNORECASE)  # of a part: its case, which has a verb
_BOUNDS = listed("within after before until till from to by up least most more less than over under about around only")
_ABOUT = 0.6  # coverage of a claim from which a sentence is about it


class Share(NamedTuple):
    """An amount with the words before and behind it in its part of the sentence; `bare`: that part has no verb."""

    number: Number
    before: frozenset[str]
    behind: frozenset[str]
    bare: bool


def check_shared(alignment: Alignment) -> list[Finding]:
    """At most one finding: the claim gives one party of a sentence what the sentence gives another."""
    claim = alignment.claim
    if len(claim.numbers) != 1 or claim.words & CUES or RECKONED.search(claim.plain):
        return []
    number = claim.numbers[0]
    named = _keys(_part(claim.plain, number))
    for place in (p for p in range(alignment.first, alignment.last) if alignment.shares[p] >= _ABOUT):
        reading = alignment.sentences[place].reading
        shares = _shares(reading, number)
        other = next(_others(shares, number, named), None) if len(shares) > 1 and not reading.words & _CASES else None
        if other and not said_elsewhere(alignment, {place}):
            message = f"the document says '{said(reading, other)}' of this, and '{said(claim, number)}' of another"
            return [Finding("other value", 0.9, message, True, place)]
    return []


def _shares(reading: Reading, number: Number) -> list[Share]:
    """The amounts of one unit in a sentence, each in a part of its own; none where two stand in one part, or a part
    leans on another."""
    found = [other for other in sorted(reading.numbers, key=lambda n: n.start) if unit(other) == unit(number)]
    joints = [(0, 0), *(m.span() for m in _JOINT.finditer(reading.plain)), (len(reading.plain),) * 2]
    shares = []
    for other in found:
        start = max(end for _, end in joints if end <= other.start)
        end = min((a for a, _ in joints if a >= other.end), default=len(reading.plain))
        if sum(start <= n.start < end for n in found) > 1 or _LEANS.search(reading.plain, start, end):
            return []
        text = reading.plain
        told = text[start : other.start] + _IF.sub("", text[other.end : end])
        bare = not any(token.text in _VERBS for token in tokenise(told, 0, len(told)))
        shares.append(Share(other, _keys(text[start : other.start]), _keys(text[other.end : end]), bare))
    return shares


def _part(text: str, number: Number) -> str:
    """The half of a claim that its amount stands in: `the text makes up 75 %, and the exam the rest` is of both."""
    halves = [0, *(m.end() for m in _HALVES.finditer(text)), len(text)]
    return next(text[a:b] for a, b in pairwise(halves) if a <= number.start < b)


def _keys(text: str) -> frozenset[str]:
    return frozenset(term.key for term in read(text).content if term.key[0] != "#" and term.word not in _BOUNDS)


def _others(shares: Sequence[Share], number: Number, named: frozenset[str]) -> Iterator[Number]:
    """The amounts that belong to what the claim names, where its own belongs to another."""
    mine = [share for share in shares if same(share.number, number)]
    if len(mine) != 1:
        return
    own = mine[0]
    for share in shares:
        if share is own or not (share.bare or own.bare):
            continue
        behind = own.behind and share.behind and not (own.bare and own.before) and not (share.bare and share.before)
        if behind and not own.behind <= named and share.behind <= named:
            yield share.number
        ahead = share.bare and share.before and not share.behind
        if ahead and share.before <= named and not (own.bare and own.before & named):
            yield share.number
