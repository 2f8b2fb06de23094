"""What is stated and asked for, what contexts say of it, whether two texts say the same, and words for people."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.judges.base import Statement
from gate.measures.texts import (
    LONGEST_CONTEXT,
    LONGEST_QUESTION,
    LONGEST_REASON,
    MOST_CLAIMS,
    MOST_PARTS,
    Fact,
    Facts,
    agreements,
    borne_share,
    claims_of,
    common,
    contradicted_share,
    cut_contexts,
    parts,
    quoted,
    rouge_l,
    shortened,
)
from tests.support.measured import FOREIGN, REFUSAL, Said, Tools, case


def heard(question, answer):
    return claims_of(case(question, answer), Tools())


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
        (REFUSAL, "it declines to answer", True),
    ],
)
def test_an_answer_without_a_claim_abstains(answer, why, declines):
    found = heard("What does it cost?", answer)
    assert (found.nothing, found.declines, found.claims) == (why, declines, ())


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


FEE = "What does the card cost?"


def agreed(a, b, question=FEE, tools=None):
    return agreements([(a, b, question)], tools or Tools())[0]


def test_equal_words_need_no_judge():
    tools = Tools()
    assert agreed("The card costs Rs 800.", "the card costs Rs 800", tools=tools).f1 == 1.0
    assert tools.asked == []


def test_each_claim_is_judged_within_its_context_beside_the_other_answer_under_the_question():
    tools = Tools()
    agreed("Rs 800 a year.", "It is Rs 800.", tools=tools)
    assert tools.asked == [
        [
            Statement("Rs 800 a year.", (f"# {FEE}\n\nIt is Rs 800.",), FEE),
            Statement("It is Rs 800.", (f"# {FEE}\n\nRs 800 a year.",), FEE),
        ]
    ]


def test_what_is_more_on_one_side_is_missing_on_the_other():
    one = "The pump runs at 40 watts."
    facts = agreed(f"{one} The tank holds five litres.", one)
    assert (borne_share(facts.b), borne_share(facts.a)) == (1.0, 0.5)
    assert [fact.text for fact in facts.a if not fact.borne] == ["The tank holds five litres."]


fact = st.builds(Fact, st.just("x"), st.sampled_from((0.0, 0.5, 1.0)), st.booleans())


@settings(max_examples=60)
@given(st.lists(fact, max_size=6), st.lists(fact, max_size=6))
def test_all_shares_are_shares_and_the_sides_can_be_swapped(a, b):
    one, other = Facts(tuple(a), tuple(b)), Facts(tuple(b), tuple(a))
    for value in (one.f1, borne_share(one.a), contradicted_share(one.a)):
        assert 0.0 <= value <= 1.0
    assert one.f1 == other.f1


WORDS = st.lists(st.sampled_from(["red", "green", "pump", "tank", "9"]), max_size=9)


def slow(one, other):
    @cache
    def of(i, j):
        if not i or not j:
            return 0
        if one[i - 1] == other[j - 1]:
            return of(i - 1, j - 1) + 1
        return max(of(i - 1, j), of(i, j - 1))

    return of(len(one), len(other))


@given(WORDS, WORDS)
def test_the_longest_common_sequence_is_that_of_the_definition(one, other):
    assert common(one, other) == slow(one, other)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ("the pump is red", "The pump is red!", 1.0),
        ("one two three four", "four three two one", 0.25),
        ("", "", 1.0),
        ("", "red", 0.0),
    ],
)
def test_known_values(one, other, value):
    assert rouge_l(one, other) == pytest.approx(value)


PLAN = "The plan costs Rs 800 a month. It includes 5 GB of storage."


def test_what_stands_there_word_by_word():
    found = cut_contexts((PLAN, FOREIGN))
    assert found.states("the plan costs rs 800 a month")
    assert found.states(FOREIGN)
    assert not found.states("The plan costs Rs 800.")
    assert not found.states("")
    assert found.unread == 1


def test_a_claim_that_leans_on_its_answer_is_sought_with_its_context():
    found = cut_contexts((PLAN, "Dogs are kept on a lead."))
    assert found.passages_of(Said("No.", ""), 2) == ()
    assert found.passages_of(Said("No.", "Is storage included?"), 2)[0].text == PLAN


def test_contexts_that_are_too_long_are_told():
    found = cut_contexts(("x" * (LONGEST_CONTEXT + 1),))
    assert len(found.cuts[0].chunk.text) == LONGEST_CONTEXT
    assert found.unread == 1
