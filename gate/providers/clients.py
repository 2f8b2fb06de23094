"""HTTP clients for many calls at once: one for each call in flight, kept with its connection for the next call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 10.0


class Clients:
    """Clients that differ in nothing; threads may share it.

    One client could hold all connections, but it looks at every one of them whenever a request begins or ends: with 100
    at once that was a third of a run's processor time.
    """

    def __init__(self, headers: Mapping[str, str], timeout: float) -> None:
        """`headers` go with every request; `timeout` in seconds bounds each read and write."""
        import httpx

        self._headers, self._timeout = dict(headers), httpx.Timeout(timeout, connect=CONNECT_SECONDS)
        self._context = httpx.create_ssl_context()  # read once: the list of authorities is long
        self._all: list[httpx.Client] = []
        self._idle: list[httpx.Client] = [self._made()]  # at once: a proxy that cannot be used is told here

    @contextmanager
    def one(self) -> Iterator[httpx.Client]:
        """A client that nobody else uses meanwhile; the one used last comes first, its connection is the freshest."""
        try:
            client = self._idle.pop()
        except IndexError:
            client = self._made()
        try:
            yield client
        finally:
            self._idle.append(client)

    def close(self) -> None:
        """Close all connections, those of calls that were given up too; safe to call twice."""
        while self._all:
            self._all.pop().close()

    def _made(self) -> httpx.Client:
        import httpx

        client = httpx.Client(headers=self._headers, timeout=self._timeout, verify=self._context)
        self._all.append(client)
        return client
