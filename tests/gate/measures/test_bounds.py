"""Values, bounds and ranges, as an amount is said to be one of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.measures.bounds import LEAST, MOST, RANGE, bound, other_bound, unbound
from gate.text import numbers
from tests.support.steps import growth


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Rs 800", [""]),
        ("about Rs 800", [""]),
        ("up to Rs 800", [MOST]),
        ("no more than Rs 800", [MOST]),
        ("a minimum of 3 retries", [LEAST]),
        ("more than Rs 800", [LEAST]),
        ("rather than Rs 800", [""]),
        ("up to 14 days", [""]),
        ("less than 14 days", [MOST]),
        ("Rs 500-800", [RANGE, RANGE]),
        ("between Rs 500 and Rs 800", [RANGE, RANGE]),
        ("Rs 500 and Rs 800", ["", ""]),
        ("3 or 4 retries", [RANGE, RANGE]),
        ("Rs 500 or 10 %", ["", ""]),
        ("2 GB or 2048 MB", ["", ""]),
        ("raised from Rs 500 to Rs 800", ["", ""]),
        ("9:00 to 17:00", ["", ""]),
    ],
)
def test_what_an_amount_is(text: str, said: list[str]) -> None:
    found = numbers(text)
    assert [bound(text, number, found) for number in found] == said


@pytest.mark.parametrize(
    ("given_", "expected", "question", "other"),
    [
        ("", "", "What does it cost?", False),
        (MOST, "", "What does it cost?", True),
        (RANGE, "", "What does it cost?", True),
        (MOST, "", "What is the maximum?", False),
        (RANGE, "", "What is the maximum?", True),
        ("", MOST, "What does it cost?", False),
        (MOST, MOST, "What does it cost?", False),
        (MOST, LEAST, "What is the maximum?", True),
        (RANGE, MOST, "What does it cost?", False),
    ],
)
def test_another_bound(given_: str, expected: str, question: str, other: bool) -> None:
    assert other_bound(given_, expected, question) is other


def test_the_words_of_a_bound_go() -> None:
    assert unbound("It may cost up to ") == "It may cost "
    assert unbound(f"{'far ' * 20}no more than ") == "far " * 20
    assert unbound("It costs ") == "It costs "


@given(st.text(alphabet=st.sampled_from("up to betwn and or 0123456789-%$."), max_size=60))
def test_any_text_has_bounds_of_the_list_or_none(text: str) -> None:
    found = numbers(text)
    assert all(bound(text, number, found) in ("", MOST, LEAST, RANGE) for number in found)


def test_each_of_many_amounts_is_set_beside_its_neighbours_alone() -> None:
    def bounds(size: int) -> list[str]:
        text = "5 kg " * size + "5 to 6 kg"
        found = numbers(text)
        return [bound(text, number, found) for number in found]

    assert bounds(50)[-2:] == [RANGE, RANGE]
    assert growth(bounds, 100) < 2.5
