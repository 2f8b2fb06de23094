"""An answer taken apart by its layout: sentences, items with their lead-in, table rows with their header, code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gate.extraction.citations import cited
from gate.extraction.headings import bold, forbidden, plain_from, section
from gate.extraction.leads import denies, empty, goes_on, unfinished
from gate.extraction.supposed import supposed
from gate.extraction.tables import heads, rows, tables
from gate.extraction.unfenced import with_code
from gate.extraction.wording import one_line
from gate.text import Block, structure, within

_SEPARATOR = re.compile(r"\s*\|?[ :|-]*-{2,}[ :|-]*\s*")
_PROSE = re.compile(r"[A-Z\"'(]?[\w'’,()-]+(?: [\w'’,()%$.:/-]+){3,}[.!?]?")
_CODE_LIMIT = 400  # characters of a code block that a claim shows
_ROWS = 12  # of a table without a ruler, that tell whether the first is its header
_DEPTH = 5  # of nested lists whose lead-ins an item takes
_WIDE = re.compile(r"\w")
_QUOTED = re.compile(r"(?<![\w\"])\"(?=[^\s\"])[^\"\n]{1,300}\"|“[^”\n]{1,300}”")  # one token for the grammar too


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence, item, row or code block at text[start:end].

    `lead` is the lead-in without markup, or the header of the row as written; `kind` is sentence, lead, item, heading,
    row or code. A `lead` has items or code under it. `outer` are the lead-ins around `lead`, outermost first.
    """

    kind: str
    start: int
    end: int
    lead: str = ""
    paragraph: int = 0
    outer: tuple[str, ...] = ()


def units(text: str) -> list[Unit]:
    """The units of an answer in order; lines of prose that hide in a code block are sentences."""
    found = tables(text)
    rest = text
    for start, end in found:
        rest = rest[:start] + "\n" * (end - start) + rest[end:]
    blocks = [*with_code(text, structure(rest)), *(Block("table", start, end) for start, end in found)]
    return list(_units(text, sorted(blocks, key=lambda block: block.start)))


def _units(text: str, blocks: list[Block]) -> Iterator[Unit]:
    leads: list[tuple[int, str]] = []  # (column, lead-in) of the open lists, outermost first
    i, head, listed = 0, "", False
    while i < len(blocks):
        block, run = blocks[i], _run(text, blocks, i)
        if block.kind == "row" and run > 1:
            yield from _table(text, blocks[i : i + run], i)
        elif block.kind == "code":
            lead = leads[-1][1] if leads else ""
            own = not lead or blocks[i - 1].kind == "code"
            yield from _code(text, blocks[i : i + run], lead, i if own else i - 1)  # a part of what leads in to it
            more = [block.kind for block in blocks[i + run : i + run + 1]] == ["code"]
            if unfinished(lead) and not more and not denies(lead):
                leads.pop()  # what it waited for is shown
        elif block.kind == "table":
            header, spans = rows(text, block.start, block.end)
            yield from (Unit("row", start, end, header, i) for start, end in spans)
        else:
            run = 1
            following = blocks[i + 1] if i + 1 < len(blocks) else None
            if block.kind == "heading" or bold(text, blocks, i):
                block = replace(block, kind="heading")
                head, listed = section(text[block.start : block.end]), False
            listed = listed or block.kind == "item"
            found = _prose(text, block, following, leads, i)
            yield from found if listed and block.kind == "text" else _under(found, head)
        i += run


def _under(found: Iterator[Unit], head: str) -> Iterator[Unit]:
    """The units of a block with the heading above it: in front of an item's lead-ins, or as the lead-in of what has
    none. What stands behind the items of a section may be about all of them."""
    for unit in found:
        if not head or unit.kind not in ("item", "sentence") or f"{unit.lead}:" == head:
            yield unit
        else:
            yield replace(unit, outer=(head, *unit.outer)) if unit.lead else replace(unit, lead=head)


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
    whole = _whole_quotes(text, within(text, block.start, block.end))
    spans = supposed(text, (span for start, end in whole for span in cited(text, start, end)))
    opens = following is not None and _opens(text, block, following, spans)
    label = forbidden(text[block.start : block.end]) if len(spans) > 1 and block.kind != "heading" else ""
    for n, (start, end) in enumerate(spans):
        start += plain_from(text[start:end])
        first = block.kind == "item" and n == 0
        last = n == len(spans) - 1
        kind = "lead" if last and opens else "item" if first else "heading" if block.kind == "heading" else "sentence"
        above = tuple(lead for _, lead in leads) if first else ()
        yield Unit(kind, start, end, above[-1] if above else label if n else "", paragraph, above[-_DEPTH:-1])
    if opens and spans:
        lead = one_line(text[spans[-1][0] : spans[-1][1]]).rstrip(": ")
        leads.append((block.level if block.kind == "item" else -1, lead))


def _opens(text: str, block: Block, following: Block, spans: list[tuple[int, int]]) -> bool:
    """Whether a block introduces the next one: it ends in a colon, or says nothing without the items that follow, or
    deeper items hang under an item, or the first goes on with it."""
    if not spans or following.kind not in ("item", "code"):
        return False
    last = text[spans[-1][0] : spans[-1][1]].rstrip("*_ ")
    defined = block.kind == "text" and text[block.end : following.start].strip() == ":"
    if last.endswith((":", "：")) or defined:
        return True
    deeper = block.kind == "item" and following.level > block.level
    if following.kind == "code":
        return last[-1:].isalnum() and unfinished(last)  # `Raise it with` needs no colon
    told = text[following.start : following.end]
    needed = block.kind == "text" and (denies(last) or goes_on(told))  # `Things to avoid`
    return not last.endswith((".", "!", "?")) and (deeper or empty(last) or needed)


def _whole_quotes(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences joined where a quotation runs over their end, and with what goes on behind it; one that is nothing but
    a quotation without its marks."""
    if len(spans) < 2:
        return spans
    first, last = spans[0][0], spans[-1][1]
    quotes = [match.span() for match in _QUOTED.finditer(text, first, last)]
    if quotes == [(first, last)]:
        return [(first + 1, spans[0][1]), *spans[1:-1], (spans[-1][0], last - 1)]
    starts, ends = [a for a, _ in quotes], {b for _, b in quotes}
    found = spans[:1]
    for start, end in spans[1:]:
        stop = found[-1][1]
        n = bisect_left(starts, stop) - 1
        if (n >= 0 and stop < quotes[n][1]) or (stop in ends and text[start].islower()):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _table(text: str, rows: list[Block], paragraph: int) -> Iterator[Unit]:
    header = ""
    gap = text[rows[0].end : rows[1].start]
    ruled = gap.strip() and _SEPARATOR.fullmatch(gap)
    if ruled or heads([text[row.start : row.end] for row in rows[:_ROWS]]):
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
