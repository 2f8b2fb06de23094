"""How a measure came out, its worst ratings, what was left out, and its figures: in the same words everywhere."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.base import Reading
from gate.measures.cost import PER
from gate.measures.decide import decide
from gate.measures.summary import measured
from gate.records import Decision, Ledger, Measure, Rating, Score
from gate.reports.build import measure_entry
from gate.reports.measures import (
    MeasureView,
    all_answers,
    beside,
    difference_interval,
    faults,
    left_out,
    measures_of,
    part,
    plain,
    rating_line,
    sentence,
    shown,
    shown_difference,
    usd,
    worst,
)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("relevance", 0.71, "0.710"),
        ("correctness", 3.456, "3.46"),
        ("latency", 80.0, "80 ms"),
        ("latency", 1300.0, "1.3 s"),
        ("cost", 0.000031, "$0.000031"),
        ("cost", 1.25, "$1.25"),
        ("cost", 0.0, "$0.00"),
        ("cost", None, "–"),
        ("latency", math.inf, "–"),
        ("cost", 1e300, "1e+300"),
        ("never heard of", 0.5, "0.500"),
    ],
)
def test_a_value_has_its_unit(name, value, text):
    assert shown(name, value) == text


def test_differences_are_signed():
    assert shown_difference("latency", -90.0) == "−90 ms"
    assert difference_interval("cost", [-0.001, 0.002]) == "−$0.0010 to +$0.0020"
    assert difference_interval("cost", None) == "–"


def test_round_figures_have_no_idle_zeros():
    assert (plain("relevance", 0.6), plain("correctness", 4.0), plain("latency", 1500)) == ("0.6", "4", "1.5 s")
    assert (part("latency", "p50", 90.0), part("relevance", "question", 0.5)) == ("90 ms", "0.500")


@given(st.floats(min_value=1e-12, max_value=1e9))
def test_an_amount_keeps_two_digits(value):
    assert float(usd(value).replace("$", "").replace(",", "")) == pytest.approx(value, rel=0.06, abs=0.0)


STATE = {Decision.DEPLOY: "passed", Decision.WARN: "unsure", Decision.BLOCK: "failed", Decision.INCONCLUSIVE: "lost"}


def viewed(measure, **limits):
    tolerance = RiskTolerance(**limits).model_dump(mode="json")
    return measures_of({"measures": {measure.name: measure_entry(measure)}, "thresholds": tolerance})[0]


@given(
    values=st.lists(st.integers(0, 2000), max_size=12),
    lost=st.integers(0, 3),
    threshold=st.one_of(st.none(), st.integers(1, 2000)),
    share=st.sampled_from([0.0, 0.2, 1.0]),
    decide_on=st.sampled_from(["point", "interval"]),
)
def test_the_word_is_that_of_the_decision(values, lost, threshold, share, decide_on):
    reading = Reading(
        tuple(Rating(f"q{n}", float(value)) for n, value in enumerate(values)),
        {},
        {f"x{n}": "cut off" for n in range(lost)},
    )
    measure = measured("latency", reading, threshold)
    tolerance = RiskTolerance(max_unjudged=share, decide_on=decide_on)
    score = decide(Score(Decision.DEPLOY, 0.0, None, Ledger(1, 1, 0, 0, 0), ()), [measure], tolerance)
    expected = STATE[score.decision] if threshold is not None else ""
    assert viewed(measure, max_unjudged=share, decide_on=decide_on).state == expected


@pytest.mark.parametrize(("passed", "state"), [(True, "passed"), (False, "failed"), (None, "lost")])
def test_a_measure_of_another_version_speaks_for_itself(passed, state):
    assert viewed(Measure("novelty", 0.5, None, 3, 0.4, passed)).state == state
    assert viewed(Measure("novelty", 7.0, None, 3)).spec.scale is None


def test_the_worst_are_those_on_the_bad_side():
    values = {"slow": 900.0, "quick": 10.0, "middle": 300.0}
    reading = Reading(tuple(Rating(name, value, f"{value:.0f} ms") for name, value in values.items()))
    found = viewed(measured("latency", reading, 500.0))
    assert [rating["prompt_id"] for rating in worst(found, 2)] == ["slow", "middle"]
    assert [rating["prompt_id"] for rating in faults(found, 5)] == ["slow"]
    assert rating_line(found, worst(found, 1)[0]) == "slow 900 ms"  # its reason says no more than the value
    assert sentence(found).endswith("FAILED, asked for at most 500 ms")


def test_of_how_many_prompts_is_counted_once_for_each_prompt():
    ratings = (Rating("a", 1.0), Rating("a", 2.0, answer_id="a#1"), Rating("b", 1.0))
    found = viewed(measured("latency", Reading(ratings, {"c": "no time"}, {"b": "an answer is missing"}), 5.0))
    assert list(left_out(found)) == [
        "1 of 3 prompts could not be rated: an answer is missing", "1 of 3 prompts left out: no time"
    ]  # fmt: skip


def rating(prompt: str, usd: float) -> Rating:
    return Rating(prompt, usd, "", parts={"per_1000_answers": PER * usd})


COSTS = Reading((rating("a", 0.0004), rating("b", 0.0006), rating("c", 0.005)))


@pytest.fixture
def taken(make):
    def read(name: str, reading: Reading, threshold: float | None = None) -> MeasureView:
        return measures_of(make(measures=[measured(name, reading, threshold)]))[0]

    return read


def test_a_latency_has_its_median(taken):
    times = Reading(tuple(Rating(f"q{n}", 100.0 * n, "") for n in range(1, 12)))
    assert beside(taken("latency", times)) == "p50 600 ms"
    assert beside(taken("latency", times, 50.0)) == "p50 600 ms"


def test_a_cost_has_the_price_of_1000_answers_and_of_all(taken):
    found = taken("cost", COSTS)
    assert beside(found) == "per 1,000 answers $2.00; all answers of this run $0.0060"
    assert all_answers(found) == "$0.0060"


def test_other_measures_have_none(taken):
    found = taken("relevance", Reading((Rating("q1", 0.5, "", parts={"p50": 0.5, "per_1000_answers": 1.0}),)))
    assert (beside(found), all_answers(found)) == ("", "")


def test_a_figure_of_another_version_that_is_none_is_left_out(taken):
    found = taken("cost", COSTS)
    found.entry["details"]["per_1000_answers"] = "much"
    assert beside(found) == "all answers of this run $0.0060"
