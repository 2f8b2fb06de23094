"""What is struck out (`~~30 days~~`, `<del>30 days</del>`) is taken back: it is no part of what an answer says."""

from __future__ import annotations

import re

from gate.text import code_spans

_STRUCK = re.compile(
    r"(?<![~\\])~~(?=[^\s~])(?:[^~\n]|\n(?!\s*\n)|~(?!~)){0,2000}?(?<=[^\s~])~~(?!~)"
    r"|<(?P<tag>del|s|strike)>(?:[^<]|<(?!/?(?:del|s|strike)>)){0,2000}</(?P=tag)>",
    re.IGNORECASE,
)


def standing(text: str) -> str:
    """`text` with blanks in place of what is struck out, so that all places stay; code is shown as it is written."""
    codes = code_spans(text) if "~~" in text or "</" in text else []
    pieces, at, code = [], 0, 0
    for struck in _STRUCK.finditer(text):
        while code < len(codes) and codes[code][1] <= struck.start():
            code += 1
        if code < len(codes) and codes[code][0] < struck.start():
            continue
        pieces += [text[at : struck.start()], re.sub(r"\S", " ", struck[0])]
        at = struck.end()
    return "".join([*pieces, text[at:]])
