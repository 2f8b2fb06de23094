"""Whether a refused request is refused for its model, which all other requests name too, and not for its prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_CODES = frozenset({
    "invalid_model", "invalid_model_id", "invalid_model_name", "model_deprecated", "model_does_not_exist",
    "model_not_exist", "model_not_exists", "model_not_found", "unknown_model", "unsupported_model",
})  # fmt: skip
_BAD = r"\b(?:invalid|unknown|unrecogni[sz]ed|unsupported|no\ such)\ model(?:\ (?:name|id|identifier))?"
_GONE = (
    r"['\"`]?,?\ (?:does\ not\ exist|doesn't\ exist|(?:was\ |is\ |could\ )?not\ (?:be\ )?found|is\ not\ a\ valid\ model"
    r"|is\ an\ invalid\ model|has\ been\ deprecated|is\ not\ supported\ by\ any\ provider)"
)
# How a message begins that is about a model, whatever its name: a router may call it by another one.
_BEGINS = re.compile(
    rf"""(?:\w+:\ )?(?:
        {_BAD}(?:\ passed\ in\b|\s*[:=.]|\s*$|\ ['"`])
        | model\ (?:does\ )?not\ (?:exist|found)\W*$
        | the\ (?:requested\ |specified\ )?model\ ['"`][^'"`]{{1,200}}{_GONE}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Amazon Bedrock's own words, which gateways before it hand on.
_BEDROCK = re.compile(
    r"model identifier is invalid|(?:with|support) on-demand throughput|inference profile that contains"
    r"|inference profile (?:\S+ )?(?:is invalid|is not found|does not exist)|reached the end of its life"
    r"|access to the model with|doesn.t support the model that you provided|at 'modelId' failed",
    re.IGNORECASE,
)


def names_the_model(message: str, model: str) -> bool:
    """Whether a server's words say that it has no such model.

    A refusal may quote the prompt: the words have to stand beside the model's name, or to begin what is said.
    """
    if _BEGINS.match(message.strip()) or _BEDROCK.search(message):
        return True
    names = "|".join(re.escape(name) for name in {model, model.rpartition("/")[2]} if name)
    name = rf"(?<![\w.-])(?:{names})(?![\w-])"
    beside = rf"{_BAD}(?:\ passed\ in)?[\s:=,(]*(?:model\s*[:=]\s*)?['\"`]?\S*?{name}|{name}{_GONE}"
    return bool(names) and re.search(beside, message, re.IGNORECASE) is not None


def has_model_code(value: Any) -> bool:
    """Whether an error of a server, as parsed JSON, has a code, type or reason that is about its model alone."""
    return any(word.lower() in _CODES for word in _codes(value))


def _codes(value: Any) -> Iterator[str]:
    for _ in range(3):  # {"error": {...}}, and what a gateway wraps around it
        if not isinstance(value, dict):
            return
        yield from (word for name in ("code", "type", "reason") if isinstance(word := value.get(name), str))
        value = value.get("error")
