"""Plain lines: their columns, and the blocks that they are grouped into."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.blocks import Kind
from ingest.formats.lines import BULLET, Builder, Line, kind_of, numbered


def built(text: str, indented: Kind = Kind.CODE) -> Builder:
    builder = Builder(indented=indented)
    for line in numbered(text):
        builder.add(line)
    builder.close()
    return builder


@pytest.mark.parametrize(
    ("text", "indent", "blank"),
    [("", 0, True), ("  ", 2, True), ("a", 0, False), ("  a", 2, False), ("\ta", 4, False), (" \ta", 4, False)],
)
def test_a_line_knows_its_indent(text: str, indent: int, blank: bool) -> None:
    line = Line(1, text)
    assert (line.indent, line.blank) == (indent, blank)


def test_lines_are_numbered_from_one_and_lose_trailing_blanks() -> None:
    assert numbered("a \n\n b\t") == [Line(1, "a"), Line(2, ""), Line(3, " b")]


@pytest.mark.parametrize("text", ["- a", "* a", "+ a", "• a", "1. a", "12) a", "#. a", "(a) x", "(iv) x", "   - a"])
def test_marks_of_list_items(text: str) -> None:
    assert BULLET.match(text)


@pytest.mark.parametrize("text", ["-a", "- ", "1.5 litres", "(note) x", "a - b", "1234567890. a", "**bold** a"])
def test_what_is_no_list_item(text: str) -> None:
    assert not BULLET.match(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Words.", Kind.PROSE),
        ("- item", Kind.LIST),
        ("    x = 1", Kind.CODE),
        ("\tx = 1", Kind.CODE),
        ("   three blanks", Kind.PROSE),
        ("| a | b |", Kind.TABLE),
        ("a | b\n--- | ---", Kind.TABLE),
        ("=== ===\na   b", Kind.TABLE),
        ("+---+---+", Kind.TABLE),
        ("a\n-----", Kind.PROSE),  # a heading's underline is no ruler
        ("a\nb\n--- | ---", Kind.PROSE),
        ("a\n||", Kind.PROSE),
    ],
)
def test_the_first_lines_tell_what_a_paragraph_is(text: str, kind: Kind) -> None:
    assert kind_of(numbered(text), Kind.CODE) is kind


def test_paragraphs_are_parted_by_blank_lines_and_keep_their_numbers() -> None:
    blocks = built("One\ntwo\n\n\nthree\n").blocks
    assert [(b.text, b.lines, b.kind) for b in blocks] == [
        ("One\ntwo", (1, 2), Kind.PROSE),
        ("three", (5,), Kind.PROSE),
    ]


def test_what_is_indented_behind_a_list_belongs_to_it() -> None:
    assert [b.kind for b in built("- a\n\n    more of a\n\nb\n\n    code").blocks] == [
        Kind.LIST,
        Kind.LIST,
        Kind.PROSE,
        Kind.CODE,
    ]
    assert built("    quoted", Kind.PROSE).blocks[0].kind is Kind.PROSE


def test_a_heading_ends_the_paragraph_and_stands_above_what_follows() -> None:
    builder = Builder()
    builder.add(Line(1, "before"))
    builder.heading(2, "Title", [Line(2, "Title"), Line(3, "-----")])
    builder.add(Line(4, "after"))
    builder.close()
    assert [(b.text, b.heading, b.kind, b.level, b.lines) for b in builder.blocks] == [
        ("before", (), Kind.PROSE, 0, (1,)),
        ("Title\n-----", ("Title",), Kind.HEADING, 2, (2, 3)),
        ("after", ("Title",), Kind.PROSE, 0, (4,)),
    ]


def test_open_lines_can_be_taken_back() -> None:
    builder = Builder()
    builder.add(Line(1, "Title"))
    assert builder.open == [Line(1, "Title")]
    assert builder.pop_open() == [Line(1, "Title")]
    builder.close()
    assert (builder.open, builder.blocks) == ([], [])


def test_blank_lines_inside_of_a_block_are_one_and_none_at_its_ends() -> None:
    builder = Builder()
    builder.block(Kind.CODE, numbered("\n\na\n\n\n\nb\n\n"))
    builder.block(Kind.CODE, numbered("\n \n"))
    assert [(b.text, b.lines) for b in builder.blocks] == [("a\n\nb", (3, 4, 7))]


@given(st.text(st.sampled_from("a-|= \n\t1."), max_size=120))
def test_every_line_with_words_stands_in_one_block_under_its_number(text: str) -> None:
    blocks = built(text).blocks
    placed = [(n, line) for b in blocks for n, line in zip(b.lines, b.text.split("\n"), strict=True)]
    assert placed == [(n, line) for n, line in numbered(text) if line.strip()]
