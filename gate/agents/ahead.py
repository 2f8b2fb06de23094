"""Evidence sought on a thread of its own, some answers at a time, while a model judges those before."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from gate.records import Claim, Evidence

Found = dict[str, tuple[Evidence, ...]]
PATIENCE = 0.2  # seconds between two looks at whether the run has ended


class Ahead:
    """A search that runs ahead of the judge. What is found goes into `found`, the claims of a group all at once."""

    def __init__(
        self, search: Callable[[Sequence[Claim]], Found], groups: Sequence[Sequence[Claim]], found: Found
    ) -> None:
        self._search, self._groups, self._found = search, groups, found
        self._change = threading.Condition()
        self._fault: BaseException | None = None
        self._over = False
        # The end of the process waits for it: the libraries may not be torn down under it.
        self._thread = threading.Thread(target=self._labour)

    def begin(self) -> None:
        """Start the search."""
        self._thread.start()

    def wait(self, claims: Sequence[Claim], check: Callable[[], None] = lambda: None) -> None:
        """Come back once all these claims have been sought; `check` may end the waiting with an error of its own.
        Errors: what ended the search."""
        with self._change:
            while any(claim.id not in self._found for claim in claims):
                if self._fault is not None:
                    raise self._fault
                check()
                self._change.wait(PATIENCE)

    def end(self) -> BaseException | None:
        """Begin no further group and wait for the one in work; what ended the search before its end, if anything."""
        with self._change:
            self._over = True
        self._thread.join()
        return self._fault

    def _labour(self) -> None:
        for claims in self._groups:
            with self._change:
                if self._over:
                    return
            found: Found = {}
            fault: BaseException | None = None
            try:
                found = self._search(claims)
            except BaseException as error:  # noqa: BLE001 - handed to those who wait
                fault = error
            with self._change:
                self._found.update(found)
                self._fault = fault
                self._change.notify_all()
            if fault is not None:
                return
