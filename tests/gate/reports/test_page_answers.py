"""Answers on the page: cut at their claims, code in runs, nothing lost but what is said to be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.reports.document import VerdictDocument
from gate.reports.page_answers import ANSWER_LIMIT, answers, claim_row, runs
from gate.reports.telling import View


def rows(document: VerdictDocument) -> list[dict]:
    return answers(document, {id(claim): n for n, claim in enumerate(document["details"], 1)}, View())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("plain", [("plain", False)]),
        ("set `x` now", [("set ", False), ("x", True), (" now", False)]),
        ("``x``", [("``x``", False)]),
        ("`a\nb`", [("`a\nb`", False)]),
    ],
)
def test_code_between_ticks(text: str, parts: list[tuple[str, bool]]) -> None:
    assert runs(text) == parts


@given(st.text(st.sampled_from("a`\n "), max_size=40))
def test_runs_keep_everything_but_ticks(text: str) -> None:
    assert "".join(part for part, _ in runs(text)).replace("`", "") == text.replace("`", "")


def test_an_answer_is_cut_at_its_claims(document: VerdictDocument) -> None:
    first = rows(document)[0]
    kinds = [(part["kind"], part["ends"]) for part in first["texts"][0]["parts"] if part["kind"]]
    assert kinds == [("supported", (1,)), ("contradicted", (2,)), ("unsupported", (3,))]
    assert [claim["n"] for claim in first["claims"]] == [1, 2, 3]
    assert first["kinds"] == "contradicted supported unsupported"


def test_a_failed_prompt_says_why(document: VerdictDocument) -> None:
    assert [row["failure"] for row in rows(document)] == ["", "", "", "timeout: no answer within 30 s"]
    assert rows(document)[3]["kinds"] == "failed"


def test_a_long_answer_says_how_much_is_cut(document: VerdictDocument) -> None:
    document["prompts"][2]["answer"] = "x" * (ANSWER_LIMIT + 7)
    assert rows(document)[2]["texts"][0]["cut"] == 7
    assert rows(document)[0]["texts"][0]["cut"] == 0


def test_a_supported_claim_shows_one_quote_and_others_two(document: VerdictDocument) -> None:
    good, bad = document["details"][:2]
    good["evidence"], bad["evidence"] = good["evidence"] * 3, bad["evidence"] * 3
    assert len(claim_row(good, 1, View())["quotes"]) == 1
    assert len(claim_row(bad, 2, View())["quotes"]) == 2
