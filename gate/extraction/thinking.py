"""What a reasoning model thinks aloud in `<think>...</think>` is no part of its answer."""

from __future__ import annotations

import re

_TAG = re.compile(r"(?<!`)<(/?)think(?:ing)?>(?!`)", re.IGNORECASE)  # in backticks it is the name of a tag
_BEFORE = re.compile(r"(?:^|[\n.!?…>\"')*_])[ \t\r]{0,40}$")  # a block begins where a sentence may


def answered(text: str) -> str:
    """`text` with line breaks in place of every block of thoughts, so that all places stay; one that is never closed
    reaches to the end."""
    pieces, at, opened = [], 0, -1
    for tag in _TAG.finditer(text):
        if tag[1] and opened >= 0:
            pieces += [text[at:opened], "\n" * (tag.end() - opened)]
            at, opened = tag.end(), -1
        elif not tag[1] and opened < 0 and _BEFORE.search(text[max(0, tag.start() - 42) : tag.start()]):
            opened = tag.start()
    if opened < 0:
        return "".join([*pieces, text[at:]])
    return "".join([*pieces, text[at:opened], "\n" * (len(text) - opened)])
