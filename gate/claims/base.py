"""What takes answers apart, what it finds, and the context that a claim leans on: the question, the lead-in, the units
before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from gate.text import normalise, plain

PIECE = 200  # characters of a piece
BEFORE = 2  # units before a claim


@dataclass(frozen=True, slots=True)
class Extracted:
    """One claim, said at answer[start:end]; `text` is verbatim unless a model put it into words.

    `context` and `header` are those of gate.records.Claim.
    """

    text: str
    start: int
    end: int
    context: str = ""
    header: str = ""


class Extractor(Protocol):
    """Takes answers apart; a model can do it too."""

    def extract(self, answer: str, question: str) -> list[Extracted]:
        """The claims of one answer to `question`, in order; none for a refusal."""
        ...


def piece(text: str) -> str:
    """`text` in one plain line of at most PIECE characters; the end of a longer one, which stands nearest."""
    return _piece(text[-4 * PIECE :])


@lru_cache(maxsize=1024)  # a question goes before each of its claims, a unit before the next two
def _piece(text: str) -> str:
    line = " ".join(normalise(plain(text)).split())
    return line if len(line) <= PIECE else line[-PIECE:].partition(" ")[2] or line[-PIECE:]


def context_of(question: str, lead: str, before: Iterable[str]) -> str:
    """The pieces in lines: the question (an empty line where there is none), the lead-in, the units before."""
    asked = piece(question)
    above = piece(lead)
    others = [line for text in before if (line := piece(text)) and line != above]
    return "\n".join([asked, *([above] if above else []), *others[-BEFORE:]])
