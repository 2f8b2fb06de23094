"""The provider `http`: an application behind a server of any kind, asked by a template, read by JSON pointers."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urljoin, urlsplit

from gate.config import PLACEHOLDER, Model
from gate.conversation import content_text
from gate.errors import BadReplyError, SetupError
from gate.providers.application import Speaker, message_fields, question_fields, usage_in
from gate.providers.base import Reply, Request
from gate.providers.faults import Server
from gate.providers.wire import (
    check_address,
    check_key,
    excerpt,
    identity_with,
    open_response,
    pool_for,
    secrets_of,
    with_headers,
    without_secrets,
)

STREAMS = (
    "text/event-stream",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/json-seq",
)
HEALTH_SECONDS = 20.0
_POINTED = ("answer", "contexts", "tool_calls")
_HINT = "check model.url; model.answer is the JSON pointer to the answer"


class Http:
    """Sends a question to one address. Nothing is sent elsewhere: redirects are not followed."""

    name = "http"

    def __init__(
        self, model: Model, key: str = "", timeout: float = 120.0, variable: str = "model.api_key_env"
    ) -> None:
        """`timeout` is in seconds for one call; `key` goes as a bearer's token. Errors: SetupError for an address, a
        key or a proxy that cannot be used."""
        self._settings, self.timeout = model, timeout
        self._url = (model.url or "").strip()
        check_address("url", self._url.partition("?")[0], "http://localhost:8000/chat", variable)
        shown, key, headers = without_secrets(self._url), check_key(variable, key), model.plain_headers()
        self.model = model.model_id or shown
        asked = model.model_dump(include={"method", "body", *_POINTED}, mode="json")
        known = identity_with(f"{self._url} {json.dumps(asked, sort_keys=True)}", headers)
        self.identity = hashlib.sha256(known.encode()).hexdigest()  # an address and a body may hold a secret
        own = {"Content-Type": "application/json"} if model.sent is not None else {}
        own |= {"Authorization": f"Bearer {key}"} if key else {}
        self._headers = with_headers(own, headers)
        secrets = secrets_of(key, headers | dict(parse_qsl(urlsplit(self._url).query)))
        self._server = Server(self.name, shown, "", f"check {variable} and `headers`", secrets)
        self._speaker = Speaker("the application", self.model, _HINT)
        self._pool = pool_for(self._url)

    def complete(self, request: Request) -> Reply:
        """Ask. Errors: SetupError, TransientError, BadReplyError."""
        begun = time.perf_counter()
        values = {name: value for name, value in question_fields(request).items() if name in ("id", "question")}
        values["messages"] = [message_fields(message) for message in request.messages]
        url = PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe="", errors="replace"), self._url)
        template = self._settings.sent
        body = None if template is None else json.dumps(fill(template, values)).encode()
        text, headers = self._server.exchange(
            lambda: open_response(self._pool, self._settings.method, url, body, self._headers, self.timeout)
        )
        kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return self._speaker.reply(self._fields(text, kind), request, (time.perf_counter() - begun) * 1000)

    def check(self) -> None:
        """Look at `health`, if it is named, before anything is paid. Errors: SetupError where it is not well."""
        from urllib3.exceptions import HTTPError

        health = self._settings.health
        if health is None:
            return
        url, seconds = urljoin(self._url, health), min(HEALTH_SECONDS, self.timeout)
        try:
            with open_response(self._pool, "GET", url, None, self._headers, seconds) as response:
                told = "" if 200 <= response.status < 300 else f"HTTP {response.status}"
        except HTTPError as error:
            told = self._server.transport_fault(error).message
        if told:
            raise SetupError(f"the application is not well: {health}: {told}", "start it, or see its log", "setup")

    def close(self) -> None:
        """Close the connections."""
        self._pool.clear()

    def _fields(self, text: str, kind: str) -> dict[str, Any]:
        """What the response says, in the fields of gate.providers.application."""
        if kind in STREAMS:
            return self._joined(text, kind)
        if kind.startswith("text/") and kind != "text/html" and self._settings.answer is None:
            return {"answer": text.strip()}
        value = self._server.decoded(text)
        fields = self._found(value)
        if fields.keys() >= {"answer", "error"}:
            raise self._speaker.malformed(f"gave an error beside its answer{self._server.quote(text)}")
        if "answer" not in fields and not fields.get("tool_calls"):
            pointer = self._settings.answer
            where = "no `answer`" if pointer is None else f"nothing at {pointer!r}"
            said = self._server.quote(text)
            if isinstance(value, dict) and "error" not in fields:
                said = f"; it has {excerpt(', '.join(map(repr, sorted(value)[:8])))}"
            raise self._speaker.malformed(f"gave a response with {where}{said}")
        return fields

    def _joined(self, text: str, kind: str) -> dict[str, Any]:
        """The fields of a stream: the pieces of the answer in a row; of the rest, what came last."""
        fields: dict[str, Any] = {}
        pieces: list[str] = []
        for name, data in events(text) if kind == STREAMS[0] else lines(text):
            found = {} if name == "error" else self._piece(data)
            if name == "error" or "error" in found:
                raise BadReplyError(f"http: the stream broke off{self._server.quote(data)}", _HINT, "malformed")
            pieces.append(found.pop("answer", ""))
            fields |= found
        if kind == STREAMS[0] and not text.endswith(("\n", "\r")) and text:  # whole events end their lines
            raise BadReplyError("http: the stream broke off within a line", _HINT, "malformed")
        return fields | {"answer": "".join(pieces)}

    def _piece(self, data: str) -> dict[str, Any]:
        if self._settings.answer is None and not data.lstrip().startswith(("{", '"')):
            return {"answer": data}
        return self._found(self._server.decoded(data))

    def _found(self, value: Any) -> dict[str, Any]:
        """The fields of one JSON value: by the pointers, and where there is none under their own names."""
        if isinstance(value, str) and self._settings.answer is None:
            return {"answer": value}
        own = value if isinstance(value, dict) else {}
        fields: dict[str, Any] = {"error": own.get("error") or None}
        if self._settings.answer is None:  # it speaks as the gate does
            fields |= {name: own.get(name) for name in ("text", "model", "stop")}
        for name in _POINTED:
            pointer = getattr(self._settings, name)
            fields[name] = own.get(name) if pointer is None else at_pointer(value, pointer)
        if (said := content_text(fields["answer"], between="")) is not None:
            fields["answer"] = said
        fields["answer"] = fields["answer"] if fields["answer"] is not None else fields.pop("text", None)
        usage = usage_in(at_pointer(value, self._settings.tokens or "")) or usage_in(own.get("usage"))
        if usage is not None:
            fields |= {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
        return {name: found for name, found in fields.items() if found is not None}


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """The template with its placeholders filled: one that stands alone becomes the value itself, one within a text its
    words. What is filled in is not looked through again."""
    if isinstance(template, dict):
        return {name: fill(inner, values) for name, inner in template.items()}
    if isinstance(template, list):
        return [fill(inner, values) for inner in template]
    if not isinstance(template, str):
        return template
    if whole := PLACEHOLDER.fullmatch(template.strip()):
        return values[whole[1]]
    return PLACEHOLDER.sub(lambda found: str(values[found[1]]), template)


def at_pointer(value: Any, pointer: str) -> Any:
    """What a JSON pointer (RFC 6901) leads to, None where there is nothing. `*` stands for every entry of a list: what
    is found in them is a list."""
    if not pointer or value is None:
        return value
    token, slash, rest = pointer[1:].partition("/")
    rest = slash + rest
    if isinstance(value, list) and token == "*":  # noqa: S105 - a part of a pointer
        return [found for entry in value if (found := at_pointer(entry, rest)) is not None]
    if isinstance(value, list):
        return at_pointer(value[int(token)], rest) if token in map(str, range(len(value))) else None
    inside = value.get(token.replace("~1", "/").replace("~0", "~")) if isinstance(value, dict) else None
    return at_pointer(inside, rest)


def events(text: str) -> Iterator[tuple[str, str]]:
    """The events of a stream of server-sent events, as (name, data); without the mark of the end that OpenAI sends."""
    name, data = "", []
    for line in [*text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not line:
            if data and data != ["[DONE]"]:
                yield name, "\n".join(data)
            name, data = "", []


def lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a stream of JSON lines, as `events` has them."""
    return (("", line.strip("\x1e ")) for line in text.split("\n") if line.strip("\x1e\r "))
