"""Reads answers whose units were labelled as they were written: passages, questions, alternative answers.

A unit is labelled S (borne out), C (denied), P (part of it absent), N (absent) or X (states nothing). A passage is dev
where the SHA-1 of its id is divisible by 12.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_PASSAGE = re.compile(r"# P ([\w-]+) \|")
_LINE = re.compile(r"\d+\|(.*)$")
_UNIT = re.compile(r"([SCPNX])(?:@[\d,]+)? (.+)$")
_ALONE = re.compile(r"- |\||\d+[.)] ")


class Written(NamedTuple):
    """One answer to one question about a passage; `units` are (label, text)."""

    passage: str
    question: str
    units: tuple[tuple[str, str], ...]

    @property
    def dev(self) -> bool:
        """Whether no training sees its passage."""
        return int(hashlib.sha1(self.passage.encode(), usedforsecurity=False).hexdigest(), 16) % 12 == 0

    def assembled(self) -> tuple[str, list[tuple[int, int]]]:
        """The answer as an assistant sends it (items and rows on lines of their own), and the span of each unit."""
        text, spans, alone_before = "", [], False
        for _, unit in self.units:
            alone = _ALONE.match(unit) is not None
            text += "" if not text else "\n" if alone or alone_before else " "
            spans.append((len(text), len(text) + len(unit)))
            text, alone_before = text + unit, alone
        return text, spans


def parse_written(paths: Iterable[Path]) -> tuple[dict[str, str], list[Written]]:
    """The passages by id, as Markdown, and the answers of all files."""
    pages: dict[str, list[str]] = {}
    answers = []
    for path in paths:
        own, found = _parse(path.read_text(encoding="utf-8").splitlines())
        pages |= own
        answers += found
    return {passage: "\n".join(_spaced(lines)) + "\n" for passage, lines in pages.items()}, answers


def _parse(rows: Iterable[str]) -> tuple[dict[str, list[str]], list[Written]]:
    pages: dict[str, list[str]] = {}
    answers: list[Written] = []
    passage, question = "", ""
    for row in rows:
        if found := _PASSAGE.match(row):
            passage, question = found[1], ""
            pages[passage] = []
        elif found := _LINE.match(row):
            pages[passage].append(found[1].strip())
        elif row.startswith("# Q "):
            question = row[4:].strip()
        elif row == "A":
            answers.append(Written(passage, question, ()))
        elif found := _UNIT.match(row):
            answers[-1] = answers[-1]._replace(units=(*answers[-1].units, (found[1], found[2].strip())))
    return pages, [answer for answer in answers if answer.units]


def _spaced(lines: Iterable[str]) -> Iterator[str]:
    """Each line a paragraph, but items and rows together."""
    return (line if line.startswith(("|", "- ")) else f"{line}\n" for line in lines if line)
