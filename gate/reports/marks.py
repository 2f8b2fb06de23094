"""Where an answer's claims stand in it: the text cut into pieces, each with the worst label that covers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

SEVERITY = ("contradicted", "unsupported", "weakly_supported", "unjudged", "supported")


@dataclass(frozen=True, slots=True)
class Span:
    """A claim's place in an answer: `text[start:end]`, with its number in the report and its kind (see SEVERITY)."""

    number: int
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; `kind` is the worst that covers it (empty: none), `ends` the numbers of claims ending here."""

    text: str
    kind: str = ""
    ends: tuple[int, ...] = ()


def pieces(text: str, spans: Sequence[Span]) -> list[Piece]:
    """Cut `text` at the borders of its spans; joined, the pieces are the text. A span that reaches out of the text is
    clipped and one with nothing inside is left out. Time: linear in pieces, after sorting."""
    inside = [(max(0, s.start), min(len(text), s.end), s) for s in spans]
    inside = [each for each in inside if each[0] < each[1]]
    opens: dict[int, list[Span]] = {}
    closes: dict[int, list[Span]] = {}
    for start, end, span in inside:
        opens.setdefault(start, []).append(span)
        closes.setdefault(end, []).append(span)
    found: list[Piece] = []
    active: Counter[str] = Counter()
    last = 0
    for border in sorted({0, len(text), *opens, *closes}):
        ended = closes.get(border, [])
        if border > last:
            kind = next((kind for kind in SEVERITY if active[kind]), "")
            found.append(Piece(text[last:border], kind, tuple(sorted(span.number for span in ended))))
        active.subtract(span.kind for span in ended)
        active.update(span.kind for span in opens.get(border, []))
        last = border
    return found
