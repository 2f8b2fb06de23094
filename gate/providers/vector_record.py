"""The record of vectors: each text's is written down the moment it arrives, and no text is embedded twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from gate.errors import StoreError
from gate.providers.calls import Calls
from gate.providers.vectors import asking, packed, unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.providers.vectors import Embedding


class VectorRecord:
    """The vectors of one model of one server, kept text by text: a text is found again whatever stands beside it."""

    def __init__(
        self,
        calls: Calls,
        of: Embedding,
        fresh: bool = False,
        on_fault: Callable[[str], None] = lambda message: None,
    ) -> None:
        """`fresh` (`--no-cache`) finds nothing but what was kept here, and replaces what was recorded. `on_fault` gets
        a message, once, if vectors cannot be written: they are still used."""
        self._calls, self._fresh, self._on_fault = calls, fresh, on_fault
        self._name, self._identity = of.name, f"{of.model}\n{of.identity}\nvectors of {of.wanted or 'any'} numbers"
        self._model = of.model
        self._lock = threading.Lock()
        self._told = False
        self._renewed: set[str] = set()  # the texts that were kept here

    def known(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """text -> its vector, for those that are recorded. Errors: StoreError if the record cannot be read."""
        found = {text: self._read(text) for text in texts if not self._fresh or text in self._renewed}
        return {text: row for text, row in found.items() if row is not None}

    def keep(self, rows: Mapping[str, NDArray[np.float32]]) -> None:
        """Write down the vectors of texts."""
        from gate.providers.base import Reply

        try:
            for text, row in rows.items():
                request = asking([text])
                self._calls.put(self._key(text), self._name, request, Reply(packed(row), model=self._model))
                self._renewed.add(text)
        except StoreError as error:
            with self._lock:
                first, self._told = not self._told, True
            if first:
                self._on_fault(error.message)

    def _read(self, text: str) -> NDArray[np.float32] | None:
        reply = self._calls.get(self._key(text))
        rows = unpacked(reply.text, 1) if reply is not None else None
        return rows[0] if rows is not None else None

    def _key(self, text: str) -> str:
        return asking([text]).key(self._name, self._identity)
