"""Answers as the measures see them, and what a measure reads of them with the real local tools."""

from __future__ import annotations

from gate.claims.local import extract
from gate.measures.base import Case, Outcome, Reading
from gate.measures.missing import read
from gate.measures.table import MEASURES
from gate.records import Answer, Claim, Label, Prompt, Rating, Verdict
from tests.support.real_bench import bench


class Tools:
    """The session's bench, with the readings of one outcome."""

    def __init__(self, outcome: Outcome, **options: object) -> None:
        self._outcome, self._options = outcome, options

    def __getattr__(self, name: str) -> object:
        return getattr(bench(), name)

    def reading(self, name: str) -> Reading:
        options = self._options.get(name) or MEASURES[name].options()
        return read(name, self._outcome, options, self)


def case(question: str, answer: str, *contexts: str, labels: tuple[Label, ...] = (), name: str = "p") -> Case:
    """One answer; `labels` are what the run said of its claims by the trusted documents."""
    claims = tuple(
        Claim(f"{name}:{n}", name, name, found.text, found.start, found.end)
        for n, found in enumerate(extract(answer, question))
    )
    verdicts = tuple(Verdict(claim, label, "") for claim, label in zip(claims, labels, strict=False))
    return Case(Prompt(name, question), Answer(name, name, answer, contexts=contexts), contexts, claims, verdicts)


def reading(name: str, *cases: Case, **options: object) -> Reading:
    """What a measure reads of these answers; options of any measure by its name."""
    return Tools(Outcome(cases), **options).reading(name)


def rated(name: str, found: Case, **options: object) -> Rating:
    """The one rating of an answer that has one."""
    (rating,) = reading(name, found, **options).ratings
    return rating
