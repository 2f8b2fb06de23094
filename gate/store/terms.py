"""Search terms: any text becomes the words that are indexed, and any text becomes a safe FTS5 query."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from gate.text import STOPWORDS

MAX_TERMS = 96  # distinct terms of one query: beyond it nothing is gained, and SQLite bounds the expression
MAX_LENGTH = 64  # characters of one term: longer ones are keys, hashes and noise, found by their beginning

# Words joined by the marks that join them in code, versions, paths and flags: follow_redirects, httpx.AsyncClient,
# HTTP/2, 3.11, --fail-on. One character class and one separator: linear in the length of the text.
_JOINED = re.compile(r"[^\W_]+(?:[_.:/\-]{1,2}[^\W_]+)*")
_JOINT = re.compile(r"[.:/\-]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Scripts written without spaces are indexed by pairs of characters.
_DENSE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


def terms(text: str) -> list[str]:
    """The terms of a text in its order, lower case: each word; the parts of an identifier and then the whole of it
    joined by underscores (`httpx.AsyncClient`: httpx, async, client, async_client, httpx_async_client)."""
    return [term for token in _JOINED.findall(unicodedata.normalize("NFKC", text)) for term in _of(token)]


def _of(token: str) -> tuple[str, ...]:
    return _remembered(token) if len(token) <= MAX_LENGTH else _expanded(token)


@lru_cache(maxsize=1 << 16)
def _remembered(token: str) -> tuple[str, ...]:
    """Most words of a text were in the text before."""
    return _expanded(token)


def _expanded(token: str) -> tuple[str, ...]:
    if token.isascii() and token.isalpha() and token[1:].islower():
        return (token.lower()[:MAX_LENGTH],)
    found: list[str] = []
    names = [_pieces(name) for name in _JOINT.split(token)]
    for pieces in names:
        found += [word for piece in pieces for word in _words(piece)]
        if len(names) > 1 and len(pieces) > 1:
            found.append("_".join(pieces)[:MAX_LENGTH])
    whole = [piece for pieces in names for piece in pieces]
    if len(whole) > 1:
        found.append("_".join(whole)[:MAX_LENGTH])
    return tuple(found)


def _pieces(name: str) -> list[str]:
    return [piece.lower() for part in re.split("_+", name) for piece in _HUMP.split(part)]


def _words(word: str) -> Iterator[str]:
    if _DENSE.search(word) is None:
        yield word[:MAX_LENGTH]
        return
    for run in _DENSE.findall(word):
        yield from (run[i : i + 2] for i in range(max(1, len(run) - 1)))
    yield from (rest[:MAX_LENGTH] for rest in _DENSE.split(word) if rest)


def query_terms(text: str) -> list[str]:
    """The distinct terms that a query asks for, at most MAX_TERMS; stop words only where there is nothing else."""
    distinct = dict.fromkeys(terms(text))
    return ([term for term in distinct if term not in STOPWORDS] or list(distinct))[:MAX_TERMS]


def match_query(text: str) -> str:
    """An FTS5 expression that finds rows with any of the query's terms; empty where it has none. Every term is quoted,
    so no text can be an operator, a column or a fault of syntax."""
    return " OR ".join(f'"{term}"' for term in query_terms(text))
