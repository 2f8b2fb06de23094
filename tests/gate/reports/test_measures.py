"""How a measure came out: its worst ratings, what was left out, its figures and its chart."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.base import Reading
from gate.measures.simple import PER
from gate.measures.summary import MEASURES, decide, measured
from gate.records import Decision, Ledger, Measure, Rating, Score
from gate.reports.build import measure_entry
from gate.reports.charts import Axis, axis_of, bars
from gate.reports.measures import changes_of, measures_of, models_line, part, plain, shown, usd

STATE = {Decision.DEPLOY: "passed", Decision.WARN: "unsure", Decision.BLOCK: "failed", Decision.INCONCLUSIVE: "lost"}


def view(measure, **limits):
    tolerance = RiskTolerance(**limits).model_dump(mode="json")
    return measures_of({"measures": {measure.name: measure_entry(measure)}, "thresholds": tolerance})[0]


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("latency", 80.0, "80 ms"),
        ("cost", 0.000031, "$0.000031"),
        ("latency", math.inf, "–"),
        ("never heard of", 0.5, "0.500"),
    ],
)
def test_a_value_has_its_unit(name, value, text):
    assert shown(name, value) == text


def test_figures_have_no_idle_zeros_and_every_measure_is_explained():
    assert (plain("relevance", 0.6), plain("correctness", 4.0), plain("latency", 1500)) == ("0.6", "4", "1.5 s")
    assert (part("latency", "p50", 90.0), part("relevance", "question", 0.5)) == ("90 ms", "0.500")
    assert part("completeness", "aspects", 1.3) == "1.3"
    assert all(spec.means.endswith(".") for spec in MEASURES.values())


@given(st.floats(min_value=1e-12, max_value=1e9))
def test_an_amount_keeps_two_digits(value):
    assert float(usd(value).replace("$", "").replace(",", "")) == pytest.approx(value, rel=0.06, abs=0.0)


@given(
    values=st.lists(st.integers(0, 2000), max_size=12),
    lost=st.integers(0, 3),
    threshold=st.one_of(st.none(), st.integers(1, 2000)),
    share=st.sampled_from([0.0, 0.2, 1.0]),
    decide_on=st.sampled_from(["point", "interval"]),
)
def test_the_word_is_that_of_the_decision(values, lost, threshold, share, decide_on):
    ratings = tuple(Rating(f"q{n}", float(value)) for n, value in enumerate(values))
    measure = measured("latency", Reading(ratings, {}, {f"x{n}": "cut off" for n in range(lost)}), threshold)
    tolerance = RiskTolerance(max_unjudged=share, decide_on=decide_on)
    score = decide(Score(Decision.DEPLOY, 0.0, None, Ledger(1, 1, 0, 0, 0), ()), [measure], tolerance)
    expected = STATE[score.decision] if threshold is not None else ""
    assert view(measure, max_unjudged=share, decide_on=decide_on).state == expected


@pytest.mark.parametrize(("passed", "state"), [(True, "passed"), (False, "failed"), (None, "lost")])
def test_a_measure_of_another_version_speaks_for_itself(passed, state):
    assert view(Measure("novelty", 0.5, None, 3, 0.4, passed)).state == state
    assert view(Measure("novelty", 7.0, None, 3)).spec.scale is None


def test_the_worst_are_those_on_the_bad_side():
    values = {"slow": 900.0, "quick": 10.0, "middle": 300.0}
    reading = Reading(tuple(Rating(name, value, f"{value:.0f} ms") for name, value in values.items()))
    found = view(measured("latency", reading, 500.0))
    assert [rating["prompt_id"] for rating in found.worst(2)] == ["slow", "middle"]
    assert [rating["prompt_id"] for rating in found.faults(5)] == ["slow"]
    assert found.rating_line(found.worst(1)[0]) == "slow 900 ms"  # its reason says no more than the value
    assert found.sentence().endswith("FAILED, asked for at most 500 ms")


def test_what_is_left_out_is_counted_once_for_each_prompt_with_its_reasons():
    ratings = (Rating("a", 1.0), Rating("a", 2.0, answer_id="a#1"), Rating("b", 1.0))
    found = view(measured("latency", Reading(ratings, {"c": "no time"}, {"b": "an answer is missing"}), 5.0))
    assert list(found.left_out()) == [
        "1 of 3 prompts could not be rated: an answer is missing", "1 of 3 prompts left out: no time",
    ]  # fmt: skip
    skipped = {f"q{n}": "no reference" if n < 5 else f"reason {n}" for n in range(9)}
    (row,) = view(measured("latency", Reading((), skipped), 5.0)).left_out()
    assert row == ("9 of 9 prompts left out: no reference (5); reason 5 (1); reason 6 (1); for other reasons (2)")


def test_a_latency_has_its_median_and_a_cost_the_price_of_all():
    times = Reading(tuple(Rating(f"q{n}", 100.0 * n, "") for n in range(1, 12)))
    assert view(measured("latency", times, None)).beside() == "p50 600 ms"
    costs = {"a": 0.0004, "b": 0.0006, "c": 0.005}
    ratings = (Rating(name, usd, "", parts={"per_1000_answers": PER * usd}) for name, usd in costs.items())
    found = view(measured("cost", Reading(tuple(ratings)), None))
    assert found.beside() == "per 1,000 answers $2.00; all answers of this run $0.0060"
    found.entry["details"]["per_1000_answers"] = "much"
    assert found.beside() == "all answers of this run $0.0060"
    assert view(measured("relevance", Reading((Rating("q1", 0.5, "", parts={"p50": 0.5}),)), None)).beside() == ""


def test_changes_are_signed_and_half_a_pair_of_models_is_no_pair(compared):
    comparison = compared["comparison"]
    cost, consistency = changes_of(comparison)
    assert (cost.difference, cost.interval, cost.changed) == ("+$0.00011", "+$0.000010 to +$0.00021", True)
    assert (consistency.difference, consistency.interval, consistency.changed) == ("−0.100", "–", False)
    assert models_line(comparison) == "base: replay / m-0; this run: replay / m-1"
    comparison["models"] = {"base": "x"}
    assert models_line(comparison) == ""


FIGURES = st.floats(allow_nan=False, allow_infinity=False)


def percent(text):
    return float(text.rstrip("%"))


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-3, 1e6), values=st.lists(FIGURES, min_size=2, max_size=20))
def test_nothing_leaves_the_picture(low, span, values):
    axis = Axis(low, low + span)
    for value in values:
        assert 0 <= percent(axis.at(value)) <= 100
    assert 0 <= percent(axis.width(min(values), max(values))) <= 100
    found = bars(view(Measure("novelty", 0.5, None, 3)), values, axis)
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
