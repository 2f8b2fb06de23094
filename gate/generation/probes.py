"""Probes: prompts that vary another one, so that a measure can see what the variation does to the answer."""

from __future__ import annotations

from collections.abc import Sequence

from gate.measures.base import Given
from gate.measures.table import plans
from gate.records import Prompt


def probes(name: str, prompt: Prompt, given: Given) -> Sequence[Prompt]:
    """The probes that a measure needs of one prompt; equal prompts and seeds give equal probes. None is the prompt
    itself: what cannot be varied has fewer."""
    made = plans()[name].make(prompt, given)
    return [probe for probe in made if (probe.question, probe.contexts) != (prompt.question, given.contexts)]


def reworded(prompt: Prompt, given: Given, measure: str, kind: str, question: str) -> Prompt:
    """Another question to the same passages: what is varied is the question alone."""
    return variation(prompt, measure, kind, question, given.contexts or None)


def variation(
    prompt: Prompt, measure: str, kind: str, question: str | None = None, contexts: tuple[str, ...] | None = None
) -> Prompt:
    """The prompt with another question or other contexts, called `id~measure-kind`."""
    return Prompt(
        id=f"{prompt.id}~{measure}-{kind}",
        question=prompt.question if question is None else question,
        category=prompt.category,
        reference=prompt.reference,
        contexts=prompt.contexts if contexts is None else contexts,
        source=prompt.source,
        line=prompt.line,
        probe=f"{measure}:{kind}",
        of=prompt.id,
        own_contexts=contexts is not None,
    )
