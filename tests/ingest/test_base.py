"""Headings above a line: a stack cut back by rank, and titles short enough for a label."""

import pytest

from ingest.base import Outline


@pytest.mark.parametrize(
    ("pushed", "path"),
    [
        ([], ()),
        ([(1, "A"), (2, "B"), (3, "C")], ("A", "B", "C")),
        ([(1, "A"), (2, "B"), (2, "C")], ("A", "C")),
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
