"""Shards joined into the verdict of the whole run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.errors import UsageError
from gate.merge import merge
from gate.regate import regate
from tests.support.verdicts import document

WHOLE = {f"p{i}": [f"{'su?w'[i % 4]} claim {i}", "s yes"] for i in range(7)}


def shards(entries, number, **changes):
    names = list(entries)
    return [
        document({name: entries[name] for name in names[i::number]}, shard=f"{i + 1}/{number}", **changes)
        for i in range(number)
    ]


def joined(parts):
    merged = regate(merge(parts), RiskTolerance())
    return {**merged, "timings": {}}


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_the_shards_are_the_whole(number):
    whole = {**document(WHOLE), "timings": {}}
    assert joined(shards(WHOLE, number)) == whole
    assert joined(reversed(shards(WHOLE, number))) == whole


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1),
        st.none() | st.lists(st.sampled_from(["s x", "u z"]), max_size=3),
        min_size=1,
        max_size=9,
    ),
    st.integers(1, 4),
)
def test_any_run_in_any_number_of_shards(entries, number):
    assert joined(shards(entries, number)) == {**document(entries), "timings": {}}


def test_seconds_are_added_up():
    assert merge(shards(WHOLE, 3))["timings"] == {"run_model": 3.0}


@pytest.mark.parametrize(
    ("parts", "part"),
    [
        (shards(WHOLE, 3)[:2], "shards are missing: 3/3"),
        ([*shards(WHOLE, 2), shards(WHOLE, 2)[0]], "given twice"),
        ([document(WHOLE)], "verdict 1 of the 1 given is not a shard"),
        ([shards(WHOLE, 2)[0], shards(WHOLE, 3)[1]], "different numbers"),
        ([shards(WHOLE, 2)[0], shards(WHOLE, 2, config_hash="other")[1]], "config_hash differs"),
        ([shards(WHOLE, 2)[0], shards(WHOLE, 2, documents="other")[1]], "documents differs"),
        ([shards(WHOLE, 2, limit=3)[0], shards(WHOLE, 2, limit=5)[1]], "limit differs"),
        ([{**shards(WHOLE, 2)[0], "inputs": "a"}, {**shards(WHOLE, 2)[1], "inputs": "b"}], "inputs differs"),
    ],
)
def test_what_does_not_belong_together_is_refused(parts, part):
    with pytest.raises(UsageError, match=part):
        merge(parts)


@pytest.mark.parametrize("key", ["provider", "model", "prompt_version"])
def test_shards_that_different_judges_labelled_are_refused(key):
    first, second = shards(WHOLE, 2)
    with pytest.raises(UsageError, match=f"judge.{key} differs"):
        merge([first, {**second, "judge": {**second["judge"], key: "other"}}])


def test_a_shard_that_hit_a_limit_makes_the_whole_partial():
    parts = shards(WHOLE, 2)
    parts[1] = {**parts[1], "partial": True, "void": ["the limit of 3 calls is reached"]}
    merged = regate(merge(parts), RiskTolerance(max_unjudged=1.0))
    assert (merged["partial"], merged["decision"]) == (True, "inconclusive")


def test_shares_of_a_judge_are_of_all_shards():
    parts = shards(WHOLE, 2)
    for part, lost in zip(parts, (0, 3), strict=True):
        details = {"replies": 4, "unparsed_replies": lost, "share_unparsed": lost / 4}
        part["judge"] = {**part["judge"], "details": details}
    assert merge(parts)["judge"]["details"] == {"replies": 8, "unparsed_replies": 3, "share_unparsed": 0.375}


def test_shards_that_were_compared_with_a_baseline_are_refused():
    first, second = shards(WHOLE, 2)
    with pytest.raises(UsageError, match="baseline"):
        merge([{**first, "comparison": {"word": "same"}}, second])


@pytest.mark.parametrize("name", ["0/0", "3/2", "x", "1/", "-1/2", "1/2/3"])
def test_a_shard_that_cannot_be_is_refused(name):
    with pytest.raises(UsageError, match="not the name of a shard"):
        merge([document(WHOLE, shard=name)])


def test_of_a_huge_number_of_shards_a_few_missing_ones_are_named():
    with pytest.raises(UsageError, match="shards are missing: 2/999999999") as raised:
        merge([document(WHOLE, shard="1/999999999")])
    assert len(raised.value.message) < 300
