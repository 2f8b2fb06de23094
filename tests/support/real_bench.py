"""The real local tools of the measures, opened once: the shipped embedder, extractor and judge."""

from __future__ import annotations

from functools import cache

from gate.bench import Bench
from gate.config import Config
from gate.measures.base import Answered
from gate.toolbox import Toolbox


@cache
def bench() -> Bench:
    """One bench for a whole test session: it remembers what it judged."""
    config = Config.model_validate({"use_case": "a test", "model": {"provider": "replay", "path": "answers.jsonl"}})
    return Bench(Toolbox(config), Answered(()))
