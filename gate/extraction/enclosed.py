"""An answer that is one JSON object or list: what its strings say, as lines, in place of its notation."""

from __future__ import annotations

import json
import re

_FENCED = re.compile(r"\s*(?:(```+|~~~+)[ \t]{0,9}(?:json)?[ \t]{0,9}\n)?\s*(?=[{\[])", re.IGNORECASE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|\s+')
_PART = re.compile(r"(?:\\u[0-9a-fA-F]{4}){1,2}|\\.|.", re.DOTALL)
_SPEAKS = 4  # words from which a string is a statement and no value
_FRAME_LIST = (
    "answer response reply text content message output result step detail details statement claim fact explanation "
    "summary description note"
)
_FRAME = frozenset(_FRAME_LIST.split())  # keys that tell nothing
_ABOUT = frozenset(("confidence", "source", "sources", "citation", "citations", "reference", "references"))


def enclosed(text: str) -> str:
    """`text` with the statements and the values of its JSON in lines of their own, so that all places stay (within a
    string with escapes, nearly). It stays as it is where it is anything else than JSON, or no string in it says a
    sentence: data are shown as they are."""
    found = _FENCED.match(text)
    start, end = (found.end(), len(text.rstrip().rstrip("`~").rstrip())) if found else (0, 0)
    tokens = _TOKEN.findall(text, start, end)
    if not _json(text[start:end]) or not any(_speaks(mark) for mark in tokens):
        return text
    return " " * start + _lines(tokens) + " " * (len(text) - end)


def _json(text: str) -> bool:
    try:
        return isinstance(json.loads(text, strict=False), dict | list)
    except (ValueError, RecursionError):
        return False


def _speaks(mark: str) -> bool:
    return mark[0] == '"' and len(mark.split()) >= _SPEAKS


def _lines(tokens: list[str]) -> str:
    told = [n for n, mark in enumerate(tokens) if not mark.isspace()]
    after = {n: tokens[m] for n, m in zip(told, told[1:], strict=False)}
    pieces, depth, hidden, flat = [], 0, -1, False
    for n, mark in enumerate(tokens):
        key = mark[0] == '"' and after.get(n) == ":"
        depth += (mark in "{[") - (mark in "}]")
        if hidden >= 0 and (depth < hidden or (depth == hidden and mark == ",")):
            hidden = -1
        if key and mark[1:-1].lower() in _ABOUT and hidden < 0:
            hidden = depth
        flat = mark != "]" and (flat or (mark == "[" and _flat(tokens, n)))
        if hidden >= 0 and len(mark.split()) < 2:  # several words may state something
            pieces.append(" " * len(mark))
        elif mark == "," and flat:
            pieces.append(" " if tokens[n - 1][0] == '"' else ",")
        else:
            pieces.append(_key(mark) if key else _shown(mark, after.get(n), flat))
    return "".join(pieces)


def _flat(tokens: list[str], n: int) -> bool:
    """Whether the list that the n-th mark opens holds nothing but values."""
    for mark in tokens[n + 1 :]:
        if mark in "{[" or _speaks(mark):
            return False
        if mark == "]":
            return True
    return False


def _key(mark: str) -> str:
    said = _read(mark[1:-1])
    return "\n" + " " * (len(mark) - 1) if said.strip().lower() in _FRAME else f"\n{said}:"


def _shown(mark: str, after: str | None, flat: bool) -> str:
    """A mark that is no key; the mark that closes a value of a list is the comma behind it."""
    if mark[0] == '"':
        said = _read(mark[1:-1])
        return f" {said}\n" if _speaks(mark) else f" {said}{',' if flat and after == ',' else ' '}"
    return {"{": "\n", "}": "\n", "[": " " if flat else "\n", "]": "\n", ",": "\n", ":": " "}.get(mark, mark)


def _read(escaped: str) -> str:
    """What a string says, as long as it is written: an escape is made up for in front of the next blank."""
    pieces, owed = [], 0
    for part in _PART.findall(escaped):
        said = json.loads(f'"{part}"', strict=False).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if said.isspace():
            pieces.append(" " * owed)
            owed = 0
        pieces.append(said)
        owed += len(part) - len(said)
    return "".join([*pieces, " " * owed])
