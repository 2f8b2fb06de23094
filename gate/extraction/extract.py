"""The local extractor: an answer in, its atomic claims out, in order, each with the place where it was said.

Whatever is not surely something else is a claim: an answer that asserts something never comes out empty. Code blocks
show more than they assert: one is a claim only where its lead-in is unfinished without it (`Install it with:`) or where
the answer has no other claim; so is a heading without a verb.
"""

from __future__ import annotations

from typing import Protocol

from gate.extraction.broken import broken
from gate.extraction.cases import in_case
from gate.extraction.contrasts import uncontrasted
from gate.extraction.enclosed import enclosed
from gate.extraction.interviews import labels
from gate.extraction.lacking import marked
from gate.extraction.leads import empty
from gate.extraction.nods import nodded
from gate.extraction.nonclaims import abstains, nonclaim
from gate.extraction.referrals import referral
from gate.extraction.segments import Unit, units
from gate.extraction.statements import Reader
from gate.extraction.struck import standing
from gate.extraction.talk import claims
from gate.extraction.thinking import answered
from gate.extraction.wording import Extracted, coarse, distinct, names_of, sentence, tidy
from gate.text import plain

MAX_CLAIMS = 400  # of one answer; what a longer one says beyond becomes fewer, longer claims: nothing is lost


class Extractor(Protocol):
    """Takes answers apart; a model can do it too."""

    def extract(self, answer: str, question: str) -> list[Extracted]:
        """The claims of one answer to `question`, in order; none for a refusal."""
        ...


class LocalExtractor:
    """The extractor that needs no model."""

    def extract(self, answer: str, question: str) -> list[Extracted]:
        """The claims of one answer to `question`, in order; none for a refusal."""
        return extract(answer, question)


def extract(answer_text: str, question: str = "") -> list[Extracted]:
    """The atomic claims of an answer, in order, none twice; `question` completes short answers (a bare yes)."""
    answer_text = uncontrasted(broken(standing(enclosed(answered(answer_text)))))
    if marked(answer_text, question):
        return []
    layout = units(answer_text)
    found = list(claims(Reader(answer_text, question, layout, names_of(f"{answer_text}\n{question}"))))
    if found and all(referral(claim.text) for claim in found) and _unknown(answer_text, layout):
        return []
    if not found:
        found = [
            tidy(answer_text, "", unit.start, unit.end)
            for i, unit in enumerate(layout)
            if unit.kind == "code" or (unit.kind in ("heading", "lead") and _says(answer_text, layout, i))
        ]
    if not found and (nod := nodded(answer_text, question)):
        found = [Extracted(sentence(nod), 0, len(answer_text))]
    kept = distinct([*(in_case(claim, question) for claim in found[:1]), *found[1:]])
    return kept if len(kept) <= MAX_CLAIMS else [*kept[:MAX_CLAIMS], *coarse(kept[MAX_CLAIMS:])]


def _unknown(answer: str, layout: list[Unit]) -> bool:
    """Whether a sentence of the answer says that it is not known."""
    return any(abstains(plain(answer[unit.start : unit.end])) for unit in layout)


def _says(answer: str, layout: list[Unit], i: int) -> bool:
    text = answer[layout[i].start : layout[i].end]
    return not nonclaim(text) and not (text.endswith(":") and empty(text)) and not labels(answer, layout, i)


__all__ = ["MAX_CLAIMS", "Extracted", "Extractor", "LocalExtractor", "extract"]
