"""The OpenAI-compatible provider: what it sends, what it reads, and how it adapts to a server."""

from typing import Any

import pytest

from gate.config import Limits
from gate.errors import BadReplyError, LimitError, SetupError, TransientError
from gate.providers.base import Message, Reply, Request
from gate.providers.budget import Budget, Budgeted
from gate.providers.openai import OpenAI
from gate.records import Usage
from tests.support.fake_models import FakeModels

SCHEMA = {"type": "object", "required": ["verdicts"]}


def test_what_is_sent_and_what_comes_back(server: FakeModels, remote: Any) -> None:
    request = Request((Message("system", "s"), Message("user", "u \u2028 \ud83d")), max_tokens=9, schema=SCHEMA)
    reply = remote("openai", "gpt-x").complete(request)
    path, headers, body = server.sent[0]
    assert (path, headers["authorization"]) == ("/v1/chat/completions", "Bearer sk-secret")
    assert body["messages"] == [{"role": "system", "content": "s"}, {"role": "user", "content": "u \u2028 \ufffd"}]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("gpt-x", 9, 0.0)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (reply.text, reply.model, reply.stop, reply.usage) == ('{"verdicts": [1]}', "m-1", "stop", Usage(11, 5))


def test_addresses_and_the_key_that_goes_there() -> None:
    azure = {"api-key": "k", "Content-Type": "application/json"}
    for given, used in (("", "https://api.openai.com/v1"), (" http://h:1/ ", "http://h:1/v1"), ("http://h/v3/", None)):
        model = OpenAI("m", given)
        assert model.identity == (used or "http://h/v3")
        assert "Authorization" not in model._headers
    assert OpenAI("m", "https://x.openai.azure.com/openai/v1", "k")._headers == azure


@pytest.mark.parametrize(
    "url",
    ["localhost:8000", "ftp://h/v1", "http://", "http://h:port/v1", "http://h:0", "http://a..b/v1"]
    + [f"http://{'h' * 64}/v1", "http://h /v1", "http://h\tx/v1", "http://${HOST}/v1"],
)
def test_no_addresses(url: str) -> None:
    with pytest.raises(SetupError, match="is no address"):
        OpenAI("m", url)


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("model_length", "length"), ("MAX_TOKENS", "length"), ("SAFETY", "filter"), ("sensitive", "filter")]
    + [(reason, "stop") for reason in ("stop", "end_turn", "eos", "tool_calls", "", None, 5)],
)
def test_a_cut_or_withheld_answer_is_told_whatever_its_server_calls_it(reason: Any, stop: str) -> None:
    assert read({"choices": [{"message": {"content": "The pump takes 4"}, "finish_reason": reason}]}).stop == stop


def test_what_a_server_refuses_is_left_out_or_put_differently_from_then_on() -> None:
    model = OpenAI("o-1", "http://h")
    sent: list[dict[str, Any]] = []
    told = {
        "temperature": "'temperature' does not support 0.0 with this model",
        "response_format": "response_format is not supported",
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    }

    def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
        sent.append(body)
        for words in [words for name, words in told.items() if name in body]:
            raise BadReplyError(words, kind="rejected")
        if body["messages"][0]["role"] == "system":
            raise BadReplyError("System role not supported", kind="rejected")
        if body.get("max_completion_tokens", 0) > 4096:
            raise BadReplyError("'max_tokens' or 'max_completion_tokens' is too large: 5000.", kind="rejected")
        return {"choices": [{"message": {"content": "yes"}}]}

    model._post = post  # type: ignore[method-assign]
    budget = Budget(Limits(max_calls=8))
    budgeted = Budgeted(model, budget)
    messages = (Message("system", "Judge."), Message("user", "q"))
    for tokens in (5000, 5000, 100):
        assert budgeted.complete(Request(messages, max_tokens=tokens, schema=SCHEMA)).text == "yes"
    assert len(sent) == budget.spent().calls == 8
    assert [body.get("max_completion_tokens") for body in sent[-3:]] == [None, None, 100]
    assert sent[-1]["messages"] == [{"role": "user", "content": "Judge.\n\nq"}]
    assert sorted(sent[-1]) == ["max_completion_tokens", "messages", "model"]
    with pytest.raises(LimitError):
        budgeted.complete(Request(messages))
    model.close()


def test_a_form_that_is_refused_as_a_fault_of_the_server_is_left_out(server: FakeModels, ask: Any) -> None:
    words = 'response_format type must be one of "text" or "json_object", but got: json_schema'
    server.status["500"] = (500, words, "")
    server.faults = ["500", "", "500"]
    model = OpenAI("m", server.url)
    budgeted = Budgeted(model, Budget(Limits()))
    assert budgeted.complete(ask(schema=SCHEMA)).text == "The time-out is 5 seconds."
    assert ["response_format" in body for _, _, body in server.sent] == [True, False]
    with pytest.raises(TransientError):  # it goes on although nothing is asked for
        budgeted.complete(ask(schema=SCHEMA))
    assert len(server.sent) == 3
    model.close()


def test_a_model_that_thought_its_room_away_was_cut_off_and_is_not_refused(server: FakeModels, ask: Any) -> None:
    words = "Could not finish the message because max_tokens or model output limit was reached. Please try again"
    server.status["400"] = (400, words, "")
    server.faults = ["400"]
    model = OpenAI("gpt-5", server.url)
    budget = Budget(Limits())
    reply = Budgeted(model, budget).complete(ask(max_tokens=7))
    assert (reply.text, reply.stop, reply.usage.output_tokens, reply.usage.estimated) == ("", "length", 7, True)
    assert (budget.spent().calls, budget.spent().output_tokens) == (1, 7)
    model.close()


def read(body: dict[str, Any]) -> Reply:
    model = OpenAI("m", "http://h")
    try:
        return model._reply(body, Request((Message("user", "q"),)), 1.0)
    finally:
        model.close()


def test_replies_of_other_servers() -> None:
    assert read({"choices": [{"message": {"content": "half \ud83d"}}]}).text == "half \ufffd"
    parts = [{"type": "text", "text": "a"}, {"type": "reasoning", "text": "no"}, {"text": "b"}, {"type": "image"}]
    assert read({"choices": [{"message": {"content": parts}}]}).text == "ab\n[image]\n"
    refused = {"choices": [{"message": {"content": None, "refusal": "I will not."}, "finish_reason": "stop"}]}
    assert read(refused).stop == "filter"
    assert read({"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": "7"}}).usage.estimated
    assert read({"choices": [{"message": {"content": "x"}}], "model": ""}).model == "m"
    for broken in (
        {"choices": []},
        {"choices": [{"message": {"content": 5}}]},
        {"choices": [{"message": {"content": [5]}}]},
    ):
        with pytest.raises(BadReplyError):
            read(broken)


def test_a_router_that_tells_its_fault_with_200(server: FakeModels, ask: Any) -> None:
    model = OpenAI("m", server.url)
    for code in (401, "401", "invalid_api_key"):
        told = {"error": {"message": "no such key", "code": code}}
        server.change = lambda reply, told=told: told
        with pytest.raises(SetupError, match="HTTP 401: no such key"):
            model.complete(ask())
    model.close()


def test_a_body_without_end_is_not_read_to_its_end(
    server: FakeModels, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.providers.wire.MAX_BODY_BYTES", 1 << 20)
    server.change = lambda reply: {"text": "x" * (2 << 20)}
    model = OpenAI("m", server.url)
    with pytest.raises(BadReplyError, match="longer than"):
        model.complete(ask())
    model.close()
