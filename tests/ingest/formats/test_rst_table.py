"""Tables of reStructuredText, row by row."""

import pytest

from ingest.blocks import Block, Kind
from ingest.formats.rst import read_rst
from tests.support.steps import growth


def tables(text: str) -> list[Block]:
    return [block for block in read_rst(text.encode()) if block.kind is Kind.TABLE]


def table(text: str) -> tuple[list[str], tuple[int, ...]]:
    (found,) = tables(text)
    return found.text.split("\n"), found.lines


def test_a_simple_table_has_its_header_and_the_lines_of_its_rows() -> None:
    text = "=====  ======\nPlan   Price\n=====  ======\nBasic  5 a\n       month\n\nPro    a | b\n=====  ======\n\nEnd."
    assert table(text) == (
        ["| Plan | Price |", "| --- | --- |", "| Basic | 5 a month |", r"| Pro | a \| b |"],
        (2, 2, 4, 7),
    )


def test_lines_that_end_where_they_stand_are_one_cell() -> None:
    text = "==== ======\nName Places\n==== ======\na    | x\n     | y\n==== ======\n"
    assert table(text)[0][2] == "| a | x y |"


def test_a_simple_table_without_a_header_is_apart_by_bars() -> None:
    assert table("==== ====\na    1\nb    2\n==== ====\n") == (["a | 1", "b | 2"], (2, 3))


def test_a_grid_has_its_header_and_cells_of_several_lines() -> None:
    text = "\n".join(
        [
            "  +------+-------+",
            "  | Plan | Price |",
            "  +======+=======+",
            "  | One  | 5 a   |",
            "  |      | month |",
            "  +------+-------+",
            "  | Two  | 9     |",
            "  +------+-------+",
        ]
    )
    assert table(text) == (["| Plan | Price |", "| --- | --- |", "| One | 5 a month |", "| Two | 9 |"], (2, 2, 4, 7))
    bold = "+-------+-------+\n| **A** | **B** |\n+-------+-------+\n| 1     | 2     |\n+-------+-------+"
    assert table(bold)[0] == ["| **A** | **B** |", "| --- | --- |", "| 1 | 2 |"]


def test_a_list_of_lists_and_values_apart_by_commas() -> None:
    text = (
        ".. list-table:: Plans\n   :header-rows: 1\n   :widths: 1 2\n\n   * - Plan\n     - Price\n   * - Basic\n"
        "     - 5 a\n       month\n   * - Pro\n     -\n"
    )
    blocks = read_rst(text.encode())
    assert (blocks[0].text, blocks[0].lines) == ("Plans", (1,))
    assert table(text) == (["| Plan | Price |", "| --- | --- |", "| Basic | 5 a month |", "| Pro |  |"], (5, 5, 7, 10))
    values = '.. csv-table:: Birds\n   :header: "Name", "Price, net"\n\n   "Crow", 2\n   "Jay\n   bird", 3\n'
    assert table(values) == (
        ["| Name | Price, net |", "| --- | --- |", "| Crow | 2 |", "| Jay bird | 3 |"],
        (2, 2, 4, 5),
    )
    assert tables(".. csv-table:: Birds\n   :file: birds.csv\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "==== ====\na cell too wide\n==== ====\n",
        "==== ====\na    b\n---------\n1    2\n==== ====\n",
        "+---+---+\n| a | b |\n+---+---+\n| of two |\n+---+---+",
        "+---+---+\n| a | b |\n|   +---+\n|   | c |\n+---+---+",
        "==== ====\nnever closed",
    ],
)
def test_what_is_not_sure_stays_as_it_stands(text: str) -> None:
    assert "\n".join(block.text for block in read_rst(text.encode())) == text.rstrip("\n")


def test_lists_of_other_lengths_stay_as_they_stand() -> None:
    body = "   * - a\n     - b\n   * - c"
    assert [block.text for block in tables(f".. list-table::\n\n{body}\n")] == [body]


@pytest.mark.parametrize("piece", ["=== ===\n", "=== ===\na   b\n\n", "+--+--+\n", "+--+--+\n| a|\n\n", "=== ===\n\n"])
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: read_rst((piece * size).encode()), 300) < 3
