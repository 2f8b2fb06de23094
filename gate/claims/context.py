"""The context that a claim leans on: the question, the lead-in above it, the units before it."""

from __future__ import annotations

from collections.abc import Iterable

from gate.text import normalise, plain

LONGEST = 200  # characters of a piece
BEFORE = 2  # units before a claim


def piece(text: str) -> str:
    """`text` in one plain line of at most LONGEST characters; the end of a longer one, which stands nearest."""
    line = " ".join(normalise(plain(text[-4 * LONGEST :])).split())
    return line if len(line) <= LONGEST else line[-LONGEST:].partition(" ")[2] or line[-LONGEST:]


def context_of(question: str, lead: str, before: Iterable[str]) -> str:
    """The pieces in lines: the question (an empty line where there is none), the lead-in, the units before."""
    asked = piece(question)
    above = piece(lead)
    others = [line for text in before if (line := piece(text)) and line != above]
    return "\n".join([asked, *([above] if above else []), *others[-BEFORE:]])
