"""One Elasticsearch server: JSON in, JSON out, patience with what passes, and a StoreError that helps for the rest."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from gate.config import Elasticsearch
from gate.errors import StoreError
from gate.store.elasticsearch_client import open_client
from gate.store.elasticsearch_faults import explained, is_transient, part_explained, part_passes

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        self.name, self._client = open_client(settings, environ)
        self.serverless = False  # as `check_version` finds it
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
        return self._parts(path, lines, "responses", len(lines) // 2)

    def ask_each(self, path: str, body: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What the server tells of each of `docs`, in order. Errors: StoreError for any that failed."""
        return self._parts(path, body, "docs", len(body["docs"]))

    def _parts(self, path: str, body: Any, key: str, count: int) -> list[dict[str, Any]]:
        """An answer in parts, each of which may have failed; a part that is lost would be evidence that is lost."""
        waiter = self.waiter(READ)
        while True:
            with self.understood():
                answers = list(self.ask("POST", path, body)[key])
                if len(answers) != count:
                    raise ValueError(f"{len(answers)} answers to {count} questions")
                failed = next((answer for answer in answers if "error" in answer), None)
            if failed is None:
                return answers
            if not part_passes(failed) or not waiter.again():
                raise part_explained(failed, self.name)

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
