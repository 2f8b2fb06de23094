"""What the measures may ask, opened from the toolbox: vectors, claims, support by the local judge, grades, prices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gate.claims.local import LocalExtractor
from gate.errors import LimitError, SetupError
from gate.judges.base import Grade, Statement, Support
from gate.judges.grader import BY_CRITERION, BY_REFERENCE, Rubric, grade_all
from gate.judges.line import load_line
from gate.judges.local import LocalJudge
from gate.judges.reader import shipped_reader
from gate.measures.base import Answered, Reading, Stated, lost
from gate.measures.summary import rate_run, unsaid
from gate.measures.texts import shortened
from gate.providers.budget import cost_of
from gate.providers.embedding import CachedEmbedder
from gate.providers.pool import Counting, uncounted
from gate.records import Answer, Rating
from gate.toolbox import Toolbox, shipped_embedder

CHUNKS = 8  # of the documents that are looked into for a question


class Bench:
    """The Tools of one run's measures; everything is computed once."""

    def __init__(self, tools: Toolbox, outcome: Answered, counting: Counting = uncounted) -> None:
        self._tools, self._outcome, self._counting = tools, outcome, counting
        self.stopped: LimitError | None = None
        self._readings: dict[str, Reading] = {}
        self._claims: dict[tuple[str, str], tuple[Stated, ...]] = {}
        self._support: dict[Statement, Support] = {}

    def reading(self, name: str) -> Reading:
        """What a measure reads of this run. Errors: as the measure's."""
        if name not in self._readings:
            self._readings[name] = rate_run(name, self._outcome, self._tools.config.measures.options(name), self)
        return self._readings[name]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, d) float32, rows of length 1, by the embedder that ships with the gate."""
        return self._embedder.embed(texts)

    def claims(self, text: str, question: str) -> tuple[Stated, ...]:
        """The claims of a text, by the local extractor."""
        key = text, question
        if key not in self._claims:
            self._claims[key] = tuple(self._extractor.extract(text, question))
        return self._claims[key]

    def support(self, statements: Sequence[Statement]) -> list[Support]:
        """How far texts bear out claims, by the local judge."""
        fresh = [statement for statement in dict.fromkeys(statements) if statement not in self._support]
        if fresh:
            self._support.update(zip(fresh, self._judge.support(fresh), strict=True))
        return [self._support[statement] for statement in statements]

    def grade(self, items: Sequence[tuple[str, str, str]], rubric: Rubric = BY_REFERENCE) -> list[Grade]:
        """Grades of the judge's model. A limit leaves the rest without a grade; `stopped` has it, for the run's end.
        Errors: SetupError."""
        model = self._tools.judge_model
        if model is None:
            raise SetupError("no model grades: the judge has none", "set judge.provider, or correctness.by: local")
        with self._counting(len(set(items)), "answers graded") as done:
            found = grade_all(model, items, self._tools.config.limits.concurrency, self._tools.budget, done, rubric)
        self.stopped = self.stopped or found.stopped
        return found.grades

    def criterion(self, criterion: str) -> Reading:
        """Whether each answer of the run that says something meets a criterion, 1 or 0, by the judge's model.
        Errors: SetupError."""
        cases, unjudged = [case for case in self._outcome.cases if not unsaid(case)], lost(self._outcome, criterion)
        grades = self.grade([(case.prompt.question, criterion, case.answer.text) for case in cases], BY_CRITERION)
        ratings = []
        for case, grade in zip(cases, grades, strict=True):
            if grade.value is None:
                unjudged.setdefault(case.prompt.id, grade.why)
            elif case.prompt.id not in unjudged:
                ratings.append(Rating(case.prompt.id, grade.value, shortened(grade.why), answer_id=case.answer.id))
        asked = {*unjudged, *(case.prompt.id for case in cases)}
        skipped = {case.prompt.id: unsaid(case) for case in self._outcome.cases if case.prompt.id not in asked}
        return Reading(tuple(ratings), skipped, unjudged)

    def documents(self, question: str) -> tuple[str, ...]:
        """Chunks of the index that speak of a question. Errors: StoreError."""
        return tuple(chunk.text for chunk in self._tools.store.search([question], CHUNKS)[0])

    def price(self, answer: Answer) -> float | None:
        """USD of an answer by the table of prices; a replayed answer goes by the model that its record names."""
        return cost_of(answer, self._tools.config.model, self._tools.config.prices)

    @cached_property
    def _embedder(self) -> CachedEmbedder:
        return CachedEmbedder(shipped_embedder())

    @cached_property
    def _extractor(self) -> LocalExtractor:
        return LocalExtractor()

    @cached_property
    def _judge(self) -> LocalJudge:
        return LocalJudge(shipped_reader(), load_line(), shipped_reader().name)
