"""The provider `ollama`: a local Ollama server, through its own client."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from gate.errors import ProviderError, SetupError
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
from gate.providers.faults import Server
from gate.providers.wire import (
    USUAL_ADDRESSES,
    check_address,
    check_key,
    excerpt,
    identity_with,
    json_or_text,
    secrets_of,
    unreadable_authorities,
    with_headers,
)

if TYPE_CHECKING:
    import ollama
    from ollama import Client

T = TypeVar("T")
KEEP_ALIVE = "10m"
_SMALLEST_CONTEXT, _LARGEST_CONTEXT = 4096, 131_072


class Ollama:
    """Asks one model. It is slow on small machines and answers one by one there, so the time-out is a long one."""

    name = "ollama"

    def __init__(
        self,
        model: str,
        host: str = "",
        timeout: float = 300.0,
        key: str = "",
        headers: Mapping[str, str] = MappingProxyType({}),
        variable: str = "OLLAMA_API_KEY",
    ) -> None:
        """`timeout` is in seconds for one call; `key`, of the environment's `variable`, and `headers` are for a proxy
        before the server. Errors: SetupError for a host that is none, a key that cannot be sent, and for a proxy of the
        environment that cannot be used."""
        self.model, self.timeout = model, timeout
        host, key = host.strip() or USUAL_ADDRESSES["ollama"], check_key(variable, key)
        self.identity = identity_with(host, headers)
        own = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = _client(host, timeout, with_headers(own, headers))
        hint = f"is {host} really Ollama? a proxy before it may want a key ({variable})"
        self._server = Server(self.name, host, model, hint, secrets_of(key, headers))
        self._context = _SMALLEST_CONTEXT

    def complete(self, request: Request) -> Reply:
        """Ask. Errors: SetupError, TransientError, BadReplyError; a cut reply tells so in `stop`."""
        begun = time.perf_counter()
        body = self._call(
            lambda: self._client.chat(
                model=self.model,
                messages=list(map(_turn, request.messages)),
                format=request.schema,
                options=self._options(request),
                keep_alive=KEEP_ALIVE,
                stream=False,
            )
        )
        text = body.message.content or ""
        stop = "length" if body.done_reason == "length" else "stop"
        usage = reported_usage(body.prompt_eval_count, body.eval_count)
        if body.done is False:
            raise self._server.malformed("the reply is not finished", usage)
        calls = tuple(tool_call(call.model_dump()) for call in body.message.tool_calls or ())
        if not text.strip() and not calls and stop == "stop":
            raise self._server.empty(usage)
        usage, latency_ms = usage or estimate_usage(request, text), (time.perf_counter() - begun) * 1000
        return Reply(text, usage, latency_ms, stop, body.model or self.model, tool_calls=calls)

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Embedded:
        """One vector for each text. Errors: as `complete`."""
        body = self._call(
            lambda: self._client.embed(model=self.model, input=list(texts), dimensions=dimension, keep_alive=KEEP_ALIVE)
        )
        return Embedded([list(row) for row in body.embeddings], token_count(body.prompt_eval_count))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()  # type: ignore[no-untyped-call]

    def _options(self, request: Request) -> dict[str, Any]:
        """Ollama cuts a prompt that is longer than `num_ctx` without a word, so it is set to fit, in steps, and never
        back: each change loads the model anew."""
        needed = int(prompt_tokens(request) * 1.5) + request.max_tokens
        while self._context < min(needed, _LARGEST_CONTEXT):
            self._context *= 2
        return {
            "temperature": request.temperature,
            "num_predict": request.max_tokens,
            "num_ctx": self._context,
            "seed": request.repeat,
        }

    def _call(self, work: Callable[[], T]) -> T:
        import httpx
        import ollama

        try:
            return work()
        except ollama.ResponseError as error:
            raise self._refusal(_words(error), error) from error
        except (httpx.HTTPError, ConnectionError) as error:
            raise self._server.transport_fault(error) from error
        except (ValueError, TypeError, AttributeError, RecursionError) as error:  # no JSON, or JSON of another shape
            raise self._server.malformed("the response is not what Ollama sends") from error

    def _refusal(self, words: str, error: ollama.ResponseError) -> ProviderError:
        told = f"ollama: {self._server.quote(words)[2:]}"
        if "not found" in words and error.status_code == 404:
            return SetupError(told, f"ollama pull {self.model}", "setup")
        if "does not support" in words:
            return SetupError(told, "choose another model", "setup")
        if "requires more system memory" in words:  # Ollama has made room already where it could
            return SetupError(told, "choose a smaller model, or give Ollama more memory", "setup")
        return self._server.status_fault(error.status_code, words, _headers(error))


def _turn(message: Message) -> dict[str, Any]:
    """A turn in Ollama's form."""
    turn: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        calls = [{"name": call.name, "arguments": json_or_text(call.arguments)} for call in message.tool_calls]
        turn["tool_calls"] = [{"function": call} for call in calls if isinstance(call["arguments"], dict)]
    return turn | ({"tool_name": message.name} if message.name else {})


def _client(host: str, timeout: float, headers: dict[str, str]) -> Client:
    # The client adds what is left out, the scheme and before a port the host, and finds out only when it asks that a
    # host is none.
    whole = host if "://" in host else f"http://{'localhost' if host.startswith(':') else ''}{host}"
    check_address("OLLAMA_HOST", whole, USUAL_ADDRESSES["ollama"], "OLLAMA_API_KEY")
    try:
        import ollama  # makes a client of its own at once

        return ollama.Client(host=host, timeout=timeout, follow_redirects=False, headers=headers)
    except OSError as error:
        raise unreadable_authorities(error) from error
    except Exception as error:  # of many kinds, from httpx, which speaks SOCKS only with a package more
        hint = "unset ALL_PROXY, HTTP_PROXY and HTTPS_PROXY, set them to http:// addresses, or install httpx[socks]"
        raise SetupError(f"the proxy cannot be used: {excerpt(str(error))}", hint, "setup") from error


def _words(error: ollama.ResponseError) -> str:
    """What the server said. The client hands on the `error` of a JSON body as it is: a proxy before Ollama may speak as
    OpenAI does, with an object there."""
    said: Any = error.error
    return said if isinstance(said, str) else json.dumps({"error": said})


def _headers(error: BaseException) -> Mapping[str, str]:
    """The headers of the response behind an error: the client tells its status only, its HTTP library has the rest."""
    headers: Mapping[str, str] = getattr(getattr(error.__context__, "response", None), "headers", {})
    return headers
