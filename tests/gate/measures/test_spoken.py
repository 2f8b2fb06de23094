import pytest

from gate.measures.spoken import MOST, said
from tests.support.measured import case
from tests.support.real_bench import bench


def heard(question, answer):
    return said(case(question, answer), bench())


def test_claims_stand_alone():
    found = heard("What is it?", "The plan costs Rs 800. It includes 5 GB.")
    assert found.claims == ("The plan costs Rs 800.", "The plan includes 5 GB.")
    assert found.nothing == ""


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "the answer is empty"),
        (" \n", "the answer is empty"),
        ("...", "it states nothing"),
        ("Hello! How can I help you?", "it states nothing"),
        ("I don't have that information.", "it declines to answer"),
        ("Sorry, the documents do not mention the price. Please contact support.", "it declines to answer"),
        ("Das weiß ich leider nicht.", "it declines to answer"),
    ],
)
def test_what_states_nothing(answer, why):
    assert heard("What does it cost?", answer).nothing == why


def test_half_a_refusal_is_none():
    found = heard("What does it cost, and when?", "The price is Rs 800. I could not find when it is paid.")
    assert not found.declines
    assert found.claims == ("The price is Rs 800.",)


def test_a_short_answer_without_its_question():
    found = heard("How much does it cost?", "Rs 800.")
    assert found.bare == "Rs 800."
    assert found.claims == ("How much does it cost? Rs 800.",)
    assert heard("How much does it cost?", "It costs Rs 800.").bare == ""


def test_the_claims_of_the_run_go_first():
    found = case("Q?", "The plan costs Rs 800.")
    object.__setattr__(found, "claims", ())
    assert said(found, bench()).claims == ("The plan costs Rs 800.",)


def test_long_answers_are_spread():
    found = heard("What is there?", " ".join(f"Room {n} has {n} chairs." for n in range(100)))
    assert len(found.claims) == 100
    assert len(found.spread) == MOST
    assert (found.spread[0], found.spread[-1]) == (found.claims[0], found.claims[-1])
