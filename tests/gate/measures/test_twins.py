"""Two statements that differ in one place do not say the same, unless the words there do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.twins import LONGEST, twin
from tests.support.real_bench import bench

KEEPS = "If a key occurs twice, the parser keeps the last value and logs a warning."
RETRIED = "Calls that change data are never retried by the client."
PAID = "Afterwards only a return is possible, for which we pay the postage."

EXCHANGED = [
    ("If a key occurs twice, the parser keeps the first value.", KEEPS, "first", "last", True),
    ("The pump is on at night by default.", "The pump is off at night by default.", "on", "off", True),
    ("Afterwards only a return is possible, for which you pay the postage.", PAID, "you", "we", True),
    ("Drain the tank after every trip.", "Drain the tank before every trip.", "after", "before", True),
    ("Calls that read data are never retried by the client.", RETRIED, "read", "change", False),
    ("All files are deleted as soon as the account is closed.",
     "All files are deleted 30 days after the account is closed.", "as soon as", "30 days after", False),
]  # fmt: skip
SAME = [
    (KEEPS, KEEPS),
    ("The parser logs a warning.", KEEPS),
    ("Keep the button pushed until the letter appears.", "Press and hold the button; then the letter is shown."),
    ("The boiler begins again after two minutes.", "The boiler starts again after two minutes."),
    ("The plan costs 2400 rupees for all of the ten people.", "The plan costs 2,400 rupees for all of the 10 people."),
    ("We cover the postage.", PAID),
    ("If a key occurs twice, the parser keeps the first value.", f"{KEEPS} If a key occurs twice, the parser keeps the "
     "first value in strict mode."),
    ("", KEEPS),
    ("It is so.", ""),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "text", "mine", "theirs", "opposite"), EXCHANGED)
def test_what_is_exchanged(claim, text, mine, theirs, opposite) -> None:
    found = twin(claim, text, bench())
    assert found
    assert (found.mine, found.theirs, found.opposite, found.sentence) == (mine, theirs, opposite, text)


@pytest.mark.parametrize(("claim", "text"), SAME)
def test_what_is_not(claim, text) -> None:
    assert twin(claim, text, bench()) is None


WORDS = st.lists(st.sampled_from(["the", "pump", "first", "last", "on", "off", "you", "we", "keeps", "5"]), max_size=9)


@settings(max_examples=60, deadline=None)
@given(WORDS, WORDS)
def test_a_statement_is_no_twin_of_itself_nor_of_a_text_that_holds_it(one, other) -> None:
    claim, text = " ".join(one), " ".join(other)
    assert twin(claim, claim, bench()) is None
    assert twin(claim, f"{text}. {claim}.", bench()) is None


def test_what_is_too_long_is_not_compared() -> None:
    long = " ".join(f"word{n}" for n in range(LONGEST))
    assert twin(f"first {long}", f"last {long}", bench()) is None
