"""What the measures may ask, opened from the toolbox: vectors, claims, support by the local judge, grades, prices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gate.measures.base import Grade, Outcome, Reading, Support
from gate.measures.table import read
from gate.records import Answer, Claim, Evidence, Item

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gate.extraction.extract import Extractor
    from gate.judges.base import Judge
    from gate.providers.base import Embedder
    from gate.toolbox import Toolbox

Pair = tuple[str, tuple[str, ...]]


class Bench:
    """The Tools of one run's measures; everything is computed once."""

    def __init__(self, tools: Toolbox, outcome: Outcome) -> None:
        self._tools, self._outcome = tools, outcome
        self._readings: dict[str, Reading] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._claims: dict[tuple[str, str], tuple[str, ...]] = {}
        self._support: dict[Pair, Support] = {}

    def reading(self, name: str) -> Reading:
        """What a measure reads of this run. Errors: as the measure's."""
        if name not in self._readings:
            self._readings[name] = read(name, self._outcome, self._tools.config.measures.options(name), self)
        return self._readings[name]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, d) float32, rows of length 1, by the embedder that ships with the gate."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if fresh:
            self._vectors.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        return np.stack([self._vectors[text] for text in texts]) if texts else np.empty((0, 1), dtype=np.float32)

    def claims(self, text: str, question: str) -> tuple[str, ...]:
        """The claims of a text, by the local extractor."""
        key = text, question
        if key not in self._claims:
            self._claims[key] = tuple(found.text for found in self._extractor.extract(text, question))
        return self._claims[key]

    def support(self, pairs: Sequence[Pair]) -> list[Support]:
        """How far texts bear out claims, by the local judge."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._support]
        if fresh:
            verdicts = self._judge.judge([_item(claim, texts) for claim, texts in fresh])
            for pair, verdict in zip(fresh, verdicts, strict=True):
                quote = verdict.evidence[0].quote if verdict.evidence else ""
                chance = verdict.support if verdict.support is not None else 0.0
                self._support[pair] = Support(verdict.label, verdict.contradicted, chance, quote)
        return [self._support[pair] for pair in pairs]

    def grade(self, items: Sequence[tuple[str, str, str]]) -> list[Grade]:
        """Grades of the judge's model. Errors: LimitError, SetupError."""
        raise NotImplementedError("grading by a model is not built yet")

    def price(self, answer: Answer) -> float | None:
        """USD of an answer by the table of prices; a replayed answer goes by the model that its record names."""
        from gate.providers.prices import price_of

        model = self._tools.config.model
        provider = "openai" if model.provider == "replay" and answer.model else model.provider  # the listed price
        price = price_of(provider, answer.model or model.model_id or "", self._tools.config.prices)
        if price is None:
            return None
        return (answer.usage.input_tokens * price.input + answer.usage.output_tokens * price.output) / 1e6

    @cached_property
    def _embedder(self) -> Embedder:
        from gate.providers.local_embedder import LocalEmbedder

        chosen = self._tools.embedder
        return chosen if isinstance(chosen, LocalEmbedder) else LocalEmbedder()

    @cached_property
    def _extractor(self) -> Extractor:
        from gate.extraction.extract import LocalExtractor

        return LocalExtractor()

    @cached_property
    def _judge(self) -> Judge:
        from gate.judges.local import LocalJudge
        from gate.toolbox_local import shipped

        return LocalJudge(self._embedder, reader=shipped())


def _item(claim: str, texts: tuple[str, ...]) -> Item:
    evidence = tuple(Evidence("", number, text, 1.0, lines=()) for number, text in enumerate(texts, 1))
    return Item(Claim("", "", "", claim, 0, len(claim)), evidence)
