"""What goes wrong between here and a model server, told in the words of the gate's own errors."""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.connections import proxy_of
from gate.providers.credentials import without_secrets
from gate.providers.plain import excerpt
from gate.providers.unknown_model import has_model_code, names_the_model
from gate.records import Usage

_OVERLOADED = "the server may be overloaded: lower limits.concurrency"
_BROKE = "see what the server, or a proxy before it, has logged; then try again"
_LONG = 60.0  # seconds
_NO_TLS = {"WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE"}  # what OpenSSL makes of plain HTTP
_SAID = 1000  # characters of a message that are looked into
# How a filter is named that refuses one text: by OpenAI and Azure, and by OpenRouter, which does so with 403.
_FILTERS = ("content_filter", "content_policy_violation", "flagged_input")
# The words that OpenAI's API, and what speaks like it, gives as the `code` of an error.
_CODES = {
    "invalid_api_key": 401, "insufficient_quota": 402, "model_not_found": 404, "rate_limit_exceeded": 429,
    "context_length_exceeded": 400, "content_filter": 400,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Server:
    """Who is spoken to: the configuration's word, the address and the model; `key_hint` says where its key comes from.

    Secrets are blotted out of whatever the server says.
    """

    name: str
    address: str
    model: str
    key_hint: str = ""
    secrets: tuple[str, ...] = ()

    def said(self, text: str) -> str:
        """A server's own words, fit for a message: the `message` of a JSON error, else the beginning of the text."""
        try:
            found = _message(json.loads(text))
        except (ValueError, RecursionError):
            found = None
        words = excerpt(found if found is not None else text, secrets=self.secrets)
        return f": {words}" if words else ""


def status_fault(server: Server, status: int, text: str, headers: Mapping[str, str]) -> ProviderError:
    """The error for an HTTP status other than 2xx. `headers` has lower-case names."""
    told = f"{server.name}: HTTP {status}{server.said(text)}"
    filtered = any(name in text for name in _FILTERS)
    barred = status in (401, 402, 407) or (status == 403 and not filtered)
    if barred or (status == 429 and "insufficient_quota" in text):
        return SetupError(told, server.key_hint, "setup")
    if status == 404:
        return SetupError(told, _elsewhere(server), "setup")
    if 300 <= status < 400:
        return SetupError(told, f"{server.address} points elsewhere: configure the address that it points to", "setup")
    if status in (408, 429) or status >= 500:
        return _passing(status, told, retry_after(headers))
    if filtered:
        return BadReplyError(told, "the server's own filter refused this text: see its rules", "filtered")
    if _is_of_the_model(server, text):
        return SetupError(told, _elsewhere(server), "setup")
    return BadReplyError(told, "the server does not accept this request", "rejected")


def status_of(code: object) -> int:
    """The HTTP status that the `code` of an error within a good response stands for: a number, one in quotes, or a
    word; 500 for what is none of these."""
    if isinstance(code, str):
        code = _CODES.get(code) or (int(code) if re.fullmatch("[45][0-9][0-9]", code) else None)
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def _passing(status: int, told: str, wait: float | None) -> TransientError:
    """A long wait is told: it may be longer than anybody waits, and then it is why the call failed."""
    told += f" (it asks for a wait of {wait:.0f} s)" if wait is not None and wait > _LONG else ""
    if status == 429:
        return TransientError(told, _OVERLOADED, "throttled", wait)
    return TransientError(told, "try again later", "server", wait)


def _elsewhere(server: Server) -> str:
    return f"check the model's name ({excerpt(server.model, 80)}) and the address ({server.address})"


def _is_of_the_model(server: Server, text: str) -> bool:
    """Whether a refusal is of the model and not of one prompt; what JSON holds beside its message may be the prompt."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return names_the_model(text[:_SAID], server.model)
    return has_model_code(value) or names_the_model((_message(value) or "")[:_SAID], server.model)


def transport_fault(server: Server, error: BaseException) -> ProviderError:
    """The error for a request that got no whole response; the causes behind `error` decide which."""
    causes = list(_causes(error))
    told = f"{server.name}: {server.address}: "
    if any(isinstance(cause, TimeoutError) or "timeout" in type(cause).__name__.lower() for cause in causes):
        return TransientError(told + "no answer in time", _OVERLOADED, "timeout")
    if any("header value" in str(cause) for cause in causes):  # the words of the libraries go on with the value itself
        return SetupError(
            f"{server.name}: a key or a token has characters that cannot be sent", server.key_hint, "setup"
        )
    if any(getattr(cause, "reason", None) in _NO_TLS for cause in causes):
        return SetupError(told + "the server does not speak TLS", "write the address with http://", "setup")
    first, check = _first_hop(server)
    for kinds, what, hint in (
        (
            ConnectionRefusedError,
            f"{first}the connection is refused",
            check or "start the server, or check the address and the port",
        ),
        (socket.gaierror, f"{first}the host is not known", check or "check the address"),
        (ssl.SSLCertVerificationError, "its certificate cannot be verified", "install its CA (SSL_CERT_FILE)"),
    ):
        if any(isinstance(cause, kinds) for cause in causes):
            return SetupError(told + what, hint, "setup")
    broke = told + excerpt(f"the connection broke: {error}", secrets=server.secrets)
    return TransientError(broke, _BROKE, "connection")


def _first_hop(server: Server) -> tuple[str, str]:
    """The proxy that is connected to in the server's place, and what to do about it; ("", "") where there is none."""
    proxy = proxy_of(server.address if "://" in server.address else f"http://{server.address}")
    if proxy is None:
        return "", ""
    hint = "check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, or name the server's host in NO_PROXY"
    return f"by the proxy {without_secrets(proxy)}: ", hint


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by `retry-after-ms` or `retry-after` (RFC 9110, section 10.2.3: seconds or a date)."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            seconds = float(value) / unit
        except ValueError:
            continue
        if 0 <= seconds < 1e6:
            return seconds
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, OverflowError, TypeError):
        return None


def malformed(server: Server, what: str, usage: Usage | None = None) -> BadReplyError:
    """The error for a response that is not what the interface promises."""
    hint = f"check that {server.address} is a server of the configured kind"
    return BadReplyError(f"{server.name}: {what}", hint, "malformed", usage)


def empty(server: Server, usage: Usage | None = None) -> BadReplyError:
    """The error for a reply that says nothing."""
    hint = f"ask {excerpt(server.model, 80)} by hand; a small limit of tokens may leave no room for an answer"
    return BadReplyError(f"{server.name}: the reply is empty", hint, "empty", usage)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen = 0
    while error is not None and seen < 20:
        yield error
        error, seen = error.__cause__ or error.__context__, seen + 1


def _message(value: Any) -> str | None:
    if isinstance(value, dict):
        for name in ("error", "message", "detail", "Message"):
            found = _message(value.get(name))
            if found is not None:
                return found
    return value if isinstance(value, str) else None
