"""What a latency and a cost come to beside their value: the median, the price of 1,000 answers and of all there are."""

from __future__ import annotations

from collections.abc import Iterator

from gate.reports.measure_words import part, part_title, shown
from gate.reports.telling_measures import Told

_TOLD = {"latency": "p50", "cost": "per_1000_answers"}
ALL = "all answers of this run"


def beside(told: Told) -> str:
    """`p50 120 ms`, or `per 1,000 answers $0.40; all answers of this run $0.0042`; empty for any other measure."""
    return "; ".join(f"{name} {value}" for name, value in _figures(told))


def all_answers(told: Told) -> str:
    """What the rated answers of the run cost together; empty where nothing is rated, or for any other measure."""
    ratings = told.entry.get("ratings", []) if told.name == "cost" else []
    return shown(told.name, sum(rating["value"] for rating in ratings)) if ratings else ""


def _figures(told: Told) -> Iterator[tuple[str, str]]:
    key = _TOLD.get(told.name, "")
    value = told.entry.get("details", {}).get(key)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield part_title(key), part(told.name, key, float(value))
    if total := all_answers(told):
        yield ALL, total
