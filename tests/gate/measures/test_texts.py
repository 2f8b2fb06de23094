"""What is stated and asked for, and words for people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.measures.texts import (
    LONGEST_QUESTION,
    LONGEST_REASON,
    MOST_CLAIMS,
    MOST_PARTS,
    content_of,
    parts,
    quoted,
    shortened,
)
from gate.records import Claim
from tests.support.measured import REFUSAL, Tools, case


def heard(question, answer):
    return content_of(case(question, answer), Tools())


def test_what_is_stated_within_its_question():
    found = heard("What is it?", "The plan costs Rs 800. It includes 5 GB.")
    assert [(one.text, one.context) for one in found.claims] == [
        ("The plan costs Rs 800.", "What is it?"), ("It includes 5 GB.", "What is it?"),
    ]  # fmt: skip
    assert (found.nothing, found.declines, found.blank) == ("", False, False)


@pytest.mark.parametrize(
    ("answer", "why", "declines"),
    [
        ("", "the answer is empty", False),
        ("...", "the answer is empty", False),
        (REFUSAL, "it declines to answer", True),
    ],
)
def test_an_answer_without_a_claim_abstains(answer, why, declines):
    found = heard("What does it cost?", answer)
    assert (found.nothing, found.declines, found.claims) == (why, declines, ())


def test_the_claims_of_the_run_go_first():
    found = case("Q?", "The plan costs Rs 800. It is blue.")
    object.__setattr__(found, "claims", (Claim("p:0", "p", "p", "It is blue.", 23, 34),))
    assert [one.text for one in content_of(found, Tools()).claims] == ["It is blue."]


def test_long_answers_are_spread():
    found = heard("What is there?", " ".join(f"Room {n} has {n} chairs." for n in range(100)))
    assert len(found.claims) == 100
    assert len(found.spread) == MOST_CLAIMS
    assert (found.spread[0], found.spread[-1]) == (found.claims[0], found.claims[-1])


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How much does it cost?", ["How much does it cost?"]),
        ("How much does it cost, and how long does it take?", ["How much does it cost", "how long does it take?"]),
        ("What are the terms and conditions?", ["What are the terms and conditions?"]),
        ("Where is the office? When is it open?", ["Where is the office?", "Where is the office? When is it open?"]),
        ("My card was stolen. What should I do about it?", ["My card was stolen. What should I do about it?"]),
        ("", []),
    ],
)
def test_what_is_asked_for(question, found):
    assert list(parts(question)) == found


@pytest.mark.parametrize("run", ["a, and b, and ", "; ", ", and ", "what is it, and how, "])
def test_long_questions_are_quick(run):
    assert len(parts(run * LONGEST_QUESTION)) <= MOST_PARTS


@given(st.text(max_size=2000))
def test_one_short_line(text):
    for told in (shortened(text), quoted(text)):
        assert len(told) <= LONGEST_REASON
        assert "\n" not in told
        assert "\x1b" not in told
