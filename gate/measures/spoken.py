"""What an answer says: its statements, or that it declines to answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.extraction.lacking import marked
from gate.extraction.nonclaims import abstains
from gate.extraction.polar import asked_for
from gate.extraction.refusals import declined
from gate.measures.base import Case, Tools
from gate.text import sentences
from gate.text_kinds import named

SHORT = 8  # words of an answer whose form counts
LONGEST = 20_000  # characters that are looked through for a refusal
MOST = 40  # statements that are compared with others
_SIGNPOST = re.compile(
    r"(?:please |you (?:can|could|may|should) )?"
    r"(?:contact|ask|reach|call|e-?mail|check|visit|see|consult|refer|try|write)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """`claims` stand alone; `bare` is a short answer that is a name, or without the question that its claim repeats
    (else empty)."""

    claims: tuple[str, ...]
    bare: str = ""
    declines: bool = False
    blank: bool = False

    @property
    def spread(self) -> tuple[str, ...]:
        """The claims, or MOST of them from beginning to end."""
        if len(self.claims) <= MOST:
            return self.claims
        return tuple(self.claims[round(n * (len(self.claims) - 1) / (MOST - 1))] for n in range(MOST))

    @property
    def nothing(self) -> str:
        """Why there is nothing to rate; empty where there is."""
        if self.blank:
            return "the answer is empty"
        if self.declines:
            return "it declines to answer"
        return "" if self.claims else "it states nothing"


def said(case: Case, tools: Tools) -> Said:
    """What the answer of a case says: the claims of the run, else those that the local extractor finds."""
    text, question = case.answer.text, case.prompt.question
    if not any(c.isalnum() for c in text):
        return Said((), blank=not text.strip())
    claims = tuple(claim.text for claim in case.claims) or tools.claims(text, question)
    declines = _refuses(text) and all(_SIGNPOST.match(claim) for claim in claims)
    return Said(() if declines else claims, _bare(text, question, claims), declines)


def _refuses(text: str) -> bool:
    if marked(text):
        return True
    start = text[:LONGEST]
    bare = (" ".join(start[a:b].replace("’", "'").split()).rstrip(" .!…") for a, b in sentences(start))
    return any(len(one) < 500 and (abstains(one) or declined(one)) for one in bare)


def _bare(text: str, question: str, claims: tuple[str, ...]) -> str:
    short = " ".join(text.split())
    asked = asked_for(question)
    if len(claims) != 1 or len(short.split()) > SHORT:
        return ""
    repeated = asked and claims[0].startswith(asked)
    return short if repeated or (named(short) and claims[0].rstrip(".") == short.rstrip(".")) else ""
