"""What goes wrong between here and a model server: which error it is, and what is learnt from a refusal."""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NoReturn

from gate.errors import AskAgainError, BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.wire import MAX_BODY_BYTES, body_text, excerpt, json_or_text, proxy_of, without_secrets
from gate.records import Usage

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

OVERLOADED = "the server may be overloaded: lower limits.concurrency"
_BROKE = "see what the server, or a proxy before it, has logged; then try again"
_START = "start the server, or check the address and the port"
# Gemini tells of a wrong key, and Anthropic of an empty account, with 400.
_NO_KEY = re.compile(r'"reason": *"API_KEY_INVALID"|"message": *"Your credit balance is too low')
_LONG = 60.0  # seconds
_NO_TLS = {"WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE"}  # what OpenSSL makes of plain HTTP
_QUOTED = 1000  # characters of a message that are looked into
# How a filter is named that refuses one text: by OpenAI and Azure, and by OpenRouter, which does so with 403.
_FILTERS = ("content_filter", "content_policy_violation", "flagged_input")
# The words that OpenAI's API, and what speaks like it, gives as the `code` of an error.
_STATUS_OF_CODE = {
    "invalid_api_key": 401, "insufficient_quota": 402, "model_not_found": 404, "rate_limit_exceeded": 429,
    "context_length_exceeded": 400, "content_filter": 400,
}  # fmt: skip
_MODEL_CODE = re.compile(
    "(?:invalid|unknown|unsupported)_model(?:_id|_name)?|model_(?:deprecated|(?:does_)?not_(?:found|exists?))",
    re.IGNORECASE,
)
_BAD_MODEL = r"\b(?:invalid|unknown|unrecogni[sz]ed|unsupported|no\ such)\ model(?:\ (?:name|id|identifier))?"
_GONE = (
    r"['\"`]?,?\ (?:does\ not\ exist|doesn't\ exist|(?:was\ |is\ |could\ )?not\ (?:be\ )?found|is\ not\ a\ valid\ model"
    r"|is\ an\ invalid\ model|has\ been\ deprecated|is\ not\ supported\ by\ any\ provider)"
)
# How a message begins that is about a model, whatever its name: a router may call it by another one.
_BEGINS = re.compile(
    rf"""(?:\w+:\ )?(?:
        {_BAD_MODEL}(?:\ passed\ in\b|\s*[:=.]|\s*$|\ ['"`])
        | model\ (?:does\ )?not\ (?:exist|found)\W*$
        | the\ (?:requested\ |specified\ )?model\ ['"`][^'"`]{{1,200}}{_GONE}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Amazon Bedrock's own words, which gateways before it hand on.
_BEDROCK = re.compile(
    r"model identifier is invalid|(?:with|support) on-demand throughput|inference profile that contains"
    r"|inference profile (?:\S+ )?(?:is invalid|is not found|does not exist)|reached the end of its life"
    r"|access to the model with|doesn.t support the model that you provided|at 'modelId' failed",
    re.IGNORECASE,
)
# A limit of the model on what it writes, or on that and the prompt together; of the prompt alone nothing is said here.
_WRITTEN = re.compile(
    r"max_(?:completion_|new_|gen_)?(?:tokens|len)|maximum tokens you requested|in the completion|output tokens"
)
_TOO_MUCH = re.compile(r"too large|exceed|at most|less (?:than )?or equal|less than|lower than|reduce|valid range|[<>]")
_FORMS = ("response_format", "json_schema", "schema", "json")
_NO_SYSTEM = re.compile(
    r"\bsystem\b.{0,60}\bsupport|\bsupport.{0,60}\bsystem\b|roles must alternate|only user and assistant roles"
)


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

    def quote(self, text: str) -> str:
        """A server's own words, fit for a message: the `message` of a JSON error, else the beginning of the text."""
        found = _message(json_or_text(text))
        words = excerpt(text if found is None else found, secrets=self.secrets)
        return f": {words}" if words else ""

    def status_fault(self, status: int, text: str, headers: Mapping[str, str], code: str = "") -> ProviderError:
        """The error for an HTTP status other than 2xx; `code` is the word that the service has for it, if it has one.
        `headers` has lower-case names."""
        told = f"{self.name}: {code or f'HTTP {status}'}{self.quote(text)}"
        spent = status == 429 and "insufficient_quota" in text
        if not spent and (status in (408, 429) or status >= 500):
            return _passing(status, told, retry_after(headers))
        if 300 <= status < 400:
            hint = f"{self.address} points elsewhere: configure the address that it points to"
        elif spent or status in (401, 402, 407) or (status == 400 and _NO_KEY.search(text)):
            hint = self.key_hint
        elif status != 404 and any(name in text for name in _FILTERS):
            return BadReplyError(told, "the server's own filter refused this text: see its rules", "filtered")
        elif status == 404 or self._is_of_the_model(text):
            named = f"the model's name ({excerpt(self.model, 80)}), " if self.model else ""
            hint = f"check {named}the address ({self.address}) and your access"
        elif status == 403:
            hint = self.key_hint
        else:
            return BadReplyError(told, "the server does not accept this request", "rejected")
        return SetupError(told, hint, "setup")

    def exchange(self, opened: Callable[[], BaseHTTPResponse]) -> tuple[str, Mapping[str, str]]:
        """The text and the headers of the response that `opened` sends for, a 2xx. Errors: ProviderError."""
        from urllib3.exceptions import HTTPError

        try:
            with opened() as response:
                text = body_text(response)
        except HTTPError as error:
            raise self.transport_fault(error) from error
        if text is None:
            raise self.malformed(f"the response is longer than {MAX_BODY_BYTES >> 20} MiB")
        if not 200 <= response.status < 300:
            raise self.status_fault(response.status, text, response.headers)
        return text, response.headers

    def decoded(self, text: str) -> Any:
        """The JSON value of a response. Errors: BadReplyError."""
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.malformed("the response is not JSON, or was cut off") from error

    def decoded_object(self, text: str) -> dict[str, Any]:
        """The JSON object of a response. Errors: BadReplyError."""
        value = self.decoded(text)
        if not isinstance(value, dict):
            raise self.malformed("the response is no JSON object")
        return value

    def transport_fault(self, error: BaseException) -> ProviderError:
        """The error for a request that got no whole response; the causes behind `error` decide which."""
        causes = list(_causes(error))
        told = f"{self.name}: {self.address}: "
        if any(isinstance(cause, TimeoutError) or "timeout" in type(cause).__name__.lower() for cause in causes):
            return TransientError(told + "no answer in time", OVERLOADED, "timeout")
        if any("header value" in str(cause) for cause in causes):  # the libraries' words go on with the value itself
            unsent = f"{self.name}: a key or a token has characters that cannot be sent"
            return SetupError(unsent, self.key_hint, "setup")
        if any(getattr(cause, "reason", None) in _NO_TLS for cause in causes):
            return SetupError(told + "the server does not speak TLS", "write the address with http://", "setup")
        first, check = self._first_hop()
        for kinds, what, hint in (
            (ConnectionRefusedError, f"{first}the connection is refused", check or _START),
            (socket.gaierror, f"{first}the host is not known", check or "check the address"),
            (ssl.SSLCertVerificationError, "its certificate cannot be verified", "install its CA (SSL_CERT_FILE)"),
        ):
            if any(isinstance(cause, kinds) for cause in causes):
                return SetupError(told + what, hint, "setup")
        broke = told + excerpt(f"the connection broke: {error}", secrets=self.secrets)
        return TransientError(broke, _BROKE, "connection")

    def malformed(self, what: str, usage: Usage | None = None) -> BadReplyError:
        """The error for a response that is not what the interface promises."""
        hint = f"check that {self.address} is a server of the configured kind"
        return BadReplyError(f"{self.name}: {what}", hint, "malformed", usage)

    def empty(self, usage: Usage | None = None) -> BadReplyError:
        """The error for a reply that says nothing."""
        hint = f"ask {excerpt(self.model, 80)} by hand; a small limit of tokens may leave no room for an answer"
        return BadReplyError(f"{self.name}: the reply is empty", hint, "empty", usage)

    def _is_of_the_model(self, text: str) -> bool:
        """Whether the model is refused and not one prompt; what JSON holds beside its message may be the prompt."""
        value = json_or_text(text)
        coded = any(_MODEL_CODE.fullmatch(word) for word in _codes(value))
        return coded or names_the_model((_message(value) or "")[:_QUOTED], self.model)

    def _first_hop(self) -> tuple[str, str]:
        """The proxy that is connected to in the server's place, and a hint about it; ("", "") where there is none."""
        proxy = proxy_of(self.address if "://" in self.address else f"http://{self.address}")
        if proxy is None:
            return "", ""
        hint = "check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, or name the server's host in NO_PROXY"
        return f"by the proxy {without_secrets(proxy)}: ", hint


def status_of(code: object) -> int:
    """The HTTP status that the `code` of an error within a good response stands for: a number, one in quotes, or a
    word; 500 for what is none of these."""
    if isinstance(code, str):
        code = _STATUS_OF_CODE.get(code) or (int(code) if re.fullmatch("[45][0-9][0-9]", code) else None)
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def _passing(status: int, told: str, wait: float | None) -> TransientError:
    """A long wait is told: it may be longer than anybody waits, and then it is why the call failed."""
    told += f" (it asks for a wait of {wait:.0f} s)" if wait is not None and wait > _LONG else ""
    if status == 429:
        return TransientError(told, OVERLOADED, "throttled", wait)
    return TransientError(told, "try again later", "server", wait)


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


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _message(value: Any) -> str | None:
    if isinstance(value, list) and len(value) == 1:  # Gemini's
        value = value[0]
    if isinstance(value, dict):
        for name in ("error", "message", "detail", "Message"):
            found = _message(value.get(name))
            if found is not None:
                return found
    return value if isinstance(value, str) else None


def names_the_model(message: str, model: str) -> bool:
    """Whether a server's words say that it has no such model.

    A refusal may quote the prompt: the words have to stand beside the model's name, or to begin what is said.
    """
    if _BEGINS.match(message.strip()) or _BEDROCK.search(message):
        return True
    names = "|".join(re.escape(name) for name in {model, model.rpartition("/")[2]} if name)
    name = rf"(?<![\w.-])(?:{names})(?![\w-])"
    beside = rf"{_BAD_MODEL}(?:\ passed\ in)?[\s:=,(]*(?:model\s*[:=]\s*)?['\"`]?\S*?{name}|{name}{_GONE}"
    return bool(names) and re.search(beside, message, re.IGNORECASE) is not None


def _codes(value: Any) -> Iterator[str]:
    for _ in range(3):  # {"error": {...}}, and what a gateway wraps around it
        if not isinstance(value, dict):
            return
        yield from (word for name in ("code", "type", "reason") if isinstance(word := value.get(name), str))
        value = value.get("error")


class Refused:
    """The parts of a request that a server does not accept, by name; they are left out, or put differently.

    `length` is one of a request for a reply as long as one that was refused: the server's own limit holds then.
    """

    def __init__(self, *known: str) -> None:
        """`known` are the parts that the provider can leave out."""
        self._known = frozenset(known)
        self._from: dict[str, int] = {}  # part -> the least max_tokens of a request that may not have it
        self._keep: Callable[[str, int], None] = lambda part, least: None

    def remember(self, learnt: Mapping[str, int], keep: Callable[[str, int], None]) -> None:
        """Begin with what earlier runs have learnt; `keep` is given whatever is learnt now."""
        self._from, self._keep = dict(learnt), keep

    def of(self, request: Request) -> frozenset[str]:
        """What a request has to mind."""
        return frozenset(part for part, least in self._from.items() if request.max_tokens >= least)

    def learn(self, error: ProviderError, request: Request, minded: frozenset[str]) -> NoReturn:
        """Tell what follows from the refusal of a request that minded some parts. Errors: AskAgainError where another
        one is blamed, which costs nothing, as nobody charges for a request that was refused; else `error`."""
        blamed = (blamed_parts(error, request) & self._known) - minded
        if not blamed:
            raise error
        for part in blamed:
            least = request.max_tokens if part == "length" else 0
            self._from = {**self._from, part: min(least, self._from.get(part, least))}
            self._keep(part, least)
        raise AskAgainError(error.message, error.hint, error.kind, Usage()) from error


def blamed_parts(error: ProviderError, request: Request) -> frozenset[str]:
    """Which parts of a request the words of its refusal blame; none for another fault.

    llama.cpp, and what is built on it, tells a refusal as a fault of the server: of these only plain words count.
    """
    if error.kind not in ("rejected", "server"):
        return frozenset()
    words, plain = error.message.lower(), error.kind == "rejected"
    long = plain and _WRITTEN.search(words) is not None and _TOO_MUCH.search(words) is not None
    shaped = request.schema is not None
    blamed = {
        "temperature": plain and "temperature" in words,
        "length": long,
        "max_tokens": plain and not long and "max_completion_tokens" in words,
        "system": _has_system(request) and _NO_SYSTEM.search(words) is not None,
        "schema": shaped and any(form in words for form in (_FORMS if plain else _FORMS[:2])),
        "tool": shaped and "tool" in words,
    }
    return frozenset(name for name, is_blamed in blamed.items() if is_blamed)


def messages_for(request: Request, refused: frozenset[str]) -> tuple[Message, ...]:
    """The messages; where there may be no system message, its text stands in front of the first turn."""
    if "system" not in refused or not _has_system(request):
        return request.messages
    told = [message.content for message in request.messages if message.role == "system"]
    first, *rest = [message for message in request.messages if message.role != "system"] or [Message("user", "")]
    return (replace(first, content="\n\n".join([*told, first.content])), *rest)


def _has_system(request: Request) -> bool:
    return any(message.role == "system" for message in request.messages)
