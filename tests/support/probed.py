"""Outcomes of runs with probes, from a few words: answers to a prompt, to its probes, and what never came."""

from collections.abc import Mapping, Sequence

from gate.generation.probes import variation
from gate.measures.base import Answered, Case
from gate.records import Answer, Prompt


def outcome(
    measure: str,
    question: str,
    answers: Sequence[str | None],
    probes: Mapping[str, str | None] | None = None,
    contexts: Sequence[str] = (),
    turned: Sequence[str] = (),
    prompt_id: str = "p",
) -> Answered:
    """`answers` by repeat, `probes`: kind -> answer; None never came. `turned` is the evidence of `contradicted`."""
    prompt = Prompt(prompt_id, question, contexts=tuple(contexts))
    given = {"withheld": (), "contradicted": tuple(turned)}
    asked = {kind: variation(prompt, measure, kind, contexts=given.get(kind)) for kind in probes or {}}
    cases = tuple(_case(prompt, text, repeat) for repeat, text in enumerate(answers) if text is not None)
    varied = tuple(_case(asked[kind], text, 0) for kind, text in (probes or {}).items() if text is not None)
    missing = [prompt] * (None in answers) + [asked[kind] for kind, text in (probes or {}).items() if text is None]
    return Answered(cases, {measure: varied}, tuple(missing))


def joined(*parts: Answered) -> Answered:
    """Several prompts in one run."""
    names = dict.fromkeys(name for part in parts for name in part.probes)
    return Answered(
        tuple(case for part in parts for case in part.cases),
        {name: tuple(case for part in parts for case in part.probes.get(name, ())) for name in names},
        tuple(prompt for part in parts for prompt in part.missing),
    )


def _case(prompt: Prompt, text: str, repeat: int) -> Case:
    name = f"{prompt.id}#{repeat}" if repeat else prompt.id
    return Case(prompt, Answer(name, prompt.id, text, repeat, contexts=prompt.contexts), prompt.contexts)
