"""The provider `anthropic`: Claude through Anthropic's own SDK, which is an optional part of the installation."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gate.errors import BadReplyError, ProviderError, SetupError, install_hint
from gate.providers.application import spoken
from gate.providers.base import Reply, Request, estimate_usage, reported_usage, token_count
from gate.providers.faults import Refused, Server, messages_for
from gate.providers.wire import USUAL_ADDRESSES, check_address, check_key, excerpt, identity_with, secrets_of
from gate.records import ToolCall, Usage

_TOOL = "reply"
_SHORT = 4096  # tokens that every model may write; a request has to name a number
_STOPS = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "filter"}


class Anthropic:
    """Asks one model. The SDK makes one attempt a call and follows no redirect: the repeats are the gate's, and a key
    goes to the host that it was configured for."""

    name = "anthropic"

    def __init__(
        self,
        model: str,
        base_url: str = "",
        key: str = "",
        timeout: float = 120.0,
        headers: Mapping[str, str] = MappingProxyType({}),
        variable: str = "ANTHROPIC_API_KEY",
    ) -> None:
        """`timeout` is in seconds for one call. Errors: SetupError without the SDK, without a key, for an address or a
        key that cannot be sent, and for a proxy of the environment that cannot be used."""
        self.model, self.timeout = model, timeout
        url = base_url.strip().rstrip("/").removesuffix("/v1") or USUAL_ADDRESSES["anthropic"]  # the SDK adds the rest
        check_address("base_url", url, USUAL_ADDRESSES["anthropic"], variable)
        key = check_key(variable, key)
        hint = f"set {variable} to a key of this server"
        if not key:
            raise SetupError("anthropic: there is no key", hint, "setup")
        self.identity = identity_with(url, headers)
        self._server = Server(self.name, url, model, hint, secrets_of(key, headers))
        self._client = _client(url, key, timeout, headers)
        self.refused = Refused("temperature", "length", "tool")

    def complete(self, request: Request) -> Reply:
        """Send one request. Errors: SetupError, TransientError, BadReplyError, AskAgainError once for each thing that
        the model does not accept; a withheld or cut reply tells so in `stop`."""
        begun, refused = time.perf_counter(), self.refused.of(request)
        try:
            body = self._call(self._arguments(request, refused))
        except BadReplyError as error:
            self.refused.learn(error, request, refused)
        return self._reply(body, request, (time.perf_counter() - begun) * 1000)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _arguments(self, request: Request, refused: frozenset[str]) -> dict[str, Any]:
        messages = messages_for(request, frozenset())
        arguments: dict[str, Any] = {
            "model": self.model,
            "max_tokens": min(request.max_tokens, _SHORT) if "length" in refused else request.max_tokens,
            "messages": [{"role": turn.role, "content": turn.content} for turn in spoken(messages)],
        }
        if "temperature" not in refused:
            arguments["extra_body"] = {
                "temperature": min(request.temperature, 1.0)
            }  # newer SDKs have no argument for it
        if system := "\n\n".join(message.content for message in messages if message.role == "system"):
            arguments["system"] = system
        if request.schema is not None and "tool" not in refused:
            arguments["tools"] = [{"name": _TOOL, "description": "Give the reply.", "input_schema": request.schema}]
            arguments["tool_choice"] = {"type": "tool", "name": _TOOL}
        return arguments

    def _call(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The body of the response. It is asked for as it is: what a server sends besides does not matter."""
        import anthropic

        try:
            text = self._client.messages.with_raw_response.create(**arguments).http_response.text
        except anthropic.APIStatusError as error:
            raise self._status_fault(error) from error
        except anthropic.APIConnectionError as error:
            raise self._server.transport_fault(error) from error
        except (anthropic.AnthropicError, ValueError, TypeError) as error:
            raise self._server.malformed(f"the SDK failed{self._server.quote(str(error))}") from error
        return self._server.decoded_object(text)

    def _status_fault(self, error: Any) -> ProviderError:
        headers = {name.lower(): value for name, value in error.response.headers.items()}
        return self._server.status_fault(error.status_code, error.response.text, headers)

    def _reply(self, body: dict[str, Any], request: Request, latency_ms: float) -> Reply:
        try:
            blocks, reason = body["content"], str(body.get("stop_reason"))
            text = "".join(block["text"] for block in blocks if block["type"] == "text")
            used = [block for block in blocks if block["type"] == "tool_use"]
            given = [block["input"] for block in used if block["name"] == _TOOL and request.schema is not None]
            calls = tuple(
                ToolCall(block["name"], json.dumps(block["input"]), block["id"]) for block in used if not given
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise self._server.malformed("the response has no content") from error
        told, stop = _usage(body.get("usage")), _STOPS.get(reason, "stop")
        text = "\n".join(json.dumps(one, ensure_ascii=False) for one in given) if given else text
        if not text.strip() and not calls and stop == "stop":
            raise self._server.empty(told)
        usage, named = told or estimate_usage(request, text), body.get("model")
        model = named if isinstance(named, str) and named else self.model
        return Reply(text, usage, latency_ms, stop, model, tool_calls=calls)


def _usage(usage: Any) -> Usage | None:
    """What was read from a cache, or written to one, was sent as well."""
    told = usage if isinstance(usage, dict) else {}
    cached = [token_count(told.get(name)) or 0 for name in ("cache_creation_input_tokens", "cache_read_input_tokens")]
    sent = token_count(told.get("input_tokens"))
    return reported_usage(None if sent is None else sum(cached, sent), told.get("output_tokens"))


def _client(url: str, key: str, timeout: float, headers: Mapping[str, str]) -> Any:
    try:
        import anthropic
    except ImportError as error:
        hint = install_hint("anthropic")
        raise SetupError(f"anthropic needs its SDK: {error.name} is not installed", hint, "setup") from None
    try:
        connection = anthropic.DefaultHttpxClient(follow_redirects=False, timeout=timeout)
    except Exception as error:  # of many kinds, from the HTTP library: a proxy, or a file of certificates
        hint = "check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE"
        raise SetupError(f"anthropic: no connection can be made: {excerpt(str(error))}", hint, "setup") from error
    client = anthropic.Anthropic(api_key=key, base_url=url, timeout=timeout, max_retries=0, http_client=connection)
    client._custom_headers = dict(headers)  # else with those of ANTHROPIC_CUSTOM_HEADERS, which may be another server's
    return client
