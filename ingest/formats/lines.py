"""What the formats made of plain lines share: numbered lines, and the builder that groups them into blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.blocks import Block, Kind, Outline

BULLET = re.compile(r"\s{0,40}(?:[-*+•]|\d{1,9}[.)]|#\.|\([a-z0-9]{1,3}\))\s+\S")
ROLE = re.compile(r"(?::[\w+.:-]{1,60}:|\{[\w+.:-]{1,60}\})`~?([^`<]*)(?:<[^`]*>)?`|`([^`<]*)<[^`]*>`__?")
# Options of a directive that say what it is about (`:type: int`); others say how it looks, or where its text is.
SAYS = frozenset(
    ("type", "value", "default", "version", "released", "date", "status", "deprecated", "required")
    + ("synopsis", "platform")
)
INDENT = re.compile(r" {0,3}\t| {4}")


class Line(NamedTuple):
    """One line of the source: `number` is 1-based."""

    number: int
    text: str

    @property
    def blank(self) -> bool:
        """Nothing but white space."""
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """Columns of white space in front; a tab goes to the next multiple of 4."""
        head = self.text[: len(self.text) - len(self.text.lstrip())]
        return len(head.expandtabs(4))


def numbered(text: str) -> list[Line]:
    """The lines of a text, without white space at their ends."""
    return [Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]


def bare_title(text: str) -> str:
    """The title of reStructuredText or MyST without roles, links and marks of code."""
    return ROLE.sub(lambda found: (found[1] or found[2] or "").strip(), text).replace("``", "")


@dataclass(slots=True)
class Builder:
    """Collects lines into blocks; what they say is kept as it stands in the source."""

    blocks: list[Block] = field(default_factory=list)
    outline: Outline = field(default_factory=Outline)
    indented: Kind = Kind.CODE  # what an indented paragraph is
    _open: list[Line] = field(default_factory=list)

    def add(self, line: Line) -> None:
        """One more line of the open paragraph; a blank one closes it."""
        if line.blank:
            self.close()
        else:
            self._open.append(line)

    def close(self) -> None:
        """End the open paragraph: a list, a table, indented code or prose, by its first line."""
        if self._open:
            kind = kind_of(self._open, Kind.LIST if self._after_list() else self.indented)
            self.block(kind, self._open)
            self._open = []

    def block(self, kind: Kind, lines: list[Line]) -> None:
        """A block of these lines, without blank ones at its ends and with at most one in a row inside."""
        kept: list[Line] = []
        for line in lines:
            if not line.blank or (kept and not kept[-1].blank):
                kept.append(line)
        if kept and kept[-1].blank:
            kept.pop()
        if kept:
            text = "\n".join(line.text for line in kept)
            self.blocks.append(Block(text, tuple(line.number for line in kept), self.outline.path, kind))

    def heading(self, level: int, title: str, lines: list[Line]) -> None:
        """A heading: `title` is its text without markup, `lines` are what stands in the source."""
        self.close()
        self.outline.push(level, title)
        text = "\n".join(line.text for line in lines)
        numbers = tuple(line.number for line in lines)
        self.blocks.append(Block(text, numbers, self.outline.path, Kind.HEADING, level))

    def pop_open(self) -> list[Line]:
        """The lines of the open paragraph, taken back (they turned out to be a heading)."""
        lines, self._open = self._open, []
        return lines

    @property
    def open(self) -> list[Line]:
        """The lines of the open paragraph."""
        return self._open

    def _after_list(self) -> bool:
        return bool(self.blocks) and self.blocks[-1].kind is Kind.LIST


def kind_of(lines: list[Line], indented: Kind) -> Kind:
    """What a paragraph is; `indented` says what an indented one is (behind a list it belongs to its item)."""
    first = lines[0].text
    if BULLET.match(first):
        return Kind.LIST
    if INDENT.match(first):
        return indented
    if first.lstrip().startswith("|") or any(_is_ruler(line.text) for line in lines[:2]):
        return Kind.TABLE
    return Kind.PROSE


def _is_ruler(text: str) -> bool:
    """The line under the head of a table: `---|:---:`, `=== ===`, `+---+---+`."""
    bare = text.strip()
    return len(bare) >= 3 and not set(bare) - set("-=:|+ ") and bool(set(bare) & set("|+ "))
