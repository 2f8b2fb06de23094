"""Passages of the contexts, and when they are evidence for an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.base import Support
from gate.measures.abstention import SURE, borne_out, enough
from gate.measures.contexts import cut_contexts
from gate.records import Label
from tests.support.measured import FOREIGN, Said

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


def test_contexts_that_are_too_long_are_told(monkeypatch):
    monkeypatch.setattr("gate.measures.contexts.LONGEST", 100)
    found = cut_contexts((f"{PLAN} " * 3,))
    assert len(found.cuts[0].chunk.text) == 100
    assert found.unread == 1


TEXT = "The pump runs at 40 watts. The tank holds five litres. The hose is blue. The lid is made of steel."
TEXTS = ("The pump draws 40 watts.", "The tank takes five litres.", "The hose is a blue one.", "Steel makes the lid.")
CLAIMS = tuple(Said(text, "What is so?") for text in TEXTS)


class Judge:
    """Bears out the claims that are named, with these probabilities."""

    def __init__(self, **chances: float) -> None:
        self._chances = {TEXTS[int(name[1:])]: chance for name, chance in chances.items()}

    def support(self, statements):
        return [
            Support(Label.SUPPORTED, False, self._chances[one.claim])
            if one.claim in self._chances
            else Support(Label.UNSUPPORTED, False, 0.1)
            for one in statements
        ]


@pytest.mark.parametrize(
    ("chances", "found"),
    [
        ({}, ""),
        ({"c2": 0.79}, ""),
        ({"c2": 0.8}, TEXTS[2]),
        ({"c1": 0.6, "c2": 0.7}, TEXTS[2]),
    ],
)
def test_one_surely_or_two(chances, found) -> None:
    assert borne_out(CLAIMS, (TEXT,), Judge(**chances)) == found


def test_all_of_a_single_claim_and_what_stands_word_by_word() -> None:
    assert borne_out(CLAIMS[:1], (TEXT,), Judge(c0=0.6)) == TEXTS[0]
    stated = [Said(text, "") for text in ("The pump is red.", "The hose is blue.", "The lid is of glass.")]
    assert borne_out(stated, (TEXT,), Judge()) == "The hose is blue."
    assert borne_out((), (TEXT,), Judge()) == borne_out(CLAIMS, (), Judge(c0=0.9)) == ""


@given(st.integers(1, 60), st.data(), st.floats(0, 1))
def test_more_support_never_takes_the_evidence_away(claims, data, chance) -> None:
    borne = data.draw(st.integers(0, claims))
    if enough(borne, claims, chance):
        assert enough(min(borne + 1, claims), claims, chance)
        assert enough(borne, claims, max(chance, SURE))
