"""The reply of a model that was given a tool to reply with: what it gave to the tool, as JSON text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def reply_text(blocks: Sequence[dict[str, Any]]) -> str:
    """The input of the tool if it was used, else the text; reasoning is no part of a reply. A model may use the tool
    several times in one reply, for each claim say, or to take something back: all that it gave is the reply.

    `blocks` is the content of a message of Amazon Bedrock's Converse API. Errors: KeyError, TypeError, AttributeError
    where it is not.
    """
    given = [block["toolUse"]["input"] for block in blocks if "toolUse" in block]
    if not given:
        return "".join(block.get("text", "") for block in blocks)
    return "\n".join(map(_written, _joined(given)))


def _joined(given: Sequence[Any]) -> Sequence[Any]:
    """Objects of lists as one object, each list with the entries of all; anything else as it is."""
    if len(given) < 2 or not all(isinstance(one, dict) and all(type(v) is list for v in one.values()) for one in given):
        return given
    names = dict.fromkeys(name for one in given for name in one)
    return [{name: [entry for one in given for entry in one.get(name, ())] for name in names}]


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
