"""Where the words of a passage stand in its document."""

from __future__ import annotations

from gate.records import Evidence


def line_at(evidence: Evidence, offset: int) -> int:
    """The 1-based line (page for PDF) of the character at `offset` of a passage's text."""
    row = evidence.text.count("\n", 0, offset)
    return evidence.lines[row] if row < len(evidence.lines) else evidence.line + (0 if evidence.lines else row)
