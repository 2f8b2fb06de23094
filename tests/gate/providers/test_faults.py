"""What goes wrong at a server: its words, what is learnt from them, and the table of every fault of every provider."""

import copy
import json
import socket
import time
from collections.abc import Iterator
from email.utils import formatdate
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import Limits
from gate.errors import AskAgainError, BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain, Deadline, Patience
from gate.providers.connect import connect
from gate.providers.embedding import EmbeddingCalls, RemoteEmbedder, embedding_request, unpack
from gate.providers.faults import (
    Refused,
    Server,
    blamed_parts,
    messages_for,
    names_the_model,
    retry_after,
    status_of,
)
from gate.records import Usage
from tests.support.fake_models import FakeModels

SERVER = Server("openai", "http://h/v1", "gpt-9", "set the key", ("sk-1234",))
SYSTEM, USER, SAID = Message("system", "Judge."), Message("user", "q"), Message("assistant", "a")


@pytest.mark.parametrize(
    ("status", "text", "error", "kind"),
    [
        (407, "", SetupError, "setup"),
        (429, '{"error": {"code": "insufficient_quota"}}', SetupError, "setup"),
        (400, '{"error": {"code": "content_filter"}}', BadReplyError, "filtered"),
        (403, '{"error": {"code": 403, "metadata": {"flagged_input": "how"}}}', BadReplyError, "filtered"),
        (403, '{"error": {"code": 403, "message": "no access"}}', SetupError, "setup"),
        (413, "too large", BadReplyError, "rejected"),
    ],
)
def test_statuses(status: int, text: str, error: type[Exception], kind: str) -> None:
    fault = SERVER.status_fault(status, text, {})
    assert (type(fault), fault.kind) == (error, kind)
    assert fault.hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"error": {"message": "bad thing"}}', "bad thing"),
        ("bad\n\x1b[31mthing\x07", "bad [31mthing"),
        ("key sk-1234 is bad", "key *** is bad"),
        ('{"error": ' * 100_000, '{"error": {"error": '),
    ],
)
def test_what_a_server_says_is_told_on_one_line(text: str, told: str) -> None:
    message = SERVER.status_fault(500, text, {}).message
    assert message.startswith("openai: HTTP 500: " + told)
    assert len(message) < 400
    assert message.isprintable()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "Wed, 99 Foo 2020"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds
    assert 50 < (retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)}) or 0) <= 60


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (401, 401), ("429", 429), ("invalid_api_key", 401), ("insufficient_quota", 402), ("model_not_found", 404),
        (None, 500), (True, 500), (200, 500), ("\u0664\u0662\u0669", 500), ("9" * 5000, 500), ([401], 500),
    ],
)  # fmt: skip
def test_the_status_that_the_code_of_an_error_stands_for(code: object, status: int) -> None:
    assert status_of(code) == status


def test_the_cause_behind_an_error_decides() -> None:
    def fault_of(cause: Exception) -> ProviderError:
        try:
            raise RuntimeError("sk-1234 failed") from cause
        except RuntimeError as outer:
            return SERVER.transport_fault(outer)

    assert isinstance(fault_of(ConnectionRefusedError()), SetupError)
    assert fault_of(TimeoutError()).kind == "timeout"
    unsent = fault_of(ValueError(r"Invalid header value b'Bearer elm\n7'"))
    assert (type(unsent), "elm" in unsent.message, unsent.hint) == (SetupError, False, "set the key")
    broken = fault_of(ConnectionResetError())
    assert (broken.kind, "***" in broken.message, "sk-1234" in broken.message) == ("connection", True, False)


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_a_server_without_tls_is_told_as_that(server: FakeModels, provider: str) -> None:
    address = server.url.replace("http://", "https://")
    with pytest.raises(SetupError, match="does not speak TLS"):
        connect(provider, "m", {}, address).complete(Request((USER,)))


@pytest.mark.parametrize("name", ["openai", "ollama", "bedrock"])
def test_a_proxy_that_refuses_is_not_taken_for_the_server(aws: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for variable in ("ALL_PROXY", "all_proxy", "HTTP_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "http://model.test")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # it does not listen, so it refuses
        proxy = f"127.0.0.1:{closed.getsockname()[1]}"
        monkeypatch.setenv("http_proxy", f"http://elm:maple@{proxy}")
        model = connect(name, "m", {}, "http://model.test")
        with pytest.raises(SetupError, match=f"by the proxy http://.*{proxy}: the connection is refused") as caught:
            model.complete(Request((USER,)))
    model.close()
    assert "maple" not in caught.value.message
    assert "NO_PROXY" in caught.value.hint


@pytest.mark.parametrize(
    ("words", "of_the_model"),
    [
        ("Invalid model name passed in model=gpt-9. Call `/v1/models` to view available models for your key.", True),
        ("The model `upstream-name` does not exist or you do not have access to it.", True),
        ("openai/gpt-9 is not a valid model ID", True),
        ("Error from upstream: the model gpt-9 does not exist, says the provider", True),
        ("This action doesn't support the model that you provided. Try again with a supported model.", True),
        ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9001.", False),
        ("max_tokens is too large: 99999. This model gpt-9 supports at most 4096 completion tokens.", False),
        ("Invalid prompt: 'Why do I see: the model does not exist?' is not allowed", False),
        ("gpt-9 is not supported with response_format json_schema", False),
        ("the model gpt-9.1 does not exist", False),
    ],
)
def test_a_refusal_of_the_model_is_told_from_one_of_a_prompt(words: str, of_the_model: bool) -> None:
    assert names_the_model(words, "gpt-9") is of_the_model
    assert names_the_model(words, "openai/gpt-9") is of_the_model


@given(st.text(max_size=300), st.text(max_size=40))
def test_no_words_and_no_name_break_it(words: str, model: str) -> None:
    names_the_model(words, model)
    assert names_the_model(f"Invalid model: {model}", model)


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"error": {"error": {"message": "no", "type": "Unknown_Model"}}}, SetupError),
        ({"error": {"message": "Invalid model: m", "code": "content_filter"}}, BadReplyError),
        ("Unknown model: m", SetupError),
        ({"detail": [{"msg": "too short", "input": "Unknown model: m"}]}, BadReplyError),
    ],
)
def test_codes_count_and_what_was_sent_does_not(said: Any, error: type[Exception]) -> None:
    assert type(SERVER.status_fault(400, json.dumps(said), {})) is error


def request_of(*messages: Message, tokens: int = 100, **more: Any) -> Request:
    return Request(messages or (SYSTEM, USER), max_tokens=tokens, **more)


def learn(refused: Refused, words: str, minded: frozenset[str] = frozenset(), tokens: int = 100) -> BadReplyError:
    with pytest.raises(BadReplyError) as caught:
        refused.learn(BadReplyError(words, "leave it out", "rejected"), request_of(tokens=tokens), minded)
    return caught.value


def test_what_is_blamed_for_the_first_time_is_learnt_and_costs_nothing() -> None:
    refused = Refused("temperature", "system")
    told = learn(refused, "no temperature")
    assert (type(told), told.message, told.usage) == (AskAgainError, "no temperature", Usage())
    for words, minded in (("no", set()), ("no temperature", {"temperature"}), ("max_tokens exceed it", set())):
        assert type(learn(refused, words, frozenset(minded))) is BadReplyError
    assert refused.of(request_of()) == {"temperature"}


def test_a_length_is_refused_for_what_is_as_long_and_no_other() -> None:
    refused = Refused("length")
    for tokens in (5000, 9000):  # the second one of a thread that asked before
        learn(refused, "max_tokens is too large", tokens=tokens)
    assert [refused.of(request_of(tokens=tokens)) for tokens in (4999, 5000, 9000)] == [set(), {"length"}, {"length"}]


@pytest.mark.parametrize(
    ("words", "kind", "blamed"),
    [
        ("max_tokens is too large: 23200. This model supports at most 16384 completion tokens", "rejected", "length"),
        ("you requested 8204 tokens (12 in the messages, 8192 in the completion). Please reduce", "rejected", "length"),
        ("System role not supported", "rejected", "system"),
        ("`temperature` is deprecated for this model", "rejected", "temperature"),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "rejected", "max_tokens"),
        # Of these nothing that could be left out is to blame.
        ("This model's maximum context length is 9 tokens. Your messages resulted in 13 tokens.", "rejected", ""),
        ("the system prompt breaks our rules", "rejected", ""),
        # A refusal that is told as a fault of the server counts where its words are plain.
        ("System role not supported", "server", "system"),
        ("max_tokens exceed it, in a schema", "server", ""),
        ("no temperature", "malformed", ""),
    ],
)
def test_the_words_of_servers(words: str, kind: str, blamed: str) -> None:
    error = BadReplyError(f"HTTP 400: {words}", "", kind)
    assert blamed_parts(error, request_of()) == frozenset({blamed} - {""})
    assert "system" not in blamed_parts(error, request_of(USER))


def test_where_there_may_be_no_system_message_its_text_stands_in_front() -> None:
    without = frozenset({"system"})
    assert messages_for(request_of(SYSTEM, USER, SAID), without) == (Message("user", "Judge.\n\nq"), SAID)
    assert messages_for(request_of(SYSTEM), without)[0].role == "user"
    assert messages_for(request_of(USER), without) == (USER,)
    assert messages_for(request_of(SYSTEM, USER), frozenset()) == (SYSTEM, USER)


PROVIDERS = ("openai", "ollama", "bedrock")
WRITERS = (*PROVIDERS, "anthropic")
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


@pytest.mark.parametrize("provider", WRITERS)
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
    assert "sk-secret" not in told.message + told.hint
    assert told.hint, "what to do about it"
    assert told.hint.isprintable()
    return type(told), told.kind


@pytest.mark.parametrize("provider", WRITERS)
def test_what_a_fault_tells_beside_its_words_is_kept(server: FakeModels, remote: Any, ask: Any, provider: str) -> None:
    server.faults = ["empty", "429-after"]
    with pytest.raises(BadReplyError) as empty:
        remote(provider).complete(ask())
    assert empty.value.usage is not None
    sent = 11 + (provider == "anthropic")  # one more was read from a cache
    assert (empty.value.usage.input_tokens, empty.value.usage.estimated) == (sent, False)
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


@pytest.mark.parametrize("provider", WRITERS)
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


@pytest.mark.parametrize("provider", WRITERS)
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
