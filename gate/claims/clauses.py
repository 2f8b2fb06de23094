"""Long units cut into clauses: at semicolons, and at joiners between two halves that could each stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.text import code_spans
from gate.text.output import inside

LONG = 20  # words of a unit from which on it is cut
LONGEST = 1500  # characters of a clause: what is longer is cut at a blank
_FEWEST = 6  # words of a half
_JOINER = re.compile(r";\s+|(?:,|\s[–—-])\s+(?=(?:and|but|so|or|yet|while|whereas)\s)")
_PAUSE = re.compile(r"[,;:!](?:\*\*)?\s+|\s[–—-]\s+")
_OPEN, _SHUT = "([{“", ")]}”"
_WORD = re.compile(r"\S*[^\W_]\S*")


def clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of the clauses of the unit text[start:end], in order; all its words are in one of them."""
    spans = [(start, end)]
    if len(_WORD.findall(text, start, end)) > LONG:
        edges = [start, *(place for cut in _cuts(text, start, end) for place in cut), end]
        spans, stood = [], False
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            stands = _stands(text[a:b])
            joined = bool(spans) and not (stood and stands)
            if joined:
                spans[-1] = (spans[-1][0], b)
            else:
                spans.append((a, b))
            stood = stands or (joined and stood)
    return [piece for span in spans for piece in short(text, *span)]


def parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A unit of any length in the pieces between its commas, colons and dashes: `Hi there, dogs are welcome`."""
    codes = code_spans(text, start, end)
    cuts = [found.span() for found in _PAUSE.finditer(text, start, end) if not inside(codes, found.start())]
    edges = [start, *(place for cut in cuts for place in cut), end]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _stands(half: str) -> bool:
    """Whether a half is long enough to have a subject and a verb: an item of a list is shorter."""
    return len(_WORD.findall(half)) >= _FEWEST


def _cuts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """(end of the left half, begin of the right one) at each joiner outside code and brackets."""
    codes = code_spans(text, start, end)
    depth, at = 0, start
    for found in _JOINER.finditer(text, start, end):
        depth += sum((c in _OPEN) - (c in _SHUT) for c in text[at : found.start()])
        at = found.start()
        if depth <= 0 and not inside(codes, at):
            yield found.span()


def short(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """text[start:end] in pieces of at most LONGEST characters, cut at blanks."""
    while end - start > LONGEST:
        cut = text.rfind(" ", start + LONGEST // 2, start + LONGEST) + 1 or start + LONGEST
        yield start, cut
        start = cut
    yield start, end
