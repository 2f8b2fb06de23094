"""An answer's layout as units: sentences, items under their lead-ins, rows under their headers, short answers, code.

First it becomes text whose lines are its layout, as long as it was: hidden parts are blanked, HTML and JSON are lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gate.text import Block, code_spans, parse_blocks, sentences_in
from gate.text.output import answer_only, blanked, inside

_RULER = re.compile(r"\s*\n[ \t>]*\|?[ \t]*:?-[-:| \t]*(?:\n[ \t>]*|\Z)")
_NEXT = re.compile(r"\s*\n[ \t>]*")
_BOLD = re.compile(r"(\*\*|__)[^*_\n]{1,80}(?:\1:?|:\1)")
_PROSE = re.compile(r"[A-Z\"'(]?[\w'’,()-]+(?: [\w'’,()%$.:/-]+){3,}[.!?]")  # a line of code that is a sentence
_MARKS = "*_ \t"
_FEW_LINES = 3  # of code that its lead-in may be unfinished without
_DEEPEST = 3  # lead-ins above an item that are kept
NO_LEVEL = -1
_STRUCK = re.compile(
    r"(?<![~\\])~~(?=[^\s~])[^~\n]{1,2000}(?<=[^\s~])~~(?!~)|<(del|s|strike)>[^<>]{0,2000}</\1>", re.IGNORECASE
)
_TAG = re.compile(
    r"<(/?)(p|div|br|li|ul|ol|tr|td|th|table|thead|tbody|h[1-6]|hr|blockquote|pre|details|summary|dl|dt|dd)"
    r"(?: [^<>\n]{0,300})?/?>",
    re.IGNORECASE,
)
_ROW = re.compile(r"<(/?)tr\b", re.IGNORECASE)
_WHOLE = re.compile(r"(?:(?:`{3,}|~{3,})[ \t]*\w{0,12}[ \t]*\n)?[ \t]*(?=[{\[])")
_WRITTEN = re.compile(r"\A\s*(`{3,}|~{3,})[ \t]*(?:markdown|md|text|txt)[ \t]*\n(?=[\s\S]*\1\s*\Z)", re.IGNORECASE)
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}\[\],:])|([^\s{}\[\],:"]+)')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ABOUT = frozenset(  # keys about the answer, not of it
    ("confidence", "score", "source", "sources", "citation", "citations", "reference", "references", "id", "type")
)


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


class Value(NamedTuple):
    """What a JSON answer says under `key`, at text[start:end]."""

    start: int
    end: int
    key: str


def visible(answer: str) -> str:
    """`answer` with blanks for thinking text, tool calls, template tokens, comments and what is struck through."""
    text = answer_only(answer)
    text = blanked(text, _comments(text))
    return blanked(text, (found.span() for found in _STRUCK.finditer(text)))


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """The spans of HTML comments; linear, as no pattern is where many are never closed."""
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        at = end + 3
        yield start, at


def laid_out(answer: str) -> str:
    """`answer` without what is no part of it and what nobody sees, as long as it was, its HTML blocks as lines."""
    text = visible(answer)
    if written := _WRITTEN.match(text):
        text = blanked(text, [written.span(), (text.rindex(written[1]), len(text))])
    if "<" not in text:
        return text
    codes = code_spans(text)
    text = _in_one_line(text)
    return _TAG.sub(lambda tag: tag[0] if inside(codes, tag.start()) else _line(tag), text)


def _in_one_line(text: str) -> str:
    """Each row of an HTML table without line breaks."""
    pieces, at, opened = [], 0, -1
    for tag in _ROW.finditer(text):
        if tag[1] and opened >= 0:
            pieces += [text[at:opened], text[opened : tag.start()].replace("\n", " ")]
            at = tag.start()
        opened = -1 if tag[1] else tag.start()
    return "".join([*pieces, text[at:]])


def _line(tag: re.Match[str]) -> str:
    """A tag as the mark that Markdown has for it."""
    name, width = tag[2].lower(), len(tag[0])
    heading = "\n# " if name[1:].isdigit() else "\n\n"
    mark = {"td": "", "th": "", "tr": "\n"} if tag[1] else {"li": "\n- ", "td": "|", "th": "|", "tr": "\n"}
    return mark.get(name, "\n\n" if tag[1] else heading).ljust(width)


def json_values(text: str) -> tuple[str, list[Value]]:
    """(`text` with the escapes of its strings as what they stand for, the values) of an answer that is one JSON object
    or list and nothing else; no values for any other."""
    found = _WHOLE.match(text, len(text) - len(text.lstrip()))
    start, end = (found.end(), len(text.rstrip().rstrip("`~").rstrip())) if found else (0, 0)
    try:
        whole = json.loads(text[start:end], strict=False) if start < end else None
    except (ValueError, RecursionError):
        return text, []
    values = list(_values(text, start, end)) if isinstance(whole, dict | list) else []
    pieces, at = [], 0
    for value in values:
        pieces += [text[at : value.start], _ESCAPE.sub(_escaped, text[value.start : value.end])]
        at = value.end
    return "".join([*pieces, text[at:]]), values


def _escaped(found: re.Match[str]) -> str:
    return {"n": "\n ", "r": "\n ", "t": "  "}.get(found[1], f" {found[1]}" if found[1] in '"\\/' else found[0])


def _values(text: str, start: int, end: int) -> Iterator[Value]:
    keys: list[str] = [""]  # of the open objects and lists
    tokens = list(_TOKEN.finditer(text, start, end))
    for n, token in enumerate(tokens):
        mark = token[2]
        if mark in ("{", "["):
            keys.append("")
        elif mark in ("}", "]"):
            keys.pop()
        elif mark is None and token[1] is not None and n + 1 < len(tokens) and tokens[n + 1][2] == ":":
            keys[-1] = token[1]
        elif mark is None and token[0] != "null" and not any(key.lower() in _ABOUT for key in keys):
            quoted = token[1] is not None
            shown = " ".join(key for key in keys if key)
            yield Value(token.start() + quoted, token.end() - quoted, f"{shown}:" if shown else "")
