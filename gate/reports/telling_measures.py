"""What all reports say of the measures: how each came out, its worst ratings, and what was left out and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gate.measures.base import Outcome, Reading, Spec, Tools
from gate.measures.missing import too_many
from gate.measures.summary import certain_ends, meets
from gate.measures.table import MEASURES
from gate.reports.document import Comparison, MeasureComparison, MeasureEntry, RatingEntry, VerdictDocument
from gate.reports.measure_words import difference_interval, plain, shown, shown_difference, shown_interval, title
from gate.reports.safe import line
from gate.reports.telling import count, number

STATES = {
    "passed": "passed",
    "failed": "failed",
    "unsure": "not certain",
    "lost": "not measured",
    "": "not counted",
}
CHANGED = ("better", "worse")
SIGNS = {"passed": "✓", "failed": "✗", "unsure": "~", "lost": "?", "": "·"}


@dataclass(frozen=True, slots=True)
class Told:
    """A measure of a document: its name, its entry, how it is read, and how it came out (a key of STATES)."""

    name: str
    entry: MeasureEntry
    spec: Spec
    state: str

    @property
    def title(self) -> str:
        """Its name for people."""
        return title(self.name)

    @property
    def value(self) -> str:
        """Its value with its unit."""
        return shown(self.name, self.entry["value"])

    @property
    def interval(self) -> str:
        """Its 95 % interval."""
        return shown_interval(self.name, self.entry["interval"])

    @property
    def asked(self) -> str:
        """`at least 0.800`; empty where nothing is asked for."""
        if "threshold" not in self.entry:
            return ""
        return f"{'at most' if self.spec.less_is_better else 'at least'} {plain(self.name, self.entry['threshold'])}"

    @property
    def word(self) -> str:
        """How it came out, in words."""
        partly = self.state == "lost" and self.entry["value"] is not None
        return "partly measured" if partly else STATES[self.state]

    @property
    def bad(self) -> bool:
        """Whether it stands in the way."""
        return self.state in ("failed", "unsure", "lost")


def measures(document: VerdictDocument) -> list[Told]:
    """Every measure of the document, in its order."""
    limits = document["thresholds"]
    return [
        Told(name, entry, MEASURES.get(name) or _guessed(entry), _state(name, entry, limits))
        for name, entry in document["measures"].items()
    ]


def _unread(outcome: Outcome, options: Any, tools: Tools) -> Reading:
    """What a measure of another version reads: nothing."""
    return Reading()


def _guessed(entry: MeasureEntry) -> Spec:
    """A measure of another version: a share, if its figures look like one."""
    figures = [entry["value"], entry.get("threshold"), *(entry["interval"] or ())]
    figures += [rating["value"] for rating in entry.get("ratings", [])]
    share = all(0 <= figure <= 1 for figure in figures if figure is not None)
    return Spec(_unread, scale=(0.0, 1.0) if share else None)


def _state(name: str, entry: MeasureEntry, limits: Mapping[str, Any]) -> str:
    """As `gate.measures.decide` has it: too much that could not be rated is not measured, whatever the rest says. Of a
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


def worst(told: Told, limit: int) -> list[RatingEntry]:
    """The ratings that speak most against the measure, the worst first; equal ones in their order."""
    sign = -1.0 if told.spec.less_is_better else 1.0
    ratings = [rating for rating in told.entry.get("ratings", []) if math.isfinite(rating["value"])]
    return sorted(ratings, key=lambda rating: sign * rating["value"])[:limit]


def faults(told: Told, limit: int) -> list[RatingEntry]:
    """The worst ratings, of those alone that are on the bad side of the threshold; all where there is none."""
    threshold, spec = told.entry.get("threshold"), told.spec
    found = worst(told, len(told.entry.get("ratings", [])))
    return [r for r in found if threshold is None or not meets(r["value"], threshold, spec)][:limit]


def reasons(named: Mapping[str, str], limit: int = 5) -> list[tuple[int, str]]:
    """(how many prompts, why), the most frequent first; what is beyond the limit as one row."""
    counted = Counter(line(why, 300) for why in named.values()).most_common()
    rest = sum(times for _, times in counted[limit:])
    return [(times, why) for why, times in counted[:limit]] + ([(rest, "for other reasons")] if rest else [])


def left_out(told: Told) -> Iterator[str]:
    """One sentence for what could not be rated, one for what it does not apply to, each with how many of how many."""
    parts = (told.entry.get("unjudged", {}), told.entry.get("skipped", {}))
    asked = len({rating["prompt_id"] for rating in told.entry.get("ratings", [])}.union(*parts))
    for key, verb in (("unjudged", "could not be rated"), ("skipped", "left out")):
        found = reasons(told.entry.get(key, {}), 3)  # type: ignore[arg-type]
        if found:
            total = sum(times for times, _ in found)
            why = "; ".join(f"{words} ({times:,})" if len(found) > 1 else words for times, words in found)
            yield f"{total:,} of {count(asked, 'prompt')} {verb}: {why}"


def sentence(told: Told) -> str:
    """The measure in one line: value, interval, number of ratings, and what was asked for."""
    text = f"{told.title} {told.value}  ({told.interval}, n = {told.entry['n']:,})"
    if told.state:
        text += f"  {told.word if told.state == 'passed' else told.word.upper()}, asked for {told.asked}"
    return text


def rating_line(told: Told, rating: RatingEntry, limit: int = 300) -> str:
    """`q7 0.250: why`."""
    value, why = shown(told.name, rating["value"]), because(told, rating, limit)
    return f"{line(rating['prompt_id'], 60)} {value}" + (f": {why}" if why else "")


def because(told: Told, rating: RatingEntry, limit: int) -> str:
    """The reason of a rating on one line; none where it only repeats the value, or `limit` is 0."""
    why = line(rating["why"], limit) if limit else ""
    return "" if why == shown(told.name, rating["value"]) else why


def change_lines(comparison: Comparison, every: bool = True) -> list[str]:
    """Each measure of two runs in one line; where not `every` one is wanted, the unchanged ones only by their names."""
    found = comparison.get("measures", {})
    rows = [_change_line(name, m) for name, m in found.items() if every or m["word"] in CHANGED]
    same = [title(name) for name, m in found.items() if m["word"] not in CHANGED]
    return rows if every or not same else [*rows, f"no difference shown: {', '.join(same)}"]


def _change_line(name: str, change: MeasureComparison) -> str:
    return (
        f"{title(name)} {shown(name, change['base'])} → {shown(name, change['head'])}: {change['word']} "
        f"({shown_difference(name, change['difference'])} of a prompt, "
        f"{difference_interval(name, change['interval'])}, p {number(change['p_value'])}, n = {change['prompts']:,})"
    )


def models_line(comparison: Comparison) -> str:
    """Which two models are compared; empty where it is one, or not known."""
    models = comparison.get("models", {})
    return f"base: {models['base']}; this run: {models['head']}" if {"base", "head"} <= models.keys() else ""
