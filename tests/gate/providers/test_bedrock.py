"""The Bedrock provider, through the real boto3."""

import json
from typing import Any

import pytest

from gate.config import Limits
from gate.errors import SetupError
from gate.providers.base import Message, Request
from gate.providers.bedrock import Bedrock, reply_text
from gate.providers.budget import Budget, Budgeted
from gate.records import ToolCall, Usage
from gate.text.output import parse_last_list, parse_lists
from tests.support.fake_models import FakeModels

SCHEMA = {"type": "object", "required": ["verdicts"]}


def test_what_is_sent_and_what_comes_back(server: FakeModels, remote: Any) -> None:
    request = Request((Message("system", "s"), Message("user", "u"), Message("assistant", "a")), max_tokens=9)
    reply = remote("bedrock", "us.anthropic.claude-3-haiku-20240307-v1:0").complete(request)
    path, headers, body = server.sent[0]
    assert path == "/model/us.anthropic.claude-3-haiku-20240307-v1:0/converse"
    assert "AKIATEST" in headers["authorization"]
    assert body == {
        "system": [{"text": "s"}],
        "messages": [
            {"role": "user", "content": [{"text": "u"}]},
            {"role": "assistant", "content": [{"text": "a"}]},
        ],
        "inferenceConfig": {"maxTokens": 9, "temperature": 0.0},
    }
    assert (reply.text, reply.stop, reply.usage) == ("The time-out is 5 seconds.", "stop", Usage(11, 5))
    assert reply.model == "us.anthropic.claude-3-haiku-20240307-v1:0"


def test_a_schema_is_a_tool_whose_input_is_the_reply(server: FakeModels, remote: Any, ask: Any) -> None:
    assert remote("bedrock").complete(ask(schema=SCHEMA)).text == '{"verdicts": [1]}'
    tools = server.sent[0][2]["toolConfig"]
    assert tools["tools"][0]["toolSpec"]["inputSchema"] == {"json": SCHEMA}
    assert tools["toolChoice"] == {"tool": {"name": "reply"}}


def test_without_a_schema_a_tool_that_it_uses_is_a_call(server: FakeModels, remote: Any, ask: Any) -> None:
    blocks = [{"text": "Let me see."}, {"toolUse": {"toolUseId": "t1", "name": "search", "input": {"q": "x"}}}]
    for content, text in ((blocks, "Let me see."), (blocks[1:], "")):
        message = {"role": "assistant", "content": content}
        server.change = lambda reply: {**reply, "output": {"message": message}, "stopReason": "tool_use"}  # noqa: B023
        reply = remote("bedrock").complete(ask())
        assert (reply.text, reply.tool_calls) == (text, (ToolCall("search", '{"q": "x"}', "t1"),))


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("This model doesn't support the toolConfig.toolChoice.tool field.", "toolConfig"),
        ("This model doesn't support system messages. Try again without a system message", "system"),
        ("The maximum tokens you requested exceeds the model limit of 4096.", "maxTokens"),
    ],
)
def test_what_a_model_does_not_take_is_left_out_or_put_differently(
    server: FakeModels, remote: Any, words: str, part: str
) -> None:
    server.status["400"] = (400, words, "ValidationException")
    server.faults = ["400", ""]
    budget = Budget(Limits())
    model = Budgeted(remote("bedrock", "mistral.mistral-7b-instruct-v0:2"), budget)
    request = Request((Message("system", "Judge."), Message("user", "q")), max_tokens=9, schema=SCHEMA)
    for _ in range(2):
        assert model.complete(request).text
    assert [f'"{part}"' in json.dumps(body) for _, _, body in server.sent] == [True, False, False]
    assert all("Judge." in json.dumps(body) for _, _, body in server.sent)
    assert budget.spent().calls == 3


def test_without_credentials_or_region(server: FakeModels, aws: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    model = Bedrock("m")
    with pytest.raises(SetupError, match="redentials") as caught:
        model.complete(ask())
    assert "AWS_PROFILE" in caught.value.hint
    model.close()
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(SetupError, match="region"):
        Bedrock("m")
    monkeypatch.setenv("AWS_PROFILE", "none-such")
    with pytest.raises(SetupError, match="none-such"):
        Bedrock("m")


@pytest.mark.parametrize(
    ("model", "dimension", "sent"),
    [
        ("amazon.titan-embed-text-v2:0", 256, {"inputText": "x", "normalize": True, "dimensions": 256}),
        ("amazon.titan-embed-text-v2:0", None, {"inputText": "x", "normalize": True, "dimensions": 1024}),
        ("amazon.titan-embed-text-v1", None, {"inputText": "x"}),
    ],
)
def test_titan(server: FakeModels, remote: Any, model: str, dimension: int | None, sent: dict[str, Any]) -> None:
    embedded = remote("bedrock", model).embed(["x"], dimension)
    assert ([len(vector) for vector in embedded.vectors], embedded.tokens) == ([server.dimension], 3)
    assert server.sent[0][0] == f"/model/{model}/invoke"
    assert server.sent[0][2] == sent


ENTRY = {"claim": 7, "verdict": "unsupported", "why": 'not "so" ü'}
LISTED = '[\n{"claim": 7, "verdict": "unsupported", "why": "not \\"so\\" ü"}\n]'


@pytest.mark.parametrize("given", [[ENTRY], LISTED, f"{LISTED}\n</invoke>"])
def test_a_list_is_read_also_where_it_was_given_as_a_string(given):
    used = {"toolUse": {"name": "reply", "input": {"note": "x", "verdicts": given}}}
    text = reply_text([{"reasoningContent": {}}, {"text": "Sure."}, used])
    assert parse_last_list(text, "verdicts") == ([ENTRY], True)


def test_all_that_was_given_in_several_uses_of_the_tool_is_the_reply():
    more = {**ENTRY, "verdict": "supported"}
    uses = [{"toolUse": {"input": {"verdicts": given}}} for given in ([more], [], [ENTRY])]
    assert parse_last_list(reply_text(uses), "verdicts") == ([more, ENTRY], True)
    uses = [{"toolUse": {"input": {"verdicts": given}}} for given in (LISTED, [more])]
    assert parse_lists(reply_text(uses), "verdicts") == [([ENTRY], True), ([more], True)]
