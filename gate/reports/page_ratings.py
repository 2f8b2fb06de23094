"""What the HTML page shows at each answer beside its claims: its ratings with their reasons, and its probes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gate.measures.summary import meets
from gate.reports.document import PromptEntry, RatingEntry, VerdictDocument
from gate.reports.families import Family, families
from gate.reports.measure_words import shown
from gate.reports.safe import cut, line, visible
from gate.reports.telling_measures import Told, because, measures

WHY_BYTES, WHY_STEPS = 1_000_000, (300, 160, 90, 50, 0)
PROBE_BYTES, PROBE_STEPS = 700_000, (4000, 1500, 600, 240, 120, 60)


def fitting(texts: Iterable[str], limit: int, steps: Sequence[int]) -> int:
    """The largest of the steps (characters, falling) at which all texts, cut to it, take at most `limit` bytes."""
    held = list(texts)
    return next((step for step in steps if sum(len(text[:step].encode("utf-8", "replace")) for text in held) <= limit),
                steps[-1])  # fmt: skip


def ratings(document: VerdictDocument) -> Mapping[str, list[dict[str, Any]]]:
    """Prompt id -> the ratings of its answers, measure by measure; of a great many the reasons are cut shorter."""
    told = [(each, rating) for each in measures(document) for rating in each.entry.get("ratings", [])]
    limit = fitting((rating["why"] for _, rating in told), WHY_BYTES, WHY_STEPS)
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each, rating in told:
        found[rating["prompt_id"]].append(_rating(each, rating, limit))
    return found


def _rating(told: Told, rating: RatingEntry, limit: int) -> dict[str, Any]:
    threshold = told.entry.get("threshold")
    return {
        "answer": rating.get("answer_id", rating["prompt_id"]),
        "title": told.title,
        "value": shown(told.name, rating["value"]),
        "low": threshold is not None and not meets(rating["value"], threshold, told.spec),
        "why": because(told, rating, limit),
    }


def probes(document: VerdictDocument) -> Mapping[str, list[dict[str, Any]]]:
    """Prompt id -> its probes: what was varied, the question where it is another one, and what was answered."""
    found = families(document)
    said = [text for family in found for probe in family.probes for text in (probe["question"], probe["answer"])]
    limit = fitting(said, PROBE_BYTES, PROBE_STEPS)
    return {family.prompt["id"]: _probes(family, limit) for family in found if family.probes}


def _probes(family: Family, limit: int) -> list[dict[str, Any]]:
    return [_probe(probe, family.prompt, limit) for probe in family.probes]


def _probe(probe: PromptEntry, prompt: PromptEntry, limit: int) -> dict[str, Any]:
    measure, _, variation = probe.get("probe", "").partition(":")
    return {
        "kind": line(f"{measure}: {variation}" if variation else measure, 80).replace("_", " "),
        "question": "" if probe["question"] == prompt["question"] else visible(cut(probe["question"], limit)),
        "texts": [visible(cut(text, limit)) for text in _texts(probe)],
    }


def _texts(probe: PromptEntry) -> list[str]:
    return [text for text in (probe["answer"], *(again["answer"] for again in probe.get("answers", ()))) if text]
