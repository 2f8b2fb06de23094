"""What the terminal shows below the claims: the base, the measures, failures and the run, as titles and lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.reports import telling
from gate.reports.document import Comparison, VerdictDocument
from gate.reports.telling import View
from gate.reports.telling_measures import (
    SIGNS,
    change_lines,
    faults,
    left_out,
    measures,
    models_line,
    rating_line,
    sentence,
)
from gate.reports.telling_parts import beside

SHOWN = 10  # failures; the other outputs have them all
WORST = 3  # ratings of each measure that stands in the way


def tail(document: VerdictDocument, view: View) -> Iterator[tuple[str, Sequence[str]]]:
    """Title and lines of each section, where a line that starts with blanks belongs to the one above it."""
    comparison = document.get("comparison")
    if comparison:
        yield "Against the base", list(_comparison(comparison))
    elif view.baseline:
        base = view.baseline
        yield "Against the base", [f"the base was {base['decision']} with risk {telling.number(base['score'])}"]
    yield "Measures", list(_measures(document))
    failures = [f"{f['agent']} {f['prompt_id']}: {f['kind']}: {f['message']}" for f in document["failures"]]
    more = [f"and {len(failures) - SHOWN:,} more"] if len(failures) > SHOWN else []
    yield f"Failures ({len(failures):,})", failures[:SHOWN] + more
    times = document["timings"]
    spent = " · ".join(f"{agent} {telling.seconds(value)}" for agent, value in times.items())
    yield (
        "Run",
        [
            *([f"{telling.seconds(sum(times.values()))}: {spent}"] if times else []),
            telling.usage_line(document["usage"]),
            f"judge {telling.judge_line(document['judge'])}",
        ],
    )


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield telling.comparison_line(comparison)
    yield from filter(None, [models_line(comparison)])
    yield from change_lines(comparison, every=False)
    yield from comparison["notes"]


def _measures(document: VerdictDocument) -> Iterator[str]:
    """A line for each, then what it comes to and what was left out; of one that stands in the way its worst ratings."""
    for told in measures(document):
        yield f"{SIGNS[told.state]} {sentence(told)}"
        yield from (f"    {row}" for row in (beside(told), *left_out(told)) if row)
        if told.bad:
            yield from (f"    {rating_line(told, rating, 200)}" for rating in faults(told, WORST))
