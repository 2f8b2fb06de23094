"""The Ollama provider, through its real client."""

from typing import Any

import pytest

from gate.errors import BadReplyError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.ollama import Ollama
from gate.records import ToolCall, Usage
from tests.support.fake_models import FakeModels

SCHEMA = {"type": "object", "required": ["verdicts"]}


def test_what_is_sent_and_what_comes_back(server: FakeModels, remote: Any) -> None:
    request = Request((Message("system", "s"), Message("user", "u")), max_tokens=9, schema=SCHEMA, repeat=2)
    reply = remote("ollama", "gemma3").complete(request)
    path, _, body = server.sent[0]
    assert path == "/api/chat"
    assert body["messages"] == [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    assert (body["model"], body["format"], body["stream"], body["keep_alive"]) == ("gemma3", SCHEMA, False, "10m")
    assert body["options"] == {"temperature": 0.0, "num_predict": 9, "num_ctx": 4096, "seed": 2}
    assert (reply.text, reply.model, reply.stop, reply.usage) == ('{"verdicts": [1]}', "m", "stop", Usage(11, 5))


def test_a_tool_that_it_calls_is_no_text(server: FakeModels, remote: Any, ask: Any) -> None:
    call = {"function": {"name": "search", "arguments": {"q": "ü"}}}
    server.change = lambda reply: {**reply, "message": {"role": "assistant", "content": "", "tool_calls": [call]}}
    reply = remote("ollama").complete(ask())
    assert (reply.text, reply.tool_calls) == ("", (ToolCall("search", '{"q": "ü"}'),))


def test_a_long_prompt_gets_room_and_keeps_it(server: FakeModels, remote: Any, ask: Any) -> None:
    model = remote("ollama")
    for text in ("short", "x" * 40_000, "short", "x" * 4_000_000):
        model.complete(ask(text))
    assert [body["options"]["num_ctx"] for _, _, body in server.sent] == [4096, 16384, 16384, 131072]


def test_a_model_that_is_not_there_or_does_not_fit_ends_the_run(server: FakeModels, remote: Any, ask: Any) -> None:
    server.faults = ["404"]
    with pytest.raises(SetupError, match="not found") as unknown:
        remote("ollama", "gemma3").complete(ask())
    assert unknown.value.hint == "ollama pull gemma3"
    words = "model requires more system memory (7.5 GiB) than is available (5.2 GiB)"
    server.status["500"] = (500, words, "")
    server.faults = ["500"]
    with pytest.raises(SetupError) as caught:
        remote("ollama").complete(ask())
    assert caught.value.message == f"ollama: {words}"
    assert "smaller model" in caught.value.hint


@pytest.mark.parametrize(
    ("status", "said", "told", "error"),
    [
        (503, {"message": "upstream down", "code": 503}, "HTTP 503: upstream down", TransientError),
        (400, ["odd"], "HTTP 400", BadReplyError),
    ],
)
def test_a_proxy_that_tells_its_faults_in_a_form_of_its_own_is_heard(
    server: FakeModels, remote: Any, ask: Any, status: int, said: Any, told: str, error: type[Exception]
) -> None:
    server.status["500"] = (status, said, "")
    server.faults = ["500"]
    with pytest.raises(error, match=told):
        remote("ollama").complete(ask())


@pytest.mark.parametrize(
    "host",
    ["http://[::1", "http://h:port", "tcp://h:1", "unix:///run/o", '"http://h:1"', "http://", "http://a..b", "a b"],
)
def test_no_hosts(host: str) -> None:
    with pytest.raises(SetupError, match="is no address"):
        Ollama("m", host)


@pytest.mark.parametrize("host", ["gpu:1", "0.0.0.0", "[::1]", "[::1]:1/", ":1", "http://h/o/", "my_service", " h\n"])
def test_hosts(host: str) -> None:
    Ollama("m", host).close()
