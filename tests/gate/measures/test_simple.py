"""Latency, cost and the overall number."""

from __future__ import annotations

import pytest

from gate.bench import Bench
from gate.config import Config, Overall, RiskTolerance
from gate.measures.base import Answered, Case, Rating, Reading
from gate.measures.simple import NO_LATENCY, NO_PRICE, rate_cost, rate_latency, rate_overall
from gate.measures.summary import decide, measured
from gate.records import Answer, Decision, Prompt, Usage
from gate.toolbox import Toolbox
from tests.support.measured import DEPLOY, case, rated

MOST = 1000.0
SAID = "The card costs Rs 800."
# answers, their times, the p95 that the nearest rank is, and whether it is 1,000 ms at most
TIMES = [
    ("quick", [SAID], [80.0], 80.0, True),
    ("one of 19 is above the p95", [SAID] * 19, [100.0] * 18 + [9000.0], 9000.0, False),
    ("one of 20 is not", [SAID] * 20, [100.0] * 19 + [9000.0], 100.0, True),
]


def run(answers, times):
    pairs = enumerate(zip(answers, times, strict=True))
    return Answered(
        tuple(Case(Prompt(f"p{n}", "Q?"), Answer(f"p{n}", f"p{n}", said, latency_ms=ms)) for n, (said, ms) in pairs)
    )


@pytest.mark.parametrize(
    ("answers", "times", "value", "good"), [row[1:] for row in TIMES], ids=[row[0] for row in TIMES]
)
def test_known_times(answers, times, value, good):
    reading = rate_latency(run(answers, times), None, None)  # type: ignore[arg-type]
    measure = measured("latency", reading, MOST)
    assert (measure.value, measure.passed, measure.n) == (value, good, len(times))
    assert [rating.value for rating in reading.ratings] == times
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is (Decision.DEPLOY if good else Decision.BLOCK)


def test_a_time_that_is_not_known_is_no_quick_answer():
    reading = rate_latency(run([SAID] * 2, [80.0, None]), None, None)  # type: ignore[arg-type]
    assert ([rating.why for rating in reading.ratings], reading.unjudged) == (["80 ms"], {"p1": NO_LATENCY})
    measure = measured("latency", reading, MOST)
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is Decision.INCONCLUSIVE


USD = 0.01  # USD an answer
PRICES = {
    "small": {"input": 1.0, "output": 4.0},
}
SAID = "The card costs Rs 800."
# answer, model, tokens in and out, USD by hand, whether that is 0.01 at most
CASES = [
    ("a usual answer", SAID, "small", 1200, 200, 0.002, True),  # 0.0012 + 0.0008
    ("on the line", SAID, "small", 6000, 1000, 0.01, True),  # 0.006 + 0.004
    ("a price that is listed", SAID, "gpt-4o", 1000, 100, 0.0035, True),  # 2.50 and 10.00: 0.0025 + 0.001
]


def bench() -> Bench:
    values = {"use_case": "a test", "model": {"provider": "replay", "path": "answers.jsonl"}, "prices": PRICES}
    return Bench(Toolbox(Config.model_validate(values)), Answered(()))


def priced(name: str, said: str, model: str, given: int, made: int, estimated: bool = False) -> Case:
    return Case(Prompt(name, "Q?"), Answer(name, name, said, model=model, usage=Usage(given, made, estimated)))


@pytest.mark.parametrize(
    ("said", "model", "given_", "made", "usd", "good"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_known_costs(said, model, given_, made, usd, good):
    reading = rate_cost(Answered((priced("p", said, model, given_, made),)), None, bench())
    (rating,) = reading.ratings
    assert rating.value == pytest.approx(usd)
    assert rating.parts == {"per_1000_answers": pytest.approx(1000 * usd)}
    measure = measured("cost", reading, USD)
    assert measure.passed is good
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is (Decision.DEPLOY if good else Decision.BLOCK)


def test_a_price_that_nobody_told_is_not_nothing():
    cases = (priced("a", SAID, "small", 1200, 200), priced("b", SAID, "nobody-knows-its-price", 1200, 200))
    reading = rate_cost(Answered(cases), None, bench())
    assert ([rating.prompt_id for rating in reading.ratings], reading.unjudged) == (["a"], {"b": NO_PRICE})
    assert decide(DEPLOY, [measured("cost", reading, USD)], RiskTolerance()).decision is Decision.INCONCLUSIVE


PRICE = "How much does the Standard plan cost?"


def test_a_part_that_does_not_apply_is_left_out_and_that_is_told():
    rating = rated("overall", case(PRICE, "The Standard plan costs Rs 800 a month."))
    assert set(rating.parts) == {"relevance", "completeness"}
    assert "without faithfulness: no context" in rating.why


class Read:
    """Tools that know the readings of the parts."""

    def __init__(self, **values: float | str) -> None:
        self._values = values
        self.asked: list[str] = []

    def reading(self, name: str) -> Reading:
        self.asked.append(name)
        value = self._values.get(name, "")
        if isinstance(value, str):
            return Reading(skipped={"p": value or "does not apply"})
        return Reading((Rating("p", value, answer_id="p"),))


ONE = Answered((case("Q?", "It is so."),))


def test_a_part_without_weight_is_not_even_asked_for():
    tools = Read(relevance=1.0, completeness=0.5)
    options = Overall(relevance_weight=1, faithfulness_weight=0, completeness_weight=3)
    assert rate_overall(ONE, options, tools).ratings[0].value == 0.625
    assert tools.asked == ["relevance", "completeness"]
