"""Amounts by value: their keys, their words, and how a reader is shown them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.measured import amount_keys, amount_words, as_claimed
from gate.text import numbers, same


def test_sizes_have_both_readings_of_their_prefix() -> None:
    (two,) = numbers("2 GB")
    assert set(amount_keys(two)) == {"#B:2e+09", f"#B:{2 * 1024**3:g}"}


def test_a_percentage_is_a_share_as_well() -> None:
    assert amount_keys(numbers("50 %")[0]) == ("#%:50", "#:0.5")
    assert amount_keys(numbers("150 %")[0]) == ("#%:150",)


def test_words_of_amounts_of_measure_only() -> None:
    text = "2 weeks, 3 retries"
    assert amount_words(text, numbers(text)) == {"2": ("#s:1.2096e+06",), "weeks": ("#s:1.2096e+06",)}


@pytest.mark.parametrize(
    ("text", "claim", "shown"),
    [
        ("It has 2048 MB of memory.", "It has 2 GB.", "It has 2 GB of memory."),
        ("It lasts 14 days.", "It lasts two weeks.", "It lasts two weeks."),
        ("The share is 0.5.", "It is 50 %.", "The share is 50 %."),
        ("It costs 3,000,000 dollars.", "It costs $3 million.", "It costs $3 million."),
        # Another amount, the same unit, and what the claim says as it stands: all as they are.
        ("It has 4096 MB of memory.", "It has 2 GB.", "It has 4096 MB of memory."),
        ("Wait five seconds.", "Wait 5 seconds.", "Wait five seconds."),
        ("It has 2048 MB, that is 2 GB.", "It has 2 GB (2048 MB).", "It has 2048 MB, that is 2 GB."),
        ("It costs Rs 800 a month.", "It costs 800 rupees a year.", "It costs Rs 800 a month."),
        # "5" alone is no amount of time.
        ("Wait 300 seconds.", "Wait 5 to 10 minutes.", "Wait 300 seconds."),
        ("Three retries.", "3 retries.", "Three retries."),
    ],
)
def test_a_reader_is_shown_the_amounts_of_the_claim(text: str, claim: str, shown: str) -> None:
    assert as_claimed(text, claim, numbers(claim)) == shown


@given(
    st.text(alphabet=st.sampled_from("0123456789. %kmgGMBst$"), max_size=60), st.sampled_from(["2 GB", "50 %", "1 km"])
)
def test_what_is_shown_says_the_same_amounts(text: str, claim: str) -> None:
    shown = as_claimed(text, claim, numbers(claim))
    assert shown == text or any(same(number, numbers(claim)[0]) for number in numbers(text))


def test_a_date_is_met_by_its_day() -> None:
    (day,), (date,) = numbers("1 September"), numbers("1 September 2025")
    assert set(amount_keys(day)) < set(amount_keys(date))
    assert same(day, date)
    assert not same(numbers("2 September")[0], date)


@pytest.mark.parametrize(
    ("text", "claim", "shown"),
    [
        ("50 % of the price is paid.", "Half of the price is paid.", "Half of the price is paid."),
        ("Half of the price is paid.", "You get 50 % of it.", "50 % of the price is paid."),
        ("It is 50 % for 40 minutes.", "You get half of the fare.", "It is half for 40 minutes."),
    ],
)
def test_what_an_amount_is_a_part_of_stays(text: str, claim: str, shown: str) -> None:
    assert as_claimed(text, claim, numbers(claim)) == shown
