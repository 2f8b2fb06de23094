"""Prompts with the probes that vary them: a probe is told under its prompt, and is no answer of the run itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.reports.document import PromptEntry, VerdictDocument


@dataclass(frozen=True, slots=True)
class Family:
    """A prompt of the run and its probes, in their order. `stray`: a probe whose prompt is not in the document."""

    prompt: PromptEntry
    probes: Sequence[PromptEntry] = ()
    stray: bool = False


def families(document: VerdictDocument) -> list[Family]:
    """Every prompt with its probes, and behind them the probes that stray; each entry stands in exactly one family."""
    own = [prompt for prompt in document["prompts"] if not prompt.get("probe")]
    probes: dict[str, list[PromptEntry]] = {prompt["id"]: [] for prompt in own}
    strays: list[PromptEntry] = []
    for prompt in document["prompts"]:
        if prompt.get("probe"):
            probes.get(prompt.get("of", ""), strays).append(prompt)
    return [Family(prompt, probes[prompt["id"]]) for prompt in own] + [Family(p, stray=True) for p in strays]


def own_prompts(document: VerdictDocument) -> int:
    """How many prompts the run asked for itself."""
    return sum(not prompt.get("probe") for prompt in document["prompts"])


def numbers(document: VerdictDocument) -> dict[str, int]:
    """Prompt id -> the number of its family, from 1."""
    return {
        member["id"]: place
        for place, family in enumerate(families(document), 1)
        for member in (family.prompt, *family.probes)
    }
