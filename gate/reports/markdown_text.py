"""Any text as Markdown that means nothing: a code span, or running words."""

from __future__ import annotations

import re

from gate.reports.safe import line

_SPECIAL = re.compile(r"[&*<\[\\\]`|~$]|(?<![^\W_])_|_(?![^\W_])|^[-+>#=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]|(?<=^\d\d\d)[.)]")
_CALLS = re.compile(r"[@#:](?=[\w/+-])|\b[Ww]{3}(?=\.)|\b[Gg][Hh](?=-\d)")


def code(text: str, limit: int = 400) -> str:
    """Any text as one code span, outside tables: no Markdown, HTML, link or mention in it means anything."""
    flat = line(text, limit)
    if not flat:
        return "–"
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def prose(text: str, limit: int = 400) -> str:
    """Any text as running words: punctuation as entities, and mentions, references and addresses broken by a joiner
    that is not seen, as GitHub looks for those after the entities are resolved."""
    broken = _CALLS.sub(lambda match: match[0] + "\u2060", line(text, limit))
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", broken)
