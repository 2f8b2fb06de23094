"""Texts of strangers as a model is shown them: one line each, nothing invisible, nothing that looks like the frame."""

from __future__ import annotations

import re

from gate.text import normalise

# What chat templates are made of: a model that reads it may take what follows for another speaker's.
_SPECIAL = re.compile(
    r"<\|[^<>|\n]{0,60}\|>|<｜[^<>｜\n]{0,60}｜>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\]"
    r"|</?s>|</?(?:start|end)_of_turn>|</?(?:system|user|assistant|tool|function_calls|antml)(?::\w{1,20})?>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"`{3,}|~{3,}|\"{3,}")
# The numbers of sentences and claims, where one could begin: `[7]` and `(412)`; `items[0]` and `f(3)` stay.
_NUMBER = re.compile(r"(?<!\S)([\[(])(\d{1,6})([\])])")


def shown(text: str, limit: int = 4000) -> str:
    """`text` in one line of at most `limit` characters: NFKC, without controls, zero-width and bidirectional marks;
    the tokens of chat templates, code fences and look-alikes of the frame's numbers are taken apart by blanks."""
    line = " ".join(normalise(text[: 2 * limit]).split())
    line = _SPECIAL.sub(lambda match: " ".join(("<", *re.findall(r"[\w/]+", match[0]), ">")), line)
    line = _FENCE.sub(lambda match: " ".join(match[0][:3]), line)
    return _NUMBER.sub(r"\1 \2 \3", line)[:limit].rstrip()
