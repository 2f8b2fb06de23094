"""One Elasticsearch server: JSON in, JSON out, patience with what passes, and a StoreError that helps for the rest."""

from __future__ import annotations

import json
import random
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from gate.config import Elasticsearch, checked_address
from gate.errors import IndexMissingError, StoreError
from gate.providers.wire import without_secrets

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch as Client

OLDEST = (8, 15)
# A client of version 9 asks for answers in the form of version 9, which a server of version 8 refuses; servers of both
# versions give the form of version 8. So every request names it, whichever client is installed.
_JSON = "application/vnd.elasticsearch+json; compatible-with=8"
_LINES = "application/vnd.elasticsearch+x-ndjson; compatible-with=8"
_BULK_BYTES = 4_000_000  # of one bulk request, unless one entry alone is larger

_TRANSIENT = frozenset([429, 502, 503, 504])
_PASSING = frozenset(["no_shard_available_action_exception", "unavailable_shards_exception", "cluster_block_exception"])
_GONE = "index_not_found_exception"
_HINTS = {
    401: "set `elasticsearch.api_key` (or ES_API_KEY), or `username` and `password`, to credentials that are valid",
    403: "give these credentials the privileges `read`, `write`, `manage` and `view_index_metadata` on the index "
    "and on `<index>-*`",
    413: "raise http.max_content_length of the server",
}


class Allowance(NamedTuple):
    """How long a request may take, and for how long it is repeated while the server is away or busy, in seconds."""

    timeout: float
    repeat: float


ONCE = Allowance(5.0, 0.0)
READ = Allowance(10.0, 15.0)
WRITE = Allowance(60.0, 60.0)  # a server that restarts is awaited


class Waiter:
    """Waits between attempts, longer each time, until so many seconds are over."""

    def __init__(self, seconds: float, sleep: Callable[[float], None], clock: Callable[[], float]) -> None:
        self._sleep, self._clock, self._end, self._attempts = sleep, clock, clock() + seconds, 0

    def again(self) -> bool:
        """Wait; False, at once, where there is no time left."""
        delay = min(5.0, 0.2 * 2**self._attempts) * random.uniform(0.5, 1.0)  # noqa: S311
        if self._clock() + delay > self._end:
            return False
        self._attempts += 1
        self._sleep(delay)
        return True


class Entry(NamedTuple):
    """An entry to write (`body` is JSON), or to delete where it has no body. The id makes a repeat harmless. `label`
    names it in a fault."""

    id: str
    body: str | None
    label: str

    def lines(self) -> tuple[str, ...]:
        """As a bulk request has it."""
        verb = json.dumps({"delete" if self.body is None else "index": {"_id": self.id}})
        return (verb,) if self.body is None else (verb, self.body)

    def is_done(self, status: int) -> bool:
        """Whether the server took it."""
        return 200 <= status < 300 or (self.body is None and status == 404)


def entry(name: str, body: dict[str, Any] | None, label: str) -> Entry:
    """An Entry of a JSON object."""
    return Entry(name, None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")), label)


class Cluster:
    """What the store asks of Elasticsearch; threads may share it."""

    def __init__(
        self,
        settings: Elasticsearch,
        environ: Mapping[str, str],
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Sends nothing yet. Errors: StoreError where there is no usable address or certificate."""
        self.name, self._client = _open_client(settings, environ)
        self.serverless = False  # as `check_version` finds it
        self._sleep, self._clock = sleep, clock

    def check_version(self) -> None:
        """Errors: StoreError where it cannot be reached, refuses, or is not an Elasticsearch of OLDEST or newer."""
        try:
            root = self.ask("GET", "/", patience=ONCE)
        except StoreError as error:
            if getattr(error.__cause__, "status_code", 0) == 403:
                return  # a key for one index alone may not ask; the requests that follow tell what is wrong
            raise
        with self.understood():
            version = root["version"]
            number = tuple(int(part) for part in re.findall(r"\d+", str(version["number"]))[:2])
            self.serverless = version.get("build_flavor") == "serverless"
        if number < OLDEST and not self.serverless:
            wanted = ".".join(map(str, OLDEST))
            raise StoreError(
                f"{self.name} is Elasticsearch {version['number']!s:.20}, {wanted} or newer is needed",
                "update it, or leave `elasticsearch` out of the configuration to use the embedded store",
            )

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | Sequence[str] | None = None,
        missing: bool = False,
        patience: Allowance = READ,
    ) -> dict[str, Any]:
        """The answer; {} with `missing` for a 404. A sequence is sent as lines of JSON. Errors: StoreError."""
        waiter = self._waiter(patience)
        for attempt in count(1):
            try:
                return self._once(method, path, body, patience.timeout)
            except Exception as error:
                if missing and getattr(error, "status_code", 0) == 404:
                    return {}
                if not _is_transient(error) or not waiter.again():
                    raise _explained(error, self.name, f"{method} {path.partition('?')[0]}", attempt) from error
        raise AssertionError  # pragma: no cover (count does not end)

    def ask_parts(
        self, path: str, body: Mapping[str, Any] | Sequence[str], key: str, number: int
    ) -> list[dict[str, Any]]:
        """The `number` parts, in order, of an answer that has them under `key` (`_msearch`: `responses`; `_mget` and
        `_mtermvectors`: `docs`). Errors: StoreError where any part failed: it would be evidence that is lost."""
        waiter = self._waiter(READ)
        while True:
            with self.understood():
                answers = list(self.ask("POST", path, body)[key])
                if len(answers) != number:
                    raise ValueError(f"{len(answers)} answers to {number} questions")
                failed = next((answer for answer in answers if "error" in answer), None)
                if failed is None:
                    return answers
                kind, reason = _type(failed["error"]), _reason(failed["error"])
                passes = failed.get("status") in _TRANSIENT or kind in _PASSING
            if not passes or not waiter.again():
                if kind == _GONE:
                    raise _gone(self.name, reason)
                raise StoreError(f"{self.name} could not search: {reason}", "see the log of the server")

    def send(self, index: str, entries: Iterable[Entry]) -> None:
        """Write all of them in bulk, those that the server refused for now once more. Errors: StoreError for one that
        it does not take, or not within WRITE.repeat."""
        part: list[Entry] = []
        size = 0
        for one in entries:
            length = len(one.body or "") + 100
            if part and size + length > _BULK_BYTES:
                self._send(index, part)
                part, size = [], 0
            part.append(one)
            size += length
        self._send(index, part)

    def _send(self, index: str, waiting: Sequence[Entry]) -> None:
        waiter = self._waiter(WRITE)
        while waiting:
            lines = [line for one in waiting for line in one.lines()]
            # The server's own wait for a shard is short: it is asked again anyway.
            answer = self.ask("POST", f"/{index}/_bulk?timeout=10s", lines, patience=WRITE)
            with self.understood():
                results = [next(iter(item.values())) for item in answer["items"]]
                pairs = list(zip(waiting, results, strict=True))
                refused = [(one, result) for one, result in pairs if not one.is_done(int(result["status"]))]
                lasting = next((pair for pair in refused if pair[1]["status"] not in _TRANSIENT), None)
            if lasting or (refused and not waiter.again()):
                one, result = lasting or refused[0]
                raise StoreError(
                    f"{self.name} did not take {one.label} ({result['status']}): {_reason(result.get('error'))}",
                    "see the log of the server, then run `gate ingest` again",
                )
            waiting = [one for one, _ in refused]

    @contextmanager
    def understood(self) -> Iterator[None]:
        """While an answer is taken apart: one of another shape becomes a StoreError."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            hint = "check that `host` is an Elasticsearch, and that nothing between changes its answers"
            raise StoreError(f"{self.name} gave an answer that is not understood: {error!r:.200}", hint) from error

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _waiter(self, patience: Allowance) -> Waiter:
        return Waiter(patience.repeat, self._sleep, self._clock)

    def _once(self, method: str, path: str, body: Any, timeout: float) -> dict[str, Any]:
        lines = body is not None and not isinstance(body, Mapping)
        headers = {"accept": _JSON, **({"content-type": _LINES if lines else _JSON} if body is not None else {})}
        client = self._client.options(request_timeout=timeout)
        answer: Any = client.perform_request(method, path, headers=headers, body=body).body
        if not isinstance(answer, dict):
            raise StoreError(f"{self.name} gave an answer that is not understood", "check that `host` is right")
        return answer


def _open_client(settings: Elasticsearch, environ: Mapping[str, str]) -> tuple[str, Client]:
    """(the name of the server in messages, a client); nothing is sent yet. Errors: StoreError."""
    from elasticsearch import Elasticsearch as Client
    from elasticsearch import ElasticsearchWarning

    # The server's remarks on its own set-up are no matter of the gate's users.
    warnings.filterwarnings("ignore", category=ElasticsearchWarning)
    host = settings.host or ("" if settings.cloud_id else environ.get("ES_HOST", ""))
    if not host and not settings.cloud_id:
        raise StoreError("no address of an Elasticsearch is given", "set `elasticsearch.host` or ES_HOST")
    options: dict[str, Any] = {"max_retries": 0, "meta_header": False}
    if settings.username and settings.password:
        options["basic_auth"] = (settings.username, settings.password.get_secret_value())
    elif key := settings.api_key.get_secret_value() if settings.api_key else environ.get("ES_API_KEY", ""):
        options["api_key"] = key.strip()  # a file adds a line break
        if not options["api_key"].isascii() or not options["api_key"].isprintable():
            raise StoreError("the API key of Elasticsearch has characters that no key has", "copy the key again")
    if settings.ca_certs:
        options["ca_certs"] = settings.ca_certs
    try:
        if host:
            address = with_port(checked_address(host))
            return address, Client(address, **options)
        return "the Elasticsearch of `cloud_id`", Client(cloud_id=settings.cloud_id, **options)
    except (ValueError, OSError) as error:
        where = "`elasticsearch` in the configuration" if settings.host or settings.cloud_id else "ES_HOST"
        raise StoreError(f"cannot connect to Elasticsearch: {error!s:.200}", f"check {where}") from error


def with_port(address: str) -> str:
    """The address with the port of its scheme where it names none: 443 or 80, as everywhere; messages then show it."""
    parts = urlsplit(address)
    if parts.port is not None:
        return address
    port = 443 if parts.scheme == "https" else 80
    return urlunsplit(parts._replace(netloc=f"{parts.netloc.rstrip(':')}:{port}"))


def _is_transient(error: BaseException) -> bool:
    """Whether a repeat may succeed: the server is away, slow or busy."""
    from elastic_transport import TlsError
    from elasticsearch import ApiError, ConnectionError, ConnectionTimeout

    if isinstance(error, ApiError):
        return error.status_code in _TRANSIENT
    return isinstance(error, ConnectionTimeout | ConnectionError) and not isinstance(error, TlsError)


def _explained(error: Exception, server: str, request: str, attempts: int) -> StoreError:
    """The fault as a StoreError; `request` is its method and path. Anything that is not the client's is passed on."""
    from elastic_transport import TlsError
    from elasticsearch import ApiError, ConnectionTimeout, SerializationError, TransportError, UnsupportedProductError

    tried = f" ({attempts} attempts)" if attempts > 1 else ""
    match error:
        case StoreError():
            return error
        case UnsupportedProductError():
            return StoreError(f"{server} is not an Elasticsearch", "check `elasticsearch.host`; OpenSearch is not one")
        case ApiError():
            return _refused(error, server, request, tried)
        case TlsError():
            hint = "use https:// or http:// as the server does, and `elasticsearch.ca_certs` for its own authority"
            return StoreError(f"{server}: no secure connection: {_cause(error)}", hint)
        case ConnectionTimeout():
            return StoreError(f"{server} did not answer in time{tried}", "check its load, and the network between")
        case SerializationError():
            return StoreError(f"{server} gave an answer that is not JSON", "check that `host` is an Elasticsearch")
        case TransportError():
            hint = "check that it runs, and `elasticsearch.host` or ES_HOST with its port (often 9200)"
            return StoreError(f"{server} cannot be reached: {_cause(error)}{tried}", hint)
    raise error


def _refused(error: Any, server: str, request: str, tried: str) -> StoreError:
    status, body = error.status_code, error.body
    named = body.get("error") if isinstance(body, dict) else body and error.message
    reason = _reason(named or "no reason given")
    if status == 401:
        return StoreError(f"{server} does not accept the credentials (401)", _HINTS[401])
    if status == 404 and _type(named) == _GONE:
        return _gone(server, reason)
    if 300 <= status < 400:
        place = without_secrets(_reason(error.meta.headers.get("location") or "another address"))
        hint = "set `elasticsearch.host` (or ES_HOST) to the address of the server itself, with https:// if it wants it"
        return StoreError(f"{server} redirects to {place} ({status})", hint)
    if status in _TRANSIENT or status >= 500:
        hint = "try again later; see the log of the server"
        return StoreError(f"{server} cannot serve requests ({status}): {reason}{tried}", hint)
    return StoreError(f"{server} refused {request} ({status}): {reason}", _HINTS.get(status, "see its log"))


def _gone(server: str, reason: str) -> IndexMissingError:
    return IndexMissingError(f"{server}: {reason}", "run `gate ingest` if it is not there, else start again")


def _reason(error: Any) -> str:
    """The reason in an `error` of an answer, as one printable line."""
    while isinstance(error, dict):
        cause = error.get("caused_by")
        nested = cause.get("reason") if isinstance(cause, dict) else None
        error = nested or error.get("reason") or error.get("type") or "no reason given"
    return "".join(char if char.isprintable() else " " for char in str(error))[:300]


def _type(error: Any) -> str:
    return str(error.get("type", "")) if isinstance(error, dict) else ""


def _cause(error: Any) -> str:
    """The reason in a message that may hold addresses of objects in memory."""
    text = str(error.message)
    found = re.search(r"\[Errno -?\d+\] ([^'\")\]]+)", text) or re.search(r"(certificate verify failed[^(]*)", text)
    return (found[1] if found else re.sub(r"<[^<>]*>:? ?", "", text))[:200].strip()
