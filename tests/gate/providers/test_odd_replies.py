"""Replies in which any one part is missing or another thing than was promised: a reply that can be kept, or a fault."""

import copy
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.config import Limits
from gate.errors import ProviderError
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain
from gate.providers.retry import Patience
from gate.providers.vectors import Embedding, asking, unpacked
from tests.support.fake_models import FakeModels

GONE = object()
ODD: tuple[Any, ...] = (GONE, None, 5, -7, 1.5, "x", "\ud800", [], {}, [1], [None], {"a": 1}, True, 10**30, 1e300)


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a part of a JSON value stands, for every part."""
    if above:
        yield above
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*above, key))


def changed(value: Any, place: tuple[Any, ...], odd: Any) -> Any:
    whole = copy.deepcopy(value)
    part = whole
    for key in place[:-1]:
        part = part[key]
    if odd is GONE:
        del part[place[-1]]
    else:
        part[place[-1]] = odd
    return whole


def odd_replies(server: FakeModels, model: Any, request: Any) -> Iterator[Any]:
    """Each change of a good reply, which is what the server gives until the next one."""
    good: list[Any] = []

    def noted(reply: Any) -> Any:
        good.append(reply)
        return reply

    server.change = noted
    model.complete(request)
    for place in list(places(good[0])):
        for odd in ODD:
            server.change = partial(changed, place=place, odd=odd)
            yield place, odd


@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
def test_an_answer(tmp_path: Path, server: FakeModels, remote: Any, ask: Any, provider: str) -> None:
    model = remote(provider)
    calls = Calls(tmp_path / "calls.sqlite")
    for number, _ in enumerate(odd_replies(server, model, ask())):
        budget = Budget(Limits())
        chain = Chain(budget, calls, patience=Patience(attempts=1))
        try:
            chain.around(model).complete(ask(f"question {number}")).text.encode()
        except ProviderError as error:
            assert error.message.isprintable()
        spent = budget.spent()
        assert min(spent.input_tokens, spent.output_tokens) >= 0
        json.dumps([spent.input_tokens, spent.output_tokens])
    calls.close()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
def test_an_embedding(server: FakeModels, remote: Any, provider: str) -> None:
    server.dimension = 2
    model = Embedding(remote(provider, "amazon.titan-embed-text-v2:0"))
    for place, odd in odd_replies(server, model, asking(["one"])):
        try:
            rows = unpacked(model.complete(asking(["one"])).text, 1)
        except ProviderError as error:
            assert error.message.isprintable()
        else:
            assert rows is not None
            assert np.allclose(np.linalg.norm(rows, axis=1), 1.0), (place, odd)
