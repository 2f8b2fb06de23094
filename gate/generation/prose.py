"""The prose of a chunk: code and tables are no sentences, whatever the patterns would find in them."""

from __future__ import annotations

import re
from dataclasses import replace

from gate.records import Chunk
from gate.text import structure

_CODE = re.compile(r" {4}|\t")
_SHOWN = re.compile(r"[^\n]")


def prose(chunk: Chunk) -> Chunk:
    """The chunk with blanks in place of code and table rows: lines and offsets stay."""
    text, pieces, at = chunk.text, [], 0
    for block in structure(text):
        line = text.rfind("\n", 0, block.start) + 1
        if block.kind in ("row", "code") or (block.kind == "text" and _CODE.match(text, line)):
            pieces += [text[at : block.start], _SHOWN.sub(" ", text[block.start : block.end])]
            at = block.end
    return replace(chunk, text="".join([*pieces, text[at:]]))
