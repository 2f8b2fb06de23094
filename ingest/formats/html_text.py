"""Fragments of a page's text, each with its line, made into lines that know where they stand in the source."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphen, zero-width space and joiner, byte order mark


@dataclass(slots=True)
class Fragments:
    """The text of the block being read. `line` is the line that the parser stands on."""

    line: int = 1
    _parts: list[tuple[str, int]] = field(default_factory=list)

    def text(self, text: str | None, *, muted: bool) -> None:
        """Take the text that stands here, and step over its line breaks."""
        if not text:
            return
        if not muted:
            self._parts.append((text, self.line))
        self.line += text.count("\n")

    def mark(self, text: str) -> None:
        """Put in what a tag stands for: a space, a line break, the caret of a power."""
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
        """The lines of prose: white space collapsed, no blank ones."""
        lines = ((" ".join(text.split()), number) for text, number in self._raw())
        return [(text, number) for text, number in lines if text]

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
        self._parts = []
        return [(INVISIBLE.sub("", "".join(pieces)), number) for pieces, number in lines]
