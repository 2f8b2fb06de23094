"""JSON as people keep it: comments and trailing commas are read, and no string is harmed."""

from __future__ import annotations

import json
import math
import re
from typing import Any

# A string that is never closed, or a comment, goes on to the end: so every character is looked at once.
_STRING = r'"(?:[^"\\]|\\.)*+"?'
_COMMENT = re.compile(rf"{_STRING}|//[^\n\r]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_SHOWN = re.compile(r"[^\n\r]")


def loads(text: str) -> Any:
    """The value of a JSON text, strict or with `//` and `/* */` comments and trailing commas.

    Raw line breaks in strings are read; numbers that JSON does not have (NaN, 1e999) become null. Errors: ValueError
    (`json.JSONDecodeError` with the place in `text`), RecursionError.
    """
    try:
        return _strict(text)
    except ValueError:
        return _strict(plain(text))


def plain(text: str) -> str:
    """`text` with blanks in place of comments and trailing commas: every other character stays at its place."""
    return _COMMA.sub(_blank, _COMMENT.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    found = match[0]
    return found if found.startswith('"') else _SHOWN.sub(" ", found)


def _strict(text: str) -> Any:
    return json.loads(text, strict=False, parse_float=_finite, parse_constant=lambda name: None)


def _finite(digits: str) -> float | None:
    value = float(digits)
    return value if math.isfinite(value) else None
