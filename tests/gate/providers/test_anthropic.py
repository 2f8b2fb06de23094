"""The provider of Anthropic's SDK: what it sends, what it reads, whom its key goes to, and its faults."""

import sys
from collections.abc import Iterator

import pytest

from gate.config import Limits
from gate.errors import SetupError
from gate.providers.anthropic import Anthropic
from gate.providers.base import Message, Request
from gate.providers.budget import Budget, Budgeted, price_of
from gate.records import ToolCall, Usage
from tests.support.fake_models import FakeModels

pytest.importorskip("anthropic")
SCHEMA = {"type": "object", "required": ["verdicts"]}
REQUEST = Request(
    (
        Message("system", "Be brief."),
        Message("user", "How long?"),
        Message("assistant", "", (ToolCall("search", '{"q": "time-out"}', "c1"),)),
        Message("tool", "5 seconds", name="search", tool_call_id="c1"),
    ),
    max_tokens=9,
)


@pytest.fixture
def claude(server: FakeModels, monkeypatch: pytest.MonkeyPatch) -> Iterator[Anthropic]:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Other: another-server's")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another-token")
    made = Anthropic("claude-x", server.url, "sk-secret", 5.0, {"X-Team": "blue-team"})
    yield made
    made.close()


def test_what_is_sent_and_what_comes_back(server: FakeModels, claude: Anthropic) -> None:
    reply = claude.complete(REQUEST)
    path, headers, body = server.sent[0]
    assert (path, headers["x-team"]) == ("/v1/messages", "blue-team")
    assert "sk-secret" in (headers.get("x-api-key", "") + headers.get("authorization", ""))
    assert not {"another-token", "another-server's"} & {word for value in headers.values() for word in value.split()}
    assert (body["model"], body["max_tokens"], body["temperature"], body["system"]) == ("claude-x", 9, 0.0, "Be brief.")
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    assert "search" in body["messages"][1]["content"]
    assert body["messages"][2]["content"].endswith("5 seconds")
    assert (reply.text, reply.usage, reply.model) == ("The time-out is 5 seconds.", Usage(12, 5), "m-1")


def test_json_is_asked_for_by_a_tool_and_what_is_refused_is_left_out(server: FakeModels, claude: Anthropic) -> None:
    request = Request((Message("user", "q"),), schema=SCHEMA)
    assert claude.complete(request).text == '{"verdicts": [1]}'
    server.status["400"] = (400, "`temperature` is deprecated for this model.", "")
    server.faults = ["400", ""]
    assert Budgeted(claude, Budget(Limits())).complete(request).text == '{"verdicts": [1]}'
    assert ["temperature" in body for _, _, body in server.sent] == [True, True, False]


def test_a_tool_that_it_calls_is_no_text(server: FakeModels, claude: Anthropic) -> None:
    block = {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "x"}}
    server.change = lambda reply: {**reply, "content": [block], "stop_reason": "tool_use"}
    reply = claude.complete(REQUEST)
    assert (reply.text, reply.tool_calls) == ("", (ToolCall("search", '{"q": "x"}', "t1"),))


def test_an_account_without_money_ends_the_run(server: FakeModels, claude: Anthropic) -> None:
    server.status["400"] = (400, "Your credit balance is too low to access the API.", "")
    server.faults = ["400"]
    with pytest.raises(SetupError, match="credit balance"):
        claude.complete(REQUEST)


def test_it_needs_a_key_and_costs_what_it_costs_at_bedrock() -> None:
    with pytest.raises(SetupError, match="no key"):
        Anthropic("m")
    assert price_of("anthropic", "claude-sonnet-4-5-20250929", {}) == price_of(
        "bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0", {}
    )


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(SetupError, match="anthropic is not installed") as caught:
        Anthropic("m", key="k")
    assert "[anthropic]" in caught.value.hint
