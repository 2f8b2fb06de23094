"""Measures with a threshold make the decision stricter, never milder, and what was not measured does not pass."""

import pytest

from gate.config import RiskTolerance
from gate.measures.base import Reading
from gate.measures.decide import decide
from gate.measures.summary import measured
from gate.records import Decision, Ledger, Rating, Score

DEPLOY = Score(Decision.DEPLOY, 0.0, (0.0, 0.1), Ledger(1, 1, 0, 0, 0), ("fine",))


def latency(values, threshold=1000.0, unjudged=None):
    ratings = tuple(Rating(f"p{n}", value) for n, value in enumerate(values))
    return measured("latency", Reading(ratings, {}, unjudged or {}), threshold)


@pytest.mark.parametrize(
    ("values", "threshold", "decision"),
    [
        ([10, 20], 1000.0, Decision.DEPLOY),
        ([10, 1000], 1000.0, Decision.DEPLOY),
        ([10, 1001], 1000.0, Decision.BLOCK),
        ([10, 1001], None, Decision.DEPLOY),
        ([], 1000.0, Decision.INCONCLUSIVE),
        ([], None, Decision.DEPLOY),
    ],
)
def test_a_threshold_makes_a_measure_count(values, threshold, decision):
    told = decide(DEPLOY, [latency(values, threshold)], RiskTolerance())
    assert told.decision is decision
    assert (len(told.reasons) > 1) == (decision is not Decision.DEPLOY)


@pytest.mark.parametrize(
    ("name", "value", "threshold", "told"),
    [
        ("latency", 16000.0, 5000.0, "latency 16000 ms > its threshold 5000 ms"),
        ("cost", 0.0123, 0.01, "cost 0.0123 USD > its threshold 0.01 USD"),
        ("relevance", 0.5, 0.6, "relevance 0.5 < its threshold 0.6"),
    ],
)
def test_the_reason_has_the_unit(name, value, threshold, told):
    found = measured(name, Reading((Rating("p", value),)), threshold)
    assert decide(DEPLOY, [found], RiskTolerance()).reasons[-1] == told


@pytest.mark.parametrize("given", list(Decision))
def test_no_measure_makes_a_decision_milder(given):
    score = Score(given, 0.0, (0.0, 0.1), DEPLOY.ledger, ())
    assert decide(score, [latency([1.0])], RiskTolerance()).decision is given


def test_an_interval_that_holds_the_threshold_warns():
    tolerance = RiskTolerance(decide_on="interval")
    values = [float(n) for n in range(1, 101)]
    assert decide(DEPLOY, [latency(values, 95.0)], tolerance).decision is Decision.WARN
    assert decide(DEPLOY, [latency(values, 500.0)], tolerance).decision is Decision.DEPLOY
    told = decide(DEPLOY, [latency(values, 5.0)], tolerance)
    assert told.decision is Decision.BLOCK
    assert "the whole interval of latency" in told.reasons[-1]
    assert told.reasons[-1].endswith("ms > its threshold 5 ms")


def test_the_p95_of_few_answers_has_no_certain_upper_end():
    tolerance = RiskTolerance(decide_on="interval")
    one = decide(DEPLOY, [latency([120.0])], tolerance)
    assert (one.decision, "latency 120 ms to ∞ >" in one.reasons[-1]) == (Decision.WARN, True)
    assert decide(DEPLOY, [latency([120.0] * 72)], tolerance).decision is Decision.WARN
    assert decide(DEPLOY, [latency([120.0] * 73)], tolerance).decision is Decision.DEPLOY
    assert decide(DEPLOY, [latency([1200.0] * 9)], tolerance).decision is Decision.BLOCK


def test_prompts_that_could_not_be_rated_are_held_against_it():
    lost = latency([1.0], unjudged={"p9": "no"})
    assert decide(DEPLOY, [lost], RiskTolerance()).decision is Decision.INCONCLUSIVE
    assert decide(DEPLOY, [lost], RiskTolerance(max_unjudged=0.5)).decision is Decision.DEPLOY


def test_a_reason_that_holds_for_some_of_the_prompts_is_not_told_of_all():
    lost = latency([1.0], unjudged={"p7": "no time", "p8": "no time", "p9": "no answer"})
    assert decide(DEPLOY, [lost], RiskTolerance()).reasons[-1].endswith(": no time (2), or another reason (1)")
