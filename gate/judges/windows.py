"""The pieces of evidence that a reader is shown: a few neighbouring sentences, those that meet the claim best."""

from __future__ import annotations

from collections.abc import Sequence

from gate.judges.alignment import Alignment, cover, union
from gate.records import Item

SIZE = 3  # sentences of a window; what the shipped reader was trained on
SHORT = 5  # words: a shorter line (a heading, the head of a list) belongs to what follows it


def reader_windows(item: Item, alignment: Alignment, count: int = 2) -> list[str]:
    """Up to `count` windows, best first, none within another; each one line of text."""
    spans = _spans(alignment)
    width = len(alignment.terms)
    shares = [cover(alignment.terms, union(alignment.rows[a:b], width)) for a, b in spans]
    chosen: list[str] = []
    for place in sorted(range(len(spans)), key=lambda i: (-round(shares[i], 9), i)):
        text = _text(item, alignment, *spans[place])
        if not any(text in other or other in text for other in chosen):
            chosen.append(text)
        if len(chosen) == count:
            break
    return chosen


def _spans(alignment: Alignment) -> list[tuple[int, int]]:
    """From every sentence on, as many as hold SIZE sentences that are not short, within one passage."""
    sentences = alignment.sentences
    long = [len(sentence.reading.terms) >= SHORT for sentence in sentences]
    found = []
    for first, sentence in enumerate(sentences):
        last, held = first, 0
        while last < len(sentences) and sentences[last].passage == sentence.passage and held < SIZE:
            held += long[last]
            last += 1
        found.append((first, last))
    return found


def _text(item: Item, alignment: Alignment, first: int, last: int) -> str:
    pieces: Sequence[str] = [item.evidence[s.passage].text[s.start : s.end] for s in alignment.sentences[first:last]]
    return " ".join(" ".join(pieces).split())
