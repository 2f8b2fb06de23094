"""What calls cost: the configured prices first, then a small built-in table with its date and source."""

from __future__ import annotations

from collections.abc import Mapping

from gate.config import Price

FREE = Price(input=0.0, output=0.0)


def price_of(provider: str, model: str, configured: Mapping[str, Price]) -> Price | None:
    """USD per million tokens of a model, or None where nobody has told."""
    if model in configured:
        return configured[model]
    return FREE if provider in ("ollama", "replay") else None
