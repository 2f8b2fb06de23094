"""Items of lists, and those that another text does not name."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.lists import items, lacking

BOX = "The box holds a pump, a hose, a filter, a manual and a remote control."


def test_items() -> None:
    assert items(BOX)[1:] == ("a hose", "a filter", "a manual", "a remote control")
    assert items("It holds a pump.") == ()
    assert items("It holds a pump and a hose.") == ()
    assert items("When it is dark, and only when nobody is at home at all, the light goes on, which helps.") == ()
    assert items("In the cloud, on a laptop, and on a phone.") == ()
    assert items("In the box, there are a pump, a hose and a filter.")[1:] == ("a hose", "a filter")
    assert items("") == ()


def test_what_is_invented() -> None:
    assert lacking(BOX, "In the box: a pump, a hose, a filter and a manual.") == (("a remote control",), 5)
    assert lacking(BOX, BOX) == ((), 5)
    assert lacking("It runs.", BOX) == ((), 0)


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_nothing_of_a_text_is_lacking_in_itself(text) -> None:
    gone, number = lacking(text, text)
    assert not gone or all(not any(c.isalnum() for c in item) for item in gone)
    assert number >= len(gone)
