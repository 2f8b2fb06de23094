"""Which claim of one run is which of another."""

import pytest

from gate.compare_claims import fingerprint, match
from tests.support.steps import growth
from tests.support.verdicts import document


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("The **Pump** is bright green today.", "the pump  is bright green today", True),
        ("The pump is green.", "The pump is not green.", False),
        ("It takes 5 s", "It takes 6 s", False),
    ],
)
def test_a_fingerprint_is_of_the_words(a, b, same):
    assert (fingerprint({"claim": a}) == fingerprint({"claim": b})) is same


def test_a_short_claim_is_known_by_its_question_and_by_nothing_else_around_it():
    said = {"claim": "No.", "context": "Is breakfast included?\nHello."}
    assert fingerprint(said) == fingerprint({**said, "context": "Is breakfast included?\nHi there."})
    assert fingerprint(said) != fingerprint({**said, "context": "Are dogs allowed?\nHello."})
    assert fingerprint(said) != fingerprint({**said, "claim": "Yes."})
    whole = {"claim": "Small dogs may stay for 5 euros a night.", "context": "Dogs?"}
    assert fingerprint(whole) == fingerprint({**whole, "context": "And dogs?"})


def test_claims_in_other_words_find_their_partner_once():
    base = document({"p": ["s the green pump starts at six every morning", "s it rains"]})["details"]
    head = document({"p": ["s the green pump starts at six each morning", "s the sun is hot"]})["details"]
    pairs = {(a and a["claim"][:9], b and b["claim"][:9]) for a, b in match(base, head)}
    assert pairs == {("the green", "the green"), ("it rains", None), (None, "the sun i")}


def claims(*texts):
    return document({"p": [f"s {text}" for text in texts]})["details"]


def test_a_claim_said_twice_finds_its_own_partner():
    pairs = list(match(claims("it rains", "it rains"), claims("it rains", "It rains.", "it rains")))
    assert [(a is not None, b is not None) for a, b in pairs] == [(True, True), (True, True), (False, True)]


def test_the_most_similar_claim_is_the_partner():
    base = claims("the old green pump starts daily at six")
    head = claims("the old green pump starts daily at seven", "the old green pump starts daily at six sharp")
    assert [b["claim"][-5:] for a, b in match(base, head) if a] == ["sharp"]


def test_many_claims_of_one_prompt_are_not_compared_each_with_each():
    """An answer may make 400 claims, each of them in other words than the base's; all of a kind, or all unlike."""

    def compared(size):
        base = claims(*(f"the pump of kind k{n} costs {n} euros a month" for n in range(size)))
        return list(match(base, claims(*(f"the valve of sort s{n} needs {n} litres an hour" for n in range(size)))))

    assert growth(compared, 40) < 2.5
