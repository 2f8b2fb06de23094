"""What a run is doing, on stderr: a spinner on a terminal, nothing where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WORDS = {
    "generate_prompts": "reading prompts",
    "run_model": "asking the model",
    "extract_claims": "extracting claims",
    "retrieve_evidence": "finding evidence",
    "verify_claims": "judging claims",
    "score_risk": "scoring",
}


@contextmanager
def watching() -> Iterator[Callable[[str], None]]:
    """A function to call with the name of each agent as it begins."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield lambda name: status.update(WORDS.get(name, name))
