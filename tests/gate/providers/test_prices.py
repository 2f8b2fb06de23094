"""Prices: the configured ones first, then the table, else unknown."""

import pytest

from gate.config import Price
from gate.providers.prices import price_of


@pytest.mark.parametrize(
    ("provider", "model", "price"),
    [
        ("bedrock", "anthropic.claude-3-5-haiku-20241022-v1:0", (0.80, 4.00)),
        ("bedrock", "us.anthropic.claude-haiku-4-5-20251001-v1:0", (1.00, 5.00)),
        ("bedrock", "global.anthropic.claude-sonnet-4-5-20250929-v1:0", (3.00, 15.00)),
        ("bedrock", "eu.anthropic.claude-sonnet-4-20250514-v1:0", (3.30, 16.50)),
        ("bedrock", "amazon.nova-lite-v1:0", (0.06, 0.24)),
        ("bedrock", "amazon.nova-lite-v1:0:300k", (0.06, 0.24)),
        ("openai", "gpt-4o", (2.50, 10.00)),
        ("openai", "gpt-4o-2024-08-06", (2.50, 10.00)),
        ("openai", "gpt-4o-mini", (0.15, 0.60)),
        ("openai", "gpt-5-mini-2025-08-07", (0.25, 2.00)),
        ("openai", "gpt-5.1", (1.25, 10.00)),
        ("openai", "gpt-5-pro", None),
        ("ollama", "gpt-4o", (0.0, 0.0)),
        ("bedrock", "amazon.nova-lite-v2:0:special", None),
        ("openai", "gpt-4o-realtime-preview", None),
        ("openai", "my-model", None),
        ("openai", "", None),
        ("command", "gpt-4o", None),
    ],
)
def test_the_table(provider: str, model: str, price: tuple[float, float] | None) -> None:
    found = price_of(provider, model, {})
    assert (found and (found.input, found.output)) == (price and pytest.approx(price))


def test_a_configured_price_goes_first() -> None:
    own = Price(input=9, output=9)
    assert price_of("openai", "gpt-4o", {"gpt-4o": own}) is own
    assert price_of("command", "./app.sh", {"./app.sh": own}) is own
