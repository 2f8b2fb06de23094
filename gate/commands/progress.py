"""What a run is doing, on stderr: on a terminal a spinner, or a bar with the remaining time where it asks many times;
elsewhere a line now and then of what takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gate.commands.dataset_progress import counting

if TYPE_CHECKING:
    from rich.status import Status

WORDS = {
    "generate_prompts": "reading prompts",
    "run_model": "asking the model",
    "extract_claims": "extracting claims",
    "retrieve_evidence": "finding evidence",
    "verify_claims": "judging claims",
    "score_risk": "scoring",
}
SECONDS = 30.0  # between two lines, and before the first: a short run says nothing


class Watch:
    """Called with the name of each agent as it begins; `status` is the spinner of a terminal."""

    def __init__(self, status: Status | None = None) -> None:
        self._status = status

    def __call__(self, name: str) -> None:
        """Say what begins."""
        if self._status:
            self._status.update(WORDS.get(name, name))

    @contextmanager
    def counting(self, total: int, what: str) -> Iterator[Callable[[], None]]:
        """A function to call from any thread when one of `total` is done; the spinner makes way for the bar."""
        if self._status:
            self._status.stop()
        try:
            with counting(total, what, seconds=SECONDS) as done:
                yield done
        finally:
            if self._status:
                self._status.start()


@contextmanager
def watching() -> Iterator[Watch]:
    """What is told of a run while it goes on; never on stdout."""
    if not sys.stderr.isatty():
        yield Watch()
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield Watch(status)
