"""What calls cost: the configured prices first, then a small built-in table with its date and source."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gate.config import Price

# USD per million tokens (input, output), on demand, as the providers' public price pages had them at AS_OF:
# aws.amazon.com/bedrock/pricing (us-east-1) and openai.com/api/pricing. Prices change: `prices` in the configuration
# goes before these.
AS_OF = "2025-11"
_TABLE: dict[str, tuple[float, float]] = {
    "anthropic.claude-3-haiku": (0.25, 1.25),
    "anthropic.claude-3-5-haiku": (0.80, 4.00),
    "anthropic.claude-3-5-sonnet": (3.00, 15.00),
    "anthropic.claude-3-7-sonnet": (3.00, 15.00),
    "anthropic.claude-sonnet-4": (3.00, 15.00),
    "anthropic.claude-sonnet-4-5": (3.00, 15.00),
    "anthropic.claude-haiku-4-5": (1.00, 5.00),
    "anthropic.claude-opus-4-20250514": (15.00, 75.00),
    "anthropic.claude-opus-4-1": (15.00, 75.00),
    "anthropic.claude-opus-4-5": (5.00, 25.00),
    "amazon.nova-micro": (0.035, 0.14),
    "amazon.nova-lite": (0.06, 0.24),
    "amazon.nova-pro": (0.80, 3.20),
    "amazon.titan-embed-text-v2": (0.02, 0.0),
    "meta.llama3-1-8b-instruct": (0.22, 0.22),
    "meta.llama3-1-70b-instruct": (0.72, 0.72),
    "meta.llama3-3-70b-instruct": (0.72, 0.72),
    "gpt-4o": (2.50, 10.00),
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4.1": (2.00, 8.00),
    "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1-nano": (0.10, 0.40),
    "gpt-5": (1.25, 10.00),
    "gpt-5.1": (1.25, 10.00),
    "gpt-5-mini": (0.25, 2.00),
    "gpt-5-nano": (0.05, 0.40),
    "o3": (2.00, 8.00),
    "o4-mini": (1.10, 4.40),
    "text-embedding-3-small": (0.02, 0.0),
    "text-embedding-3-large": (0.13, 0.0),
}
FREE = Price(input=0.0, output=0.0)
# A name may go on with a date or a version: -20241022, -2024-08-06, -v1:0.
_VERSION = re.compile(r"(-\d{8}|-\d{4}-\d{2}-\d{2})?(-v\d+)?(:\d+)*(:\d+k)?")
_REGION = re.compile(r"(us|global|eu|apac|jp|au|us-gov)\.")
# Some models cost a tenth more in a region of their own; which, the table does not know, so all are taken to.
_REGIONAL = 1.1


def price_of(provider: str, model: str, configured: Mapping[str, Price]) -> Price | None:
    """USD per million tokens of a model, or None where nobody has told.

    The built-in table counts for `bedrock` and `openai` only; a model of Ollama, or a replayed one, costs nothing.
    """
    if model in configured:
        return configured[model]
    if provider in ("ollama", "replay"):
        return FREE
    return _listed(model) if provider in ("bedrock", "openai") else None


def _listed(model: str) -> Price | None:
    region = _REGION.match(model)
    name = model[region.end() :] if region else model
    factor = _REGIONAL if region and region[1] not in ("us", "global") else 1.0
    for known, (given, made) in _TABLE.items():
        if name.startswith(known) and _VERSION.fullmatch(name[len(known) :]):
            return Price(input=given * factor, output=made * factor)
    return None
