"""One Elasticsearch server: JSON in, JSON out, patience with what passes, and a StoreError that helps for the rest."""

from __future__ import annotations

import random
import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from gate.config_parts import Elasticsearch, checked_address
from gate.errors import StoreError
from gate.store.elasticsearch_faults import TRANSIENT, explained, is_transient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from elasticsearch import Elasticsearch as Client

OLDEST = (8, 15)
# A client of version 9 asks for answers in the form of version 9, which a server of version 8 refuses; servers of both
# versions give the form of version 8. So every request names it, whichever client is installed.
_JSON = "application/vnd.elasticsearch+json; compatible-with=8"
_LINES = "application/vnd.elasticsearch+x-ndjson; compatible-with=8"


class Patience(NamedTuple):
    """How long a request may take, and for how long it is repeated while the server is away or busy, in seconds."""

    timeout: float
    repeat: float


ONCE = Patience(5.0, 0.0)
READ = Patience(10.0, 15.0)
WRITE = Patience(60.0, 60.0)  # a server that restarts is awaited


@dataclass(slots=True)
class Waiter:
    """Waits between attempts, longer each time, until its patience is over."""

    seconds: float
    sleep: Callable[[float], None]
    clock: Callable[[], float]
    _begun: float = 0.0
    _attempts: int = 0

    def __post_init__(self) -> None:
        self._begun = self.clock()

    def again(self) -> bool:
        """Wait; False, at once, where there is no time left."""
        delay = min(5.0, 0.2 * 2**self._attempts) * random.uniform(0.5, 1.0)  # noqa: S311
        if self.clock() - self._begun + delay > self.seconds:
            return False
        self._attempts += 1
        self.sleep(delay)
        return True


class Server:
    """What the store asks of Elasticsearch; threads may share it."""

    def __init__(
        self,
        settings: Elasticsearch,
        environ: Mapping[str, str],
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Sends nothing yet. Errors: StoreError where there is no usable address or certificate."""
        self.name, self._client = _client(settings, environ)
        self._sleep, self._clock = sleep, clock

    def waiter(self, patience: Patience) -> Waiter:
        """For attempts that the caller repeats."""
        return Waiter(patience.repeat, self._sleep, self._clock)

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
            serverless = version.get("build_flavor") == "serverless"
        if number < OLDEST and not serverless:
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
        patience: Patience = READ,
    ) -> dict[str, Any]:
        """The answer; {} with `missing` for a 404. A sequence is sent as lines of JSON. Errors: StoreError."""
        waiter = self.waiter(patience)
        for attempt in count(1):
            try:
                return self._once(method, path, body, patience.timeout)
            except Exception as error:
                if missing and getattr(error, "status_code", 0) == 404:
                    return {}
                if not is_transient(error) or not waiter.again():
                    raise explained(error, self.name, f"{method} {path.partition('?')[0]}", attempt) from error
        raise AssertionError  # pragma: no cover (count does not end)

    def ask_many(self, path: str, lines: Sequence[str]) -> list[dict[str, Any]]:
        """The answers to several searches (`_msearch`), in order. Errors: StoreError for any that failed."""
        waiter = self.waiter(READ)
        while True:
            with self.understood():
                answers = list(self.ask("POST", path, lines)["responses"])
                if len(answers) != len(lines) // 2:
                    raise ValueError(f"{len(answers)} answers to {len(lines) // 2} searches")
                failed = next((answer for answer in answers if "error" in answer), None)
            if failed is None:
                return answers
            if failed.get("status") not in TRANSIENT or not waiter.again():
                raise StoreError(f"{self.name} could not search: {failed['error']!s:.300}", "see the log of the server")

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

    def _once(self, method: str, path: str, body: Any, timeout: float) -> dict[str, Any]:
        lines = body is not None and not isinstance(body, Mapping)
        headers = {"accept": _JSON, **({"content-type": _LINES if lines else _JSON} if body is not None else {})}
        client = self._client.options(request_timeout=timeout)
        answer: Any = client.perform_request(method, path, headers=headers, body=body).body
        if not isinstance(answer, dict):
            raise StoreError(f"{self.name} gave an answer that is not understood", "check that `host` is right")
        return answer


def _client(settings: Elasticsearch, environ: Mapping[str, str]) -> tuple[str, Client]:
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
        options["api_key"] = key
    if settings.ca_certs:
        options["ca_certs"] = settings.ca_certs
    try:
        if host:
            return checked_address(host), Client(checked_address(host), **options)
        return "the Elasticsearch of `cloud_id`", Client(cloud_id=settings.cloud_id, **options)
    except (ValueError, OSError) as error:
        where = "`elasticsearch` in the configuration" if settings.host or settings.cloud_id else "ES_HOST"
        raise StoreError(f"cannot connect to Elasticsearch: {error!s:.200}", f"check {where}") from error
