"""An answer's layout as units: sentences, items under their lead-ins, rows under their headers, short answers, code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gate.claims.layout import json_values, laid_out
from gate.text import Block, parse_blocks, sentences_in

_RULER = re.compile(r"\s*\n[ \t>]*\|?[ \t]*:?-[-:| \t]*(?:\n[ \t>]*|\Z)")
_NEXT = re.compile(r"\s*\n[ \t>]*")
_BOLD = re.compile(r"(\*\*|__)[^*_\n]{1,80}(?:\1:?|:\1)")
_PROSE = re.compile(r"[A-Z\"'(]?[\w'’,()-]+(?: [\w'’,()%$.:/-]+){3,}[.!?]")  # a line of code that is a sentence
_MARKS = "*_ \t"
_FEW_LINES = 3  # of code that its lead-in may be unfinished without
_DEEPEST = 3  # lead-ins above an item that are kept
NO_LEVEL = -1


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit at answer[start:end]; `kind` is sentence, item, row, heading, code or value.

    `lead` is the lead-in above it as written. `head` is the span of the table's first row; `ruled`: that is its header
    for sure. `opens`: items, rows or code stand under it.
    """

    kind: str
    start: int
    end: int
    lead: str = ""
    head: tuple[int, int] = (0, 0)
    ruled: bool = False
    opens: bool = False


def units(answer: str) -> list[Unit]:
    """The units of an answer in order; the header of a table with a ruler is none."""
    text, values = json_values(laid_out(answer))
    if not values:
        return list(_Walk(text).units(parse_blocks(text)))
    found: list[Unit] = []
    for value in values:
        blocks = [
            replace(block, start=block.start + value.start, end=block.end + value.start)
            for block in parse_blocks(text[value.start : value.end])
        ]
        own = list(_Walk(text).units(blocks))
        whole = own or [Unit("value", value.start, value.end)] * (value.start < value.end)
        found += [replace(unit, lead=unit.lead or value.key) for unit in whole]
    return found


class _Walk:
    """Goes through the blocks of one text with the lead-ins that are open."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.leads: list[tuple[int, str]] = []  # (level, lead-in), outermost first
        self.section = ""

    def units(self, blocks: Sequence[Block]) -> Iterator[Unit]:
        """The units of the blocks, in order."""
        at = 0
        while at < len(blocks):
            block = blocks[at]
            run = self._run(blocks, at)
            following = blocks[at + run] if at + run < len(blocks) else None
            if block.kind == "row" and (run > 1 or self.text[block.start : block.end].lstrip()[:1] == "|"):
                yield from self._table(blocks[at : at + run])
            elif block.kind == "code":
                yield from self._code(blocks[at : at + run])
            else:
                yield from self._prose(block, following)
            at += run

    def _run(self, blocks: Sequence[Block], at: int) -> int:
        """How many blocks from here on make one table or one block of code."""
        kind, end = blocks[at].kind, at + 1
        while kind in ("row", "code") and end < len(blocks) and blocks[end].kind == kind:
            gap = self.text[blocks[end - 1].end : blocks[end].start]
            joined = _NEXT.fullmatch(gap) or _RULER.fullmatch(gap) if kind == "row" else not re.search("```|~~~", gap)
            if not joined:
                break
            end += 1
        return end - at

    def _trim(self, start: int, end: int) -> tuple[int, int]:
        shown = self.text[start:end]
        return start + len(shown) - len(shown.lstrip()), start + len(shown.rstrip())

    def _lead(self) -> str:
        return self.leads[-1][1] if self.leads else self.section

    def _table(self, rows: Sequence[Block]) -> Iterator[Unit]:
        first, end = rows[0], rows[0].end
        ruled = len(rows) > 1 and _RULER.fullmatch(self.text[end : rows[1].start]) is not None
        head = self._trim(first.start, first.end) if len(rows) > 1 else (0, 0)
        for row in rows[ruled:]:
            yield Unit("row", *self._trim(row.start, row.end), self._lead(), (0, 0) if row is first else head, ruled)

    def _code(self, lines: Sequence[Block]) -> Iterator[Unit]:
        shown = [self.text[line.start : line.end].strip() for line in lines]
        if 2 * sum(_reads(line) for line in shown) > len(lines):
            for line in lines:
                yield from (Unit("sentence", *span) for span in sentences_in(self.text, line.start, line.end))
        else:
            waits = bool(self.leads) and len(lines) <= _FEW_LINES
            yield Unit("code", *self._trim(lines[0].start, lines[-1].end), self._lead(), opens=waits)
            self.leads = self.leads[:-1]

    def _prose(self, block: Block, following: Block | None) -> Iterator[Unit]:
        shown = self.text[block.start : block.end].strip()
        heading = block.kind == "heading" or (block.kind == "text" and _BOLD.fullmatch(shown) is not None)
        level = block.level if block.kind == "item" else NO_LEVEL
        indented = bool(self.leads) and self.text[max(0, block.start - 2) : block.start] == "  "  # below an item
        if heading or not (block.kind == "item" or indented):
            self.leads = []
        elif block.kind == "item":
            self.leads = [lead for lead in self.leads if lead[0] < level][-_DEEPEST:]
        spans = sentences_in(self.text, block.start, block.end)
        opens = following is not None if heading else self._opens(block, spans, following)
        lead = self._lead() if block.kind == "item" else self.leads[-1][1] if self.leads else ""
        kind = "heading" if heading else "item" if block.kind == "item" else "sentence"
        for n, (start, end) in enumerate(spans):
            yield Unit(kind, start, end, lead, opens=opens and n == len(spans) - 1)
        if spans and heading:
            self.section = self.text[slice(*spans[-1])]
        if spans and opens and not heading:
            self.leads = [*self.leads, (level, self.text[slice(*spans[-1])])]

    def _opens(self, block: Block, spans: Sequence[tuple[int, int]], following: Block | None) -> bool:
        """Whether a block leads in to the next: a colon, no end of a sentence, or deeper items."""
        if not spans or following is None or following.kind not in ("item", "code", "row"):
            return False
        last = self.text[slice(*spans[-1])].rstrip(_MARKS)
        if block.kind == "item" and following.kind == "item":
            return following.level > block.level
        return last.endswith((":", "：")) or last[-1:].isalnum()


def _reads(line: str) -> bool:
    """Whether a line of a code block is a sentence for people."""
    foreign = sum(c > "\u024f" for c in line) * 2 > len(line)
    return foreign or (line[:1].isupper() and _PROSE.fullmatch(line) is not None)
