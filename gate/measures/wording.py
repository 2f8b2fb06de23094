"""Sentences of the measures for people: quoted, short, on one line."""

from __future__ import annotations

from gate.text import normalise

LONGEST = 300  # characters of a whole sentence
QUOTED = 90  # of words from an answer or a context


def quoted(text: str, most: int = QUOTED) -> str:
    """A stranger's words in quotation marks, on one line, cut where they are long."""
    return f'"{shortened(text, most)}"'


def shortened(text: str, most: int = LONGEST) -> str:
    """The text on one line, at most `most` characters."""
    line = " ".join(normalise(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def count(number: int, noun: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
