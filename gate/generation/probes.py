"""Probes: prompts that vary another one, so that a measure can see what the variation does to the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gate.generation.probes_evidence import contradicted, distracted
from gate.generation.probes_order import reordered
from gate.generation.probes_paraphrase import NUMBER, paraphrases
from gate.generation.probes_words import LONGEST, case, politeness, typos
from gate.records import Prompt


@dataclass(frozen=True, slots=True)
class Given:
    """What a probe may be made of: the passages that the model is given with its prompt (none where it is given none),
    passages of another prompt, the seed, and other ways to ask that a model wrote."""

    contexts: tuple[str, ...]
    foreign: tuple[str, ...]
    seed: int
    paraphrases: tuple[str, ...] = ()


def probes(name: str, prompt: Prompt, given: Given) -> Sequence[Prompt]:
    """The probes that a measure needs of one prompt; equal prompts and seeds give equal probes. None is the prompt
    itself: what cannot be varied has fewer."""
    made = PROBES[name](prompt, given)
    return [probe for probe in made if (probe.question, probe.contexts) != (prompt.question, given.contexts)]


def rephrased(prompt: Prompt, given: Given) -> list[Prompt]:
    """The question in other words: as a model wrote it, and where that falls short by the local templates."""
    ways = list(dict.fromkeys([*given.paraphrases, *paraphrases(prompt.question)]))[:NUMBER]
    return [_asked(prompt, given, f"paraphrase-{n}", way, "consistency") for n, way in enumerate(ways, 1)]


def disturbed(prompt: Prompt, given: Given) -> list[Prompt]:
    """The question with small changes, and with a passage among its own that has nothing to do with it."""
    question = prompt.question
    if len(question) > LONGEST:
        return []
    ways = {
        "typos": typos(question, given.seed),
        "case": case(question),
        "politeness": politeness(question, given.seed),
        "order": reordered(question),
    }
    made = [_asked(prompt, given, kind, way, "sensitivity") for kind, way in ways.items() if way is not None]
    mixed = distracted(question, given.contexts, given.foreign, given.seed)
    return made if mixed is None else [*made, variation(prompt, "sensitivity", "distractor", contexts=mixed)]


def unsupplied(prompt: Prompt, given: Given) -> list[Prompt]:
    """The same question without any evidence, and with evidence that says otherwise; none where there was none."""
    if not given.contexts:
        return []
    made = [variation(prompt, "retrieval_dependency", "withheld", contexts=())]
    turned = contradicted(prompt.question, prompt.reference, given.contexts)
    if turned is not None:
        made.append(variation(prompt, "retrieval_dependency", "contradicted", contexts=turned))
    return made


def _asked(prompt: Prompt, given: Given, kind: str, question: str, measure: str) -> Prompt:
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


PROBES: Mapping[str, Callable[[Prompt, Given], Sequence[Prompt]]] = {
    "consistency": rephrased,
    "sensitivity": disturbed,
    "retrieval_dependency": unsupplied,
}
MOST: Mapping[str, int] = {"consistency": NUMBER, "sensitivity": 5, "retrieval_dependency": 2}  # of one prompt
