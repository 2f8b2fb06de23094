"""Verdicts made from stored verdicts: shards joined, other thresholds, a baseline, a decision that was changed."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.errors import InputFileError, UsageError
from gate.measures.base import Reading
from gate.measures.summary import CRITERION, measured
from gate.records import Rating
from gate.reports.build import measure_entry
from gate.verdicts import check_decision, course_of, decide_again, merge, tolerance_of, waive_again, with_baseline
from gate.waivers import Waiver
from tests.support.verdicts import document

WHOLE = {f"p{i}": [f"{'su?w'[i % 4]} claim {i}", "s yes"] for i in range(7)}
ENTRIES = {"a": ["s one", "s two", "u three"], "b": ["s four"], "c": []}


def shards(entries, number, **changes):
    names = list(entries)
    return [
        document({name: entries[name] for name in names[i::number]}, shard=f"{i + 1}/{number}", **changes)
        for i in range(number)
    ]


def joined(parts):
    return {**decide_again(merge(parts), RiskTolerance()), "timings": {}}


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1),
        st.none() | st.lists(st.sampled_from(["s x", "u z"]), max_size=3),
        min_size=1,
        max_size=9,
    ),
    st.integers(1, 4),
)
def test_any_run_in_any_number_of_shards_in_any_order(entries, number):
    parts = shards(entries, number)
    assert joined(parts) == joined(reversed(parts)) == {**document(entries), "timings": {}}


def test_counters_are_added_up_and_shares_are_of_all_shards():
    parts = shards(WHOLE, 2)
    for part, lost in zip(parts, (0, 3), strict=True):
        details = {"replies": 4, "unparsed_replies": lost, "share_unparsed": lost / 4}
        part["judge"] = {**part["judge"], "details": details}
    merged = merge(parts)
    assert merged["timings"] == {"run_model": 2.0}
    assert merged["judge"]["details"] == {"replies": 8, "unparsed_replies": 3, "share_unparsed": 0.375}


def test_recorded_answers_are_counted_over_all_shards():
    parts = shards(WHOLE, 3)
    for part, (answers, day) in zip(parts[1:], ((2, 4), (3, 2)), strict=True):
        part["recorded"] = {"answers": answers, "oldest": f"2026-01-0{day}", "oldest_seconds": 86400.0 * (9 - day)}
    assert merge(parts)["recorded"] == {"answers": 5, "oldest": "2026-01-02", "oldest_seconds": 86400.0 * 7}
    assert "recorded" not in merge(shards(WHOLE, 2))


def test_failed_checks_and_criteria_outlive_merging_and_a_decision_made_anew():
    parts = shards({"a": ["s one"], "b": ["s two"], "c": ["s three"]}, 2)
    fault = {"answer_id": "b", "check": "contains", "why": "the answer does not contain “x”"}
    for part, failed in zip(parts, ([], [fault]), strict=True):
        part["prompts"][0]["failed_checks"] = failed
        ratings = [Rating(prompt["id"], float(not failed), "so") for prompt in part["prompts"]]
        share = replace(
            measured("is short", Reading(tuple(ratings)), None, CRITERION), details={"balanced_accuracy": 0.9}
        )
        part["criteria"] = {"is short": measure_entry(share)}
    merged = decide_again(merge(parts), RiskTolerance())
    assert (merged["decision"], merged["score"]) == ("block", 0.0)
    assert merged["reasons"][0] == f"1 of 2 prompts with checks does not pass: b ({fault['why']}) (checks: block)"
    found = merged["criteria"]["is short"]
    assert (found["value"], found["n"], found["details"]) == (0.666667, 3, {"balanced_accuracy": 0.9})
    assert [rating["prompt_id"] for rating in found["ratings"]] == ["a", "b", "c"]
    check_decision(merged)
    with pytest.raises(InputFileError, match="changed after the run"):
        check_decision({**merged, "decision": "deploy"})
    merged["thresholds"].pop("checks")  # a verdict of an earlier version was decided without them
    assert decide_again(merged, tolerance_of(merged))["decision"] == "deploy"
    assert decide_again(merged, RiskTolerance(checks="warn"))["decision"] == "warn"


def changed(key, *values):
    return [{**part, key: value} for part, value in zip(shards(WHOLE, 2), values, strict=True)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (shards(WHOLE, 3)[:2], "shards are missing: 3/3"),
        ([*shards(WHOLE, 2), shards(WHOLE, 2)[0]], "given twice"),
        ([document(WHOLE)], "verdict 1 of the 1 given is not a shard"),
        ([shards(WHOLE, 2)[0], shards(WHOLE, 3)[1]], "different numbers"),
        (changed("config_hash", "a", "b"), "config_hash differs"),
        (changed("documents", "a", "b"), "documents differs"),
        (changed("limit", 3, 5), "limit differs"),
        (changed("inputs", "a", "b"), "inputs differs"),
        *(
            (changed("judge", *({**document(WHOLE)["judge"], key: value} for value in "ab")), f"judge.{key} differs")
            for key in ("provider", "model", "prompt_version")
        ),
        ([{**shards(WHOLE, 2)[0], "comparison": {"word": "same"}}, shards(WHOLE, 2)[1]], "baseline"),
        *(([document(WHOLE, shard=name)], "not the name of a shard") for name in ("0/0", "3/2", "x", "-1/2", "1/2/3")),
    ],
)
def test_what_does_not_belong_together_is_refused(parts, message):
    with pytest.raises(UsageError, match=message):
        merge(parts)


def test_of_a_huge_number_of_shards_a_few_missing_ones_are_named():
    with pytest.raises(UsageError, match="shards are missing: 2/999999999") as raised:
        merge([document(WHOLE, shard="1/999999999")])
    assert len(raised.value.message) < 300


def test_a_shard_that_hit_a_limit_makes_the_whole_partial():
    parts = shards(WHOLE, 2)
    parts[1] = {**parts[1], "partial": True, "void": ["the limit of 3 calls is reached"]}
    merged = decide_again(merge(parts), RiskTolerance(max_unjudged=1.0))
    assert (merged["partial"], merged["decision"]) == (True, "inconclusive")


@given(
    st.dictionaries(
        st.text("abc", min_size=1),
        st.none() | st.lists(st.sampled_from(["s x", "w y", "u z", "? n"]), max_size=5),
        max_size=5,
    ),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    st.integers(1, 5),
)
def test_deciding_again_is_deciding_the_first_time(entries, threshold, least):
    tolerance = RiskTolerance(deploy_threshold=threshold, warn_threshold=1.0, min_claims=least)
    assert decide_again(document(entries), tolerance) == document(entries, tolerance)


def test_no_threshold_turns_a_void_or_empty_run_into_a_pass():
    void = document({"a": ["s one"]}, void=["a canary was supported"])
    for stored in (void, document({"a": None})):
        assert decide_again(stored, RiskTolerance(max_unjudged=1.0))["decision"] == "inconclusive"
    course = course_of(document({"a": ["s one"], "b": None, "c": []}))
    assert (course.prompts, course.failed_prompts, course.silent_answers) == (3, 1, 1)


def test_a_measure_that_the_run_did_not_take_lacks_every_one_of_its_prompts():
    decided = decide_again(document(ENTRIES), RiskTolerance(), {"relevance": 0.5})
    assert decided["decision"] == "inconclusive"
    assert set(decided["measures"]["relevance"]["unjudged"]) == set(ENTRIES)


@pytest.mark.parametrize(
    ("entries", "stored", "refused"),
    [
        (ENTRIES, "deploy", True),
        (ENTRIES, "block", False),
        ({"a": None}, "deploy", True),
        ({"a": []}, "warn", True),
        ({"a": []}, "inconclusive", False),
    ],
)
def test_a_decision_that_its_labels_do_not_bear_out_is_refused(entries, stored, refused):
    document_of = {**document(entries), "decision": stored}
    if not refused:
        check_decision(document_of)
        return
    with pytest.raises(InputFileError, match=f"says {stored}"):
        check_decision(document_of)


def test_thresholds_that_make_no_sense_are_named():
    with pytest.raises(InputFileError, match="deploy_threshold"):
        tolerance_of({**document(ENTRIES), "thresholds": {"deploy_threshold": 7}})


def worse():
    base = document({f"p{i}": ["s the pump is green"] * 10 for i in range(8)})
    head = document({f"p{i}": ["s the pump is green"] * 9 + ["u it is red"] for i in range(8)})
    return base, head


@pytest.mark.parametrize(
    ("values", "decision"),
    [
        ({}, "deploy"),
        ({"fail_on_regression": True}, "block"),
        ({"fail_on_regression": True, "max_increase": 0.2}, "deploy"),
    ],
)
def test_a_regression_counts_only_where_it_was_asked_for(values, decision):
    base, head = worse()
    found = with_baseline(head, base, RiskTolerance(**values))
    assert found["decision"] == decision
    assert any("increased significantly" in reason for reason in found["reasons"]) is (decision == "block")


def test_new_thresholds_do_not_wash_a_regression_away():
    base, head = worse()
    strict = RiskTolerance(fail_on_regression=True)
    found = with_baseline(decide_again(head, strict), base, strict)
    assert decide_again(found, strict) == found
    assert decide_again(found, RiskTolerance(fail_on_regression=True, deploy_threshold=0.25))["decision"] == "block"
    assert decide_again(found, RiskTolerance())["decision"] == "deploy"


def test_new_contradictions_are_told_first_and_no_accepted_ones():
    base = document({"p": ["s the pump is green", "c it sings"]})
    head = document({"p": ["c the pump is green", "c it sings"]})
    found = with_baseline(head, base, RiskTolerance())
    assert found["reasons"][0] == "1 claim that the documents deny is new against the baseline"
    assert found["comparison"]["new"][0]["contradicted"] is True
    ignored = with_baseline(head, base, RiskTolerance(contradicted="ignore"))
    assert not [reason for reason in ignored["reasons"] if "new against" in reason]
    found["details"][0]["waived"] = True
    again = decide_again(found, RiskTolerance())
    assert again["comparison"]["new"] == []
    assert not [reason for reason in again["reasons"] if "new against" in reason]


def test_a_regression_that_nothing_could_show_is_no_pass():
    few = document({f"p{i}": ["s the pump is green"] for i in range(5)})
    asked = RiskTolerance(fail_on_regression=True)
    found = with_baseline(few, few, asked)
    assert (found["decision"], with_baseline(few, few, RiskTolerance())["decision"]) == ("inconclusive", "deploy")
    assert found["reasons"][-1].startswith("5 prompts judged here and in the baseline: too few")
    alone = with_baseline(few, None, asked)
    assert (alone["decision"], alone["reasons"][-1][:20]) == ("deploy", "there is no baseline")
    assert with_baseline(few, None, RiskTolerance()) == few


def test_a_comparison_never_makes_an_inconclusive_run_decided():
    base, _ = worse()
    tolerance = RiskTolerance(fail_on_regression=True)
    assert with_baseline(document({"p0": None}), base, tolerance)["decision"] == "inconclusive"


@pytest.mark.parametrize(
    ("entries", "changes", "named"),
    [
        (["s it opens"], {}, True),
        (["? it opens"], {}, False),
        (None, {}, False),
        (["s it opens"], {"partial": True}, False),
    ],
)
def test_a_waiver_is_called_unused_only_where_the_run_left_nothing_open(entries, changes, named):
    held = Waiver(fingerprint="0" * 16, claim="it closes", reason="x", who="Ann", until=date(2027, 1, 15))
    found = waive_again(document({"p": entries}, **changes), [held], date(2027, 1, 1))
    assert bool(found["notes"]) is named
