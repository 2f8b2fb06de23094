"""Lines that HTML breaks: an answer whose items, headings and paragraphs are tags, as the lines that a page shows."""

from __future__ import annotations

import re
from bisect import bisect_right

from gate.text import code_spans

_TAG = re.compile(
    r"<(?:(?P<table>/?table)|(?P<item>li)|(?P<head>h[1-6])|"
    r"(?P<soft>br(?![^<>\n]{0,300}>[ \t]{0,9}(?-i:[a-z]))|/?(?:p|div))|"
    r"/?(?:ul|ol|dl|dt|dd|hr|section|blockquote)|/(?:li|h[1-6]))"
    r"(?:\s[^<>\n]{0,300})?/?>",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?][\"'”’)]?(?:\s|</?(?:p|br|div|b|i|strong|em)\b[^<>\n]{0,80}>){0,9}\Z", re.IGNORECASE)
_NEAR = 200  # characters before a tag that tell whether a sentence ends there


def broken(text: str) -> str:
    """`text` with line breaks, and with the marks of items and headings, in place of the tags that make them, so that
    all places stay. Tags that are shown as code and those in a table are left: a cell is one line."""
    if not _TAG.search(text):
        return text
    codes = code_spans(text)
    starts = [start for start, _ in codes]
    pieces, at, begin, tabled = [], 0, 0, False
    for line in text.splitlines(keepends=True):
        for tag in _TAG.finditer(text, begin, begin + len(line)):
            n = bisect_right(starts, tag.start()) - 1
            if n >= 0 and tag.start() < codes[n][1]:
                continue
            tabled = tabled if not tag["table"] else not tag["table"].startswith("/")
            if not tabled and not tag["table"] and "|" not in line:
                pieces += [text[at : tag.start()], _line(text, tag)]
                at = tag.end()
        begin += len(line)
    return "".join([*pieces, text[at:]])


def _line(text: str, tag: re.Match[str]) -> str:
    """What begins a line where the tag stands, as long as it. Behind a whole sentence the paragraph may go on."""
    if tag["item"] or tag["head"]:
        return ("\n- " if tag["item"] else "\n## ").rjust(len(tag[0]))
    on = tag["soft"] and _ENDED.search(text[max(0, tag.start() - _NEAR) : tag.start()])
    return tag[0] if on else "\n\n".ljust(len(tag[0]))
