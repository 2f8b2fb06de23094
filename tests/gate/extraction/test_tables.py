"""Tables of Markdown and of HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.tables import cells, rows, tables, told

HTML = "<table><tr><th>Tree</th><th>Age</th></tr>\n<tr><td>Oak</td><td><b>300</b></td></tr></table>"
TEXTS = st.lists(
    st.sampled_from(
        ["<table>", "<TABLE border=1>", "</table>", "<tr>", "</tr>", "<td>", "<th>", "</td>", "`", "oak", "|"]
    )
).map("".join)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| Rye | **3** |", ["Rye", "3"]),
        ("Rye | 3", ["Rye", "3"]),
        ("| ✅ | ❌ | ✓ |", ["yes", "no", "yes"]),
        ("| a\\|b | c |", ["a|b", "c"]),
        ("| the \\| sign | a bar |", ["the | sign", "a bar"]),
        ("|| c |", ["", "c"]),
        ("", [""]),
        ("<tr><td>Rye</td><td>3 [1]</td></tr>", ["Rye", "3"]),
        ("<tr><th scope='row'>Rye<td>✅", ["Rye", "yes"]),
        ("<tr><td><p>Rye</p></td>\n<td></td></tr>", ["Rye", ""]),
    ],
)
def test_cells(row: str, expected: list[str]) -> None:
    assert cells(row) == expected


def test_an_html_table_has_rows_under_its_header() -> None:
    answer = f"Old trees:\n{HTML}\nElms too."
    ((start, end),) = tables(answer)
    assert answer[start:end] == HTML
    header, found = rows(answer, start, end)
    assert cells(header) == ["Tree", "Age"]
    assert [cells(answer[a:b]) for a, b in found] == [["Oak", "300"]]


def test_a_table_may_have_no_header() -> None:
    table = "<table><tbody><tr><th>Oak</th><td>300</td></tr><tr><th>Elm</th><td>90</td></tr></tbody></table>"
    header, found = rows(table, 0, len(table))
    assert header == ""
    assert [cells(table[a:b]) for a, b in found] == [["Oak", "300"], ["Elm", "90"]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<table>",
        "<table></table>",
        "<table><tr><td>Oak",
        f"```html\n{HTML}\n```",
        "`<table><td></table>`",
        "<table><td>Oak</td></table>",
        "<table>Oaks grow.<tr><td>x</table>",
        "<table><tr><td>x</td>Oaks grow.</table>",
        "<table><tr><td>x</td></tr><caption>Oaks</caption></table>",
    ],
)
def test_no_table(text: str) -> None:
    assert tables(text) == []


@given(TEXTS)
def test_any_text_has_tables_and_rows_in_bounds(text: str) -> None:
    at = 0
    for start, end in tables(text):
        assert at <= start < end <= len(text)
        at = end
        for a, b in rows(text, start, end)[1]:
            assert start <= a < b <= end
            assert cells(text[a:b])


@pytest.mark.parametrize("unit", ["<table>", "<table><tr>", "<tr><td>", "<table><td></table>"])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * 2_000
    assert len([rows(text, start, end) for start, end in tables(text)]) <= 2_000


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "| Plan | Price |\n| Basic | 5 euros |\n| Pro | 10 euros |",
            ["Basic: Price 5 euros.", "Pro: Price 10 euros."],
        ),
        ("Plan | Price | Seats\nBasic | 5 euros | 1", ["Basic: Price 5 euros; Seats 1."]),
        ("| Tree | Oldest | Tallest |\n| Oak | 300 | tall |", ["Oak: Oldest 300; Tallest tall."]),
        ("| **Tree** | **Soil** |\n| Oak | clay |", ["Oak: Soil clay."]),
        ("| Plan | Support |\n| Basic | email |", ["Basic: Support email."]),
        ("| Exit code | What it means |\n| --- | --- |\n| 2 | wrong use |", ["Exit code 2: wrong use."]),
    ],
)
def test_a_header_without_a_ruler_is_one(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer)] == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("| Name | Anna |\n| Age | 5 |\n| Height | 1 m |", ["Name: Anna.", "Age: 5.", "Height: 1 m."]),
        ("| Basic | 5 euros |\n| Pro | 10 euros |", ["Basic: 5 euros.", "Pro: 10 euros."]),
        ("| **Oak** | **old** |\n| **Elm** | **new** |", ["Oak: old.", "Elm: new."]),
    ],
)
def test_a_first_row_may_be_a_row_like_others(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer)] == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("| Covered | Not covered |", "Covered: theft; Not covered: rust"),
        ("| Don't | Do |", "Don't: theft; Do: rust"),
        ("| What is covered | What isn't covered |", "What is covered: theft; What isn't covered: rust"),
        ("| Item | Not covered |", "theft: Not covered rust"),
    ],
)
def test_columns_of_what_is_so_and_what_is_not_are_told_side_by_side(header: str, expected: str) -> None:
    assert told("| theft | rust |", header) == expected
