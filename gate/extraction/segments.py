"""An answer taken apart by its layout: sentences, items with their lead-in, table rows with their header, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gate.text import Block, plain, structure, within

_SEPARATOR = re.compile(r"\s*\|?[ :|-]*-{2,}[ :|-]*\s*")
_PROSE = re.compile(r"[A-Z\"'(]?[\w'’,()-]+(?: [\w'’,()%$.:/-]+){3,}[.!?]?")
_CODE_LIMIT = 400  # characters of a code block that a claim shows
_TICKS = ("✅", "✓", "✔", "✔️")
_CROSSES = ("❌", "✗", "✘", "✖", "✖️")
_WIDE = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence, item, row or code block at text[start:end].

    `lead` is the lead-in (or the header of the row, cells joined by `|`), without markup; `kind` is sentence, lead,
    item, heading, row or code. A `lead` ends in a colon and has items or code under it.
    """

    kind: str
    start: int
    end: int
    lead: str = ""
    paragraph: int = 0


def units(text: str) -> list[Unit]:
    """The units of an answer in order; lines of prose that hide in a code block are sentences."""
    return list(_units(text, structure(text)))


def _units(text: str, blocks: list[Block]) -> Iterator[Unit]:
    leads: list[tuple[int, str]] = []  # (column, lead-in) of the open lists, outermost first
    i = 0
    while i < len(blocks):
        block, run = blocks[i], _run(text, blocks, i)
        if block.kind == "row" and run > 1:
            yield from _table(text, blocks[i : i + run], i)
        elif block.kind == "code":
            lead = leads[-1][1] if leads else ""
            yield from _code(text, blocks[i : i + run], lead, i)
        else:
            run = 1
            following = blocks[i + 1] if i + 1 < len(blocks) else None
            yield from _prose(text, block, following, leads, i)
        i += run


def _run(text: str, blocks: list[Block], i: int) -> int:
    """How many blocks from the i-th on make one table or one code block."""
    end = i + 1
    while blocks[i].kind in ("row", "code") and end < len(blocks) and blocks[end].kind == blocks[i].kind:
        gap = text[blocks[end - 1].end : blocks[end].start]
        if blocks[i].kind == "row" and gap.strip() and not _SEPARATOR.fullmatch(gap):
            break
        if blocks[i].kind == "code" and ("```" in gap or "~~~" in gap):
            break
        end += 1
    return end - i


def _prose(
    text: str, block: Block, following: Block | None, leads: list[tuple[int, str]], paragraph: int
) -> Iterator[Unit]:
    if block.kind == "item":
        leads[:] = [lead for lead in leads if lead[0] < block.level]
    else:
        leads.clear()
    spans = within(text, block.start, block.end)
    opens = following is not None and _opens(text, block, following, spans)
    for n, (start, end) in enumerate(spans):
        first = block.kind == "item" and n == 0
        last = n == len(spans) - 1
        kind = "lead" if last and opens else "item" if first else "heading" if block.kind == "heading" else "sentence"
        yield Unit(kind, start, end, leads[-1][1] if first and leads else "", paragraph)
    if opens and spans:
        words = plain(text[spans[-1][0] : spans[-1][1]], ticks=True)
        leads.append((block.level if block.kind == "item" else -1, " ".join(words.split()).rstrip(": ")))


def _opens(text: str, block: Block, following: Block, spans: list[tuple[int, int]]) -> bool:
    """Whether a block introduces the next one: it ends in a colon, or deeper items hang under an item."""
    if not spans or following.kind not in ("item", "code"):
        return False
    if text[spans[-1][0] : spans[-1][1]].rstrip("*_ ").endswith((":", "：")):
        return True
    deeper = following.kind == "item" and block.kind == "item" and following.level > block.level
    return deeper and not text[spans[-1][0] : spans[-1][1]].rstrip("*_ ").endswith((".", "!", "?"))


def _table(text: str, rows: list[Block], paragraph: int) -> Iterator[Unit]:
    header = ""
    gap = text[rows[0].end : rows[1].start]
    if _SEPARATOR.fullmatch(gap) and gap.strip():
        header, rows = text[rows[0].start : rows[0].end], rows[1:]
    for row in rows:
        yield Unit("row", row.start, row.end, header, paragraph)


def _code(text: str, lines: list[Block], lead: str, paragraph: int) -> Iterator[Unit]:
    prose = [line for line in lines if _reads(text[line.start : line.end].strip())]
    if len(prose) * 2 > len(lines):
        for line in lines:
            yield from (
                Unit("sentence", start, end, "", paragraph) for start, end in within(text, line.start, line.end)
            )
        return
    start = lines[0].start
    yield Unit("code", start, min(lines[-1].end, start + _CODE_LIMIT), lead, paragraph)


def _reads(line: str) -> bool:
    """Whether a line of a code block is a sentence for people rather than code."""
    if not _WIDE.search(line):
        return False
    foreign = sum(c > "\u024f" for c in line) * 2 > len(line)
    return foreign or (line[0].isupper() and _PROSE.fullmatch(line) is not None and line[-1:] in ".!?")


def cells(row: str) -> list[str]:
    """The cells of a table row, without markup; a pipe behind a backslash stays in its cell, a tick means yes."""
    body = row.strip().removeprefix("|").removesuffix("|")
    parts = re.split(r"(?<!\\)\|", body)
    shown = [" ".join(plain(part.replace("\\|", "|"), ticks=True).split()) for part in parts]
    return ["yes" if cell in _TICKS else "no" if cell in _CROSSES else cell for cell in shown]
