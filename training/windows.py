"""Evidence in windows of a few sentences: splitting, choosing by coverage of the claim, finding the quote."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate

from gate.text_rows import cells, in_words

_ENDS = re.compile(r"(?<=[.!?:])[\"”')\]]{0,2}\s+(?=[\"“'(\[]?[A-Z0-9`*_])")
_WORD = re.compile(r"[a-z0-9]+(?:[._/-][a-z0-9]+)*")
_SHORT = re.compile(
    r"\b(?:e\.g|i\.e|cf|etc|vs|no|fig|sec|dr|mr|ms|mrs|st|inc|ltd|jr|sr|approx|u\.s|u\.k|[A-Z])\.$", re.IGNORECASE
)
SIZE = 3
MIN_WORDS = 5


def sentences(text: str) -> list[str]:
    """Split text into sentences; a line break always ends one, an abbreviation never does."""
    found: list[str] = []
    for line in text.splitlines():
        start = 0
        for end in _ENDS.finditer(line):
            if not _SHORT.search(line[start : end.start()]):
                found.append(line[start : end.end()].strip())
                start = end.end()
        found.append(line[start:].strip())
    return [s for s in found if s]


def rows(text: str) -> list[tuple[str, str | None]]:
    """The lines of a text, each with its row in words if it is one of a table (empty for the header)."""
    lines = text.splitlines()
    ends = list(accumulate(len(line) + 1 for line in lines))
    spans = [(end - len(line) - 1, end - 1) for end, line in zip(ends, lines, strict=True)]
    return list(zip(lines, in_words("\n".join(lines), spans), strict=True))


def units(text: str) -> list[str]:
    """Join headings and other lines of fewer than 5 words to the sentence after them; rows of tables are told in words,
    as a reader is shown them, without their headers."""
    out: list[str] = []
    held = ""
    for line, row in rows(text):
        for sentence in sentences(line) if row is None else [row] if row else []:
            held = f"{held} {sentence}".strip()
            if row or len(sentence.split()) >= MIN_WORDS:
                out.append(held)
                held = ""
    if held:
        out.append(held)
    return out


def words(text: str) -> list[str]:
    """Lower-case words and numbers of a text, a plural s removed."""
    return [
        w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in _WORD.findall(text.lower())
    ]


def idf(texts: Iterable[str]) -> dict[str, float]:
    """Inverse document frequency of each word, ln((n + 1) / (df + 0.5)); unknown words get the highest."""
    counts: Counter[str] = Counter()
    n = 0
    for text in texts:
        counts.update(set(words(text)))
        n += 1
    return {word: math.log((n + 1) / (count + 0.5)) for word, count in counts.items()}


def spans(count: int, size: int = SIZE) -> list[tuple[int, int]]:
    """All windows of `size` neighbouring units, as half-open ranges."""
    return [(i, i + size) for i in range(max(1, count - size + 1))]


def best(claim: str, parts: Sequence[str], top: int, size: int = SIZE) -> list[str]:
    """The `top` windows that cover most of the claim's words, the best first; rarer words of the text weigh more."""
    local = idf(parts)
    rare = math.log((len(parts) + 1) / 0.5)
    want = {w: local.get(w, rare) for w in set(words(claim))}

    def covered(span: tuple[int, int]) -> float:
        have = set(words(" ".join(parts[span[0] : span[1]])))
        return sum(weight for word, weight in want.items() if word in have)

    ranked = sorted(spans(len(parts), size), key=lambda s: (-covered(s), s[0]))
    return [" ".join(parts[a:b]) for a, b in ranked[:top]]


def _bare(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def locate(quote: str, parts: Sequence[str]) -> tuple[int, int] | None:
    """The half-open range of units that hold the quote; None if it is empty or not there."""
    bare = _bare(quote)
    if not bare:
        return None
    plain = [_bare(p) for p in parts]
    row = re.compile(r"\b.*\b".join(re.escape(_bare(cell)) for cell in cells(quote) if _bare(cell)))
    for i, part in enumerate(plain):
        if row.pattern and row.search(part):
            return i, i + 1
    for size in range(1, min(5, len(parts)) + 1):
        for i in range(len(parts) - size + 1):
            if bare in " ".join(plain[i : i + size]):
                return i, i + size
    return None
