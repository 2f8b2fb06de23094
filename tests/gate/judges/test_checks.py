"""The exact checks over the corpus, and what holds for any text."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.base import Finding
from gate.judges.checks import check_identifiers, check_quantities
from tests.support.steps import growth

CORPUS = Path(__file__).parents[2] / "corpus" / "checks.jsonl"
CHECKS = {"amount": check_quantities, "identifier": check_identifiers}
PIECES = st.sampled_from(
    ["30 days", "1 year", "12:30", "5 pm", "€2,500", "3.1.4", "--dry-run", "max_age", "4xx", "7 %", "1.5 GB", "a/b.c",
     "31 May", "2024-01-15", "half", "-", "(", "1e9", ",", "٣", "９", "\u202e", "\n", "|", "999,999,999,999,999"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=8).map(" ".join))


def findings(claim: str, context: str, evidence: str) -> list[Finding]:
    texts = [evidence] if evidence else []
    return [finding for check in CHECKS.values() for finding in check(claim, context, texts, texts)]


def test_the_corpus_is_judged_well_enough() -> None:
    caught, doubted = list[bool](), list[bool]()
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kinds = {finding.kind for finding in findings(row["claim"], row["context"], row["evidence"])}
        (caught if row["finding"] else doubted).append(row["finding"] in kinds if row["finding"] else bool(kinds))
    assert sum(doubted) <= 0.04 * len(doubted)
    assert sum(caught) >= 0.6 * len(caught)


@pytest.mark.parametrize(
    ("claim", "evidence", "finding"),
    [
        ("Kept for 1 year.", "Kept for 30 days.", Finding("amount", "1 year", ("30 days",), True)),
        ("Kept for 7 years.", "Once in 5 days; kept for 7 days.", Finding("amount", "7 years", ("7 days",), True)),
        ("It costs €90.", "It is free.", Finding("amount", "€90", (), False)),
        ("Port 9090.", "Port 9100.", Finding("amount", "9090", (), False)),
        ("Pass --quiet.", "Pass --silent.", Finding("identifier", "--quiet", (), False)),
        ("Set max_ages.", "Set min_age.", Finding("identifier", "max_ages", (), False)),
        ("Set max_ago.", "Set max_age.", Finding("identifier", "max_ago", ("max_age",), True)),
        ("Since 2.3.1.", "Since 2.4.0.", Finding("identifier", "2.3.1", (), False)),
    ],
)
def test_a_finding_is_told_verbatim(claim: str, evidence: str, finding: Finding) -> None:
    assert findings(claim, "", evidence) == [finding]


def test_a_question_with_an_amount_asks_about_a_case() -> None:
    assert findings("That makes £45.", "What do 100 miles cost?", "A mile costs 30p.") == []
    assert findings("That makes £45.", "What does it cost?", "A mile costs £7.") != []


@given(TEXTS, TEXTS, TEXTS)
def test_findings_are_verbatim_in_any_text(claim: str, context: str, evidence: str) -> None:
    for finding in findings(claim, context, evidence):
        assert finding.said
        assert bool(finding.found) >= finding.denied


@given(TEXTS, TEXTS, TEXTS)
def test_what_stands_in_a_window_is_never_doubted(before: str, claim: str, behind: str) -> None:
    assert findings(claim, "", f"{before}\n{claim}\n{behind}") == []


@pytest.mark.parametrize("piece", ["1 2 ", "9,999", "12:59 ", "7 days and ", "a_b/c.d ", "--x-", "31 May ", "50 % "])
def test_the_work_grows_with_the_text(piece: str) -> None:
    fresh = count()  # what was read before is remembered
    assert growth(lambda n: findings(f"{next(fresh)} {piece * n}", piece, piece.replace("1", "2") * n), 500) < 3
