"""A stored verdict under other thresholds, and against a baseline."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.errors import InputFileError
from gate.regate import against, check_decision, course_of, regate, tolerance_of
from tests.support.verdicts import document

ENTRIES = {"a": ["s one", "s two", "u three"], "b": ["s four"], "c": []}


def test_the_same_thresholds_give_the_same_document():
    stored = document(ENTRIES)
    assert regate(stored, RiskTolerance()) == stored


@pytest.mark.parametrize(
    ("values", "decision"),
    [
        ({"deploy_threshold": 0.25}, "deploy"),
        ({"deploy_threshold": 0.1, "warn_threshold": 0.2}, "block"),
        ({"min_claims": 5}, "inconclusive"),
    ],
)
def test_other_thresholds_decide_anew(values, decision):
    changed = regate(document(ENTRIES), RiskTolerance(**values))
    assert changed["decision"] == decision
    assert changed["thresholds"]["min_claims"] == values.get("min_claims", 1)
    assert changed["details"] == document(ENTRIES)["details"]


def test_what_made_the_run_void_stays():
    stored = document({"a": ["s one"]}, void=["a canary was supported"])
    assert regate(stored, RiskTolerance(max_unjudged=1.0))["decision"] == "inconclusive"


def test_failed_and_silent_prompts_are_read_back():
    course = course_of(document({"a": ["s one"], "b": None, "c": []}))
    assert (course.prompts, course.failed_prompts, course.silent_answers) == (3, 1, 1)


def test_a_partial_shard_cannot_be_decided_into_a_pass():
    assert regate(document({"a": None}), RiskTolerance())["decision"] == "inconclusive"


def worse():
    base = document({f"p{i}": ["s the pump is green"] * 10 for i in range(8)})
    head = document({f"p{i}": ["s the pump is green"] * 9 + ["u it is red"] for i in range(8)})
    return base, head


@pytest.mark.parametrize(("fail", "decision"), [(False, "deploy"), (True, "block")])
def test_a_regression_counts_only_where_it_was_asked_for(fail, decision):
    base, head = worse()
    told = against(head, base, RiskTolerance(fail_on_regression=fail))
    assert told["comparison"]["word"] == "regression"
    assert told["decision"] == decision
    assert any("increased significantly" in reason for reason in told["reasons"]) is fail


def test_new_thresholds_do_not_wash_a_regression_away():
    base, head = worse()
    strict = RiskTolerance(fail_on_regression=True)
    told = against(regate(head, strict), base, strict)
    assert regate(told, strict) == told
    assert regate(told, RiskTolerance(fail_on_regression=True, deploy_threshold=0.25))["decision"] == "block"
    assert regate(told, RiskTolerance())["decision"] == "deploy"


@pytest.mark.parametrize(
    ("entries", "stored", "refused"),
    [
        (ENTRIES, "deploy", True),
        (ENTRIES, "warn", False),
        (ENTRIES, "block", False),
        ({"a": None}, "deploy", True),
        ({"a": []}, "warn", True),
        ({"a": []}, "inconclusive", False),
    ],
)
def test_a_decision_that_its_labels_do_not_bear_out_is_refused(entries, stored, refused):
    changed = {**document(entries), "decision": stored}
    if not refused:
        check_decision(changed)
        return
    with pytest.raises(InputFileError, match=f"says {stored}"):
        check_decision(changed)


def test_thresholds_that_make_no_sense_are_named():
    with pytest.raises(InputFileError, match="deploy_threshold"):
        tolerance_of({**document(ENTRIES), "thresholds": {"deploy_threshold": 7}})


def test_an_increase_within_the_tolerance_deploys():
    base, head = worse()
    assert against(head, base, RiskTolerance(fail_on_regression=True, max_increase=0.2))["decision"] == "deploy"


def test_a_comparison_never_makes_an_inconclusive_run_decided():
    base, _ = worse()
    assert against(document({"p0": None}), base, RiskTolerance(fail_on_regression=True))["decision"] == "inconclusive"


@given(
    st.dictionaries(
        st.text("abc", min_size=1),
        st.none() | st.lists(st.sampled_from(["s x", "w y", "u z", "? n"]), max_size=5),
        max_size=5,
    ),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
)
def test_deciding_anew_is_deciding_the_first_time(entries, threshold):
    tolerance = RiskTolerance(deploy_threshold=threshold, warn_threshold=1.0)
    assert regate(document(entries), tolerance) == document(entries, tolerance)


def test_a_measure_that_the_run_did_not_take_lacks_every_one_of_its_prompts():
    decided = regate(document(ENTRIES), RiskTolerance(), {"relevance": 0.5})
    assert decided["decision"] == "inconclusive"
    assert set(decided["measures"]["relevance"]["unjudged"]) == set(ENTRIES)
