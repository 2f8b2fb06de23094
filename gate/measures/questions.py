"""What a question asks for, part by part: its sentences, and both sides of a `, and` that joins two."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.text import normalise, plain, sentences, tokens, words

LONGEST = 2000  # characters of a question that are taken apart
MOST = 12  # parts of a question
NAMED = 2  # content words from which a part stands without the sentence before it
LEAD = 200  # characters of that sentence
LEAST = 3  # words of what stands behind a joint, for it to be a part of its own
_JOINT = re.compile(r",\s+and\s+|;\s+", re.IGNORECASE)


def parts(question: str) -> tuple[str, ...]:
    """The parts of a question in their order, at most MOST; of a text without a question mark, the whole. A part that
    names hardly anything (`What should I do?`) has the sentence before it in front."""
    clean = " ".join(plain(normalise(question[:LONGEST])).split())
    found = [clean[start:end] for start, end in sentences(clean)]
    places = [place for place, sentence in enumerate(found) if sentence.endswith("?")]
    asking = [(found[place - 1] if place else "", found[place]) for place in places] or [("", clean)]
    return tuple(_whole(before, part) for before, sentence in asking for part in _joined(sentence) if part)[:MOST]


def _whole(before: str, part: str) -> str:
    return f"{before[-LEAD:]} {part}" if before and len(words(part)) < NAMED else part


def _joined(sentence: str) -> Iterator[str]:
    """The sentence, cut at its joints where both sides can stand alone."""
    start = 0
    for joint in _JOINT.finditer(sentence):
        before, after = sentence[start : joint.start()], sentence[joint.end() :]
        if _asks(before) and _asks(after):
            yield before.strip()
            start = joint.end()
    yield sentence[start:].strip()


def _asks(text: str) -> bool:
    return len(tokens(text)) >= LEAST and bool(words(text))
