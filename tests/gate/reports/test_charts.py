"""The measures on the page: charts, the worst ratings with a way to the answer, what was left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate.measures.base import Reading
from gate.measures.summary import measured
from gate.records import Rating
from gate.reports.build import measure_entry
from gate.reports.charts import Axis, axis_of, bars
from gate.reports.measures import measures_of

FIGURES = st.floats(allow_nan=False, allow_infinity=False)


def percent(text):
    return float(text.rstrip("%"))


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-3, 1e6), values=st.lists(FIGURES, min_size=2, max_size=20))
def test_nothing_leaves_the_picture(low, span, values):
    axis = Axis(low, low + span)
    for value in values:
        assert 0 <= percent(axis.at(value)) <= 100
    assert 0 <= percent(axis.width(min(values), max(values))) <= 100
    found = bars(values, axis)
    assert sum(bar["n"] for bar in found) == len(values)
    assert all(0 <= percent(bar[key]) <= 100 for bar in found for key in ("x", "w", "y", "h"))


@given(st.lists(st.floats(0, 1e9), max_size=8))
def test_an_axis_without_an_end_reaches_over_all_that_is_shown(values):
    measure = measured("latency", Reading(tuple(Rating(f"q{n}", value) for n, value in enumerate(values))), 100.0)
    axis = axis_of(
        measures_of({"measures": {"latency": measure_entry(measure)}, "thresholds": {"max_unjudged": 0.0}})[0]
    )
    assert axis.low == 0
    assert axis.high >= max([100.0, *values]) * (1 - 1e-9)
