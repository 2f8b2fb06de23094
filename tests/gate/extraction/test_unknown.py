"""What says that the answer is not known is no claim; a guess that rides along is one."""

import pytest

from gate.extraction.extract import extract
from gate.extraction.unknown import unknown


@pytest.mark.parametrize(
    "text",
    [
        "I don't know",
        "I don't know, sorry",
        "I don't know, one moment",
        "I could not find information about plans, 2023 prices, or fees",
        "I'm not sure whether it is 5 or 6 days",
        "I'm not entirely sure",
        "I am not completely certain about that",
        "I'm not 100% sure",
        "The documentation does not mention the fee",
    ],
)
def test_an_answer_that_is_not_known_is_no_claim(text: str) -> None:
    assert unknown(text)


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        ("I don't know, 30 euros.", "What is the fee? 30 euros."),
        ("I don't know, maybe thirty euros.", "What is the fee? Maybe thirty euros."),
        ("I don’t know for sure - it is 30 euros.", "The fee is 30 euros."),
        ("Not sure, but I think it is 30 euros.", "The fee is 30 euros."),
        ("I'm not really sure about that, probably 30 euros.", "What is the fee? Probably 30 euros."),
        ("No idea, but probably 30 euros.", "What is the fee? Probably 30 euros."),
    ],
)
def test_a_guess_behind_it_is_a_claim_without_the_doubt(answer: str, claim: str) -> None:
    found = extract(answer, "What is the fee?")
    assert [one.text for one in found] == [claim]
    assert answer[found[0].start : found[0].end] == answer
