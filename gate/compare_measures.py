"""The measures of two runs, paired by prompt: what got better, what got worse, and what this cannot show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from gate.measures.paired import Paired
from gate.measures.paired import compare as paired
from gate.measures.table import MEASURES
from gate.reports.build_prompts import rounded
from gate.reports.document import MeasureComparison, MeasureEntry, VerdictDocument

WORDS = {"regression": "worse", "improvement": "better"}


def measure_changes(base: VerdictDocument, head: VerdictDocument, seed: int = 0) -> dict[str, MeasureComparison]:
    """name -> the change of every measure that both runs have and this version knows, so that it has a good side."""
    both = sorted(base["measures"].keys() & head["measures"].keys() & MEASURES.keys())
    return {name: _change(name, base["measures"][name], head["measures"][name], seed) for name in both}


def measure_notes(base: VerdictDocument, head: VerdictDocument) -> Iterator[str]:
    """What only one of the runs has measured, and every threshold that lets more pass than the base's did."""
    there, here = base["measures"], head["measures"]
    for where, only in (("the baseline", there.keys() - here.keys()), ("this run", here.keys() - there.keys())):
        if only:
            yield f"measured in {where} only: {', '.join(sorted(only))}"
    for name in sorted(there.keys() & here.keys() & MEASURES.keys()):
        then, now = there[name].get("threshold"), here[name].get("threshold")
        if then is None or then == now:
            continue
        if now is None:
            yield f"{name} has no threshold any more; in the baseline it was {then:g}"
        elif (now > then) is MEASURES[name].less_is_better:
            yield f"the threshold of {name} is looser than in the baseline: {now:g} instead of {then:g}"


def _change(name: str, base: MeasureEntry, head: MeasureEntry, seed: int) -> MeasureComparison:
    # The test asks whether the mean of its numbers is above zero, which means worse.
    sign = 1.0 if MEASURES[name].less_is_better else -1.0
    then, now = by_prompt(base), by_prompt(head)
    outcome = paired([sign * (now[key] - then[key]) for key in now if key in then], seed)
    ends = sorted(sign * end for end in outcome.interval) if outcome.interval else None
    return MeasureComparison(
        base=base["value"],
        head=head["value"],
        difference=None if outcome.difference is None else rounded(sign * outcome.difference),
        interval=[round(end, 6) + 0.0 for end in ends] if ends else None,
        p_value=rounded(_p(outcome)),
        smallest_detectable=rounded(outcome.smallest_detectable),
        word=WORDS.get(outcome.word, outcome.word),
        prompts=outcome.pairs,
    )


def _p(outcome: Paired) -> float | None:
    """The p-value of the direction that was seen."""
    return outcome.p_better if outcome.difference is not None and outcome.difference < 0 else outcome.p_worse


def by_prompt(entry: MeasureEntry) -> Mapping[str, float]:
    """prompt id -> the weighted mean of its ratings; a prompt whose ratings weigh nothing is not there."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for rating in entry.get("ratings", []):
        weight = rating.get("weight", 1.0)
        sums[rating["prompt_id"]][0] += weight * rating["value"]
        sums[rating["prompt_id"]][1] += weight
    return {name: total / weight for name, (total, weight) in sums.items() if weight > 0}
