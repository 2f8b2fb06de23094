"""Where the words of a passage stand in its document."""

from __future__ import annotations

import pytest

from gate.judges.lines import line_at
from gate.records import Evidence


@pytest.mark.parametrize(("offset", "line"), [(0, 7), (3, 7), (4, 9), (8, 20)])
def test_the_line_of_an_offset_comes_from_the_lines(offset: int, line: int) -> None:
    assert line_at(Evidence("a.md", 7, "one\ntwo\nsix", 1.0, "", (7, 9, 20)), offset) == line


def test_without_lines_they_are_counted_from_the_first() -> None:
    assert line_at(Evidence("a.md", 7, "one\ntwo", 1.0), 5) == 8
