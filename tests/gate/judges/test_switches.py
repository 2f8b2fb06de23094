"""On and off: spelled out where they say a state, left alone where they say a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.switches import one_of, switched


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Logging is on by default.", "Logging is enabled by default."),
        ("Logging is off.", "Logging is disabled."),
        ("It is always on unless you say so.", "It is always enabled unless you say so."),
        ("You can turn off the cache.", "You can disabled the cache."),
        ("You can turn the disk cache off.", "You can disabled the disk cache."),
        ("It was switched on in May.", "It was enabled in May."),
        ("cache: off", "cache: disabled"),
        ("off", " disabled"),
        ("The item is on the list.", "The item is on the list."),
        ("The island is off the coast.", "The island is off the coast."),
        ("A limit on uploads.", "A limit on uploads."),
        ("Turn left, then go on.", "Turn left, then go on."),
    ],
)
def test_states_and_places(text, told):
    assert switched(text) == told


@given(st.text(max_size=200))
def test_any_text_is_taken_and_what_has_no_state_stays(text):
    found = switched(text)
    if "on" not in text.lower() and "off" not in text.lower():
        assert found == text


def test_long_lines_take_linear_time():
    assert switched("turn " * 20_000).startswith("turn")


def test_several_acronyms_are_told_as_one():
    assert one_of("It prints PDFs and CSVs over DNS.") == "It prints PDF and CSV over DNS."
    assert one_of("Mills, `as` and HTTPS") == "Mills, `as` and HTTPS"
