"""Bare values in front of a condition or another case, and statements that only look like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.valued import valued


@pytest.mark.parametrize(
    "text",
    [
        "Two, unless you ask for more.",
        "4,096 unless you order sacks.",
        "Nothing, so long as the sack is unopened.",
        "Never, even if it rains.",
        "€30 a sack; with bran, it's half of that.",
        "Nine days at the mill (rain counts), but just two if the sack is open.",
        "In full - provided you ask in May.",
        "Neither rye nor bran; only oats are sold.",
        "Everything but rye: oats cost 5 euros.",
        "Every day but Monday, and on Fridays the mill stays open.",
    ],
)
def test_a_value_needs_its_question(text: str) -> None:
    assert valued(text)


@pytest.mark.parametrize(
    "text",
    [
        "Two of the sacks are full, but one leaks.",
        "Nothing is ground, unless you pay.",
        "In winter the mill is shut, even if it thaws.",
        "In winter - from May to March - the mill is shut.",
        "The mill, unless it rains.",
        "Two sacks.",
        "",
    ],
)
def test_a_whole_statement_needs_none(text: str) -> None:
    assert not valued(text)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("How many sacks can I buy?", "Two, unless you ask for more.",
         ["How many sacks can I buy? Two, unless you ask for more."]),
        ("Can I get my money back?", "Yes, in full - provided you ask in May and the sack is unopened.",
         ["Can I get my money back? Yes, in full - provided you ask in May and the sack is unopened."]),
        ("When is the mill open?", "Tuesday to Sunday from 10 am to 6 pm, on Fridays until 9 pm.",
         ["When is the mill open? Tuesday to Sunday from 10 am to 6 pm, on Fridays until 9 pm."]),
        ("When is the mill open?", "Every day but Monday, and on Fridays it stays open until nine. It is shut in May.",
         ["When is the mill open? Every day but Monday, and on Fridays it stays open until nine.",
          "The mill is shut in May."]),
    ],
)  # fmt: skip
def test_a_value_is_told_with_its_question(question: str, answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer, question)] == expected


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert valued(text) in (True, False)
