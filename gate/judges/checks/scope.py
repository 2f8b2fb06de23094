"""Quantifiers, exclusiveness, duty and permission: how far the claim goes and how far the document does."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.lexicon import listed
from gate.text_periods import often

_ONLY = listed("only solely exclusively just merely sole alone")
_ALL = listed("all every always any each per entire whole whatever whenever wherever everything everyone throughout")
# What the others say in a claim is `one, whichever`, and seldom that it goes further than the document.
_WIDE = _ALL - listed("any whatever whenever wherever")
_RATE = re.compile(
    r"\b(per|every|each) (?=(?:calendar )?(?:minute|hour|day|night|week|month|quarter|year)\b)", re.IGNORECASE
)
_IDLE = re.compile(
    r"\b(?:(?:first|last) of all|(?:above|after|at) all(?=[,.;:!?]|$)|all (?:along|in all)"
    r"|just (?:as|like|in time|now))\b"
)
_EVER = listed("all every always each never everything everyone none")
_NONE = listed("never none no neither nothing nobody nowhere")
_PART = listed("some sometimes usually often most partly may might unless except if certain typically generally mostly")
_MUST = listed("must required requires require mandatory shall compulsory needs need necessary obliged obligatory")
_FREE = listed("optional optionally voluntary voluntarily")
_MAY = listed("may might") | _FREE


def check_scope(alignment: Alignment) -> list[Finding]:
    """What the claim says of more, of less or with more force than the window does."""
    claim = alignment.claim.words - _of_rate(alignment) - _opening(alignment) - _idle(alignment)
    window = frozenset[str]().union(*(sentence.reading.words for sentence in alignment.window))
    found = []
    if claim & _ONLY and not window & (_ONLY | _NONE | {"not", "unless", "except"}):
        found.append(_say("only", 0.7, "the claim says 'only', the document does not", alignment))
    if claim & _EVER and window & _PART and not window & (_ALL | _NONE) and not claim & _PART:
        found.append(
            _say(
                "scope",
                0.6,
                f"the claim holds without exception, the document says '{_first(window & _PART)}'",
                alignment,
            )
        )
    elif claim & _WIDE and not window & (_ALL | _NONE):
        found.append(_say("all", 0.4, f"the claim says '{_first(claim & _WIDE)}', the document does not", alignment))
    if window & _ONLY and not claim & (_ONLY | _PART - {"may", "might"} | _NONE | {"not"}):
        found.append(_say("only there", 0.4, "the document says 'only', the claim does not", alignment))
    home = alignment.sentences[alignment.focus].passage
    near = (s.reading.words | s.context for s in alignment.sentences if s.passage == home)
    if "default" in claim and not frozenset[str]().union(*near) & {"default", "defaults"}:
        found.append(_say("default", 0.5, "the document does not call this a default", alignment))
    return found + _duty(claim, alignment.sentences[alignment.focus].reading.words, alignment)


def _duty(claim: frozenset[str], focus: frozenset[str], alignment: Alignment) -> list[Finding]:
    """What must be on one side, and is free on the other."""
    for said, there in ((_MUST, _MAY), (_FREE, _MUST)):
        if claim & said and focus & there and not focus & said and not claim & there:
            words = _first(claim & said), _first(focus & there)
            return [_say("duty", 0.5, f"the claim says '{words[0]}', the document '{words[1]}'", alignment)]
    return []


def _opening(alignment: Alignment) -> frozenset[str]:
    """`just` as the first word: it says how easily a thing is done (`Just ask at the desk`)."""
    return frozenset(term.word for term in alignment.claim.terms[:1] if term.word == "just")


def _idle(alignment: Alignment) -> frozenset[str]:
    """`all` and `just`, where every one of them tells of no number: `last of all`, `just as well`."""
    said = alignment.claim.plain.lower()
    rest = _IDLE.sub(" ", said)
    return frozenset(word for word in ("all", "just") if word in said and not re.search(rf"\b{word}\b", rest))


def _of_rate(alignment: Alignment) -> frozenset[str]:
    """`per`, `every` or `each`, where it says a period of the claim (`per month`, `every day`) and the window has the
    same one in any words (`/month`, `daily`)."""
    plains = [sentence.reading.plain for sentence in alignment.window]
    there = {period for plain in plains for period in often(plain)}
    there.update(number.per for sentence in alignment.window for number in sentence.reading.numbers)
    claim = alignment.claim.plain
    return frozenset(_RATE.findall(claim.lower())) if there.issuperset(often(claim)) else frozenset()


def _first(words: frozenset[str]) -> str:
    return min(words)


def _say(kind: str, strength: float, message: str, alignment: Alignment) -> Finding:
    return Finding(kind, strength, message, False, alignment.focus)
