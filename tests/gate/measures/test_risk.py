"""The ledger, the risk, its interval and the decision."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.risk import Course, Labelled, PromptCourse, holding, ledger, risk, score
from gate.records import Decision, Label
from gate.statistics.intervals import JudgeError

S, W, U, N = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED
labels = st.lists(st.sampled_from([S, W, U, N]), min_size=1, max_size=60)


def spread(found, per_prompt=3):
    return [Labelled(f"p{i // per_prompt}", label) for i, label in enumerate(found)]


def decide(found, tolerance=None, course=None):
    return score(spread(found), len(found), course or Course(), tolerance or RiskTolerance())


@pytest.mark.parametrize(
    ("found", "expected"),
    [([S] * 4, 0.0), ([U] * 4, 1.0), ([W] * 4, 0.5), ([S, S, W, U], 0.375), ([U, N, N], 1.0), ([N], None), ([], None)],
)
def test_risk_weighs_the_judged_claims_alone(found, expected):
    assert risk(ledger(spread(found), len(found))) == expected


@pytest.mark.parametrize(
    ("found", "decision"),
    [
        ([S] * 10, Decision.DEPLOY),
        ([S] * 9 + [U], Decision.DEPLOY),  # 0.10 is not above 0.10
        ([S] * 8 + [U, W], Decision.WARN),
        ([S] * 3 + [U], Decision.WARN),  # 0.25 is not above 0.25
        ([S] * 2 + [U], Decision.BLOCK),
        ([], Decision.INCONCLUSIVE),
        ([N] * 5, Decision.INCONCLUSIVE),
        ([S] * 99 + [N], Decision.INCONCLUSIVE),  # one claim that nobody judged is enough
    ],
)
def test_decision_by_the_default_thresholds(found, decision):
    assert decide(found).decision is decision


@pytest.mark.parametrize(
    ("course", "part"),
    [
        (Course(prompts=3, failed_prompts=1), "1 of 3 prompts got no answer"),
        (Course(void=("a canary was supported",)), "a canary was supported"),
    ],
)
def test_a_run_that_went_wrong_is_inconclusive(course, part):
    result = decide([S] * 10, course=course)
    assert result.decision is Decision.INCONCLUSIVE
    assert part in result.reasons[0]


def test_a_lost_claim_is_inconclusive():
    result = score(spread([S] * 9), 10, Course(), RiskTolerance(max_unjudged=1.0))
    assert result.decision is Decision.INCONCLUSIVE
    assert "lost" in result.reasons[0]


def test_by_interval_few_claims_neither_deploy_nor_block():
    tolerance = RiskTolerance(decide_on="interval")
    assert decide([S] * 6, tolerance).decision is Decision.WARN
    assert decide([S] * 600, tolerance).decision is Decision.DEPLOY
    assert decide([S, U], tolerance).decision is Decision.WARN
    assert decide([U] * 300, tolerance).decision is Decision.BLOCK


@given(labels)
def test_the_interval_holds_the_risk_and_stays_within_bounds(found):
    result = decide(found, RiskTolerance(max_unjudged=1.0))
    band, value = result.interval, result.risk
    if value is None:
        assert band is None
    else:
        assert 0.0 <= band[0] <= value + 1e-12
        assert value - 1e-12 <= band[1] <= 1.0
        assert all(math.isfinite(end) for end in band)


@given(labels)
def test_nothing_unjudged_ever_deploys(found):
    result = decide(found)
    if N in found:
        assert result.decision is Decision.INCONCLUSIVE
    assert result.ledger.balanced


def labelled(label, contradicted=False, waived=False, prompt="p1"):
    return Labelled(prompt, label, contradicted, waived, "The lid is blue.", prompt)


@pytest.mark.parametrize(
    ("effect", "decision"),
    [("ignore", Decision.DEPLOY), ("warn", Decision.WARN), ("block", Decision.BLOCK)],
)
def test_one_claim_that_the_documents_deny_leads_to_at_least_what_is_configured(effect, decision):
    found = [*spread([S] * 30), labelled(U, contradicted=True)]
    result = score(found, 31, Course(), RiskTolerance(contradicted=effect))
    assert result.decision is decision
    assert ("deny 1 claim, in prompt p1 (" in result.reasons[0]) is (effect != "ignore")
    assert result.risk == pytest.approx(1 / 31)  # the risk stays what it is


def test_a_contradiction_never_makes_a_decision_milder():
    found = [labelled(U, contradicted=True)] * 3
    assert score(found, 3, Course(), RiskTolerance(contradicted="warn")).decision is Decision.BLOCK
    lost = score(found, 4, Course(), RiskTolerance(contradicted="block"))
    assert lost.decision is Decision.INCONCLUSIVE
    assert "deny" in lost.reasons[0]


@pytest.mark.parametrize(("claims", "holds"), [([S], True), ([S, U], False), ([W], False), ([N], False), ([], False)])
def test_a_prompt_that_must_pass_holds_by_its_supported_claims_alone(claims, holds):
    found = [*spread([S] * 40), *(labelled(label, prompt="must") for label in claims)]
    course = Course(asked=(PromptCourse("must", ("must",), must_pass=True),))
    result = score(found, len(found), course, RiskTolerance(must_pass="block", max_unjudged=0.5))
    assert result.decision is (Decision.DEPLOY if holds else Decision.BLOCK)


@pytest.mark.parametrize(
    ("tolerance", "alone", "found", "decision"),
    [
        ({"min_claims": 0}, True, [], Decision.DEPLOY),
        ({"min_claims": 1}, True, [], Decision.INCONCLUSIVE),
        ({"min_claims": 0}, False, [], Decision.INCONCLUSIVE),
        ({"min_claims": 0, "checks": "ignore"}, True, [], Decision.INCONCLUSIVE),
        ({"min_claims": 0, "max_unjudged": 1.0}, True, [N], Decision.INCONCLUSIVE),
    ],
)
@pytest.mark.parametrize("failed", [{}, {"q": "not called"}])
def test_checks_decide_alone_only_where_every_answer_only_calls_tools(tolerance, alone, found, decision, failed):
    course = Course(1, asked=(PromptCourse("q", ("q",), failed=failed),), checked_alone=alone)
    result = score([labelled(label, prompt="q") for label in found], len(found), course, RiskTolerance(**tolerance))
    assert result.decision is (Decision.BLOCK if failed and decision is Decision.DEPLOY else decision)
    assert result.risk is None


@pytest.mark.parametrize(
    ("failed", "must_hold", "decisions"),  # of a prompt that has to pass, and of one that only has checks
    [
        ({}, 3, (Decision.DEPLOY, Decision.DEPLOY)),
        ({"q#1": "no 30 days"}, 3, (Decision.WARN, Decision.BLOCK)),
        ({"q#1": "no 30 days"}, 2, (Decision.DEPLOY, Decision.DEPLOY)),
        ({"q#1": "no 30 days", "q": "no"}, 2, (Decision.WARN, Decision.BLOCK)),
    ],
)
def test_so_many_of_the_repeats_must_hold_and_pass_their_checks(failed, must_hold, decisions):
    found = [Labelled("q", S, answer_id=name) for name in ("q", "q#1")]
    for effect, decision in zip(({"checks": "ignore"}, {"must_pass": "ignore"}), decisions, strict=True):
        asked = PromptCourse("q", ("q", "q#1", "q#2"), True, failed)  # the third makes no claim: its checks hold it
        course = Course(repeats=3, must_hold=must_hold, asked=(asked,))
        result = score(found, 2, course, RiskTolerance(**effect))
        assert result.decision is decision
        good = 3 - len(failed)
        assert (f"{good} of 3 answers hold" in result.reasons[0]) is (decision is not Decision.DEPLOY)
        assert result.risk == 0.0  # exact checks are no part of it
    waived = [Labelled("q", U, waived=True, answer_id="q")]
    assert holding(waived, [PromptCourse("q", ("q", "q#1")), PromptCourse("r", ("r",))]) == {"q": 1, "r": 0}


def test_a_waived_claim_leaves_the_risk_and_stays_in_the_ledger():
    found = [*spread([S] * 9), labelled(U, contradicted=True, waived=True)]
    result = score(found, 10, Course(), RiskTolerance())
    assert (result.decision, result.risk) == (Decision.DEPLOY, 0.0)
    assert (result.ledger.unsupported, result.ledger.waived, result.ledger.balanced) == (1, 1, True)


ERROR = JudgeError(0.03, 0.01, 0.9, 0.02)


@pytest.mark.parametrize(
    ("found", "decision"),
    [
        ([S] * 400, Decision.DEPLOY),
        ([S] * 200 + [U] * 200, Decision.BLOCK),
        ([S] * 1000 + [U] * 220, Decision.WARN),
        ([S] * 9 + [U], Decision.INCONCLUSIVE),
    ],
)
def test_the_corrected_decision_is_a_test_that_may_decide_nothing(found, decision):
    result = score(spread(found, 1), len(found), Course(), RiskTolerance(decide_on="corrected"), ERROR)
    assert result.decision is decision
    assert 0 <= result.corrected["low"] <= result.corrected["share"] <= result.corrected["high"] <= 1
    assert ("more prompts" in result.reasons[0]) is (decision is Decision.INCONCLUSIVE)


def test_without_the_judges_error_nothing_is_corrected():
    result = score(spread([S] * 50), 50, Course(), RiskTolerance(decide_on="corrected"))
    assert result.decision is Decision.INCONCLUSIVE
    assert "gate calibrate" in result.reasons[0]
