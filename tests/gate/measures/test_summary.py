"""From ratings to numbers and to the decision: bounds, missing answers, and that no measure makes a decision milder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.generation.probes import variation
from gate.measures.base import NO_REFERENCE, Answered, Case, Reading
from gate.measures.summary import MEASURES, decide, measured, plans, rate_run, unpassed
from gate.records import Answer, Decision, Prompt, Rating, Score
from tests.support.measured import DEPLOY, Tools

hundredths = st.integers(0, 100).map(lambda n: n / 100)
shares = st.lists(st.tuples(hundredths, st.integers(1, 9)), min_size=1, max_size=30)


def of(name, values, threshold=None):
    ratings = tuple(Rating(f"p{n}", value, weight=weight) for n, (value, weight) in enumerate(values))
    return measured(name, Reading(ratings), threshold)


def test_nothing_has_no_value():
    measure = of("faithfulness", [], 0.5)
    assert (measure.value, measure.interval, measure.n, measure.passed) == (None, None, 0, None)


@given(shares)
def test_the_interval_holds_the_value_and_stays_on_the_scale(values):
    measure = of("faithfulness", values)
    low, high = measure.interval
    assert -1e-9 <= low <= measure.value + 1e-9
    assert measure.value - 1e-9 <= high <= 1 + 1e-9


def test_latency_is_told_by_its_p95_and_median():
    measure = of("latency", [(float(n), 1) for n in range(1, 101)], 95.0)
    assert (measure.value, measure.details["p50"], measure.passed) == (95.0, 50.0, True)
    assert measure.interval[0] <= 95.0 <= measure.interval[1]


def latency(values, threshold=1000.0, unjudged=None):
    ratings = tuple(Rating(f"p{n}", value) for n, value in enumerate(values))
    return measured("latency", Reading(ratings, {}, unjudged or {}), threshold)


@pytest.mark.parametrize(
    ("values", "threshold", "decision"),
    [
        ([10, 1000], 1000.0, Decision.DEPLOY),
        ([10, 1001], 1000.0, Decision.BLOCK),
        ([10, 1001], None, Decision.DEPLOY),
        ([], 1000.0, Decision.INCONCLUSIVE),
    ],
)
def test_a_threshold_makes_a_measure_count(values, threshold, decision):
    told = decide(DEPLOY, [latency(values, threshold)], RiskTolerance())
    assert told.decision is decision
    assert (len(told.reasons) > 1) == (decision is not Decision.DEPLOY)


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
    assert told.reasons[-1].endswith("ms is above its threshold of 5 ms")


def test_the_p95_of_few_answers_has_no_certain_upper_end():
    tolerance = RiskTolerance(decide_on="interval")
    one = decide(DEPLOY, [latency([120.0])], tolerance)
    assert (one.decision, "latency 120 ms to ∞ is above" in one.reasons[-1]) == (Decision.WARN, True)
    assert decide(DEPLOY, [latency([120.0] * 72)], tolerance).decision is Decision.WARN
    assert decide(DEPLOY, [latency([120.0] * 73)], tolerance).decision is Decision.DEPLOY
    assert decide(DEPLOY, [latency([1200.0] * 9)], tolerance).decision is Decision.BLOCK


def test_prompts_that_could_not_be_rated_are_held_against_it():
    lost = latency([1.0], unjudged={"p9": "no"})
    assert decide(DEPLOY, [lost], RiskTolerance()).decision is Decision.INCONCLUSIVE
    assert decide(DEPLOY, [lost], RiskTolerance(max_unjudged=0.5)).decision is Decision.DEPLOY


FEE, SAYS = "What does the card cost?", "The card costs Rs 800."
# A threshold that any value meets.
EASY = {name: 1e9 if spec.less_is_better else 0.0 for name, spec in MEASURES.items()}


def prompt(name: str, reference: str | None = SAYS) -> Prompt:
    return Prompt(name, FEE, reference=reference, contexts=(SAYS,))


def answered(one: Prompt, repeat: int = 0) -> Case:
    name = f"{one.id}#{repeat}" if repeat else one.id
    return Case(one, Answer(name, one.id, SAYS, repeat, latency_ms=9.0, contexts=(SAYS,)), one.contexts)


def rated_run(name: str, outcome: Answered) -> Reading:
    return rate_run(name, outcome, MEASURES[name].options(), Tools(outcome))


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_tells_what_has_no_answer(name) -> None:
    found = rated_run(name, Answered((answered(prompt("a")),), missing=(prompt("b"),)))
    assert found.unjudged["b"].endswith("it has no answer")
    assert "b" not in found.skipped
    told = decide(DEPLOY, [measured(name, found, EASY[name])], RiskTolerance())
    assert told.decision is Decision.INCONCLUSIVE
    assert told.reasons[-1].startswith(name)


@pytest.mark.parametrize("name", [name for name in MEASURES if name not in {*plans(), "cost", "noise"}])
def test_of_a_prompt_with_a_part_of_its_answers_these_are_rated_and_it_is_told(name) -> None:
    found = rated_run(name, Answered((answered(prompt("a")), answered(prompt("a"), 2)), missing=(prompt("a"),)))
    assert [rating.answer_id for rating in found.ratings] == ["a", "a#2"]
    assert found.unjudged == {"a": "an answer is missing"}
    measure = measured(name, found, EASY[name])
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is Decision.INCONCLUSIVE
    assert (measure.passed, unpassed([measure], 0.0)[0].passed) == (True, None)
    assert unpassed([measure], 1.0) == [measure]


def test_a_probe_that_was_not_answered_counts_for_its_measure_alone() -> None:
    run = Answered((answered(prompt("a")),), missing=(variation(prompt("a"), "sensitivity", "typos"),))
    assert rated_run("sensitivity", run).unjudged == {"a": "its probe typos was not answered"}
    assert rated_run("latency", run).unjudged == {}


def test_what_a_measure_does_not_apply_to_is_left_out_with_or_without_an_answer() -> None:
    run = Answered((answered(prompt("a")), answered(prompt("b", None))), missing=(prompt("c", " "), prompt("d")))
    found = rated_run("correctness", run)
    assert found.skipped == {"b": NO_REFERENCE, "c": NO_REFERENCE}
    assert found.unjudged == {"d": "it has no answer"}


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_nothing_is_lost_and_every_missing_prompt_has_one_place(rated, gone, bare) -> None:
    prompts = {name: prompt(name, None if name in bare else SAYS) for name in "abcdef"}
    run = Answered(tuple(answered(prompts[n]) for n in sorted(rated)), missing=tuple(prompts[n] for n in sorted(gone)))
    found = rated_run("correctness", run)
    assert {rating.prompt_id for rating in found.ratings} == rated - bare
    assert set(found.unjudged) == gone - bare
    assert set(found.skipped) == (rated | gone) & bare
