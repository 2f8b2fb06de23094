"""The provider `http`: what the template sends, what the pointers find, streams, faults, and whom secrets go to."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gate.config import Model
from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.http import Http, at_pointer, events, fill
from gate.records import ToolCall, Usage
from tests.support.fake_models import FakeModels

HOSTILE = 'How long\u2028is "it"?\n{{messages}} {{id}} \ud83d'
REQUEST = Request((Message("system", "s"), Message("user", HOSTILE)), prompt_id="p1", question=HOSTILE)


@pytest.fixture
def http(server: FakeModels) -> Iterator[Callable[..., Http]]:
    made: list[Http] = []

    def make(path: str = "/chat", key: str = "", timeout: float = 5.0, **settings: Any) -> Http:
        model = Model.model_validate({"provider": "http", "url": server.url + path, **settings})
        made.append(Http(model, key, timeout))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_template_is_filled_by_value(server: FakeModels, http: Callable[..., Http]) -> None:
    server.change = lambda reply: {"answer": "fine"}
    body = {"q": "{{ question }}", "who": "test {{id}}: {{question}}", "list": ["{{messages}}", 1, None]}
    http(body=body, method="PUT", headers={"X-Team": "blue"}).complete(REQUEST)
    _, headers, sent = server.sent[0]
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": HOSTILE.replace("\ud83d", "\ufffd")}]
    assert sent == {"q": HOSTILE, "who": f"test p1: {HOSTILE}", "list": [messages, 1, None]}
    assert (headers["x-team"], headers["content-type"], headers.get("authorization")) == (
        "blue",
        "application/json",
        None,
    )


def test_an_address_may_hold_the_question_and_the_default_body_does(
    server: FakeModels, http: Callable[..., Http]
) -> None:
    server.change = lambda reply: "just a text"
    assert http("/ask?q={{question}}&id={{id}}", method="GET").complete(REQUEST).text == "just a text"
    http().complete(Request((Message("user", "short"),), question="short"))
    (asked, _, nothing), (path, _, sent) = server.sent
    assert asked.startswith("/ask?q=How%20long%E2%80%A8is%20%22it%22%3F%0A%7B%7Bmessages%7D%7D%20%7B%7Bid%7D%7D%20")
    assert (nothing, path, sent) == (None, "/chat", {"question": "short"})


def test_turns_of_tools_are_sent_in_the_form_of_the_protocol(server: FakeModels, http: Callable[..., Http]) -> None:
    server.change = lambda reply: {"answer": "fine"}
    turns = (Message("assistant", "", (ToolCall("f", '{"x": 1}', "c"),)), Message("tool", "5", tool_call_id="c"))
    http(body={"m": "{{messages}}"}).complete(Request((*turns, Message("user", "q"))))
    assert server.sent[0][2]["m"][:2] == [
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "name": "f", "arguments": {"x": 1}}]},
        {"role": "tool", "content": "5", "tool_call_id": "c"},
    ]


CHAT = {
    "choices": [{"message": {"content": "Five.", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 2},
    "sources": [{"text": "A."}, {"doc": 1}, {"text": "B."}],
}
POINTERS = {"answer": "/choices/0/message/content", "tool_calls": "/choices/0/message/tool_calls", "tokens": "/usage"}


@pytest.mark.parametrize(
    ("settings", "body", "expected"),
    [
        ({}, {"answer": "a"}, ("a", None, 0, None)),
        ({}, {"text": "a", "contexts": [], "input_tokens": 1, "output_tokens": 2}, ("a", (), 0, Usage(1, 2))),
        ({}, {"answer": "a", "contexts": ["c"], "usage": CHAT["usage"]}, ("a", ("c",), 0, Usage(7, 2))),
        ({**POINTERS, "contexts": "/sources/*/text"}, CHAT, ("Five.", ("A.", "B."), 1, Usage(7, 2))),
        ({"answer": "/0/a~1b~0", "contexts": "/0/c"}, [{"a/b~": "x", "c": {"content": "c"}}], ("x", ("c",), 0, None)),
        ({"answer": "/parts/*/text"}, {"parts": [{"text": "a"}, {"type": 1}, {"text": "b"}]}, ("ab", None, 0, None)),
        ({"answer": ""}, "whole", ("whole", None, 0, None)),
    ],
)  # fmt: skip
def test_where_the_answer_and_the_rest_are_found(
    server: FakeModels, http: Callable[..., Http], settings: dict[str, Any], body: Any, expected: tuple[Any, ...]
) -> None:
    server.change = lambda reply: body
    reply = http(**settings).complete(REQUEST)
    usage = None if reply.usage.estimated else reply.usage
    assert (reply.text, reply.contexts, len(reply.tool_calls), usage) == expected


def sse(*data: Any, name: str = "") -> str:
    head = f": a comment\nevent: {name}\n" if name else ""
    return "".join(f"{head}data: {one if isinstance(one, str) else json.dumps(one)}\r\n\r\n" for one in data)


DELTAS = [{"choices": [{"delta": {"content": word}}]} for word in ("", "Five", " seconds.", None)]
STREAMING = {"answer": "/choices/0/delta/content", "tokens": "/usage", "contexts": "/sources"}


@pytest.mark.parametrize(
    ("settings", "kind", "body", "expected"),
    [
        (STREAMING, "Text/Event-Stream; charset=utf-8",
         sse(*DELTAS, {"sources": ["S."], "usage": CHAT["usage"]}, "[DONE]"),
         ("Five seconds.", ("S.",), Usage(7, 2))),
        ({}, "text/event-stream", "data: one\ndata: two\n\ndata:  three\n", ("one\ntwo three", None, None)),
        ({}, "application/x-ndjson", '{"answer": "a"}\n\n{"answer": "b", "contexts": ["c"]}\n', ("ab", ("c",), None)),
        ({}, "text/plain", " plain words \n", ("plain words", None, None)),
    ],
)  # fmt: skip
def test_streams(
    server: FakeModels, http: Callable[..., Http], settings: dict[str, Any], kind: str, body: str, expected: Any
) -> None:
    server.raw = (kind, body)
    reply = http(**settings).complete(REQUEST)
    assert (reply.text, reply.contexts, None if reply.usage.estimated else reply.usage) == expected


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("text/event-stream", sse({"answer": "half"}, {"error": {"message": "overloaded"}}), "broke off: overloaded"),
        ("text/event-stream", sse({"answer": "half"}) + sse("gone", name="error"), "broke off: gone"),
        ("text/event-stream", sse({"answer": "half"}) + 'data: {"answer": "ot', "cut off"),
        ("text/event-stream", "data: one\n\ndata: tw", "broke off within a line"),
        ("text/event-stream", "", "empty answer"),
        ("application/json", '{"error": "no luck", "answer": "Sorry."}', "an error beside its answer: no luck"),
        ("text/html", "<html>proxy</html>", "not JSON"),
        ("application/json", '{"result": "a", "other": 1}', "no `answer`; it has 'other', 'result'"),
        ("application/json", '{"error": {"message": "no luck"}, "answer": null}', "no `answer`: no luck"),
        ("application/json", '{"answer": {"text": "a"}}', "lacks `answer`"),
        ("application/json", "[" * 100_000, "not JSON"),
    ],
)
def test_what_cannot_be_used(server: FakeModels, http: Callable[..., Http], kind: str, body: str, words: str) -> None:
    server.raw = (kind, body)
    with pytest.raises(BadReplyError, match=words):
        http().complete(REQUEST)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("401", SetupError, "HTTP 401: "),
        ("404", SetupError, "HTTP 404"),
        ("400", BadReplyError, "HTTP 400"),
        ("429-after", TransientError, "HTTP 429"),
        ("503", TransientError, "HTTP 503"),
        ("redirect", SetupError, "HTTP 307"),
        ("reset", TransientError, "connection broke"),
        ("cut", TransientError, "connection broke"),
    ],
)
def test_faults_tell_no_secret(
    server: FakeModels, http: Callable[..., Http], fault: str, kind: type[ProviderError], words: str
) -> None:
    secrets = ("top-secret-key", "Basic c2VjcmV0", "c2VjcmV0", "in-the-address")
    server.faults = [fault]
    server.status[fault] = (*server.status.get(fault, (0,))[:1], " ".join(secrets), "")  # a server that echoes
    if fault in ("redirect", "reset", "cut"):
        del server.status[fault]
    one = http("/chat?token=in-the-address", key="top-secret-key", headers={"X-Auth": "Basic c2VjcmV0"})
    with pytest.raises(kind, match=words) as caught:
        one.complete(REQUEST)
    assert not [word for word in secrets if word in f"{caught.value.message} {caught.value.hint}"]
    assert server.sent[0][1]["authorization"] == "Bearer top-secret-key"


def test_a_redirect_takes_nothing_to_another_host(server: FakeModels, http: Callable[..., Http]) -> None:
    other = FakeModels()
    server.faults, server.elsewhere = ["redirect"], f"{other.url}/chat"
    with pytest.raises(SetupError):
        http(key="top-secret-key").complete(REQUEST)
    other.close()
    assert other.sent == []


def test_health_names_no_other_host(http: Callable[..., Http]) -> None:
    with pytest.raises(ValidationError, match="health"):
        http(health="//elsewhere.example/health", key="k1")


def test_health_is_asked_on_the_same_host_before_anything_else(server: FakeModels, http: Callable[..., Http]) -> None:
    one = http(health="/health", key="k1")
    one.check()
    assert [(path, headers["authorization"]) for path, headers, _ in server.sent] == [("/health", "Bearer k1")]
    server.health = 503
    with pytest.raises(SetupError, match="not well: /health: HTTP 503"):
        one.check()
    server.close()
    with pytest.raises(SetupError, match="not well: /health: .*refused"):
        one.check()
    http().check()  # nothing is named: the first question shows it


def test_what_changes_an_answer_changes_the_identity_and_a_key_does_not(http: Callable[..., Http]) -> None:
    other = [{}, {"body": {"x": "{{question}}"}}, {"method": "PUT"}, {"answer": "/a"}, {"headers": {"X-Team": "blue"}}]
    assert len({http(**settings).identity for settings in other}) == 5
    keys = [{"headers": {"X-Api-Key": "one-secret"}}, {"headers": {"Cookie": "two-secret"}}]
    assert {http(**settings).identity for settings in keys} == {http(key="k").identity}
    assert "blue" not in http(headers={"X-Team": "blue"}).identity


JSON = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@given(JSON, st.text())
def test_no_value_and_no_pointer_is_too_odd(value: Any, words: str) -> None:
    at_pointer(value, f"/{words}")
    assert at_pointer(value, "") == value
    assert fill({"a": "{{question}}"}, {"question": words}) == {"a": words}
    assert [data for _, data in events("".join(f"data: {line}\n" for line in words.splitlines() or [""]) + "\n")]
