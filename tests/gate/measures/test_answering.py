"""One claim that is hardly borne out is no evidence for an answer: one surely, or several."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.measures.answering import FEWEST, SURE, borne_out, chances, enough
from gate.measures.base import Support
from gate.records import Label
from tests.support.measured import Said

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
        ({"c2": 0.6}, ""),
        ({"c2": 0.79}, ""),
        ({"c2": 0.8}, TEXTS[2]),
        ({"c1": 0.6, "c2": 0.7}, TEXTS[2]),
        ({"c0": 0.6, "c1": 0.6, "c2": 0.6, "c3": 0.6}, TEXTS[0]),
    ],
)
def test_one_surely_or_two(chances, found) -> None:
    assert borne_out(CLAIMS, (TEXT,), Judge(**chances)) == found


def test_all_of_a_single_claim_and_what_stands_word_by_word() -> None:
    assert borne_out(CLAIMS[:1], (TEXT,), Judge(c0=0.6)) == TEXTS[0]
    stated = [Said(text, "") for text in ("The pump is red.", "The hose is blue.", "The lid is of glass.")]
    assert borne_out(stated, (TEXT,), Judge()) == "The hose is blue."
    assert borne_out((), (TEXT,), Judge()) == borne_out(CLAIMS, (), Judge(c0=0.9)) == ""


def test_each_claim_that_is_borne_out_is_told_however_surely() -> None:
    assert chances(CLAIMS, (TEXT,), Judge(c0=0.6, c3=0.9)) == {TEXTS[0]: 0.6, TEXTS[3]: 0.9}


def test_of_many_claims_two_are_not_enough() -> None:
    assert enough(FEWEST, 10, 0.6)
    assert not enough(FEWEST, 11, 0.6)


@given(st.integers(1, 60), st.data(), st.floats(0, 1))
def test_more_support_never_takes_the_evidence_away(claims, data, chance) -> None:
    borne = data.draw(st.integers(0, claims))
    if enough(borne, claims, chance):
        assert enough(min(borne + 1, claims), claims, chance)
        assert enough(borne, claims, max(chance, SURE))
