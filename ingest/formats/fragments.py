"""Fragments of a page's text, each with its line, made into lines that know where they stand in the source."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise

from gate.text import sentences_in

INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphen, zero-width space and joiner, byte order mark
LONGEST = 80  # words of a sentence


@dataclass(slots=True)
class Fragments:
    """The text of the block being read. `line` is the line that the parser stands on."""

    line: int = 1
    _parts: list[tuple[str, int]] = field(default_factory=list)
    _breaks: set[int] = field(default_factory=set)  # places of parts that break the line of a page, as `br` does

    def text(self, text: str | None, *, muted: bool) -> None:
        """Take the text that stands here, and step over its line breaks."""
        if not text:
            return
        if not muted:
            self._parts.append((text, self.line))
        self.line += text.count("\n")

    def mark(self, text: str) -> None:
        """Put in what a tag stands for: a space, a line break, the caret of a power."""
        if text == "\n":
            self._breaks.add(len(self._parts))
        self._parts.append((text, self.line))

    def at(self, line: int | None) -> None:
        """Take over the parser's line. It counts to 65,535 only; behind that the line breaks met are counted on."""
        if line and line < 65_535:
            self.line = line

    @property
    def ends_in_word(self) -> bool:
        """Whether a letter or digit was taken last."""
        return bool(self._parts) and self._parts[-1][0][-1:].isalnum()

    def take_lines(self) -> list[tuple[str, int]]:
        """The lines of prose, a sentence each, white space collapsed, with the number of the source line where it
        begins: where the source breaks a line says nothing, only `br` does."""
        lines: list[list[tuple[str, int]]] = [[]]
        for place, part in enumerate(self._parts):
            if place in self._breaks:
                lines.append([])
            else:
                lines[-1].append(part)
        self._parts, self._breaks = [], set()
        return [found for parts in lines for found in _sentences(parts)]

    def take_line(self) -> tuple[str, int]:
        """All of it as one line, and the number of its first."""
        lines = self.take_lines()
        return " ".join(text for text, _ in lines), lines[0][1] if lines else self.line

    def take_code(self) -> list[tuple[str, int]]:
        """The lines of code, indentation kept, without blank ones at both ends and more than one in a row."""
        lines = [(text.replace("\u00a0", " ").rstrip(), number) for text, number in self._raw()]
        lines = [("", 0), *lines]
        kept = [line for before, line in pairwise(lines) if line[0] or before[0]]
        return kept[:-1] if kept and not kept[-1][0] else kept

    def _raw(self) -> list[tuple[str, int]]:
        """Text lines with the number of the source line where each one's first word stands."""
        lines: list[tuple[list[str], int]] = [([], 0)]
        blank = True  # the line being put together
        for text, start in self._parts:
            for offset, piece in enumerate(text.split("\n")):
                if offset:
                    lines.append(([], 0))
                    blank = True
                pieces, number = lines[-1]
                pieces.append(piece)
                lines[-1] = (pieces, start + offset if blank else number)
                blank = blank and not piece.strip()
        self._parts, self._breaks = [], set()
        return [(INVISIBLE.sub("", "".join(pieces)), number) for pieces, number in lines]


def _sentences(parts: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """The sentences of these fragments, which stand in one line of the page, each with its line of the source. A very
    long one, which may be none, goes on in the lines of the source."""
    pieces: list[list[str]] = []  # of each word
    numbers: list[int] = []  # of each word, its line
    open_ = False  # the last word may go on
    for text, start in parts:
        for offset, piece in enumerate(INVISIBLE.sub("", text).split("\n")):
            found = piece.split()
            if found and open_ and not offset and not piece[0].isspace():
                pieces[-1].append(found.pop(0))
            pieces += [[word] for word in found]
            numbers += [start + offset] * len(found)
            open_ = bool(piece) and not piece[-1].isspace() if piece or offset else open_
    words = ["".join(word) for word in pieces]
    at = list(accumulate((len(word) + 1 for word in words), initial=0))
    text = " ".join(words)
    begins = [bisect_left(at, start) for start, _ in sentences_in(text, 0, len(text))[1:]]
    for first, end in pairwise([0, *begins, len(words)]):
        for _, group in groupby(range(first, end), key=lambda i: numbers[i] if end - first > LONGEST else 0):
            places = list(group)
            yield text[at[places[0]] : at[places[-1] + 1] - 1], numbers[places[0]]
