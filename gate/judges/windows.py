"""The pieces of evidence that a reader is shown: a few neighbouring sentences, those that meet the claim best."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment, cover, union
from gate.records import Item
from gate.text import normalise, plain

COUNT = 2  # windows of a claim
TRIED = 60  # of the best spans, before what is left is taken to be repetition
SIZE = 3  # sentences of a window; what the shipped reader was trained on
SHORT = 5  # words: a shorter line (a heading, the head of a list, most code) belongs to what follows it
MOST = 12  # sentences of a window, short ones included
LONGEST = 900  # characters of a window that are worth reading
_WORD = re.compile(r"(?<![\w.])[^\W\d_]{2,}(?![\w.(=])")
_ADDRESS = re.compile(r"\(?https?://[^\s)]{1,2000}\)?")


def prose(text: str) -> str:
    """One line without markup, addresses of links and fences: what a reader was trained to read."""
    start = text[: 4 * LONGEST]
    return " ".join(plain(normalise(_ADDRESS.sub(" ", plain(start)).replace("```", " "))).split())[:LONGEST]


def reader_windows(item: Item, alignment: Alignment, count: int = COUNT) -> list[str]:
    """Up to `count` windows, best first, no two of them with more than half of their sentences in common."""
    spans = _spans(alignment)
    width = len(alignment.terms)
    shares = [cover(alignment.terms, union(alignment.rows[a:b], width)) for a, b in spans]
    chosen: list[tuple[int, int]] = []
    texts: list[str] = []
    for place in sorted(range(len(spans)), key=lambda i: (-round(shares[i], 9), i))[:TRIED]:
        text = _text(item, alignment, *spans[place])
        if not any(_alike(spans[place], other) for other in chosen) and not any(text in other for other in texts):
            chosen.append(spans[place])
            texts.append(text)
        if len(texts) == count:
            break
    return texts


def _alike(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return 2 * (min(a[1], b[1]) - max(a[0], b[0])) > min(a[1] - a[0], b[1] - b[0])


def _spans(alignment: Alignment) -> list[tuple[int, int]]:
    """From every sentence on, as many as hold SIZE sentences that are not short, within one passage."""
    sentences = alignment.sentences
    long = [len(_WORD.findall(sentence.reading.plain)) >= SHORT for sentence in sentences]
    found = []
    for first, sentence in enumerate(sentences):
        last, held = first, 0
        while held < SIZE and last < min(first + MOST, len(sentences)) and sentences[last].passage == sentence.passage:
            held += long[last]
            last += 1
        found.append((first, last))
    return found


def _text(item: Item, alignment: Alignment, first: int, last: int) -> str:
    start, end = alignment.sentences[first], alignment.sentences[last - 1]
    return prose(item.evidence[start.passage].text[start.start : end.end])
