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
    string with escapes, nearly). It stays as it is where it is anything else than JSON, or neither an answer in a frame
    nor a string that says a sentence: data are shown as they are."""
    found = _FENCED.match(text)
    start, end = (found.end(), len(text.rstrip().rstrip("`~").rstrip())) if found else (0, 0)
    tokens = _TOKEN.findall(text, start, end)
    told = _json(text[start:end])
    if told is None or not (_framed(told) or any(_speaks(mark) for mark in tokens)):
        return text
    return " " * start + _lines(tokens) + " " * (len(text) - end)


def _json(text: str) -> dict[str, object] | list[object] | None:
    try:
        told = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict | list) else None


def _framed(told: dict[str, object] | list[object]) -> bool:
    """Whether it is an answer in a frame and nothing else, however short: `{"answer": "Yes"}`, `{"answer": null}`."""
    names = {str(name).lower() for name in told} if isinstance(told, dict) else set()
    plain = isinstance(told, dict) and not any(isinstance(value, dict) for value in told.values())
    return plain and len(names & _FRAME) == 1 and names <= _FRAME | _ABOUT


def _speaks(mark: str) -> bool:
    return mark[0] == '"' and len(mark.split()) >= _SPEAKS


def _lines(tokens: list[str]) -> str:
    told = [n for n, mark in enumerate(tokens) if not mark.isspace()]
    after = {n: tokens[m] for n, m in zip(told, told[1:], strict=False)}
    pieces, depth, hidden, flat, bare = [], 0, -1, False, False
    for n, mark in enumerate(tokens):
        key = mark[0] == '"' and after.get(n) == ":"
        depth += (mark in "{[") - (mark in "}]")
        if hidden >= 0 and (depth < hidden or (depth == hidden and mark == ",")):
            hidden = -1
        if key and mark[1:-1].lower() in _ABOUT and hidden < 0:
            hidden = depth
        bare = _name(mark) in _FRAME if key else bare
        flat = mark != "]" and (flat or (mark == "[" and _flat(tokens, n)))
        if (hidden >= 0 and len(mark.split()) < 2) or (bare and mark == "null"):  # several words may state something
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
    return "\n" + " " * (len(mark) - 1) if _name(mark) in _FRAME else f"\n{_read(mark[1:-1])}:"


def _name(mark: str) -> str:
    return _read(mark[1:-1]).strip().lower()


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
