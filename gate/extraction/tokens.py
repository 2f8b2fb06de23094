"""A sentence as tokens: words, inline code, quotations, brackets and marks, each with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"\*{0,3}(?:(?P<code>`+[^`]{1,400}`+)|(?P<quote>\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”)|(?P<group>\([^()]{1,300}\)|\[[^\[\]]{1,300}\])"
    r"|(?P<word>\w[\w./:@=%+#&-]*(?:['’]\w+|(?<=s)['’](?= ))?|[-/.$€£₹]{1,8}\w[\w./:@=%-]*))\*{0,3}|(?P<mark>[^\s\w])"
)
_GOES_ON = re.compile(r",|\s{1,9}[\w(`\"“$€£*]")


class Token(NamedTuple):  # made in great numbers: a frozen dataclass takes four times as long to make
    """A word (lower case), inline code, a quotation, a bracketed group or a mark at text[start:end].

    The asterisks of an emphasis belong to the place, not to `text`.
    """

    text: str
    kind: str
    start: int
    end: int
    capital: bool = False


Tokens = Sequence[Token]


@lru_cache(maxsize=256)  # one sentence is looked at for its clauses, its asides, its shares, ...
def tokenise(text: str, start: int, end: int) -> Tokens:
    """The tokens of text[start:end], a sentence; code, quotations and brackets are one token each: no cut inside.

    A full stop with more behind it belongs to its word (`No. 4`); other stops and colons are marks of their own.
    """
    found: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        kind = str(match.lastgroup)
        raw, stop = match[kind], match.end()
        bare = raw.rstrip(".:") if kind == "word" else raw
        short = raw == bare + "." and _GOES_ON.match(text, match.end(), end)
        if bare and bare != raw and not short:
            raw, stop = bare, match.start(kind) + len(bare)
        found.append(Token(raw.lower().replace("’", "'"), kind, match.start(), stop, raw[:1].isupper()))
        if stop < match.end() and text[stop] in ".:":
            found.append(Token(text[stop], "mark", stop, match.end()))
    return tuple(found)
