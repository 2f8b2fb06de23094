"""The bookmarks of a PDF, as the headings that begin on each page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ingest.blocks import shorten

if TYPE_CHECKING:
    from pypdf import PdfReader

Titles = list[tuple[int, str]]  # level (1 is the highest) and title

BOOKMARKS = 5000  # that are looked at
NUMBERING = re.compile(r"(?:chapter|section|part|appendix)?\s*(?:[\dA-Z]{1,4}\.)*\d{0,4}[.:]?\s+", re.IGNORECASE)


def titles_of(reader: PdfReader) -> dict[int, Titles]:
    """Page number -> the bookmarks that lead to it, in order. None at all where they are damaged: the text counts."""
    from pypdf.generic import Destination

    found: dict[int, Titles] = defaultdict(list)
    try:
        # The library nests lists: a list holds what is below the bookmark in front of it.
        stack: list[tuple[int, Iterator[object]]] = [(1, iter(reader.outline))]
        for _ in range(BOOKMARKS):
            entry = next(stack[-1][1], None)
            if entry is None:
                stack.pop()
                if not stack:
                    break
            elif isinstance(entry, list):
                stack.append((stack[-1][0] + 1, iter(entry)))
            elif isinstance(entry, Destination) and (page := reader.get_destination_page_number(entry)) is not None:
                found[page + 1].append((stack[-1][0], shorten(str(entry.title))))
    except Exception:
        return {}
    return found


def key_of(line: str) -> str:
    """What a heading and its bookmark share: the words, without numbering, case and punctuation."""
    text = line[:400]
    numbered = NUMBERING.match(text)
    bare = text[numbered.end() :] if numbered else text
    return "".join(char for char in bare.lower() if char.isalnum())
