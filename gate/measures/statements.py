"""What an answer says: its claims, each within its context. An answer without a claim abstains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.measures.base import Case, Stated, Statement, Tools

MOST = 40  # claims that are compared with others


@dataclass(frozen=True, slots=True)
class Content:
    """The claims of an answer; none where it is `blank` or abstains."""

    claims: tuple[Stated, ...] = ()
    blank: bool = False

    @property
    def declines(self) -> bool:
        """Whether it says something and states nothing: a refusal, a question, a greeting."""
        return not self.claims and not self.blank

    @property
    def spread(self) -> tuple[Stated, ...]:
        """The claims, or MOST of them from beginning to end."""
        if len(self.claims) <= MOST:
            return self.claims
        return tuple(self.claims[round(n * (len(self.claims) - 1) / (MOST - 1))] for n in range(MOST))

    @property
    def nothing(self) -> str:
        """Why there is nothing to rate; empty where there is."""
        if self.blank:
            return "the answer is empty"
        return "" if self.claims else "it declines to answer"


def content_of(case: Case, tools: Tools) -> Content:
    """What the answer of a case says: the claims of the run, else those that the local extractor finds."""
    return Content(case.claims, False) if case.claims else text_content(case.answer.text, case.prompt.question, tools)


def text_content(text: str, question: str, tools: Tools) -> Content:
    """What a text says as an answer to a question."""
    if not any(c.isalnum() for c in text):
        return Content(blank=True)
    return Content(tools.claims(text, question))


def stated_in(claim: Stated, texts: Sequence[str]) -> Statement:
    """What is asked about a claim beside texts."""
    return Statement(claim.text, tuple(texts), claim.context, claim.header)
