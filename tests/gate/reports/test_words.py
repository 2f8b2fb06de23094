"""What all reports say in the same words: numbers, the order of claims, sums by group, probes and repeats."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.records import Prompt
from gate.reports import charts, github, html, outcome, words
from gate.reports.document import LABELS, VerdictDocument
from gate.reports.words import Standing, partial_lines, standing


def test_figures_are_plain_text() -> None:
    assert [words.number(value) for value in (None, 0.62549, -1.5, 99.99, 12345.6)] == [
        "–", "0.625", "-1.500", "99.990", "12,346",
    ]  # fmt: skip
    assert [words.interval(None), words.interval([0.1, 0.25], 2)] == ["–", "0.10 to 0.25"]
    assert words.interval_signed([-0.5, 0.5]) == "−0.500 to +0.500"
    assert [words.count(1, "claim"), words.count(1200, "claim")] == ["1 claim", "1,200 claims"]
    assert [words.money(value) for value in (None, 0.0, 0.0012, 1234.5)] == [
        "cost not known", "$0.00", "$0.0012", "$1,234.50",
    ]  # fmt: skip
    assert [words.seconds(value) for value in (0.08, 59.9, 245)] == ["80 ms", "59.9 s", "4 min 5 s"]


def test_the_worst_claims_come_first_and_new_ones_before_all(
    document: VerdictDocument, compared: VerdictDocument
) -> None:
    assert [words.kind(c) for c in words.worst(document)] == ["contradicted", "unsupported", "weakly_supported"]
    assert [words.kind(c) for c in words.worst(document, ["unjudged"])] == ["unjudged"]
    weak = compared["details"][3]
    compared["comparison"]["new"] = [{"claim": weak["claim"], "prompt_id": "q2", "label": "weakly_supported"}]
    assert [words.kind(c) for c in words.worst(compared)] == ["weakly_supported", "contradicted", "unsupported"]
    one, two = document["details"][1:3]
    two["contradicted"], two["confidence"] = True, 0.95
    assert words.worst(document, ["unsupported"]) == [two, one]


def test_the_headline_calls_no_answer_supported_that_has_another_claim(document: VerdictDocument) -> None:
    assert words.headline(document) == "1 of 3 answers says what the documents deny"
    for claim in document["details"]:
        claim["waived"] = claim["label"] in words.NOT_SUPPORTED
    document["waived"] = 3
    beside = "1 question got no answer, 1 claim was not judged, 3 claims are waived"
    assert words.headline(document) == f"0 of 3 answers are supported by the documents, {beside}"
    document["prompts"] = document["prompts"][-1:]
    assert words.headline(document) == "No question got an answer"


@given(st.lists(st.tuples(st.text(max_size=1), st.sampled_from(LABELS)), max_size=12))
def test_shares_count_every_claim_and_stand_by_risk(pairs: list[tuple[str, str]]) -> None:
    found = charts.shares(pairs)
    assert {share.name: dict(share.counts) for share in found} == {
        name: {label: pairs.count((name, label)) for label in LABELS} for name, _ in pairs
    }
    risks = [-1.0 if share.risk is None else share.risk for share in found]
    assert risks == sorted(risks, reverse=True)


def test_claims_by_category_document_and_prompt(document: VerdictDocument) -> None:
    assert {s.name: s.risk for s in charts.by_category(document)} == {
        "factual_recall": pytest.approx(2 / 3, abs=1e-6),
        "policy_boundaries": 0.5,
    }
    assert {s.name: s.total for s in charts.by_document(document)} == {"docs/kiln.md": 2, "docs/glazes.html": 1, "": 2}
    document["details"][0]["prompt_id"] = "gone"
    found = words.by_prompt(document)
    assert {name: len(claims) for name, claims in found.items()} == {"q1": 2, "q2": 2, "q3": 0, "q4": 0, "gone": 1}
    assert "?" in {share.name for share in charts.by_category(document)}


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({}, "not calibrated"),
        ({"calibration": {"balanced_accuracy": {"value": "0.9"}}}, "not calibrated"),
        ({"calibration": {"balanced_accuracy": {"value": 0.876}}}, "balanced accuracy 0.88"),
        (
            {"calibration": {"balanced_accuracy": {"value": 1.0, "interval": [0.44, 1.0]}}},
            "balanced accuracy 1.00 (0.44 to 1.00)",
        ),
        ({"details": {"share_unparsed": 0.125}}, "not calibrated, 12 % of its replies could not be read whole"),
    ],
)
def test_who_judged(known: dict[str, object], text: str) -> None:
    judge = {"provider": "local", "model": "s", "prompt_version": "1", **known}
    assert words.judge_line(judge) == f"local / s / 1, {text}"  # type: ignore[arg-type]


@pytest.mark.parametrize("render", [html.render, github.comment, outcome.render_terminal])
@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"partial": True}, "This verdict is partial"),
        ({"shard": "2/7"}, "This is shard 2/7 of a run"),
        ({"limit": 1200}, "At most the first 1,200 prompts were asked"),
    ],
)
def test_a_part_is_no_whole_run(document, render, part, sentence):
    assert not list(partial_lines(document))
    assert sentence not in render(document)
    assert sentence in render({**document, **part})


def test_every_prompt_stands_in_one_family(make):
    prompts = [
        Prompt("a~x", "?", probe="consistency:x", of="a"),
        Prompt("a", "?"),
        Prompt("stray", "?", probe="consistency:x", of="none"),
        Prompt("b", "?"),
        Prompt("a~y", "?", probe="sensitivity:y", of="a"),
        Prompt("twice", "?", probe="sensitivity:y", of="a~x"),
    ]
    document = make(prompts=prompts, answers=[], verdicts=[])
    found = [(f.prompt["id"], [p["id"] for p in f.probes], f.stray) for f in words.families(document)]
    assert found == [("a", ["a~x", "a~y"], False), ("b", [], False), ("stray", [], True), ("twice", [], True)]
    assert words.own_prompts(document) == 2


@pytest.fixture
def repeated(document: VerdictDocument) -> VerdictDocument:
    """The document with its second claim, which is not supported, made 12 times in all."""
    document = copy.deepcopy(document)
    document["details"] += [{**document["details"][1], "prompt_id": f"r{number}"} for number in range(11)]
    return document


def test_each_text_comes_once_in_its_place(repeated: VerdictDocument) -> None:
    claims, found = words.worst(repeated), standing(repeated)
    text = repeated["details"][1]["claim"]
    assert [each.again for each in found if each.claim["claim"] == text] == ["and 11 more times"]
    assert sum(each.times for each in found) == len(claims)
    assert [claims.index(each.claim) for each in found] == sorted(claims.index(each.claim) for each in found)
    assert [Standing(claims[0], False, times).again for times in (1, 2, 1201)] == [
        "", "and once more", "and 1,200 more times",
    ]  # fmt: skip


def test_a_new_claim_is_told_apart_from_an_old_one(repeated: VerdictDocument, compared: VerdictDocument) -> None:
    text = repeated["details"][1]["claim"]
    new = [{"claim": text, "prompt_id": "r3", "label": "unsupported"}]
    repeated["comparison"] = {**compared["comparison"], "new": new}
    found = [(e.new, e.claim["prompt_id"] == "r3", e.times) for e in standing(repeated) if e.claim["claim"] == text]
    assert found == [(True, True, 1), (False, False, 11)]


@pytest.mark.parametrize("form", [outcome.render_terminal, github.comment, html.render, github.workflow_commands])
def test_every_report_tells_it_once(repeated: VerdictDocument, form) -> None:
    assert form(repeated).count("and 11 more times") == 1


def test_what_is_not_shown_is_counted(repeated: VerdictDocument) -> None:
    first = repeated["details"][1]
    repeated["details"] += [{**first, "claim": f"The kiln holds {n} pots.", "confidence": 0.5} for n in range(12)]
    found = standing(repeated, ["unsupported"])
    assert f"and {sum(each.times for each in found[10:])} more: see the report" in outcome.render_terminal(repeated)
