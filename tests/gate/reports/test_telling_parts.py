"""The median of a latency, and what 1,000 answers and all of a run cost."""

import pytest

from gate.measures.base import Reading
from gate.measures.cost import PER
from gate.measures.summary import measured
from gate.records import Rating
from gate.reports.telling_measures import Told, measures
from gate.reports.telling_parts import all_answers, beside


def rating(prompt: str, usd: float) -> Rating:
    return Rating(prompt, usd, "", parts={"per_1000_answers": PER * usd})


COSTS = Reading((rating("a", 0.0004), rating("b", 0.0006), rating("c", 0.005)))


@pytest.fixture
def told(make):
    def read(name: str, reading: Reading, threshold: float | None = None) -> Told:
        return measures(make(measures=[measured(name, reading, threshold)]))[0]

    return read


def test_a_latency_has_its_median(told):
    times = Reading(tuple(Rating(f"q{n}", 100.0 * n, "") for n in range(1, 12)))
    assert beside(told("latency", times)) == "p50 600 ms"
    assert beside(told("latency", times, 50.0)) == "p50 600 ms"


def test_a_cost_has_the_price_of_1000_answers_and_of_all(told):
    found = told("cost", COSTS)
    assert beside(found) == "per 1,000 answers $2.00; all answers of this run $0.0060"
    assert all_answers(found) == "$0.0060"


@pytest.mark.parametrize("name", ["latency", "cost"])
def test_what_was_not_measured_has_none(told, name):
    assert beside(told(name, Reading((), {"a": "not known"}))) == ""


def test_other_measures_have_none(told):
    found = told("relevance", Reading((Rating("q1", 0.5, "", parts={"p50": 0.5, "per_1000_answers": 1.0}),)))
    assert (beside(found), all_answers(found)) == ("", "")


def test_a_figure_of_another_version_that_is_none_is_left_out(told):
    found = told("cost", COSTS)
    found.entry["details"]["per_1000_answers"] = "much"
    assert beside(found) == "all answers of this run $0.0060"
