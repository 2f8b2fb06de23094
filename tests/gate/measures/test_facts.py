"""Two texts are the same where each bears out the claims of the other."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.base import Support
from gate.measures.facts import Fact, Facts, agreement, agreements
from gate.records import Label
from tests.support.real_bench import bench

FEE = "What does the card cost?"
SHIPS = "Does the shop ship abroad?"
SAME = [
    ("The card costs Rs 800.", "The card costs Rs 800.", FEE),
    ("Rs 800", "The card costs Rs 800.", FEE),
    ("Yes", "Yes, it ships abroad.", SHIPS),
    ("Returns are accepted up to 30 days after delivery.", "You can return it within 30 days.", "How long?"),
    (
        "Goods can be returned for 30 days after delivery.",
        "You can return goods within 30 days of delivery.",
        "How long?",
    ),
    ("I don't know.", "I have no information on that.", FEE),
    ("", "", FEE),
]
OTHER = [
    ("The card costs Rs 2000.", "The card costs Rs 800.", FEE),
    ("Update an order with PUT /orders/{id}.", "Update an order with PATCH /orders/{id}.", "How is it updated?"),
    ("It doesn't ship abroad.", "Yes, it ships abroad.", SHIPS),
    ("No", "It ships abroad.", SHIPS),
    ("I don't know.", "The card costs Rs 800.", FEE),
    ("", "The card costs Rs 800.", FEE),
]


@pytest.mark.parametrize(("a", "b", "question"), SAME)
def test_the_same_in_other_words(a, b, question) -> None:
    assert agreement(a, b, question, bench()).same >= 0.66


@pytest.mark.parametrize(("a", "b", "question"), OTHER)
def test_not_the_same(a, b, question) -> None:
    assert agreement(a, b, question, bench()).same <= 0.34


def test_what_is_more_on_one_side_is_missing_on_the_other() -> None:
    one = "The pump runs at 40 watts."
    facts = agreement(f"{one} The tank holds five litres.", one, "What about the pump?", bench())
    assert facts.borne_b == 1.0
    assert facts.borne_a == 0.5
    assert [fact.claim for fact in facts.a if not fact.borne] == ["The tank holds five litres."]


def test_all_pairs_are_judged_in_one_call() -> None:
    calls = []

    class Counting:
        def claims(self, text, question):
            return (text,) if text else ()

        def support(self, pairs):
            calls.append(len(pairs))
            return [Support(Label.SUPPORTED, False, 0.9)] * len(pairs)

    found = agreements([("a", "b", ""), ("c", "d", ""), ("e", "e", ""), ("", "f", "")], Counting())
    assert calls == [5]
    assert [facts.same for facts in found] == [1.0, 1.0, 1.0, 0.0]
    assert agreements([], Counting()) == []


fact = st.builds(Fact, st.just("x"), st.sampled_from((0.0, 0.5, 1.0)), st.booleans())


@settings(max_examples=60)
@given(st.lists(fact, max_size=6), st.lists(fact, max_size=6))
def test_all_shares_are_shares_and_the_sides_can_be_swapped(a, b) -> None:
    one, other = Facts(tuple(a), tuple(b)), Facts(tuple(b), tuple(a))
    for value in (one.f1, one.same, one.borne_a, one.borne_b, one.contradicted_a, one.contradicted_b):
        assert 0.0 <= value <= 1.0
    assert (one.f1, one.same) == (other.f1, other.same)
    assert one.same <= one.f1
