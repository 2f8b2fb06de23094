"""The records of the measures: what one says of each answer, and the number that it gives for a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Rating:
    """What a measure says of one answer: `value` on the measure's scale, how much it `weight`s within the run
    (claims, for a share of claims), why, and the figures that it was put together from."""

    prompt_id: str
    value: float
    why: str = ""
    weight: float = 1.0
    parts: Mapping[str, float] = field(default_factory=dict)
    answer_id: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number about a run; `threshold` where the user gave one, `passed` only then. `skipped` are prompts that it does
    not apply to, `unjudged` those that it should have rated and could not: prompt id -> why."""

    name: str
    value: float | None
    interval: tuple[float, float] | None
    n: int
    threshold: float | None = None
    passed: bool | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    ratings: tuple[Rating, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    unjudged: Mapping[str, str] = field(default_factory=dict)
