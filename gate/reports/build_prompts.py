"""The prompts of a verdict document: each with its answers, its risk and where it comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gate.records import Answer, Prompt, Verdict
from gate.reports.document import AnswerEntry, PromptEntry


def rounded(value: float | None) -> float | None:
    """Six decimals: enough for every use, and the same on every machine; no zero has a sign. None for what JSON has no
    number for."""
    return None if value is None or not math.isfinite(value) else round(float(value), 6) + 0.0


def risk_of(labels: Sequence[str]) -> float | None:
    """(unsupported x 1.0 + weakly_supported x 0.5) / judged claims; None where nothing was judged."""
    judged = [label for label in labels if label != "unjudged"]
    bad = judged.count("unsupported") + 0.5 * judged.count("weakly_supported")
    return rounded(bad / len(judged)) if judged else None


def entries(
    prompts: Sequence[Prompt], answers: Sequence[Answer], verdicts: Sequence[Verdict], repeats: int
) -> list[PromptEntry]:
    """One entry for each prompt, in their order, with all its answers by repeat and the risk of its claims."""
    given: dict[str, list[Answer]] = {}
    for answer in sorted(answers, key=lambda a: a.repeat):
        given.setdefault(answer.prompt_id, []).append(answer)
    labels: dict[str, list[str]] = {}
    for verdict in verdicts:
        labels.setdefault(verdict.claim.prompt_id, []).append(verdict.label.value)
    return [_prompt(p, given.get(p.id, []), labels.get(p.id, []), repeats) for p in prompts]


def _prompt(prompt: Prompt, answers: Sequence[Answer], labels: Sequence[str], repeats: int) -> PromptEntry:
    first = answers[0] if answers else Answer(prompt.id, prompt.id, "")
    missing = max(0, repeats - len(answers))
    entry = PromptEntry(
        id=prompt.id,
        category=prompt.category.value,
        question=prompt.question,
        answer=first.text,
        latency_ms=_latency(first),
        risk=risk_of(labels),
        answer_id=first.id,
        model=first.model,
        input_tokens=sum(a.usage.input_tokens for a in answers),
        output_tokens=sum(a.usage.output_tokens for a in answers),
        claims=len(labels),
        failed=missing > 0,
        missing=missing,
    )
    if len(answers) > 1:
        entry["answers"] = [
            AnswerEntry(id=a.id, repeat=a.repeat, answer=a.text, latency_ms=_latency(a)) for a in answers[1:]
        ]
    _origin(entry, prompt)
    if contexts := first.contexts or prompt.contexts:
        entry["contexts"] = list(contexts)
    return entry


def _origin(entry: PromptEntry, prompt: Prompt) -> None:
    """What only some prompts have."""
    if prompt.reference is not None:
        entry["reference"] = prompt.reference
    if prompt.source:
        entry["source"], entry["line"] = prompt.source, prompt.line
    if prompt.probe is not None:
        entry["probe"] = prompt.probe
    if prompt.of is not None:
        entry["of"] = prompt.of


def _latency(answer: Answer) -> float | None:
    return None if answer.latency_ms is None else round(answer.latency_ms, 3)
