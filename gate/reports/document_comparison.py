"""What a verdict document holds of its comparison with a base: the claims that changed, the risk, the measures."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class ChangedClaim(TypedDict):
    """A claim that the base did not have, or no longer has; `was` is its label there, where it had one."""

    claim: str
    prompt_id: str
    label: str
    contradicted: NotRequired[bool]
    was: NotRequired[str]


class MeasureComparison(TypedDict):
    """A measure of both runs: `base` and `head` are the runs' own values, `difference` (head minus base) is the mean
    over the prompts that both rated, with its 95 % interval. `word`: `better`, `worse`, `no difference` or `too few
    prompts`; `p_value` is one-sided, for the direction that was seen."""

    base: float | None
    head: float | None
    difference: float | None
    interval: list[float] | None
    p_value: float | None
    smallest_detectable: float | None
    word: str
    prompts: int


class Comparison(TypedDict):
    """The paired difference to the base (head minus base, so above zero is worse), with its 95 % interval.

    `word` is `regression`, `improvement`, `no difference` or `too few prompts`; `new` and `fixed` are claims that are
    not supported here and were not so in the base, and the reverse; `smallest_detectable` is the smallest difference
    that this many prompts could have shown.
    """

    base_score: float | None
    difference: float | None
    interval: list[float] | None
    p_value: float | None
    smallest_detectable: float | None
    word: str
    new: list[ChangedClaim]
    fixed: list[ChangedClaim]
    unchanged: int
    notes: list[str]
    prompts: NotRequired[int]
    measures: NotRequired[dict[str, MeasureComparison]]
    models: NotRequired[dict[str, str]]  # `base` and `head`: the models under test
