"""Latency, cost and the overall number; whose noise it is: the model's between repeats, the judge's around its
probabilities, the prompts'."""

from __future__ import annotations

from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.bench import Bench
from gate.config import AtMost, Config, Overall, RiskTolerance
from gate.measures.base import Answered, Case, Rating, Reading
from gate.measures.simple import (
    FEW,
    NO_LATENCY,
    NO_PRICE,
    ONCE,
    UNLABELLED,
    UNPARTED,
    Noisy,
    components,
    noisy,
    rate_cost,
    rate_latency,
    rate_noise,
    rate_overall,
)
from gate.measures.summary import decide, measured
from gate.records import Answer, Claim, Decision, Label, Prompt, Usage, Verdict
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
GOOD, WEAK, BAD, LOST = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED


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


def verdict(n: int, label: Label, support: float | None = None, answer: str = "p") -> Verdict:
    return Verdict(Claim(f"{answer}:{n}", "p", answer, "It is so.", 0, 9), label, "", support=support)


def asked(prompt: str, repeat: int, *labels: Label, support: float | None = None, said: str = "") -> Case:
    answer = f"{prompt}#{repeat}" if repeat else prompt
    verdicts = tuple(verdict(n, label, support, answer) for n, label in enumerate(labels))
    return Case(
        Prompt(prompt, "Is it?"), Answer(answer, prompt, said or f"It is so: {repeat}.", repeat), verdicts=verdicts
    )


def noise_of(*cases: Case):
    return rate_noise(Answered(cases), AtMost(), None)  # type: ignore[arg-type]


# labels of each answer to one prompt, and the standard deviation of their risk
KNOWN = [
    ([[GOOD], [GOOD]], 0.0),
    ([[GOOD], [BAD]], 0.7071),
    ([[GOOD, BAD], [GOOD, GOOD]], 0.3536),
    ([[GOOD, LOST], [GOOD]], 0.0),
    ([[GOOD], [BAD], []], 0.7071),
]


@pytest.mark.parametrize(("answers", "value"), KNOWN)
def test_known_cases(answers, value) -> None:
    (rating,) = noise_of(*(asked("p", n, *labels) for n, labels in enumerate(answers))).ratings
    assert rating.value == pytest.approx(value, abs=1e-4)
    assert rating.why.startswith("risk ")


def test_one_answer_has_no_noise_and_refusals_no_risk() -> None:
    assert noise_of(asked("p", 0, GOOD)).skipped == {"p": ONCE}
    assert noise_of(asked("p", 0, GOOD), asked("p", 1)).skipped == {"p": FEW}


def test_answers_whose_claims_nobody_judged_are_no_quiet_ones() -> None:
    found = noise_of(asked("p", 0, GOOD), asked("p", 1), asked("p", 2, LOST))
    assert (found.ratings, found.skipped, found.unjudged) == ((), {}, {"p": UNLABELLED})
    assert noise_of(asked("p", 0, LOST), asked("p", 1, LOST)).unjudged == {"p": UNLABELLED}


def test_a_model_that_says_the_same_leaves_the_noise_to_the_judge() -> None:
    same = [asked("p", n, WEAK, WEAK, support=0.5) for n in range(3)]
    (rating,) = noise_of(*same).ratings
    assert rating.value == 0.0
    assert rating.parts["judge_share"] == 1.0
    assert rating.parts["model_share"] == 0.0
    assert "unsure by 0.35" in rating.why  # sqrt(2 x 0.25 / 4)


def test_without_probabilities_and_equal_answers_nobody_can_say_whose_noise_it_is() -> None:
    (rating,) = noise_of(asked("p", 0, GOOD), asked("p", 1, BAD)).ratings
    assert rating.parts == {"model_or_judge_share": 1.0, "between_prompts_share": 0.0}
    assert rating.why.endswith(UNPARTED)
    # Equal requests have one reply in the record: that equal answers have equal labels does not clear the judge.
    same = [asked("p", n, GOOD, said="So.") for n in range(2)]
    (rating,) = noise_of(*same, asked("p", 2, BAD)).ratings
    assert rating.parts["model_or_judge_share"] == 1.0
    assert rating.why.endswith(UNPARTED)


def test_labels_of_equal_answers_that_differ_are_the_judges_doing() -> None:
    (rating,) = noise_of(asked("p", 0, GOOD, said="It is so."), asked("p", 1, BAD, said=" It is  so.")).ratings
    assert rating.parts == {"model_share": 0.0, "between_prompts_share": 0.0, "judge_share": 1.0}
    assert "equal answers were judged differently" in rating.why


def test_the_parts_add_up_as_the_analysis_of_variance_has_it() -> None:
    # Two prompts, two answers: within (0.02 + 0.02) / 2, MSB = 2 (0.2^2 + 0.2^2), between (0.16 - 0.02) / 2.
    rows = [[Noisy("", str(value), 0.0, value, 0.01) for value in pair] for pair in ((0.2, 0.4), (0.6, 0.8))]
    found = components(rows)
    assert (found.model, found.between, found.judge) == pytest.approx((0.02, 0.07, 0.01))
    assert sum(found.shares().values()) == pytest.approx(1.0)


chances = st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=2, max_size=4)


@settings(max_examples=60)
@given(st.lists(chances, min_size=1, max_size=4))
def test_parts_are_never_negative_and_the_order_does_not_matter(prompts) -> None:
    def answers(rows):
        return [noisy(case_of(f"p{n}", row)) for n, row in enumerate(rows)]

    def case_of(answer, row):
        labels = [(GOOD if chance > 0.6 else BAD, chance) for chance in row]
        made = tuple(verdict(n, label, chance, answer) for n, (label, chance) in enumerate(labels))
        return Case(Prompt("p", "?"), Answer(answer, "p", answer), verdicts=made)

    rows = [[one for one in answers(prompt) if one] for prompt in prompts]
    found, turned = components(rows), components([row[::-1] for row in rows[::-1]])
    for one, other in zip(astuple(found), astuple(turned), strict=True):
        assert one >= 0.0
        assert one == pytest.approx(other, abs=1e-9)
    assert found.judge <= 0.25
