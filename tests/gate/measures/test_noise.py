"""Whose noise it is: the model's between repeats, the judge's around its probabilities, the prompts'."""

from __future__ import annotations

from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import AtMost
from gate.measures.base import Answered, Case
from gate.measures.simple import FEW, ONCE, UNLABELLED, UNPARTED, Noisy, components, noisy, rate_noise
from gate.records import Answer, Claim, Label, Prompt, Verdict

GOOD, WEAK, BAD, LOST = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED


def verdict(n: int, label: Label, support: float | None = None, answer: str = "p") -> Verdict:
    return Verdict(Claim(f"{answer}:{n}", "p", answer, "It is so.", 0, 9), label, "", support=support)


def case(prompt: str, repeat: int, *labels: Label, support: float | None = None, said: str = "") -> Case:
    answer = f"{prompt}#{repeat}" if repeat else prompt
    verdicts = tuple(verdict(n, label, support, answer) for n, label in enumerate(labels))
    return Case(
        Prompt(prompt, "Is it?"), Answer(answer, prompt, said or f"It is so: {repeat}.", repeat), verdicts=verdicts
    )


def measured(*cases: Case):
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
    (rating,) = measured(*(case("p", n, *labels) for n, labels in enumerate(answers))).ratings
    assert rating.value == pytest.approx(value, abs=1e-4)
    assert rating.why.startswith("risk ")


def test_one_answer_has_no_noise_and_refusals_no_risk() -> None:
    assert measured(case("p", 0, GOOD)).skipped == {"p": ONCE}
    assert measured(case("p", 0, GOOD), case("p", 1)).skipped == {"p": FEW}


def test_answers_whose_claims_nobody_judged_are_no_quiet_ones() -> None:
    found = measured(case("p", 0, GOOD), case("p", 1), case("p", 2, LOST))
    assert (found.ratings, found.skipped, found.unjudged) == ((), {}, {"p": UNLABELLED})
    assert measured(case("p", 0, LOST), case("p", 1, LOST)).unjudged == {"p": UNLABELLED}


def test_a_model_that_says_the_same_leaves_the_noise_to_the_judge() -> None:
    same = [case("p", n, WEAK, WEAK, support=0.5) for n in range(3)]
    (rating,) = measured(*same).ratings
    assert rating.value == 0.0
    assert rating.parts["judge_share"] == 1.0
    assert rating.parts["model_share"] == 0.0
    assert "unsure by 0.35" in rating.why  # sqrt(2 x 0.25 / 4)


def test_without_probabilities_and_equal_answers_nobody_can_say_whose_noise_it_is() -> None:
    (rating,) = measured(case("p", 0, GOOD), case("p", 1, BAD)).ratings
    assert rating.parts == {"model_or_judge_share": 1.0, "between_prompts_share": 0.0}
    assert rating.why.endswith(UNPARTED)
    # Equal requests have one reply in the record: that equal answers have equal labels does not clear the judge.
    same = [case("p", n, GOOD, said="So.") for n in range(2)]
    (rating,) = measured(*same, case("p", 2, BAD)).ratings
    assert rating.parts["model_or_judge_share"] == 1.0
    assert rating.why.endswith(UNPARTED)


def test_labels_of_equal_answers_that_differ_are_the_judges_doing() -> None:
    (rating,) = measured(case("p", 0, GOOD, said="It is so."), case("p", 1, BAD, said=" It is  so.")).ratings
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
