"""What is struck out is not said; everything else stays in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.struck import standing


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The return period is ~~30 days~~ 14 days.", ["The return period is 14 days."]),
        ("The return period is <del>30 days</del> 14 days.", ["The return period is 14 days."]),
        ("~~The fee is 5 euros.~~ The fee is 6 euros.", ["The fee is 6 euros."]),
        ("- ~~Free returns~~\n- ~~Phone\n  support~~\n- Chat support is free.", ["Chat support is free."]),
        ("| Plan | Fee |\n|---|---|\n| Pro | ~~5 euros~~ 4 euros |", ["Pro: Fee 4 euros."]),
        ("~~The fee is 5 euros.~~", []),
    ],
)
def test_what_is_struck_out_is_no_claim(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "It takes ~~5 days.",
        "It takes ~5~ days.",
        "Write `~~old~~` to strike it out.",
        "```\n~~old~~\n```",
        "~~~\nold\n~~~",
        r"It is \~~5~~ days.",
        "First ~~ then ~~ it opens.",
        "From ~~5\n\nto 6~~ days.",
    ],
)
def test_what_is_not_struck_out_stays(text: str) -> None:
    assert standing(text) == text


@given(st.text(alphabet="~a \n`<>del/s"))
def test_places_stay(text: str) -> None:
    assert len(standing(text)) == len(text)


def test_takes_linear_time() -> None:
    for hostile in ("~~a", "~~", "~~ a~", "<del>", "<del>a</s>", "~~a\n"):
        standing(hostile * 50_000)
