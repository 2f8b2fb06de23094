"""Blocks of prose and Markdown, and rows of tables in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import parse_blocks, sentences
from gate.text.layout import cells, header_of, row_in_words, rows_in_words
from tests.support.steps import growth

PIECES = st.lists(
    st.sampled_from(
        ["\n", "\r\n", "\n\n", "```", "~~~", "````", "- ", "* ", "1. ", "(a) ", "> ", "# ", "|", " | ", "---", "    ",
         "\t", "Snow fell", "ice", ",", ".", "\u2028", "\x85", "\x0b", "雪", "[x] ", "python"]
    ), max_size=40,
).map("".join)  # fmt: skip
PLANS = """Every plan has a deposit.

| Plan | Price | Deposit |
|:---|---:|---|
| Flex | €149 | €100 |
| Haul | €119 | |

Ask at the desk.
"""


def parsed(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end].strip()) for block in parse_blocks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n \n\t\n***\n---\n", []),
        ("Snow fell.\n\nIt melted.", [("text", "Snow fell."), ("text", "It melted.")]),
        ("snow fell on the hills\nand on the lake", [("text", "snow fell on the hills\nand on the lake")]),
        ("- rye\n* oats\n• spelt\n1. corn\n(a) bran\n- [x] done",
         [("item", "rye"), ("item", "oats"), ("item", "spelt"), ("item", "corn"), ("item", "bran"), ("item", "done")]),
        ("-5 degrees\n\n2.5 litres\n\n>= 3 kg", [("text", "-5 degrees"), ("text", "2.5 litres"), ("text", ">= 3 kg")]),
        ("> Snow fell.\n> > - rye", [("text", "Snow fell."), ("item", "rye")]),
        ("| Tree | Age |\n|---|---|\n| Oak | 300 |", [("row", "| Tree | Age |"), ("row", "| Oak | 300 |")]),
        ("Tree | Age | Height\n\neither | or", [("row", "Tree | Age | Height"), ("text", "either | or")]),
        ("Run `a | b | c`.", [("text", "Run `a | b | c`.")]),
        ("Sow: • rye • oats", [("text", "Sow:"), ("item", "rye"), ("item", "oats")]),
        ("[^1]: It snowed.\n[^b-2]: It rained.", [("text", "It snowed."), ("text", "It rained.")]),
        ("Snow\n: Frozen rain.", [("text", "Snow"), ("item", "Frozen rain.")]),
        (".. note:: Mind\n   the gap.\n\n.. tip::\n   Jump.", [("text", "Mind\n   the gap."), ("text", "Jump.")]),
        (".. [1] One.\n.. [#b] Two.\n.. math:: a = b", [("text", "One."), ("text", "Two."), ("text", "a = b")]),
        (":param a: One\n  goes on.\n:raises E: Two.",
         [("item", ":param a: One\n  goes on."), ("item", ":raises E: Two.")]),
        ("-a, --all   All.\n--name NAME  The name\n   of it.",
         [("item", "-a, --all   All."), ("item", "--name NAME  The name\n   of it.")]),
        ("See [it].\n\n[it]: https://example.org/it \"Title\"\n[b c]: ./b.md\n[e]: words here",
         [("text", "See [it]."), ("text", "[e]: words here")]),
    ],
)  # fmt: skip
def test_kinds_of_lines(text: str, expected: list[tuple[str, str]]) -> None:
    assert parsed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\nsow()\n\n# reap\n```\nThen rest.", [("code", "sow()"), ("code", "# reap"), ("text", "Then rest.")]),
        ("````\n~~~ python\n```\nsow()\n```\n````", [("code", "~~~ python"), ("code", "sow()")]),
        ("```\nSnow fell.", [("text", "Snow fell.")]),  # what is never closed hides nothing
        ("Cold\n~~~~\n\nIt stops\nat once.\n\nWarm\n~~~~\n\nIt waits.",
         [("text", "Cold"), ("text", "It stops\nat once."), ("text", "Warm"), ("text", "It waits.")]),
        ("Run this::\n\n    make\n    # all\n\n      x\n\nDone.",
         [("text", "Run this::"), ("code", "make"), ("code", "# all"), ("code", "x"), ("text", "Done.")]),
        ("- Do::\n\n      a\n      b\n\n  then c",
         [("item", "Do::"), ("code", "a"), ("code", "b"), ("text", "then c")]),
        (".. code-block:: py\n   :linenos:\n\n   a = 1\n   b = 2\n\nEnd.",
         [("code", "a = 1"), ("code", "b = 2"), ("text", "End.")]),
        ("```\nOptions:\n  -p, --param TEXT   Named\n                     parameters\n  x\n```",
         [("code", "Options:"), ("code", "-p, --param TEXT   Named\n                     parameters"), ("code", "x")]),
        ("See the long `name of it\n<https://example.org/a>`_ and go.", [
            ("text", "See the long `name of it\n<https://example.org/a>`_ and go.")]),
        ("Plan | Price\n--- | ---\nBasic | 5\nPro | 9\n\nOne | two",
         [("row", "Plan | Price"), ("row", "Basic | 5"), ("row", "Pro | 9"), ("text", "One | two")]),
    ],
)  # fmt: skip
def test_lines_that_their_neighbours_explain(text: str, expected: list[tuple[str, str]]) -> None:
    assert parsed(text) == expected


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        ("The path follows the river for about nine miles until", "Dover, where it ends.", False),
        ("The path follows the river, passes three mills and reaches", "Dover, where it ends.", True),
        ("We need flour,", "Eggs and milk.", True),
        ("We need flour", "Eggs and milk.", False),
    ],
)
def test_a_line_break_that_was_meant(above: str, below: str, joined: bool) -> None:
    assert len(parse_blocks(f"{above}\n{below}")) == (1 if joined else 2)


def test_the_level_is_the_column_of_the_marker() -> None:
    text = "- oak\n  - acorn\n\t- leaf\nHedge"
    assert [(block.kind, block.level) for block in parse_blocks(text)] == [
        ("item", 0), ("item", 2), ("item", 4), ("text", 0)
    ]  # fmt: skip


@given(st.text(max_size=300) | PIECES)
def test_spans_are_in_order_and_in_bounds_and_code_has_two_fences(text: str) -> None:
    at = 0
    for block in parse_blocks(text):
        assert at <= block.start <= block.end <= len(text)
        assert block.kind in ("text", "item", "heading", "row", "code")
        assert block.kind != "code" or text.count("```") + text.count("~~~") >= 2
        at = block.end


@pytest.mark.parametrize(
    "piece",
    ["a\n~~~~\n", "a::\n\n  b\n", ".. code::\n", "a | b\n-- | --\n", "::\n", "```\n-a\n     b\n", "> ", "```x\n````\n"],
)  # fmt: skip
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: parse_blocks(piece * size), 300) < 3


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("|Flex|€149", ["Flex", "€149"]),
        (r"| a \| b | |", ["a | b", ""]),
        ("Flex | €149", ["Flex", "€149"]),
        ("Flex|€149", []),
    ],
)
def test_cells_are_those_between_pipes(line: str, expected: list[str]) -> None:
    assert cells(line) == expected


@pytest.mark.parametrize(
    ("row", "header", "words"),
    [
        (["Flex", "", "€100"], ["Plan", "Price", "Deposit"], "Plan Flex: Deposit €100"),
        (["Suited for", "sums", "waiting"], ["", "Process", "Thread"], "Suited for: Process sums; Thread waiting"),
        (["Flex", "€149", "new"], ["Plan", "Price"], "Plan Flex: Price €149; new"),
    ],
)
def test_each_cell_stands_behind_its_header(row: list[str], header: list[str], words: str) -> None:
    assert row_in_words(row, header) == words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PLANS, [None, "", "Plan Flex: Price €149; Deposit €100", "Plan Haul: Price €119", None]),
        ("| a | b |\n| c | d |\n", [None, None]),  # without a ruler it is no table
        ("| A | B |\n|---|---|\n| 1 | 2 |\n\n| C | D |\n|---|---|\n| 3 | 4 |\n", ["", "A 1: B 2", "", "C 3: D 4"]),
        ("| A | B |\n|---|---|\n| 1 | It is. It was. |\n| 2 | No. |", ["", "A 1: B It is. It was.", "A 2: B No."]),
    ],
)  # fmt: skip
def test_a_table_is_put_in_words_row_by_row_and_the_rest_is_left(text: str, expected: list[str | None]) -> None:
    assert rows_in_words(text, sentences(text)) == expected


def test_a_text_that_begins_in_the_middle_of_a_table_takes_the_header_that_it_is_given() -> None:
    text = "| Haul | €119 |\n| City | €49 |\n\nBelow it:\n\n| x | y |\n"
    found = rows_in_words(text, sentences(text), "| Plan | Price |")
    assert found == ["Plan Haul: Price €119", "Plan City: Price €49", None, None]


def test_the_header_of_a_row_is_found_above_it() -> None:
    header = "| Plan | Price | Deposit |"
    assert [header_of(PLANS, start) for start, _ in sentences(PLANS)] == ["", "", header, header, ""]
    bare = "Plan | Price\n--- | ---\nBasic | €5\nPro | €9"
    assert header_of(bare, bare.index("Pro |")) == "Plan | Price"


@pytest.mark.parametrize("text", ["| a | b |\n| c | d |", "|---|\n| c | d |", "word\n| c | d |", "\n\n| c | d |"])
def test_a_row_without_a_header_has_none(text: str) -> None:
    assert header_of(text, text.rfind("|", 0, text.rfind("\n") + 2)) == ""


@given(st.text(alphabet="|-: \n\\abc.", max_size=120), st.text(alphabet="|-: abc", max_size=20))
def test_any_text_is_put_in_words_span_by_span(text: str, header: str) -> None:
    spans = sentences(text)
    found = rows_in_words(text, spans, header)
    assert len(found) == len(spans)
    for (start, end), words in zip(spans, found, strict=True):
        row = cells(text[start:end])
        assert not words or (row and all(cell in words for cell in row))
        assert header_of(text, start) in text
