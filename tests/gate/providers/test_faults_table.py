"""The table: every fault of a server x every provider x every role has an outcome that can be read, in time; and
replies in which any one part is missing or another thing than was promised."""

import copy
import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from gate.config import Limits
from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain, Deadline, Patience
from gate.providers.embedding import EmbeddingCalls, RemoteEmbedder, embedding_request, unpack
from tests.support.fake_models import FakeModels

PROVIDERS = ("openai", "ollama", "bedrock")
TITAN = "amazon.titan-embed-text-v2:0"
SCHEMA = {"type": "object", "properties": {"verdicts": {"type": "array"}}, "required": ["verdicts"]}
# fault -> the error and its kind, or the `stop` of a reply
OUTCOMES: dict[str, tuple[type[ProviderError], str] | str] = {
    "401": (SetupError, "setup"),
    "403": (SetupError, "setup"),
    "404": (SetupError, "setup"),
    "400": (BadReplyError, "rejected"),
    "429": (TransientError, "throttled"),
    "500": (TransientError, "server"),
    "503": (TransientError, "server"),
    "hang": (TransientError, "timeout"),
    "drip": (TransientError, "timeout"),
    "reset": (TransientError, "connection"),
    "cut": (TransientError, "connection"),
    "html": (BadReplyError, "malformed"),
    "redirect": (SetupError, "setup"),
    "wrong-shape": (BadReplyError, "malformed"),
    "wrong-json": (BadReplyError, "malformed"),
    "empty": (BadReplyError, "empty"),
    "truncated": "length",
    "filter": "filter",
}
# Where a service tells a fault in another way.
OTHER: dict[tuple[str, str], tuple[type[ProviderError], str] | str] = {
    ("503", "bedrock"): (TransientError, "throttled"),
    ("filter", "ollama"): "stop",  # it has no filter
}
QUESTION = OTHER | {("cut", "bedrock"): (BadReplyError, "malformed")}  # boto3 parses what it got of a message
SLOW = ("hang", "drip")
GONE = object()
ODD: tuple[Any, ...] = (GONE, None, 5, -7, 1.5, "x", "\ud800", [], {}, [1], [None], {"a": 1}, True, 10**30, 1e300)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", OUTCOMES)
def test_a_question(server: FakeModels, remote: Any, ask: Any, fault: str, provider: str) -> None:
    server.faults = [fault]
    model = remote(provider, timeout=0.1 if fault in SLOW else 10.0)
    for request in (ask(role="target"), ask(role="judge", schema=SCHEMA)):
        assert outcome(model, request) == QUESTION.get((fault, provider), OUTCOMES[fault])


def outcome(model: Any, request: Any) -> tuple[type[ProviderError], str] | str:
    """What comes of a question: the `stop` of its reply, or the error, which has to be fit for a terminal."""
    try:
        stop: str = Deadline(model, model.timeout).complete(request).stop
    except ProviderError as error:
        told = error
    else:
        return stop
    assert told.message.startswith(f"{model.name}: ")
    assert told.message.isprintable()
    assert told.hint, "what to do about it"
    assert told.hint.isprintable()
    return type(told), told.kind


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_a_fault_tells_beside_its_words_is_kept(server: FakeModels, remote: Any, ask: Any, provider: str) -> None:
    server.faults = ["empty", "429-after"]
    with pytest.raises(BadReplyError) as empty:
        remote(provider).complete(ask())
    assert empty.value.usage is not None
    assert (empty.value.usage.input_tokens, empty.value.usage.estimated) == (11, False)
    with pytest.raises(TransientError) as throttled:
        remote(provider).complete(ask())
    assert (throttled.value.kind, throttled.value.retry_after) == ("throttled", 7.0)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", [name for name in OUTCOMES if name not in ("truncated", "filter")] + ["zero", "few"])
def test_an_embedding(server: FakeModels, remote: Any, fault: str, provider: str) -> None:
    if (fault, provider) == ("few", "bedrock"):
        pytest.skip("Titan takes one text a call")
    server.faults = [fault]
    model = remote(provider, TITAN, timeout=0.1 if fault in SLOW else 10.0)
    expected = OTHER.get((fault, provider), OUTCOMES.get(fault, (BadReplyError, "malformed")))
    if fault == "empty":
        expected = (BadReplyError, "malformed")
    with pytest.raises(ProviderError) as caught:
        RemoteEmbedder(model, patience=Patience(attempts=1)).embed(["one", "two"])
    assert (type(caught.value), caught.value.kind) == expected
    assert caught.value.hint, "an embedder without vectors ends the run by this error"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_nobody_listens(server: FakeModels, remote: Any, ask: Any, provider: str) -> None:
    server.close()
    with pytest.raises(SetupError, match="refused|cannot be reached") as caught:
        remote(provider).complete(ask())
    assert caught.value.hint


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", ["429", "500", "reset", "cut", "html", "empty"])
def test_what_passes_is_survived_and_recorded_once(
    calls: Calls, server: FakeModels, remote: Any, ask: Any, provider: str, fault: str
) -> None:
    server.faults = [fault, ""]
    budget = Budget(Limits())
    model = Chain(budget, calls, patience=Patience(first=0.0)).around(remote(provider))
    assert model.complete(ask()).text == "The time-out is 5 seconds."
    assert model.complete(ask()).cached
    assert (budget.spent().calls, budget.spent().cached_calls, len(server.sent)) == (2, 1, 2)


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
    server.change = lambda reply: good.append(reply) or reply
    model.complete(request)
    for place in list(places(good[0])):
        for odd in ODD:
            server.change = partial(changed, place=place, odd=odd)
            yield place, odd


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_odd_answer_can_be_kept_or_is_a_fault(
    calls: Calls, server: FakeModels, remote: Any, ask: Any, provider: str
) -> None:
    model = remote(provider)
    for number, _ in enumerate(odd_replies(server, model, ask())):
        budget = Budget(Limits())
        try:
            chain = Chain(budget, calls, patience=Patience(attempts=1))
            chain.around(model).complete(ask(f"question {number}")).text.encode()
        except ProviderError as error:
            assert error.message.isprintable()
        spent = budget.spent()
        assert min(spent.input_tokens, spent.output_tokens) >= 0
        json.dumps([spent.input_tokens, spent.output_tokens])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_odd_embedding_is_a_unit_vector_or_a_fault(server: FakeModels, remote: Any, provider: str) -> None:
    server.dimension = 2
    model = EmbeddingCalls(remote(provider, TITAN))
    for place, odd in odd_replies(server, model, embedding_request(["one"])):
        try:
            rows = unpack(model.complete(embedding_request(["one"])).text, 1)
        except ProviderError as error:
            assert error.message.isprintable()
        else:
            assert rows is not None
            assert np.allclose(np.linalg.norm(rows, axis=1), 1.0), (place, odd)
