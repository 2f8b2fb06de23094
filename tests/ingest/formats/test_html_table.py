"""Tables of a page: a row is a line, its cells are apart by bars."""

import pytest

from ingest.formats.html_table import Table
from ingest.formats.html_text import Fragments


def rows(*texts: list[str], closed: bool = True) -> list[tuple[str, int]]:
    table, fragments = Table(), Fragments()
    for cells in texts:
        for cell in cells:
            fragments.text(cell, muted=False)
            table.cell(fragments, closed=closed)
        table.row()
    return table.lines


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (["a", "b"], "a | b"),
        (["a"], "a"),
        (["a", "", "c"], "a |  | c"),
        (["", "b"], "| b"),
        (["a", ""], "a |"),
        ([" two\nlines ", "b"], "two lines | b"),
    ],
)
def test_a_row_is_a_line(cells: list[str], line: str) -> None:
    assert [text for text, _ in rows(cells)] == [line]


@pytest.mark.parametrize("cells", [[], [""], [" ", "\n"]])
def test_a_row_without_words_is_left_out(cells: list[str]) -> None:
    assert rows(cells) == []


def test_a_row_stands_where_its_first_word_does_and_keeps_no_cell_of_the_row_before() -> None:
    assert rows(["\n", "\na", "b"], ["\nc"]) == [("| a | b", 3), ("c", 4)]


def test_text_between_cells_is_a_cell_only_if_it_has_words() -> None:
    assert rows(["a", " \n", "b"], closed=False) == [("a | b", 1)]


def test_what_is_not_closed_yet_is_no_row() -> None:
    table, fragments = Table(), Fragments()
    fragments.text("a", muted=False)
    table.cell(fragments, closed=True)
    assert table.lines == []
