"""Probes: prompts that vary another one, so that a measure can see what the variation does to the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gate.records import Prompt


@dataclass(frozen=True, slots=True)
class Given:
    """What a probe may be made of: the passages of its prompt, passages of another prompt, and the seed."""

    contexts: tuple[str, ...]
    foreign: tuple[str, ...]
    seed: int


def probes(name: str, prompt: Prompt, given: Given) -> Sequence[Prompt]:
    """The probes that a measure needs of one prompt; equal prompts and seeds give equal probes."""
    return PROBES[name](prompt, given)


def withheld(prompt: Prompt, given: Given) -> list[Prompt]:
    """The same question without any evidence; none where there was none."""
    if not given.contexts:
        return []
    return [variation(prompt, "retrieval_dependency", "withheld", contexts=())]


def none(prompt: Prompt, given: Given) -> list[Prompt]:
    """No probe."""
    return []


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


PROBES: Mapping[str, Callable[[Prompt, Given], Sequence[Prompt]]] = {
    "consistency": none,
    "sensitivity": none,
    "retrieval_dependency": withheld,
}
