"""How a measure came out, its worst ratings, and what was left out: in the same words everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.base import Reading
from gate.measures.decide import decide
from gate.measures.summary import measured
from gate.records import Decision, Ledger, Measure, Rating, Score
from gate.reports.build import measure_entry
from gate.reports.telling_measures import faults, left_out, measures, models_line, rating_line, reasons, sentence, worst

STATE = {Decision.DEPLOY: "passed", Decision.WARN: "unsure", Decision.BLOCK: "failed", Decision.INCONCLUSIVE: "lost"}


def told(measure, **limits):
    tolerance = RiskTolerance(**limits).model_dump(mode="json")
    return measures({"measures": {measure.name: measure_entry(measure)}, "thresholds": tolerance})[0]


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
    assert told(measure, max_unjudged=share, decide_on=decide_on).state == expected


@pytest.mark.parametrize(("passed", "state"), [(True, "passed"), (False, "failed"), (None, "lost")])
def test_a_measure_of_another_version_speaks_for_itself(passed, state):
    assert told(Measure("novelty", 0.5, None, 3, 0.4, passed)).state == state
    assert told(Measure("novelty", 7.0, None, 3)).spec.scale is None


def test_the_worst_are_those_on_the_bad_side():
    values = {"slow": 900.0, "quick": 10.0, "middle": 300.0}
    reading = Reading(tuple(Rating(name, value, f"{value:.0f} ms") for name, value in values.items()))
    found = told(measured("latency", reading, 500.0))
    assert [rating["prompt_id"] for rating in worst(found, 2)] == ["slow", "middle"]
    assert [rating["prompt_id"] for rating in faults(found, 5)] == ["slow"]
    assert rating_line(found, worst(found, 1)[0]) == "slow 900 ms"  # its reason says no more than the value
    assert sentence(found).endswith("FAILED, asked for at most 500 ms")


def test_reasons_are_counted_and_the_rare_ones_summed():
    named = {f"q{n}": "no reference" if n < 5 else f"reason {n}" for n in range(9)}
    assert reasons(named, 2) == [(5, "no reference"), (1, "reason 5"), (3, "for other reasons")]


def test_what_is_left_out_is_a_sentence():
    found = told(measured("latency", Reading((), {"a": "not known", "b": "not known"}, {"c": "cut"}), 5.0))
    assert list(left_out(found)) == ["1 of 3 prompts could not be rated: cut", "2 of 3 prompts left out: not known"]
    assert found.word == "not measured"


def test_of_how_many_prompts_is_counted_once_for_each_prompt():
    ratings = (Rating("a", 1.0), Rating("a", 2.0, answer_id="a#1"), Rating("b", 1.0))
    found = told(measured("latency", Reading(ratings, {"c": "no time"}, {"b": "an answer is missing"}), 5.0))
    assert list(left_out(found)) == [
        "1 of 3 prompts could not be rated: an answer is missing", "1 of 3 prompts left out: no time"
    ]  # fmt: skip


def test_half_a_pair_of_models_is_no_pair(compared):
    comparison = compared["comparison"]
    assert models_line(comparison) == "base: replay / m-0; this run: replay / m-1"
    comparison["models"] = {"base": "x"}
    assert models_line(comparison) == ""
