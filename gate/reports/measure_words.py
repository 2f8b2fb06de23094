"""The measures in words: what each is called, what it says in one sentence, and how its figures are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from gate.measures.base import Reading, Spec
from gate.measures.table import MEASURES
from gate.reports import telling
from gate.reports.safe import line

PARTS = {
    "despite_context": "wrong, although its own context says otherwise",
    "wrong_context": "its context says so, the documents do not",
    "missing_context": "neither its contexts nor the documents say so",
    "beyond_context": "the documents say so, its contexts do not",
    "model_share": "of the variance: the model",
    "judge_share": "of the variance: the judge",
    "model_or_judge_share": "of the variance: the model or the judge, which cannot be told apart",
    "between_prompts_share": "of the variance: between prompts",
    "rouge_l": "ROUGE-L",
    "passed": "share that pass",
    "aspects": "aspects a question",
    "per_1000_answers": "per 1,000 answers",
}


def title(name: str) -> str:
    """The name as people read it."""
    return line(name, 60).replace("_", " ")


def part_title(key: str) -> str:
    """A part of a measure as people read it."""
    return PARTS.get(key, line(key, 60).replace("_", " "))


def means(name: str) -> str:
    """What the measure says; empty for one that this version does not know."""
    return _spec(name).means


def shown(name: str, value: float | None) -> str:
    """A value of the measure with its unit; a dash for what is not known or no number."""
    if value is None or not math.isfinite(value):
        return "–"
    if abs(value) >= 1e12:
        return f"{value:.3g}"
    spec = _spec(name)
    return _UNITS[spec.unit](value) if spec.unit else telling.number(value, spec.decimals)


def plain(name: str, value: float) -> str:
    """A round figure, such as a threshold or the end of a scale: no zeros that say nothing."""
    return shown(name, value) if _spec(name).unit else f"{value:g}"


def shown_interval(name: str, pair: Sequence[float] | None) -> str:
    """An interval of the measure."""
    return "–" if not pair else f"{shown(name, pair[0])} to {shown(name, pair[1])}"


def shown_difference(name: str, value: float | None) -> str:
    """A difference between two values of the measure, with its sign."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{'+' if value >= 0 else '−'}{shown(name, abs(value))}"


def difference_interval(name: str, pair: Sequence[float] | None) -> str:
    """An interval of a difference, both ends signed."""
    return "–" if not pair else f"{shown_difference(name, pair[0])} to {shown_difference(name, pair[1])}"


def part(name: str, key: str, value: float) -> str:
    """A part of the measure: in its unit, where it has one, but not a count or a share."""
    if key == "aspects" and math.isfinite(value):
        return telling.number(value, 1)
    return shown(name, value) if _spec(name).unit else shown("", value)


def usd(value: float) -> str:
    """US dollars with at least two digits that say something: `$0.000031`, `$1.25`."""
    if not 0 < abs(value) < 0.1:
        return f"${value:,.2f}"
    return f"${value:.{min(13, 1 - math.floor(math.log10(abs(value))))}f}"


def milliseconds(value: float) -> str:
    """Milliseconds as `80 ms`, `1.3 s`."""
    return telling.seconds(value / 1000)


_UNITS: dict[str, Callable[[float], str]] = {"ms": milliseconds, "USD": usd}
_UNKNOWN = Spec(lambda *given: Reading())


def _spec(name: str) -> Spec:
    return MEASURES.get(name, _UNKNOWN)
