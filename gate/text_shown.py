"""Texts of strangers as a model is shown them: nothing invisible, nothing that looks like the frame around them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from gate.text import normalise

WIDEST = 20  # times as long as it was, at most, a text may be as it is shown: NFKC makes 18 characters of one (U+FDFA)
# What chat templates are made of: a model that reads it may take what follows for another speaker's.
_SPECIAL = re.compile(
    r"<\|[^<>|\n]{0,60}\|>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\]"
    r"|</?s>|</?(?:start|end)_of_turn>|</?(?:system|user|assistant|tool|function_calls|antml)(?::\w{1,20})?>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"`{3,}|~{3,}|\"{3,}")
# The numbers of sentences and claims, where one could begin: `[7]` and `(412)`; `items[0]` and `f(3)` stay.
_NUMBER = re.compile(r"(?<!\S)([\[(])(\d{1,6})([\])])")


def shown(text: str, limit: int = 4000) -> str:
    """`text` in one line of at most `limit` characters: NFKC, without controls, zero-width and bidirectional marks;
    the tokens of chat templates, code fences and look-alikes of the frame's numbers are taken apart by blanks."""
    line = " ".join(text[: 2 * limit].split())
    if not (line.isascii() and line.isprintable()):  # what is, is normal already
        line = " ".join(normalise(line).split())
    line = _SPECIAL.sub(lambda match: " ".join(("<", *re.findall(r"[\w/]+", match[0]), ">")), line)
    line = _FENCE.sub(lambda match: " ".join(match[0][:3]), line)
    return _NUMBER.sub(r"\1 \2 \3", line)[:limit].rstrip()


def mark_of(texts: Sequence[str]) -> str:
    """12 hex digits that none of the texts can hold on purpose: a hash of them all. It is no random number, because
    equal requests have to stay equal to be found in the record."""
    joined = "\0".join(f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()[:12]
