"""Answers as the measures see them, and tools without a model for them: words decide what bears what out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.judges.base import Grade, Statement, Support
from gate.measures.base import Answered, Case, Reading
from gate.measures.summary import MEASURES, rate_run
from gate.records import Answer, Claim, Decision, Label, Ledger, Prompt, Rating, Score, Verdict
from gate.text import numbers, sentences, stem, words
from tests.support.words_embedder import WordsEmbedder

REFUSAL = "I don't know."
FOREIGN = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."
DEPLOY = Score(Decision.DEPLOY, 0.0, (0.0, 0.1), Ledger(1, 1, 0, 0, 0), ("fine",))


class Said(NamedTuple):
    """A claim as the fake extractor finds it: a sentence, with the question as its context."""

    text: str
    context: str
    header: str = ""


class Tools:
    """A claim is a sentence that is no refusal and no question. A text bears it out that has all its words, in part
    where it has half; other numbers deny it. `labels`: what is said of these claims, whatever they say."""

    def __init__(
        self,
        outcome: Answered = Answered(()),  # noqa: B008 - it is frozen
        labels: Mapping[str, Support] | None = None,
        documents: Sequence[str] = (),
        **options: object,
    ) -> None:
        self._outcome, self._options, self._labels, self._documents = outcome, options, labels or {}, documents
        self._embedder = WordsEmbedder(dimension=4096)
        self.asked: list[list[Statement]] = []

    def reading(self, name: str) -> Reading:
        options = self._options.get(name) or MEASURES[name].options()
        return rate_run(name, self._outcome, options, self)

    def claims(self, text: str, question: str) -> tuple[Said, ...]:
        found = [text[start:end] for start, end in sentences(text)]
        return tuple(Said(one, question) for one in found if one not in (REFUSAL, "Hello!") and not one.endswith("?"))

    def support(self, statements: Sequence[Statement]) -> list[Support]:
        self.asked.append(list(statements))
        return [self._labels.get(one.claim) or _support(one) for one in statements]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embedder.embed([" ".join(map(stem, words(text))) for text in texts])

    def documents(self, question: str) -> tuple[str, ...]:
        return tuple(self._documents)

    def grade(self, items: Sequence[tuple[str, str, str]]) -> list[Grade]:
        raise AssertionError("no model is asked")

    def price(self, answer: Answer) -> float | None:
        return None


def _support(statement: Statement) -> Support:
    text = " ".join(statement.texts)
    there, said = {stem(word) for word in words(text)}, {stem(word) for word in words(statement.claim)}
    amounts = {number.value for number in numbers(statement.claim)}
    known = {number.value for number in numbers(text)}
    plain = {word for word in said if word.isalpha()}
    share = len(plain & there) / len(plain) if plain else float(bool(amounts))
    if amounts - known:
        return Support(Label.UNSUPPORTED, bool(known) and share >= 0.5, 0.05, text)
    if share == 1 and statement.texts:
        return Support(Label.SUPPORTED, False, 0.9, text)
    return Support(Label.WEAKLY_SUPPORTED if share >= 0.5 else Label.UNSUPPORTED, False, share / 2, text)


def case(
    question: str,
    answer: str,
    *contexts: str,
    labels: tuple[Label, ...] = (),
    name: str = "p",
    reference: str | None = None,
) -> Case:
    """One answer; `labels` are what the run said of its sentences by the trusted documents."""
    found = [Claim(f"{name}:{n}", name, name, answer[a:b], a, b) for n, (a, b) in enumerate(sentences(answer))]
    verdicts = tuple(Verdict(claim, label, "") for claim, label in zip(found, labels, strict=False))
    prompt = Prompt(name, question, reference=reference)
    return Case(prompt, Answer(name, name, answer, contexts=contexts), contexts, (), verdicts)


def reading(name: str, *cases: Case, **options: object) -> Reading:
    """What a measure reads of these answers; options of any measure by its name."""
    return Tools(Answered(cases), **options).reading(name)


def rated(name: str, found: Case, **options: object) -> Rating:
    """The one rating of an answer that has one."""
    (rating,) = reading(name, found, **options).ratings
    return rating
