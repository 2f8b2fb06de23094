"""The words that decide, cut from the passages: verbatim, with the line that they stand on."""

from __future__ import annotations

from gate.judges.alignment import Alignment, Sentence
from gate.judges.checks.finding import Finding
from gate.records import Evidence, Item, Quote


def line_at(evidence: Evidence, offset: int) -> int:
    """The 1-based line (page for PDF) of the character at `offset` of a passage's text."""
    row = evidence.text.count("\n", 0, offset)
    return evidence.lines[row] if row < len(evidence.lines) else evidence.line + (0 if evidence.lines else row)


def quotes(item: Item, alignment: Alignment, findings: tuple[Finding, ...]) -> tuple[Quote, ...]:
    """The deciding sentence first: where a conflict was found, else the focus; then what the window adds to it."""
    shown = next((f.sentence for f in findings if f.against and f.sentence >= 0), alignment.focus)
    chosen = [shown]
    if not findings and alignment.last - alignment.first > 1:
        chosen += [i for i in range(alignment.first, alignment.last) if i != shown][:1]
    return tuple(_cut(item, alignment.sentences[i], alignment.cover_window) for i in chosen)


def _cut(item: Item, sentence: Sentence, score: float) -> Quote:
    evidence = item.evidence[sentence.passage]
    text = evidence.text[sentence.start : sentence.end]
    return Quote(evidence.source, line_at(evidence, sentence.start), text, round(score, 4))
