"""What the measures share that compare an answer with those to its probes."""

from __future__ import annotations

from collections.abc import Mapping

from gate.measures.base import Case, Outcome

LONG = 130  # characters of a quotation in a reason


def families(outcome: Outcome, measure: str) -> Mapping[str, tuple[list[Case], list[Case]]]:
    """prompt id -> (the answers to it, those to its probes for this measure), in the order of the prompts."""
    found: dict[str, tuple[list[Case], list[Case]]] = {}
    for case in outcome.cases:
        found.setdefault(case.prompt.id, ([], []))[0].append(case)
    for case in outcome.probes.get(measure, ()):
        if case.prompt.of in found:
            found[case.prompt.of][1].append(case)
    return found


def base_of(probe: Case, own: list[Case]) -> Case:
    """The answer that one to a probe is compared with: that of the same repeat."""
    return next((case for case in own if case.answer.repeat == probe.answer.repeat), own[0])


def kind_of(probe: Case) -> str:
    """What its probe did: `typos`, `withheld`."""
    return (probe.prompt.probe or "").partition(":")[2]


def cut(text: str) -> str:
    """A quotation in one line that is not too long."""
    line = " ".join(text.split()).replace('"', "'")
    return line if len(line) <= LONG else line[: LONG - 1].rstrip() + "…"
