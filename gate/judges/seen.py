"""What is seen of one claim on its evidence, before it is weighed."""

from __future__ import annotations

from dataclasses import dataclass, field

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.reads import Read
from gate.judges.windows import verbatim
from gate.records import Item


@dataclass(frozen=True, slots=True)
class Look:
    """One claim on its evidence: where it lies, what the checks found, the values of all features, and what a reader
    made of each window that it was shown."""

    alignment: Alignment
    findings: tuple[Finding, ...]
    values: dict[str, float]
    reads: list[Read] = field(default_factory=list)


def sentence_text(item: Item, alignment: Alignment, place: int) -> str:
    """The sentence at `place`: verbatim, or a row of a table in words."""
    sentence = alignment.sentences[place]
    return sentence.told or verbatim(item, sentence)
