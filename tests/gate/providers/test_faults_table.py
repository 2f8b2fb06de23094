"""The table: every fault of a server x every provider x every role has an outcome that can be read, in time."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.config import Limits
from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain
from gate.providers.deadline import Deadline
from gate.providers.embedding import RemoteEmbedder
from gate.providers.retry import Patience
from tests.support.fake_models import FakeModels

PROVIDERS = ("openai", "ollama", "bedrock")
SCHEMA = {"type": "object", "properties": {"verdicts": {"type": "array"}}, "required": ["verdicts"]}
# fault -> the error and its kind, or the `stop` of a reply
OUTCOMES: dict[str, tuple[type[ProviderError], str] | str] = {
    "401": (SetupError, "setup"),
    "403": (SetupError, "setup"),
    "404": (SetupError, "setup"),
    "400": (BadReplyError, "rejected"),
    "429": (TransientError, "throttled"),
    "429-after": (TransientError, "throttled"),
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


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", OUTCOMES)
def test_a_question(server: FakeModels, remote: Any, ask: Any, fault: str, provider: str) -> None:
    server.faults = [fault]
    model = remote(provider, timeout=0.3 if fault in SLOW else 10.0)
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
def test_an_empty_reply_tells_what_it_took(server: FakeModels, remote: Any, ask: Any, provider: str) -> None:
    server.faults = ["empty"]
    with pytest.raises(BadReplyError) as caught:
        remote(provider).complete(ask())
    assert caught.value.usage is not None
    assert caught.value.usage.input_tokens > 0
    assert not caught.value.usage.estimated


@pytest.mark.parametrize("provider", PROVIDERS)
def test_retry_after_is_passed_on(server: FakeModels, remote: Any, ask: Any, provider: str) -> None:
    server.faults = ["429-after"]
    with pytest.raises(TransientError) as caught:
        remote(provider).complete(ask())
    assert caught.value.retry_after == 7.0


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", [name for name in OUTCOMES if name not in ("truncated", "filter")] + ["zero", "few"])
def test_an_embedding(server: FakeModels, remote: Any, fault: str, provider: str) -> None:
    if (fault, provider) == ("few", "bedrock"):
        pytest.skip("Titan takes one text a call")
    server.faults = [fault]
    model = remote(provider, "amazon.titan-embed-text-v2:0", timeout=0.3 if fault in SLOW else 10.0)
    expected = OTHER.get((fault, provider), OUTCOMES.get(fault, (BadReplyError, "malformed")))
    if fault == "empty":
        expected = (BadReplyError, "malformed")
    with pytest.raises(ProviderError) as caught:
        RemoteEmbedder(model, patience=Patience(attempts=1)).embed(["one", "two"])
    assert (type(caught.value), caught.value.kind) == expected
    assert caught.value.hint, "an embedder without vectors ends the run by this error"


@pytest.fixture
def port() -> Iterator[int]:
    """A port that nobody listens on, and that no other server can get meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_nobody_listens(server: FakeModels, remote: Any, ask: Any, port: int, provider: str) -> None:
    if provider == "openai":
        from gate.providers.openai import OpenAI

        model: Any = OpenAI("m", f"http://127.0.0.1:{port}")
    elif provider == "ollama":
        from gate.providers.ollama import Ollama

        model = Ollama("m", f"http://127.0.0.1:{port}")
    else:
        server.close()
        model = remote("bedrock")
    with pytest.raises(SetupError, match="refused|cannot be reached") as caught:
        model.complete(ask())
    assert caught.value.hint
    model.close()


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("fault", ["429", "500", "503", "reset", "cut", "html", "empty"])
def test_what_passes_is_survived_and_recorded_once(
    tmp_path: Path, server: FakeModels, remote: Any, ask: Any, provider: str, fault: str
) -> None:
    server.faults = [fault, ""]
    calls, budget = Calls(tmp_path / "calls.sqlite"), Budget(Limits())
    model = Chain(budget, calls, patience=Patience(first=0.0)).around(remote(provider))
    assert model.complete(ask()).text == "The time-out is 5 seconds."
    assert model.complete(ask()).cached
    assert (budget.spent().calls, budget.spent().cached_calls, len(server.sent)) == (2, 1, 2)
    calls.close()
