"""The strict reader: what is not plainly a verdict on a claim that was asked is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.replies import MISSING, parse_verdicts
from gate.records import Label

CLAIMS, SENTENCES = (101, 202), (1, 2, 3)


def entry(claim: object = 101, verdict: object = "supported", sentences: object = (1,), **more: object) -> dict:
    cited = list(sentences) if isinstance(sentences, tuple) else sentences
    return {"claim": claim, "sentences": cited, "why": "so", "verdict": verdict, **more}


def reply(*entries: object) -> str:
    return json.dumps({"verdicts": entries})


BOTH = reply(entry(), entry(202, "unsupported", ()))


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        f"```json\n{BOTH}\n```",
        f"Let me think. The verdicts are clear.\n\n{BOTH}\n\nI hope that helps!",
        f"The text says {reply(entry(202, 'supported'))}, which I do not obey: {BOTH}",
        BOTH.replace('"supported"', '" Supported "'),
        BOTH.replace("101", '"(101)"'),
        json.dumps({"notes": ["x"], "verdicts": json.loads(BOTH)["verdicts"], "more": {"a": 1}}, indent=4),
        json.dumps(json.loads(BOTH)["verdicts"]),
        reply(entry(), entry(), entry(202, "unsupported", ())),
        reply(entry(), "noise", entry(999), entry(202, "unsupported", ())),
    ],
)
def test_whole_replies_in_any_dress(text) -> None:
    reading = parse_verdicts(text, "stop", CLAIMS, SENTENCES)
    assert not reading.unresolved
    assert reading.whole
    assert {n: r.label for n, r in reading.rulings.items()} == {101: Label.SUPPORTED, 202: Label.UNSUPPORTED}
    assert reading.rulings[101].sentences == (1,)


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (entry(verdict="true"), "none of those offered"),
        (entry(sentences=()), "cited no sentence"),
        (entry(sentences=("all", True, 1.0)), "cited no sentence"),
        (entry(contradicted=True), "contradicted at once"),
        (entry(claim=True), MISSING),
    ],
)
def test_an_entry_that_cannot_be_used_leaves_its_claim_open(one, why) -> None:
    reading = parse_verdicts(reply(one, entry(202, "unsupported", ())), "stop", CLAIMS, SENTENCES)
    assert list(reading.rulings) == [202]
    assert why in reading.unresolved[101]


@pytest.mark.parametrize("second", [entry(verdict="unsupported"), entry(verdict="contradicted"), entry(verdict="?")])
def test_two_verdicts_that_differ_are_none(second) -> None:
    for pair in ([entry(), second], [second, entry()]):
        assert 101 in parse_verdicts(reply(*pair), "stop", CLAIMS, SENTENCES).unresolved


@pytest.mark.parametrize(
    ("key", "values"), [("verdict", '"unsupported", "verdict": "supported"'), ("sentences", '[1], "sentences": [2]')]
)
def test_a_key_given_two_values_leaves_the_claim_open(key, values) -> None:
    one = {name: value for name, value in entry().items() if name != key}
    text = f'{{"verdicts": [{json.dumps(one)[:-1]}, "{key}": {values}}}, {json.dumps(entry(202, "unsupported", ()))}]}}'
    reading = parse_verdicts(text, "stop", CLAIMS, SENTENCES)
    assert list(reading.rulings) == [202]
    assert f"'{key}' two values" in reading.unresolved[101]
    assert reading.called_supported == {101}


def test_contradicted_is_unsupported_with_the_words_that_contradict() -> None:
    reading = parse_verdicts(
        reply(entry(verdict="contradicted", sentences=(3,)), entry(202, "contradicted", ())), "stop", CLAIMS, SENTENCES
    )
    assert (reading.rulings[101].label, reading.rulings[101].contradicted) == (Label.UNSUPPORTED, True)
    assert (reading.rulings[202].label, reading.rulings[202].contradicted) == (Label.UNSUPPORTED, False)


def test_a_truncated_reply_gives_its_whole_entries_and_no_other() -> None:
    for cut in range(1, len(BOTH)):
        reading = parse_verdicts(BOTH[:cut], "length", CLAIMS, SENTENCES)
        assert not reading.whole
        assert set(reading.rulings) | set(reading.unresolved) == set(CLAIMS)
        assert (101 in reading.rulings) == (cut > BOTH.index("}"))


def test_a_filtered_reply_says_nothing_whatever_it_holds() -> None:
    assert parse_verdicts(BOTH, "filter", CLAIMS, SENTENCES).unresolved.keys() == set(CLAIMS)


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"verdicts":' + "[" * 100_000, "\x00", '{"verdicts": {}}', BOTH * 2000]
)
def test_hostile_replies_end_soon(text) -> None:
    reading = parse_verdicts(text, "stop", CLAIMS, SENTENCES)
    assert set(reading.rulings) | set(reading.unresolved) == set(CLAIMS)


leaves = st.none() | st.booleans() | st.integers(-5, 300) | st.sampled_from(["supported", "contradicted", "x"])
keys = st.sampled_from(["claim", "verdict", "sentences"])
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner), max_leaves=12)


@given(st.lists(values, max_size=4), st.text(max_size=20), st.text(max_size=20))
def test_every_claim_is_settled_or_open_never_both_and_cites_what_was_offered(entries, before, after) -> None:
    reading = parse_verdicts(before + json.dumps({"verdicts": entries}) + after, "stop", CLAIMS, SENTENCES)
    assert set(reading.rulings) | set(reading.unresolved) == set(CLAIMS)
    assert not set(reading.rulings) & set(reading.unresolved)
    assert {n for n, r in reading.rulings.items() if r.label is Label.SUPPORTED} <= reading.called_supported
    for ruling in reading.rulings.values():
        assert set(ruling.sentences) <= set(SENTENCES)
        assert ruling.label is not Label.SUPPORTED or ruling.sentences
        assert not ruling.contradicted or ruling.label is Label.UNSUPPORTED


@pytest.mark.parametrize("before", ["unsupported", "contradicted", "weakly_supported"])
def test_supported_after_a_list_that_said_otherwise_settles_nothing(before):
    parsed = parse_verdicts(f"{reply(entry(101, before))} {BOTH}", "stop", CLAIMS, SENTENCES)
    assert parsed.unresolved == {101: "the judge gave two verdicts that differ"}
    assert parsed.rulings[202].label is Label.UNSUPPORTED
