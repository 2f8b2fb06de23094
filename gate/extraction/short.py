"""Short answers: yes, no and mere conditions, told with the question that they answer."""

from __future__ import annotations

import re
from dataclasses import replace

from gate.extraction import polar
from gate.extraction.frames import in_role
from gate.extraction.grammar import after_condition, clause, imperative
from gate.extraction.leads import denies, forbids, joined
from gate.extraction.lexicon import CONDITIONS
from gate.extraction.tokens import tokenise
from gate.extraction.valued import valued
from gate.extraction.wording import Extracted, sentence

_OPENS = CONDITIONS | {"provided"}
_LIMITS = frozenset({"only", "not", "even"})  # `Not if it rains`
_DIVIDED = re.compile(r"yes and no\b|(?:yes|no) (?:if|unless|when|provided|as long as)\b", re.IGNORECASE)


def on_condition(claim: Extracted, said: str, question: str, names: frozenset[str]) -> Extracted:
    """The claim behind a yes or no, with both and the question if it is a mere condition or value: `Yes, if it rains`.
    What an answer begins with needs no yes for that: `Only if it rains`."""
    found = tokenise(claim.text, 0, len(claim.text))
    begins = found[next((i for i, token in enumerate(found) if token.text not in _LIMITS), len(found)) :]
    supposed = bool(begins) and begins[0].text in _OPENS
    whole = not supposed or after_condition(begins, 0, len(begins)) or in_role(begins, 0)
    whole = whole and not _DIVIDED.match(claim.text)
    if whole and not valued(claim.text):
        return claim
    given = f"{said} {claim.text[0].lower()}{claim.text[1:]}" if said else claim.text
    return replace(claim, text=sentence(polar.with_question(given, question), names))


def barred(claim: Extracted, head: str) -> Extracted:
    """An order with the heading above it, if that makes it one not to follow: `Never: Share your password`."""
    if not denies(head) or forbids(claim.text) or not imperative(tokenise(claim.text, 0, len(claim.text))):
        return claim
    return replace(claim, text=joined(head) + claim.text)


def flatly(said: str, rest: str, question: str) -> str:
    """What a short answer claims that stands in front of its reason: `It doesn't: the wheel is broken`; empty where
    the reason says it again, and for a mere yes, which what follows it spells out."""
    asks = polar.polar(question)
    if polar.negative(said) and (asks or not polar.echo(said)):
        return polar.denied(said, question, rest)
    return polar.claimed(said, question, rest) if polar.echo(said) and (asks or polar.negative(said)) else ""


def reason(answer: str, start: int, end: int) -> int:
    """Where the reason begins in a sentence that is nothing else, as `Because it is wet` is."""
    found = tokenise(answer, start, end)
    if len(found) < 2 or found[0].text != "because" or found[1].text == "of":
        return start
    return found[1].start if clause(found, 1) and not after_condition(found, 0, len(found)) else start
