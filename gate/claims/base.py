"""What takes answers apart, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


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
