import pytest

from gate.measures.statements import MOST, content_of
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
        (" \n", "the answer is empty", False),
        ("...", "the answer is empty", False),
        ("Hello!", "it declines to answer", True),
        (REFUSAL, "it declines to answer", True),
    ],
)
def test_an_answer_without_a_claim_abstains(answer, why, declines):
    found = heard("What does it cost?", answer)
    assert (found.nothing, found.declines, found.claims) == (why, declines, ())


def test_half_a_refusal_is_none():
    found = heard("What does it cost?", f"The price is Rs 800. {REFUSAL}")
    assert not found.declines
    assert len(found.claims) == 1


def test_the_claims_of_the_run_go_first():
    found = case("Q?", "The plan costs Rs 800. It is blue.")
    object.__setattr__(found, "claims", (Claim("p:0", "p", "p", "It is blue.", 23, 34),))
    assert [one.text for one in content_of(found, Tools()).claims] == ["It is blue."]


def test_long_answers_are_spread():
    found = heard("What is there?", " ".join(f"Room {n} has {n} chairs." for n in range(100)))
    assert len(found.claims) == 100
    assert len(found.spread) == MOST
    assert (found.spread[0], found.spread[-1]) == (found.claims[0], found.claims[-1])
