"""Headings above a line: a stack cut back by rank, and titles short enough for a label."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.base import HEADING_CHARS, Outline, shorten


@pytest.mark.parametrize(
    ("pushed", "path"),
    [
        ([], ()),
        ([(1, "A"), (2, "B"), (3, "C")], ("A", "B", "C")),
        ([(1, "A"), (2, "B"), (2, "C")], ("A", "C")),
        ([(1, "A"), (3, "B"), (2, "C")], ("A", "C")),
        ([(2, "A"), (1, "B")], ("B",)),
        ([(1, "A"), (4, "B"), (6, "C")], ("A", "B", "C")),
        ([(1, "A"), (2, "B"), (2, " \t ")], ("A",)),  # a heading without text still ends the section before
        ([(0, "Title"), (1, "A"), (1, "B")], ("Title", "B")),
        ([(1, " two\n words ")], ("two words",)),
    ],
)
def test_a_heading_ends_those_of_its_rank_and_below(pushed: list[tuple[int, str]], path: tuple[str, ...]) -> None:
    outline = Outline()
    for level, text in pushed:
        outline.push(level, text)
    assert outline.path == path


@given(st.text(max_size=700))
def test_a_title_is_one_short_line(text: str) -> None:
    short = shorten(text)
    assert len(short) <= HEADING_CHARS
    assert short == " ".join(short.split())
