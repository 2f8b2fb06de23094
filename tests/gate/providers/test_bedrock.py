"""The Bedrock provider, through the real boto3."""

from typing import Any

import pytest

from gate.config import Limits
from gate.errors import BadReplyError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.bedrock import Bedrock
from gate.providers.budget import Budget, Metered
from gate.records import Usage
from gate.text_replies import entries
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


def test_a_tool_call_that_the_model_garbled(server: FakeModels, remote: Any, ask: Any) -> None:
    server.faults = ["bad-tool"]
    with pytest.raises(BadReplyError, match="malformed_tool_use"):
        remote("bedrock").complete(ask(schema=SCHEMA))


def refuse(server: FakeModels, monkeypatch: pytest.MonkeyPatch, words: str, code: str = "ValidationException") -> None:
    monkeypatch.setitem(__import__("tests.support.fake_models").support.fake_models.STATUS, "400", (400, words, code))


def test_a_model_without_tools_is_asked_without(
    server: FakeModels, remote: Any, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(server, monkeypatch, "This model doesn't support the toolConfig.toolChoice.tool field.")
    server.faults = ["400", ""]
    budget = Budget(Limits())
    model = Metered(remote("bedrock", "meta.llama3-1-8b-instruct-v1:0"), budget)
    assert model.complete(ask(schema=SCHEMA)).text == "The time-out is 5 seconds."
    model.complete(ask(schema=SCHEMA))
    assert ["toolConfig" in body for _, _, body in server.sent] == [True, False, False]
    assert budget.spent().calls == 3


@pytest.mark.parametrize(
    ("words", "system", "settings"),
    [
        ("This model doesn't support system messages. Try again without a system message", False, {"maxTokens": 9}),
        ("The maximum tokens you requested exceeds the model limit of 4096.", True, {}),
    ],
)
def test_a_model_that_takes_less_is_asked_for_less(
    server: FakeModels,
    remote: Any,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    system: bool,
    settings: dict[str, int],
) -> None:
    refuse(server, monkeypatch, words)
    server.faults = ["400", ""]
    model = Metered(remote("bedrock", "mistral.mistral-7b-instruct-v0:2"), Budget(Limits()))
    request = Request((Message("system", "Judge."), Message("user", "q")), max_tokens=9)
    assert model.complete(request).text == "The time-out is 5 seconds."
    *_, (_, _, body) = server.sent
    assert len(server.sent) == 2
    assert body["inferenceConfig"] == {"temperature": 0.0, **settings}
    assert "system" in body if system else body["messages"][0]["content"] == [{"text": "Judge.\n\nq"}]


def test_a_list_that_the_model_gave_as_a_string_is_read(
    server: FakeModels, remote: Any, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_string(reply: Any) -> Any:
        reply["output"]["message"]["content"][-1]["toolUse"]["input"] = {"verdicts": '[\n{"claim": 1}\n]\n</invoke>'}
        return reply

    monkeypatch.setattr(server, "change", as_string)
    text = remote("bedrock").complete(ask(schema=SCHEMA)).text
    assert entries(text, "verdicts") == ([{"claim": 1}], True)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("The provided model identifier is invalid.", SetupError),
        ("Invocation of model ID x with on-demand throughput isn't supported.", SetupError),
        ("The provided model doesn\u2019t support on-demand throughput.", SetupError),
        ("This model version has reached the end of its life.", SetupError),
        ("This action doesn't support the model that you provided. Try again with a supported model.", SetupError),
        ("1 validation error detected: Value 'x y' at 'modelId' failed to satisfy constraint", SetupError),
        ("Invalid model: m", SetupError),
        ("Input is too long for requested model.", BadReplyError),
        ("The model returned the following errors: messages: text content blocks must be non-empty", BadReplyError),
    ],
)
def test_what_a_refusal_means(
    server: FakeModels, remote: Any, ask: Any, monkeypatch: pytest.MonkeyPatch, words: str, error: type[Exception]
) -> None:
    refuse(server, monkeypatch, words)
    server.faults = ["400"]
    with pytest.raises(error, match=r"bedrock: ValidationException: "):
        remote("bedrock").complete(ask())
    assert len(server.sent) == 1


@pytest.mark.parametrize("code", ["ExpiredTokenException", "InvalidSignatureException"])
def test_expired_credentials_end_the_run(
    server: FakeModels, remote: Any, ask: Any, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    refuse(server, monkeypatch, "no longer", code)
    server.faults = ["400"]
    with pytest.raises(SetupError) as caught:
        remote("bedrock").complete(ask())
    assert "AWS" in caught.value.hint


def test_boto3_does_not_repeat_on_its_own(server: FakeModels, remote: Any, ask: Any) -> None:
    server.faults = ["500"]
    with pytest.raises(TransientError):
        remote("bedrock").complete(ask())
    assert len(server.sent) == 1


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


def test_an_empty_question_is_a_fault_of_that_prompt(server: FakeModels, remote: Any) -> None:
    with pytest.raises(BadReplyError, match="not valid"):
        remote("bedrock").complete(Request((Message("user", "q"),), max_tokens=0))


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
