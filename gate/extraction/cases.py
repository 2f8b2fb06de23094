"""The case that a question asks about: `You get 2 extra days.`, where it was asked what there is after 10 years."""

from __future__ import annotations

import re
from dataclasses import replace

from gate.extraction.polar import asked_for, turned, with_question
from gate.extraction.tokens import tokenise
from gate.extraction.verbs import finite
from gate.extraction.wording import Extracted
from gate.text import numbers, same, stem, words

# What asks for an amount; who asks another thing is told by the answer what holds in any case.
_MONEY = (
    r"fees?|prices?|costs?|charges?|rates?|limits?|discounts?|deposits?|penalt(?:y|ies)|premiums?|surcharges?|fines?"
)
_ASKS = re.compile(
    rf"\bhow (?:much|many|long|far|late|early|soon|big|large|high|fast|often)\b|\bwhat\b[^?]{{0,60}}?\b(?:{_MONEY})\b"
    rf"|\bwhich (?:{_MONEY})\b",
    re.IGNORECASE,
)
_MEANT = re.compile(r"what (?:does|do) ([^,?]{1,60}?) (?:mean|indicate|signify|stand for)\?", re.IGNORECASE)
_WHEN = "if|when|once"
_WHERE = "after|over|above|under|below|within|for|with|at|from|beyond|before"
_FRONT = re.compile(rf"(?P<case>(?:{_WHERE}|{_WHEN}) [^,?.;:]{{3,90}}),\s", re.IGNORECASE)
_BEGINS = re.compile(  # `bought for 200 euros` tells what is asked about, not when
    rf" (?=(?P<when>{_WHEN}) )|(?<!ed)(?<!bought)(?<!paid)(?<!sold)(?<!made)(?<!sent)(?<!got)(?<!worth)"
    rf" (?=(?:{_WHERE}) )",
    re.IGNORECASE,
)
_LONGEST = 90  # characters of a case
# A claim that names a case of its own, or speaks of what was asked, needs none.
_OWN = re.compile(
    r"\b(?:if|when|unless|once|after|before|over|above|under|below|up|more|less|least|most|from|within|between|only"
    r"|depend\w*|otherwise|beyond|until|per|every|each|any|all|always|whatever|regardless|then|so|case)\b"
    r"|^(?:for|with|at|in|on|as|by|to)\b|\?",
    re.IGNORECASE,
)


def in_case(claim: Extracted, question: str) -> Extracted:
    """The claim that an answer begins with, told of the case that was asked about, where that is told by an amount
    (`after 10 years`), the answer is one, and the claim names no case; and what something means with that question,
    unless it names it. Else as it is."""
    asked = asked_for(question)
    if (meant := _MEANT.match(asked)) and not set(words(meant[1])) & set(words(claim.text)):
        return replace(claim, text=with_question(claim.text, question))
    given = case(asked) if _ASKS.search(asked) else ""
    if not given or not numbers(claim.text) or _OWN.search(claim.text) or _names(claim.text, given):
        return claim
    text = claim.text if claim.text[1:2].isupper() else claim.text[0].lower() + claim.text[1:]
    return replace(claim, text=f"{given[0].upper()}{given[1:]}, {text}")


def case(question: str) -> str:
    """What a question puts before its comma or at its end, with an amount (`after 10 years`); empty if nothing."""
    front = _FRONT.match(question)
    if front and _counted(front["case"]):
        return turned(front["case"])
    rest = question.rstrip("? ")
    for found in _BEGINS.finditer(rest):
        given = rest[found.end() :]
        if len(given) <= _LONGEST and "," not in given and _counted(given) and (found["when"] or not _verb(given)):
            return turned(given)
    return ""


def _counted(text: str) -> bool:
    return any(number.unit and text[number.start].isdigit() for number in numbers(text))


def _verb(text: str) -> bool:
    return finite(tokenise(text, 0, len(text))) >= 0


def _names(claim: str, given: str) -> bool:
    """Whether a claim has an amount of the case, or most of its words."""
    said, asked = ({stem(word) for word in words(text)} for text in (claim, given))
    there = numbers(given)
    return any(same(a, b) for a in numbers(claim) for b in there) or len(asked & said) * 2 > len(asked)
