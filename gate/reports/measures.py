"""What all reports say of the measures: how each came out, in which words, and what was left out and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gate.measures.base import Spec
from gate.measures.summary import CRITERION, MEASURES, certain_ends, meets, too_many
from gate.reports import words
from gate.reports.document import Comparison, MeasureEntry, RatingEntry, VerdictDocument
from gate.reports.safe import line

PARTS = {
    "despite_context": "wrong, although its own context says otherwise",
    "wrong_context": "its context says so, the documents do not",
    "missing_context": "neither its contexts nor the documents say so",
    "beyond_context": "the documents say so, its contexts do not",
    "model_share": "of the variance: the model",
    "judge_share": "of the variance: the judge",
    "model_or_judge_share": "of the variance: the model or the judge, which cannot be measure apart",
    "between_prompts_share": "of the variance: between prompts",
    "rouge_l": "ROUGE-L",
    "passed": "share that pass",
    "aspects": "aspects a question",
    "per_1000_answers": "per 1,000 answers",
    "balanced_accuracy": "balanced accuracy of its judge",
}
_UNKNOWN = Spec("", scale=None)  # a measure of another version: nothing is read for it
STATES = {
    "passed": ("✓", "passed"),
    "failed": ("✗", "failed"),
    "unsure": ("~", "not certain"),
    "lost": ("?", "not measured"),
    "": ("·", "not counted"),
}  # a sign and a word
_BESIDE = {"latency": "p50", "cost": "per_1000_answers"}
ALL = "all answers of this run"


def title(name: str) -> str:
    """The name as people read it."""
    return line(name, 60).replace("_", " ")


def part_title(key: str) -> str:
    """A part of a measure as people read it."""
    return PARTS.get(key, line(key, 60).replace("_", " "))


def shown(name: str, value: float | None) -> str:
    """A value of the measure with its unit; a dash for what is not known or no number."""
    if value is None or not math.isfinite(value):
        return "–"
    if abs(value) >= 1e12:
        return f"{value:.3g}"
    spec = _spec(name)
    return _UNITS[spec.unit](value) if spec.unit else words.number(value, spec.decimals)


def plain(name: str, value: float) -> str:
    """A round figure, such as a threshold or the end of a scale: no zeros that say nothing."""
    return shown(name, value) if _spec(name).unit else f"{value:g}"


def shown_difference(name: str, value: float | None) -> str:
    """A difference between two values of the measure, with its sign."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{'+' if value >= 0 else '−'}{shown(name, abs(value))}"


def part(name: str, key: str, value: float) -> str:
    """A part of the measure: in its unit, where it has one, but not a count or a share."""
    if key == "aspects" and math.isfinite(value):
        return words.number(value, 1)
    return shown(name, value) if _spec(name).unit else shown("", value)


def usd(value: float) -> str:
    """US dollars with at least two digits that say something: `$0.000031`, `$1.25`."""
    if not 0 < abs(value) < 0.1:
        return f"${value:,.2f}"
    return f"${value:.{min(13, 1 - math.floor(math.log10(abs(value))))}f}"


_UNITS: dict[str, Callable[[float], str]] = {"ms": lambda value: words.seconds(value / 1000), "USD": usd}


def _spec(name: str) -> Spec:
    return MEASURES.get(name, _UNKNOWN)


@dataclass(frozen=True, slots=True)
class MeasureView:
    """A measure of a document: its entry, how it is read, how it came out (a key of STATES), and all that in words."""

    name: str
    entry: MeasureEntry
    spec: Spec
    state: str
    title: str
    value: str
    interval: str
    asked: str  # `at least 0.800`; empty where nothing is asked for
    word: str
    sign: str

    @property
    def bad(self) -> bool:
        """Whether it stands in the way."""
        return self.state in ("failed", "unsure", "lost")

    def worst(self, limit: int) -> list[RatingEntry]:
        """The ratings that speak most against the measure, the worst first; equal ones in their order."""
        sign = -1.0 if self.spec.less_is_better else 1.0
        ratings = [rating for rating in self.entry.get("ratings", []) if math.isfinite(rating["value"])]
        return sorted(ratings, key=lambda rating: sign * rating["value"])[:limit]

    def misses(self, value: float) -> bool:
        """Whether a value is on the bad side of the threshold; none is where there is no threshold."""
        threshold = self.entry.get("threshold")
        return threshold is not None and not meets(value, threshold, self.spec)

    def faults(self, limit: int) -> list[RatingEntry]:
        """The worst ratings, of those alone that are on the bad side of the threshold; all where there is none."""
        found = self.worst(len(self.entry.get("ratings", [])))
        return [r for r in found if "threshold" not in self.entry or self.misses(r["value"])][:limit]

    def left_out(self) -> Iterator[str]:
        """One sentence for what could not be rated, one for what it does not apply to, each with how many of how
        many prompts."""
        parts = (self.entry.get("unjudged", {}), self.entry.get("skipped", {}))
        asked = len({rating["prompt_id"] for rating in self.entry.get("ratings", [])}.union(*parts))
        for named, verb in zip(parts, ("could not be rated", "left out"), strict=True):
            found = reasons(named, 3)
            if found:
                total = sum(times for times, _ in found)
                why = "; ".join(f"{text} ({times:,})" if len(found) > 1 else text for times, text in found)
                yield f"{total:,} of {words.count(asked, 'prompt')} {verb}: {why}"

    def sentence(self) -> str:
        """The measure in one line: value, interval, number of ratings, and what was asked for."""
        text = f"{self.title} {self.value}  ({self.interval}, n = {self.entry['n']:,})"
        if self.state:
            text += f"  {self.word if self.state == 'passed' else self.word.upper()}, asked for {self.asked}"
        return text

    def rating_line(self, rating: RatingEntry, limit: int = 300) -> str:
        """`q7 0.250: why`."""
        why = self.because(rating, limit)
        return f"{line(rating['prompt_id'], 60)} {shown(self.name, rating['value'])}" + (f": {why}" if why else "")

    def because(self, rating: RatingEntry, limit: int) -> str:
        """The reason of a rating on one line; none where it only repeats the value, or `limit` is 0."""
        why = line(rating["why"], limit) if limit else ""
        return "" if why == shown(self.name, rating["value"]) else why

    def beside(self) -> str:
        """`p50 120 ms`, or `per 1,000 answers $0.40; all answers of this run $0.0042`; empty for any other measure."""
        key = "balanced_accuracy" if self.spec is CRITERION else _BESIDE.get(self.name, "")
        if self.spec is CRITERION and key not in self.entry.get("details", {}):
            return "its judge is not calibrated"
        value, total, parts = self.entry.get("details", {}).get(key), self.all_answers(), []
        if isinstance(value, int | float) and not isinstance(value, bool):
            parts.append(f"{part_title(key)} {part(self.name, key, float(value))}")
        return "; ".join([*parts, *([f"{ALL} {total}"] if total else [])])

    def all_answers(self) -> str:
        """What the rated answers of the run cost together; empty where none is rated, or for any other measure."""
        ratings = self.entry.get("ratings", []) if self.name == "cost" else []
        return shown(self.name, sum(rating["value"] for rating in ratings)) if ratings else ""


def measures_of(document: VerdictDocument) -> list[MeasureView]:
    """Every measure of the document, in its order, and behind them the criteria."""
    limits = document["thresholds"]
    found = [
        _view(name, entry, _spec(name), _state(name, entry, limits)) for name, entry in document["measures"].items()
    ]
    criteria = document.get("criteria", {})
    return found + [_view(f"criterion: {name}", entry, CRITERION, "") for name, entry in criteria.items()]


def _view(name: str, entry: MeasureEntry, spec: Spec, state: str) -> MeasureView:
    sign, word = STATES[state]
    bound = "at most" if spec.less_is_better else "at least"
    return MeasureView(
        name,
        entry,
        spec,
        state,
        title=line(name, 320) if spec is CRITERION else title(name),
        value=shown(name, entry["value"]),
        interval=" to ".join(shown(name, end) for end in entry["interval"] or ()) or "–",
        asked=f"{bound} {plain(name, entry['threshold'])}" if "threshold" in entry else "",
        word="partly measured" if state == "lost" and entry["value"] is not None else word,
        sign=sign,
    )


def _state(name: str, entry: MeasureEntry, limits: Mapping[str, Any]) -> str:
    """As `gate.measures.summary` has it: too much that could not be rated is not measured, whatever the rest says. Of a
    measure of another version its own word is all there is."""
    threshold, value, spec = entry.get("threshold"), entry["value"], MEASURES.get(name)
    if threshold is None:
        return ""
    rated = [rating["prompt_id"] for rating in entry.get("ratings", [])]
    if value is None or too_many(entry.get("unjudged", {}), rated, float(limits.get("max_unjudged", 0.0))):
        return "lost"
    if spec is None or limits.get("decide_on") != "interval":
        return "lost" if "passed" not in entry else "passed" if entry["passed"] else "failed"
    met = [meets(end, threshold, spec) for end in certain_ends(spec, entry["interval"], entry["n"])]
    return "passed" if all(met) else "unsure" if any(met) else "failed"


def reasons(named: Mapping[str, str], limit: int = 5) -> list[tuple[int, str]]:
    """(how many prompts, why), the most frequent first; what is beyond the limit as one row."""
    counted = Counter(line(why, 300) for why in named.values()).most_common()
    rest = sum(times for _, times in counted[limit:])
    return [(times, why) for why, times in counted[:limit]] + ([(rest, "for other reasons")] if rest else [])


@dataclass(frozen=True, slots=True)
class MeasureChange:
    """A measure of two runs in words: both values, the difference of a prompt with its interval and p-value."""

    title: str
    base: str
    head: str
    difference: str
    interval: str
    p_value: str
    prompts: int
    word: str

    @property
    def changed(self) -> bool:
        """Whether a difference was shown."""
        return self.word in ("better", "worse")

    @property
    def line(self) -> str:
        """All of it in one line."""
        return (
            f"{self.title} {self.base} → {self.head}: {self.word} ({self.difference} of a prompt, {self.interval}, "
            f"p {self.p_value}, n = {self.prompts:,})"
        )


def changes_of(comparison: Comparison) -> list[MeasureChange]:
    """Every measure that both runs have."""
    return [
        MeasureChange(
            title=title(name),
            base=shown(name, change["base"]),
            head=shown(name, change["head"]),
            difference=shown_difference(name, change["difference"]),
            interval=" to ".join(shown_difference(name, end) for end in change["interval"] or ()) or "–",
            p_value=words.number(change["p_value"]),
            prompts=change["prompts"],
            word=change["word"],
        )
        for name, change in comparison.get("measures", {}).items()
    ]


def models_line(comparison: Comparison) -> str:
    """Which two models are compared; empty where it is one, or not known."""
    models = comparison.get("models", {})
    return f"base: {models['base']}; this run: {models['head']}" if {"base", "head"} <= models.keys() else ""
