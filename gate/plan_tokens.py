"""How many tokens a plan assumes that the model under test is given: the question, and what a run would retrieve."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from gate.agents.run_model import RETRIEVED_CHUNKS, told
from gate.measures.base import Shown
from gate.measures.table import plans
from gate.providers.base import count_tokens

if TYPE_CHECKING:
    from gate.config import Config
    from gate.toolbox import Toolbox

QUESTION = 60


def tokens_given(config: Config, tools: Toolbox) -> dict[str, int]:
    """measure (empty: the prompts themselves) -> tokens of a call, on average over the probes of that measure.

    A retrieved passage is taken to have as many bytes, by which tokens are counted, as the pieces of the index have on
    average. Asks no model. Errors: those of the index.
    """
    names = ("", *config.evaluation.probes)
    if config.model.context != "retrieved" or config.model.provider == "replay":
        return dict.fromkeys(names, QUESTION)
    sizes = [len(text.encode("utf-8", "surrogatepass")) for text in {chunk.text for chunk in tools.store.chunks()}]
    passage = "x" * round(fmean(sizes)) if sizes else ""
    return {name: round(fmean(_tokens(passage, n) for n in _numbers(name, len(sizes)))) for name in names}


def _numbers(measure: str, pieces: int) -> list[int]:
    """How many passages each probe of a measure has, of an index with so many pieces."""
    own = min(RETRIEVED_CHUNKS, pieces)
    shown = {Shown.OWN: own, Shown.MORE: min(own + 1, pieces), Shown.NONE: 0}
    return [shown[kind] for kind in plans()[measure].kinds.values()] if measure else [own]


def _tokens(passage: str, number: int) -> int:
    return QUESTION + count_tokens(told("", (passage,) * number))
