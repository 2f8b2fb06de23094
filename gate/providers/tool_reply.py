"""The reply of a model that was given a tool to reply with: what it gave to the tool, as JSON text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def reply_text(blocks: Sequence[dict[str, Any]]) -> str:
    """The input of the tool if it was used, else the text; reasoning is no part of a reply.

    `blocks` is the content of a message of Amazon Bedrock's Converse API. Errors: KeyError, TypeError, AttributeError
    where it is not.
    """
    for block in blocks:
        if "toolUse" in block:
            return _written(block["toolUse"]["input"])
    return "".join(block.get("text", "") for block in blocks)


def _written(given: Any) -> str:
    """As JSON; a list that was given as a string stands as that list, with whatever follows it (Claude does so at
    times, and may close its own mark-up behind: boto3 issue 4644). Whether it can be used, its reader finds out."""
    if not isinstance(given, dict):
        return json.dumps(given, ensure_ascii=False)
    pairs = (f"{json.dumps(name)}: {_value(value)}" for name, value in given.items())
    return "{" + ", ".join(pairs) + "}"


def _value(value: Any) -> str:
    if isinstance(value, str) and value.lstrip()[:1] == "[":
        return value
    return json.dumps(value, ensure_ascii=False)
