"""What all reports say in the same words: numbers, the order of claims, sums by group."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.reports import telling
from gate.reports.document import LABELS, VerdictDocument


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0.000"),
        (0.62549, "0.625"),
        (-1.5, "-1.500"),
        (99.99, "99.990"),
        (100, "100"),
        (12345.6, "12,346"),
    ],
)
def test_numbers(value: float | None, text: str) -> None:
    assert telling.number(value) == text


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: telling.number(0.5, 1), "0.5"),
        (lambda: telling.interval(None), "–"),
        (lambda: telling.interval([0.1, 0.25]), "0.100 to 0.250"),
        (lambda: telling.interval([0.1, 0.25], 2), "0.10 to 0.25"),
        (lambda: telling.signed(None), "–"),
        (lambda: telling.signed(0.25), "+0.250"),
        (lambda: telling.signed(-0.25), "−0.250"),
        (lambda: telling.interval_signed([-0.5, 0.5]), "−0.500 to +0.500"),
        (lambda: telling.interval_signed(None), "–"),
        (lambda: telling.count(1, "claim"), "1 claim"),
        (lambda: telling.count(0, "claim"), "0 claims"),
        (lambda: telling.count(1200, "claim"), "1,200 claims"),
        (lambda: telling.count(2, "reply", "replies"), "2 replies"),
        (lambda: telling.money(None), "cost not known"),
        (lambda: telling.money(0.0), "$0.00"),
        (lambda: telling.money(0.0012), "$0.0012"),
        (lambda: telling.money(0.01), "$0.01"),
        (lambda: telling.money(1234.5), "$1,234.50"),
        (lambda: telling.seconds(0.08), "80 ms"),
        (lambda: telling.seconds(1), "1.0 s"),
        (lambda: telling.seconds(59.9), "59.9 s"),
        (lambda: telling.seconds(245), "4 min 5 s"),
    ],
)
def test_figures_in_words(call, text: str) -> None:
    assert call() == text


def test_kinds_signs_and_words_belong_together(document: VerdictDocument) -> None:
    assert [telling.kind(claim) for claim in document["details"]] == [
        "supported",
        "contradicted",
        "unsupported",
        "weakly_supported",
        "unjudged",
    ]
    assert set(telling.LABEL_WORDS) == set(telling.LABEL_SIGNS) == {*LABELS, "contradicted"}


def test_a_claim_that_the_documents_bear_out_is_not_contradicted(document: VerdictDocument) -> None:
    assert telling.kind({**document["details"][0], "contradicted": True}) == "supported"


def test_the_worst_claims_come_first_and_new_ones_before_all(
    document: VerdictDocument, compared: VerdictDocument
) -> None:
    assert [telling.kind(c) for c in telling.worst(document)] == ["contradicted", "unsupported", "weakly_supported"]
    assert [telling.kind(c) for c in telling.worst(document, ["unjudged"])] == ["unjudged"]
    compared = copy.deepcopy(compared)
    weak = compared["details"][3]
    compared["comparison"]["new"] = [{"claim": weak["claim"], "prompt_id": "q2", "label": "weakly_supported"}]
    assert [telling.kind(c) for c in telling.worst(compared)] == ["weakly_supported", "contradicted", "unsupported"]


def test_of_equally_bad_claims_the_surest_is_first(document: VerdictDocument) -> None:
    one, two = document["details"][1:3]
    two["contradicted"], two["confidence"] = True, 0.95
    assert telling.worst(document, ["unsupported"]) == [two, one]


def test_new_claims_are_known_by_prompt_and_text(document: VerdictDocument, compared: VerdictDocument) -> None:
    assert telling.new_claims(document) == set()
    assert telling.new_claims(compared) == {("q1", "The kiln reaches 1280 degrees.")}


def test_how_sure(document: VerdictDocument) -> None:
    # The fourth is a weak one: its label says that the judge is not sure.
    assert [telling.sure(claim) for claim in document["details"]] == ["90%", "90%", "90%", "", ""]
    assert telling.sure({**document["details"][0], "confidence": 0.0}) == ""
    assert telling.sure({**document["details"][4], "confidence": 0.5}) == ""


@given(st.dictionaries(st.text(max_size=3), st.lists(st.sampled_from(LABELS), max_size=6), max_size=6))
def test_shares_count_every_claim_and_stand_by_risk(groups: dict[str, list[str]]) -> None:
    found = telling.shares(groups)
    assert {share.name: share.total for share in found} == {name: len(labels) for name, labels in groups.items()}
    risks = [-1.0 if share.risk is None else share.risk for share in found]
    assert risks == sorted(risks, reverse=True)
    assert all(share.counts[label] == groups[share.name].count(label) for share in found for label in LABELS)


def test_groups_of_equal_risk_stand_by_size_then_name() -> None:
    groups = {"b": ["supported"], "a": ["supported"], "c": ["supported"] * 2, "d": ["unjudged"], "e": ["unsupported"]}
    assert [share.name for share in telling.shares(groups)] == ["e", "c", "a", "b", "d"]


def test_claims_by_category_document_and_prompt(document: VerdictDocument) -> None:
    assert {s.name: s.risk for s in telling.by_category(document)} == {
        "factual_recall": pytest.approx(2 / 3, abs=1e-6),
        "policy_boundaries": 0.5,
    }
    assert {s.name: s.total for s in telling.by_document(document)} == {
        "docs/kiln.md": 2,
        "docs/glazes.html": 1,
        "": 2,
    }
    assert {name: len(claims) for name, claims in telling.by_prompt(document).items()} == {
        "q1": 3,
        "q2": 2,
        "q3": 0,
        "q4": 0,
    }


def test_a_claim_of_an_unknown_prompt_is_not_lost(document: VerdictDocument) -> None:
    document["details"][0]["prompt_id"] = "gone"
    assert len(telling.by_prompt(document)["gone"]) == 1
    assert "?" in {share.name for share in telling.by_category(document)}


def test_lines_on_the_run(document: VerdictDocument, compared: VerdictDocument) -> None:
    assert (
        telling.ledger_line(document) == "5 claims = 1 supported + 1 weakly supported + 2 not supported + 1 not judged"
    )
    assert telling.usage_line(document["usage"]) == ("4 calls (1 from the record), 1,200 tokens in and 340 out, $0.01")
    assert "about 1,200 tokens" in telling.usage_line({**document["usage"], "estimated": True})
    told = telling.comparison_line(compared["comparison"])
    assert told.startswith("regression: the risk of a prompt changed by +0.375 on average")
    assert told.endswith("1 new claim not supported, 1 fixed, 3 unchanged")


@pytest.mark.parametrize(
    ("calibration", "told"),
    [
        ({}, "local / s / 1, not calibrated"),
        ({"balanced_accuracy": None}, "local / s / 1, not calibrated"),
        ({"balanced_accuracy": {"value": "0.9"}}, "local / s / 1, not calibrated"),
        ({"balanced_accuracy": {"value": 0.876}}, "local / s / 1, balanced accuracy 0.88"),
    ],
)
def test_who_judged(calibration: dict[str, object], told: str) -> None:
    judge = {"provider": "local", "model": "s", "prompt_version": "1", "calibration": calibration}
    assert telling.judge_line(judge) == told  # type: ignore[arg-type]


def test_the_id_of_the_first_answer(document: VerdictDocument) -> None:
    prompt = document["prompts"][0]
    assert telling.answer_id(prompt) == "q1"
    assert telling.answer_id({**prompt, "answer_id": "q1#0"}) == "q1#0"


@pytest.mark.parametrize(("share", "told"), [(0.0, ""), (0.125, ", 12% of its replies could not be read whole")])
def test_how_much_of_a_judge_could_not_be_read(share: float, told: str) -> None:
    judge = {"provider": "ollama", "model": "m", "prompt_version": "1", "details": {"share_unparsed": share}}
    assert telling.judge_line(judge) == f"ollama / m / 1, not calibrated{told}"  # type: ignore[arg-type]
