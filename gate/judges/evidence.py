"""The evidence of a claim as sentences, each read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from gate.judges import tasks
from gate.judges.reading import Reading, keys_of, read
from gate.records import Evidence
from gate.text import sentences
from gate.text_rows import in_words

LONGEST = 600  # characters of a sentence: longer ones (tables, minified text) are cut at a blank


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the evidence: `evidence[passage].text[start:end]`; `context`: keys of its heading and file, for a
    row of a table those of its header too; `told`: such a row in words, empty for the header, None for anything else.
    """

    passage: int
    start: int
    end: int
    reading: Reading
    context: frozenset[str]
    told: str | None = None


_Read = tuple[int, int, Reading, str | None, frozenset[str]]  # a sentence, with its row in words and the keys of these


@dataclass(frozen=True, slots=True)
class Known:
    """What was read before: passages by text and header, and sentences by their text, since passages overlap."""

    passages: dict[tuple[str, str], list[_Read]] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)

    def reading(self, text: str) -> Reading:
        """A sentence as it is read, each text once."""
        if text not in self.readings:
            self.readings[text] = read(text)
        return self.readings[text]


def split(evidence: Sequence[Evidence], known: Known) -> tuple[Sentence, ...]:
    """The sentences of all passages; `known` keeps what was read for the items that share passages."""
    found: list[Sentence] = []
    for number, passage in enumerate(evidence):
        key = (passage.text, passage.header)
        if key not in known.passages:
            known.passages[key] = _read(*key, known)
        context = frozenset(keys_of(f"{passage.heading} {PurePath(passage.source).stem}"[:500]))
        found += [
            Sentence(number, a, b, reading, context | keys if keys else context, told)
            for a, b, reading, told, keys in known.passages[key]
        ]
    return tuple(found)


def _read(text: str, header: str, known: Known) -> list[_Read]:
    spans = sentences(text)
    plans = tasks.has_plans(text)
    found: list[_Read] = []
    for (start, end), told in zip(spans, in_words(text, spans, header), strict=True):
        parts = _short(text, tasks.with_box(text, start) if plans else start, end)
        whole = told if len(parts) == 1 else None
        keys = frozenset(keys_of(whole[:500])) if whole else frozenset()
        found += [(a, b, known.reading(tasks.told(text[a:b]) if plans else text[a:b]), whole, keys) for a, b in parts]
    return found


def _short(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans = []
    while end - start > LONGEST:
        cut = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        cut = cut if cut > 0 else start + LONGEST
        spans.append((start, cut))
        start = cut + 1 if text[cut] == " " else cut
    return [*spans, (start, end)] if end > start else spans
