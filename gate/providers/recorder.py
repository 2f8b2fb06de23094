"""The recorder: every reply is written down the moment it returns, and no request is made twice."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext

from gate.errors import StoreError
from gate.providers.base import Provider, Reply, Request
from gate.providers.calls import Calls
from gate.providers.turns import Turns
from gate.text_replies import entries


class Recorder:
    """Cache, resume and log of a provider in one; it stands outside everything that counts or repeats calls."""

    def __init__(
        self,
        inner: Provider,
        calls: Calls,
        fresh: bool = False,
        on_cached: Callable[[], None] = lambda: None,
        on_fault: Callable[[str], None] = lambda message: None,
        turns: Turns | None = None,
    ) -> None:
        """`fresh` (`--no-cache`) asks again, once, for everything and replaces what was recorded, so that a later run
        without it goes on from the newest replies. `on_cached` is called for each reply that cost nothing; `on_fault`
        with a message, once, if replies cannot be written: they are still used, but a run that is killed would pay
        again. `turns`: another process that asks the same is waited for."""
        self.name, self.model = inner.name, inner.model
        self._inner, self._calls, self._fresh = inner, calls, fresh
        self._identity = f"{inner.model}\n{getattr(inner, 'identity', '')}"
        self._on_cached, self._on_fault, self._turns = on_cached, on_fault, turns
        self._lock = threading.Lock()
        self._in_flight: dict[str, Future[Reply]] = {}
        self._told = False
        self._renewed: set[str] = set()  # the keys that were written here

    def complete(self, request: Request) -> Reply:
        """The recorded reply, or a new one. An equal request in flight is waited for, its error shared.

        Errors: those of the provider; StoreError if the record cannot be read.
        """
        key = request.key(self.name, self._identity)
        with self._lock:
            known = self._in_flight.get(key)
            if known is None:
                mine = self._in_flight[key] = Future()
        if known is not None:
            reply = known.result()
            self._on_cached()
            return dataclasses.replace(reply, cached=True)
        try:
            reply = self._once(key, request)
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(reply)
            return reply
        finally:
            with self._lock:
                del self._in_flight[key]

    def _once(self, key: str, request: Request) -> Reply:
        if self._fresh and key not in self._renewed:
            return self._asked(key, request)
        known = self._known(key)
        if known is not None:
            return known
        with self._turns.turn(key) if self._turns is not None else nullcontext():
            return self._known(key) or self._asked(key, request)  # another process may have asked meanwhile

    def _known(self, key: str) -> Reply | None:
        recorded = self._calls.get(key)
        if recorded is not None:
            self._on_cached()
        return recorded

    def _asked(self, key: str, request: Request) -> Reply:
        reply = self._inner.complete(request)
        if worth_keeping(request, reply):
            self._write(key, request, reply)
        return reply

    def _write(self, key: str, request: Request, reply: Reply) -> None:
        try:
            self._calls.put(key, self.name, request, reply)
            self._renewed.add(key)
        except StoreError as error:
            with self._lock:
                first, self._told = not self._told, True
            if first:
                self._on_fault(error.message)


def worth_keeping(request: Request, reply: Reply) -> bool:
    """Whether asking again could not do better: whole, not filtered, not empty, and with every list that was asked for,
    wherever in the text its reader finds it: a model may think aloud, with braces, before it answers."""
    if reply.stop != "stop" or not reply.text.strip():
        return False
    return request.schema is None or all(entries(reply.text, name)[1] for name in request.schema["required"])
