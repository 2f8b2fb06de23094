"""An answer as text whose lines are its layout: hidden parts blanked, HTML and JSON as lines, all places kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from gate.text import code_spans
from gate.text.output import answer_only, inside

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
_VISIBLE = re.compile(r"[^\n\r]")


class Value(NamedTuple):
    """What a JSON answer says under `key`, at text[start:end]."""

    start: int
    end: int
    key: str


def visible(answer: str) -> str:
    """`answer` with blanks for thinking text, tool calls, template tokens, comments and what is struck through."""
    return _STRUCK.sub(_blank, _uncommented(answer_only(answer)))


def _uncommented(text: str) -> str:
    pieces, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces += [text[at:start], _VISIBLE.sub(" ", text[start : end + 3])]
        at = end + 3
    return "".join([*pieces, text[at:]])


def laid_out(answer: str) -> str:
    """`answer` without what is no part of it and what nobody sees, as long as it was, its HTML blocks as lines."""
    text = visible(answer)
    if written := _WRITTEN.match(text):
        last = text.rindex(written[1])
        text = _blank(written) + text[written.end() : last] + " " * (len(text) - last)
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


def _blank(found: re.Match[str]) -> str:
    return _VISIBLE.sub(" ", found[0])


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
