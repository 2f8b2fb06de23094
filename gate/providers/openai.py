"""The provider `openai`: any server with OpenAI's `/chat/completions` and `/embeddings` (vLLM, Azure, ...)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from gate.errors import BadReplyError, TransientError
from gate.providers.application import tool_call
from gate.providers.base import (
    Embedded,
    Message,
    Reply,
    Request,
    estimate_usage,
    prompt_tokens,
    reported_usage,
    token_count,
)
from gate.providers.faults import Refused, Server, messages_for, status_of
from gate.providers.wire import (
    USUAL_ADDRESSES,
    check_address,
    check_key,
    identity_with,
    open_response,
    pool_for,
    secrets_of,
    with_headers,
)
from gate.records import Usage

_AZURE = (".azure.com", ".azure.us", ".azure.cn")
_CALLS = re.compile(r"/(chat/completions|embeddings|responses)/?$")  # a whole address, as Azure's portal shows it
# Beside OpenAI's own words those of Mistral, of gateways to Anthropic and Gemini (in capitals), and of Zhipu.
_STOPS = {
    "length": "length", "model_length": "length", "max_tokens": "length", "model_context_window_exceeded": "length",
    "content_filter": "filter", "safety": "filter", "recitation": "filter", "sensitive": "filter",
}  # fmt: skip
# Of OpenRouter, of vLLM and SGLang, of DeepSeek and of Zhipu: what is there of the answer is not all of it.
_BROKEN = ("error", "abort", "insufficient_system_resource", "network_error")
# How OpenAI's models tell, as a refusal, that they have thought until there was no room left for a word.
_SPENT = "max_tokens or model output limit was reached"


class OpenAI:
    """Asks one model of one server. What a server turns out not to accept (a JSON schema, `temperature`, a system
    message, `max_tokens` or its size) is left out of, or put differently in, all later requests."""

    name = "openai"

    def __init__(
        self,
        model: str,
        base_url: str = "",
        key: str = "",
        timeout: float = 120.0,
        headers: Mapping[str, str] = MappingProxyType({}),
        variable: str = "OPENAI_API_KEY",
    ) -> None:
        """`base_url` ends in `/v1` (added where an address has no path), or is one of Azure with its `?api-version=`;
        `timeout` is in seconds for one call; `headers` go with each, `variable` is where the key is from.

        Errors: SetupError for an address or a key that cannot be sent.
        """
        self.model, self.timeout = model, timeout
        url, self._query = _parts(base_url.strip() or USUAL_ADDRESSES["openai"])
        check_address("base_url", url, "http://localhost:8000/v1", variable)
        azure = (urlsplit(url).hostname or "").endswith(_AZURE)
        url = url.rstrip("/") + ("" if urlsplit(url).path.strip("/") else "/openai/v1" if azure else "/v1")
        key = check_key(variable, key)
        # Azure takes a key under a name of its own.
        own = {} if not key else {"api-key": key} if azure else {"Authorization": f"Bearer {key}"}
        self.identity = identity_with(url + self._query, headers)
        secrets = secrets_of(key, headers)
        self._server = Server(self.name, url, model, f"set {variable} to a key of this server", secrets)
        self._headers = with_headers({"Content-Type": "application/json"} | own, headers)
        self._pool = pool_for(url)
        self.refused = Refused("temperature", "length", "max_tokens", "system", "schema")

    def complete(self, request: Request) -> Reply:
        """Send one request. Errors: SetupError, TransientError, BadReplyError, AskAgainError once for each thing that
        the server does not accept; a filtered or cut reply tells so in `stop`."""
        begun, refused = time.perf_counter(), self.refused.of(request)
        try:
            body = self._post("/chat/completions", self._body(request, refused))
        except (BadReplyError, TransientError) as error:
            if _SPENT in error.message:
                used = Usage(prompt_tokens(request), request.max_tokens, estimated=True)
                return Reply("", used, (time.perf_counter() - begun) * 1000, "length", self.model)
            self.refused.learn(error, request, refused)
        return self._reply(body, request, (time.perf_counter() - begun) * 1000)

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Embedded:
        """One vector for each text. Errors: as `complete`."""
        body: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        if dimension is not None:
            body["dimensions"] = dimension
        answer = self._post("/embeddings", body)
        try:
            vectors = [row["embedding"] for row in sorted(answer["data"], key=lambda row: row["index"])]
        except (KeyError, TypeError) as error:
            raise self._server.malformed("the embeddings are not there") from error
        usage = answer.get("usage")
        return Embedded(vectors, token_count(usage.get("prompt_tokens") if isinstance(usage, dict) else None))

    def close(self) -> None:
        """Close the connections."""
        self._pool.clear()

    def _body(self, request: Request, refused: frozenset[str]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(map(_turn, messages_for(request, refused))),
        }
        if "length" not in refused:
            body["max_completion_tokens" if "max_tokens" in refused else "max_tokens"] = request.max_tokens
        if "temperature" not in refused:
            body["temperature"] = request.temperature
        if request.schema is not None and "schema" not in refused:
            named = {"name": "reply", "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        url, sent = self._server.address + path + self._query, json.dumps(body).encode()
        text, headers = self._server.exchange(
            lambda: open_response(self._pool, "POST", url, sent, self._headers, self.timeout)
        )
        answer = self._server.decoded_object(text)
        if answer.get("error"):  # some routers answer 200 and tell the status inside
            code = answer["error"].get("code") if isinstance(answer["error"], dict) else None
            raise self._server.status_fault(status_of(code), text, headers)
        return answer

    def _reply(self, body: dict[str, Any], request: Request, latency_ms: float) -> Reply:
        try:
            choice = body["choices"][0]
            message, reason = choice["message"], str(choice.get("finish_reason")).lower()
            text = _text(message.get("content"))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise self._server.malformed("the response has no choices with a message") from error
        told = _usage(body.get("usage"))
        if reason in _BROKEN:
            what = f"{self.name}: the server broke the reply off ({reason!r})"
            raise BadReplyError(what, "see what the server has logged", "malformed", told)
        stop = "filter" if message.get("refusal") else _STOPS.get(reason, "stop")
        try:
            calls = tuple(map(tool_call, message.get("tool_calls") or ()))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise self._server.malformed("the response has tool calls without a name", told) from error
        if not text.strip() and not calls and stop == "stop":
            raise self._server.empty(told)
        model, usage = body.get("model"), told or estimate_usage(request, text)
        named = model if isinstance(model, str) and model else self.model
        return Reply(text, usage, latency_ms, stop, named, tool_calls=calls)


def _parts(address: str) -> tuple[str, str]:
    """An address and its query, where that names a version of the interface and nothing else; the end of an address
    that names one call is left out."""
    url, mark, query = address.partition("?")
    if not re.fullmatch(r"api-version=[\w.-]+", query):
        return address, ""
    return _CALLS.sub("", url), mark + query


def _turn(message: Message) -> dict[str, Any]:
    """A turn in OpenAI's form."""
    turn: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        turn["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return turn | ({"tool_call_id": message.tool_call_id} if message.tool_call_id else {})


def _text(content: Any) -> str:
    """The text of a message: a string, a list of parts, or null."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type", "text") == "text")


def _usage(usage: Any) -> Usage | None:
    told = usage if isinstance(usage, dict) else {}
    return reported_usage(told.get("prompt_tokens"), told.get("completion_tokens"))
