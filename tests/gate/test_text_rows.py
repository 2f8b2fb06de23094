"""Rows of tables in words: under their headers, and nothing else of a text changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import sentences
from gate.text_rows import cells, header_of, in_words, told

PLANS = """Every plan has a deposit.

| Plan | Price | Deposit |
|:---|---:|---|
| Flex | €149 | €100 |
| Haul | €119 | |

Ask at the desk.
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("| Flex | €149 |", ["Flex", "€149"]),
        ("|Flex|€149", ["Flex", "€149"]),
        (r"| a \| b | c |", ["a | b", "c"]),
        ("| | yes |", ["", "yes"]),
        ("Flex | €149", ["Flex", "€149"]),
        ("Flex|€149", []),
        ("| alone |", []),
        ("", []),
    ],
)
def test_cells_are_those_between_pipes(line, expected):
    assert cells(line) == expected


@pytest.mark.parametrize(
    ("row", "header", "words"),
    [
        (["Flex", "€149", "€100"], ["Plan", "Price", "Deposit"], "Plan Flex: Price €149; Deposit €100"),
        (["Flex", "", "€100"], ["Plan", "Price", "Deposit"], "Plan Flex: Deposit €100"),
        (["Suited for", "sums", "waiting"], ["", "Process", "Thread"], "Suited for: Process sums; Thread waiting"),
        (["Flex", "€149", "new"], ["Plan", "Price"], "Plan Flex: Price €149; new"),
        (["Flex"], ["Plan", "Price"], "Plan Flex"),
        (["", "€149"], ["", "Price"], "Price €149"),
    ],
)
def test_each_cell_is_told_with_its_header(row, header, words):
    assert told(row, header) == words


def test_a_table_is_told_row_by_row_and_the_rest_is_left():
    found = in_words(PLANS, sentences(PLANS))
    assert found == [None, "", "Plan Flex: Price €149; Deposit €100", "Plan Haul: Price €119", None]


def test_rows_without_a_ruler_are_no_table():
    text = "| a | b |\n| c | d |\n"
    assert in_words(text, sentences(text)) == [None, None]


def test_a_text_that_begins_in_the_middle_of_a_table_is_told_with_the_header_that_it_is_given():
    text = "| Haul | €119 |\n| City | €49 |\n\nBelow it:\n\n| x | y |\n"
    found = in_words(text, sentences(text), "| Plan | Price |")
    assert found == ["Plan Haul: Price €119", "Plan City: Price €49", None, None]


def test_a_second_table_has_its_own_header():
    text = "| A | B |\n|---|---|\n| 1 | 2 |\n\n| C | D |\n|---|---|\n| 3 | 4 |\n"
    assert in_words(text, sentences(text)) == ["", "A 1: B 2", "", "C 3: D 4"]


def test_the_header_of_a_row_is_found_above_it():
    spans = sentences(PLANS)
    assert [header_of(PLANS, start) for start, _ in spans] == [
        "", "", "| Plan | Price | Deposit |", "| Plan | Price | Deposit |", ""
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["| a | b |\n| c | d |", "|---|\n| c | d |", "word\n| c | d |", "\n\n| c | d |"])
def test_a_row_without_a_header_has_none(text):
    assert header_of(text, text.rfind("|", 0, text.rfind("\n") + 2)) == ""


@given(st.text(alphabet="|-: \n\\abc.", max_size=120), st.text(alphabet="|-: abc", max_size=20))
def test_any_text_is_told_span_by_span(text, header):
    spans = sentences(text)
    found = in_words(text, spans, header)
    assert len(found) == len(spans)
    for (start, end), words in zip(spans, found, strict=True):
        row = cells(text[start:end])
        if words:
            assert row
            assert all(cell in words for cell in row)
        assert header_of(text, start) in text


def test_a_cell_of_two_sentences_parts_no_table():
    text = "| Plan | Note |\n|---|---|\n| Basic | It costs five. It is cheap. |\n| Pro | It costs nine. |\n"
    assert in_words(text, sentences(text)) == [
        "",
        "Plan Basic: Note It costs five. It is cheap.",
        "Plan Pro: Note It costs nine.",
    ]


def test_a_table_without_bars_at_its_edges_is_told_as_well():
    text = "Plan | Price\n--- | ---\nBasic | €5\nPro | €9\n\nUse a | b."
    assert in_words(text, sentences(text)) == ["", "Plan Basic: Price €5", "Plan Pro: Price €9", None]
    assert header_of(text, text.index("Pro")) == "Plan | Price"
    assert in_words("Pro | €9\nMax | €11", [(0, 8), (9, 18)], "Plan | Price") == [
        "Plan Pro: Price €9",
        "Plan Max: Price €11",
    ]
