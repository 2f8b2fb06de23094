"""Which server gets which key and what else goes to it; and servers in their own wire form: Azure's, Gemini's."""

import re
from pathlib import Path
from typing import Any

import pytest

from gate.config import Config, Limits, Model, ModelSettings, ServerSettings
from gate.errors import BadReplyError, SetupError
from gate.providers.base import Message, Reply, Request
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain, Tuned
from gate.providers.connect import connect, connect_target, keys_for
from gate.providers.openai import OpenAI
from gate.records import ToolCall
from tests.support.fake_models import FakeModels

ENV = {"OPENAI_API_KEY": "usual", "MINE": "target-key", "OTHER": "judge-key"}
OPENAI = {"provider": "openai", "model_id": "m"}


def config(model: dict[str, Any], judge: dict[str, Any], embedding: dict[str, Any] | None = None) -> Config:
    parts = {"model": {**OPENAI, **model}, "judge": {**OPENAI, **judge}, "embedding": embedding or {}}
    return Config.model_validate({"use_case": "x", **parts})


A, B, USUAL = {"base_url": "http://a/v1"}, {"base_url": "http://b:1/v1"}, {"base_url": "https://api.openai.com/v1/"}


@pytest.mark.parametrize(
    ("model", "judge", "keys"),
    [
        ({}, {}, ("usual", "usual")),
        (A, A, ("usual", "usual")),
        (A, {"base_url": "HTTP://A/other"}, ("usual", "usual")),
        (A, {}, ("", "usual")),
        ({}, A, ("usual", "")),
        (A, B, ("", "")),
        (USUAL, {}, ("usual", "usual")),
        ({**A, "api_key_env": "MINE"}, B, ("target-key", "usual")),
        ({**A, "api_key_env": "MINE"}, {"api_key_env": "OTHER"}, ("target-key", "judge-key")),
        ({**A, "api_key_env": "OPENAI_API_KEY"}, {}, ("usual", "")),
        ({"provider": "http", "url": "http://a/x", "api_key_env": "OPENAI_API_KEY"}, B, ("usual", "")),
        ({"provider": "ollama"}, B, ("", "usual")),
    ],
)
def test_the_key_of_one_server_is_not_sent_to_another(
    model: dict[str, Any], judge: dict[str, Any], keys: tuple[str, str]
) -> None:
    if "url" in model:
        made = Config.model_validate({"use_case": "x", "model": model, "judge": {**OPENAI, **judge}})
    else:
        made = config(model, judge)
    target = connect_target(made.model, Path(), keys_for(made, made.model, ENV))
    judging = connect("openai", "m", keys_for(made, made.judge, ENV), server=made.judge)
    found = []
    for one in (target, judging):
        sent = dict(getattr(one, "_headers", {}))
        found.append(sent.get("Authorization", "").removeprefix("Bearer "))
        one.close()
    assert tuple(found) == keys


def test_a_key_that_is_named_and_not_set_ends_the_run() -> None:
    for name in ("openai", "ollama", "anthropic"):
        with pytest.raises(SetupError, match="MISSING is not set"):
            connect(name, "m", ENV, server=ModelSettings(api_key_env="MISSING"))


@pytest.mark.parametrize("name", ["openai", "ollama"])
def test_headers_go_along_in_the_place_of_our_own_and_are_blotted_out(server: FakeModels, name: str) -> None:
    headers: Any = {"authorization": "Basic c2VjcmV0LXdvcmRz", "X-Team": "blue"}
    settings = ServerSettings(headers=headers, timeout_seconds=4.5)
    one = connect(name, "m", {"OPENAI_API_KEY": "k", "OLLAMA_API_KEY": "k"}, server.url, settings)
    assert one.timeout == 4.5
    one.complete(Request((Message("user", "q"),)))
    sent = server.sent[0][1]
    assert (sent["authorization"], sent["x-team"]) == ("Basic c2VjcmV0LXdvcmRz", "blue")
    server.faults, server.status["401"] = ["401"], (401, "no such login: c2VjcmV0LXdvcmRz", "")
    with pytest.raises(SetupError, match=r"no such login: \*\*\*"):
        one.complete(Request((Message("user", "q"),)))
    assert "c2Vj" not in repr(settings) + one.identity + settings.model_dump_json()
    one.close()


def test_turns_of_tools_in_the_forms_of_the_servers(server: FakeModels) -> None:
    call = ToolCall("f", '{"x": 1}', "c1")
    turns = (Message("assistant", "", (call,)), Message("tool", "5", tool_call_id="c1", name="f"))
    for name in ("openai", "ollama"):
        one = connect(name, "m", {}, server.url)
        one.complete(Request((Message("user", "q"), *turns)))
        one.close()
    first, second = (body["messages"][1:] for _, _, body in server.sent)
    assert first[0]["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
    ]
    assert (first[1], second[1]["tool_name"]) == ({"role": "tool", "content": "5", "tool_call_id": "c1"}, "f")
    assert second[0]["tool_calls"][0]["function"] == {"name": "f", "arguments": {"x": 1}}
    keys = {Request((Message("user", "q"), *more)).key("openai", "m") for more in ((), turns, turns[:1])}
    assert len(keys) == 3


def test_the_record_keeps_contexts_and_calls(calls: Calls, scripted: Any, ask: Any) -> None:
    told = Reply("", contexts=("a \ud83d",), tool_calls=(ToolCall("f", "{}", "1"),))
    for reply in (told, Reply("x", contexts=()), Reply("y")):
        request = ask(reply.text)
        Chain(Budget(Limits()), calls).around(scripted(reply)).complete(request)
        again = Chain(Budget(Limits()), calls).around(scripted(Reply("never"))).complete(request)
        assert (again.text, again.contexts, again.tool_calls) == (reply.text, reply.contexts, reply.tool_calls)
    assert told.contexts == ("a \ufffd",)


def test_a_server_s_own_settings_are_part_of_what_is_recorded(scripted: Any, ask: Any) -> None:
    inner = scripted(Reply("x"))
    tuned = Tuned(inner, ModelSettings(temperature=0.7, max_tokens=50, system="Be brief."))
    for request in (ask("q"), ask("q", role="judge")):
        tuned.complete(request)
    target, judge = inner.requests
    assert target.messages == (Message("system", "Be brief."), Message("user", "q"))
    assert (target.temperature, target.max_tokens, judge.max_tokens) == (0.7, 50, 1024)
    assert (Tuned(inner, ModelSettings(max_tokens=5)).tuning, len(tuned.tuning)) == ("", 8)


@pytest.fixture
def azure(server: FakeModels, monkeypatch: pytest.MonkeyPatch) -> FakeModels:
    """The fake server in the place of Azure's hosts: it is their proxy."""
    for name in ("NO_PROXY", "no_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", server.url)
    return server


def documented() -> list[str]:
    page = (Path(__file__).parents[3] / "docs/how-to/models.md").read_text(encoding="utf-8")
    return re.findall(r"^\| [^|]* \| `https://([^`]*)`", page, re.MULTILINE)


@pytest.mark.parametrize("address", documented())
def test_the_addresses_of_the_documentation_lead_to_their_hosts(azure: FakeModels, address: str) -> None:
    model = OpenAI("m", f"http://{address}", "k")
    assert model.complete(Request((Message("user", "q"),))).text
    base, mark, query = address.partition("?")
    assert azure.sent[0][0] == f"http://{base.lower()}/chat/completions{mark}{query}" or "NAME" in address
    model.close()


@pytest.mark.parametrize(
    ("base_url", "asked"),
    [
        ("/openai/deployments/d4?api-version=2024-10-21", "/deployments/d4/chat/completions?api-version=2024-10-21"),
        ("/openai/deployments/d4/chat/completions?api-version=1-p", "/deployments/d4/chat/completions?api-version=1-p"),
        ("/openai/v1/", "/v1/chat/completions"),
        ("", "/v1/chat/completions"),
    ],
)  # fmt: skip
def test_azure_s_addresses_with_their_version(azure: FakeModels, base_url: str, asked: str) -> None:
    filters = {"hate": {"filtered": False, "severity": "safe"}}
    azure.change = lambda reply: {
        **reply,
        "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": filters}],
        "choices": [{**reply["choices"][0], "content_filter_results": filters, "logprobs": None}],
    }
    model = OpenAI("d4", f"http://team.openai.azure.com{base_url}", "az-key")
    assert model.complete(Request((Message("user", "q"),))).text == "The time-out is 5 seconds."
    path, headers, _ = azure.sent[0]
    assert path == f"http://team.openai.azure.com/openai{asked}"
    assert (headers["api-key"], headers.get("authorization")) == ("az-key", None)
    model.close()


def test_azure_s_refusals(azure: FakeModels) -> None:
    model = OpenAI("d4", "http://team.openai.azure.com/openai/deployments/d4?api-version=2024-10-21", "az-key")
    gone = {"code": "DeploymentNotFound", "message": "The API deployment for this resource does not exist."}
    filtered = {"message": "The response was filtered.", "code": "content_filter", "param": "prompt", "status": 400}
    for status, said, kind in ((404, gone, SetupError), (400, filtered, BadReplyError)):
        azure.status["x"], azure.faults = (status, said, ""), ["x"]
        with pytest.raises(kind, match=f"HTTP {status}: The ") as caught:
            model.complete(Request((Message("user", "q"),)))
        assert caught.value.kind == {404: "setup", 400: "filtered"}[status]
    model.close()
    for address in ("http://h/v1?key=secret", "http://h/v1?api-version=1&key=secret"):
        with pytest.raises(SetupError, match="must not hold"):
            OpenAI("m", address)


def test_gemini_in_its_own_wire_form(server: FakeModels) -> None:
    """Thinking may leave no room for a word: then there is no content. A wrong key is a list with 400."""
    message: dict[str, Any] = {"role": "assistant"}
    choice = {"finish_reason": "length", "index": 0, "message": message}
    usage = {"completion_tokens": 0, "prompt_tokens": 4, "total_tokens": 20}
    server.change = lambda reply: {"choices": [choice], "created": 1, "id": "x", "model": "gemini", "usage": usage}
    model = OpenAI("gemini", f"{server.url}/v1beta/openai/", "g-key")
    reply = model.complete(Request((Message("user", "q"),)))
    assert (reply.text, reply.stop, reply.usage.input_tokens) == ("", "length", 4)
    assert server.sent[0][0] == "/v1beta/openai/chat/completions"
    detail = {"reason": "API_KEY_INVALID", "domain": "googleapis.com"}
    error = {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": [detail]}
    server.status["x"], server.faults = (400, [{"error": error}], ""), ["x"]
    with pytest.raises(SetupError, match=r"HTTP 400: API key not valid\.$") as caught:
        model.complete(Request((Message("user", "q"),)))
    assert "OPENAI_API_KEY" in caught.value.hint
    model.close()


def test_programs_and_functions_have_their_own_time(tmp_path: Path) -> None:
    for settings, timeout in (
        ({"provider": "command", "command": ["x"]}, 62),
        ({"provider": "command", "command": ["x"], "worker": True, "timeout_seconds": 5}, 7),
        ({"provider": "python", "function": "a:b", "workers": 3}, 62),
        ({"provider": "http", "url": "http://h/x", "timeout_seconds": 5}, 5),
    ):
        one = connect_target(Model.model_validate(settings), tmp_path, {})
        assert (one.name, one.timeout) == (settings["provider"], timeout)
        assert getattr(one, "parallel", 1) == settings.get("workers", 1)
        one.close()
