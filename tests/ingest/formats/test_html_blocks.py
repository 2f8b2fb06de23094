"""Blocks of a page while it is read: by what ends them, with the marks of lists and the terms above them."""

import pytest

from ingest.blocks import Kind
from ingest.formats.html_blocks import HEADINGS, Writer


def say(writer: Writer, text: str, closing: str = "p") -> None:
    writer.fragments.text(text, muted=False)
    writer.flush(closing)


def item(writer: Writer, text: str) -> None:
    writer.begin_item()
    say(writer, text, "li")
    writer.end("li")


@pytest.mark.parametrize(
    ("closing", "kind", "level", "text"),
    [
        ("", Kind.PROSE, 0, "a b c"),
        ("p", Kind.PROSE, 0, "a b c"),
        ("pre", Kind.CODE, 0, "```\na  b\nc\n```"),
        ("dt", Kind.TERM, 0, "a b c"),
        *((tag, Kind.HEADING, level, "a b c") for tag, level in HEADINGS.items()),
    ],
)
def test_the_tag_that_ends_says_what_it_was(closing: str, kind: Kind, level: int, text: str) -> None:
    writer = Writer()
    say(writer, "a  b\nc", closing)
    assert [(b.text, b.kind, b.level) for b in writer.blocks] == [(text, kind, level)]


@pytest.mark.parametrize("closing", ["", "p", "pre", "dt", "h1", "li"])
def test_nothing_is_made_of_nothing(closing: str) -> None:
    writer = Writer()
    writer.begin_list(1)
    say(writer, " \n ", closing)
    assert writer.blocks == []
    assert writer.outline.path == ()


def test_headings_stand_above_what_follows() -> None:
    writer = Writer()
    say(writer, "One", "h1")
    say(writer, "a")
    say(writer, "Two", "h2")
    say(writer, "b")
    assert [b.heading for b in writer.blocks if b.kind is Kind.PROSE] == [("One",), ("One", "Two")]


def test_a_first_heading_that_says_the_title_again_is_not_twice_in_the_path() -> None:
    writer = Writer()
    writer.outline.push(0, "Guide")
    say(writer, "Guide", "h1")
    say(writer, "a")
    say(writer, "Use", "h2")
    assert [b.heading for b in writer.blocks] == [("Guide",), ("Guide",), ("Guide", "Use")]


@pytest.mark.parametrize(("first", "marks"), [(0, ["- a", "- b"]), (1, ["1. a", "2. b"]), (9, ["9. a", "10. b"])])
def test_items_are_marked(first: int, marks: list[str]) -> None:
    writer = Writer()
    writer.begin_list(first)
    item(writer, "a")
    item(writer, "b")
    assert [b.text for b in writer.blocks] == marks
    assert {b.kind for b in writer.blocks} == {Kind.LIST}


def test_an_item_of_several_lines_and_paragraphs_is_indented_below_its_mark() -> None:
    writer = Writer()
    writer.begin_list(0)
    writer.begin_item()
    say(writer, "One.\nTwo.")
    say(writer, "three")
    assert [b.text for b in writer.blocks] == ["- One.\n  Two.", "  three"]


def test_lists_nest_and_numbering_goes_on_behind_an_inner_list() -> None:
    writer = Writer()
    writer.begin_list(1)
    item(writer, "a")
    writer.begin_list(0)
    item(writer, "inner")
    writer.end("ul")
    item(writer, "b")
    writer.end("ol")
    say(writer, "after")
    assert [(b.text, b.kind) for b in writer.blocks] == [
        ("1. a", Kind.LIST),
        ("  - inner", Kind.LIST),
        ("2. b", Kind.LIST),
        ("after", Kind.PROSE),
    ]


def test_a_term_stands_in_the_path_of_its_definition_alone() -> None:
    writer = Writer()
    say(writer, "Options", "h1")
    writer.begin_terms()
    for term in ("first", "second"):
        say(writer, term, "dt")
        say(writer, f"about {term}", "dd")
    writer.end("dl")
    say(writer, "after")
    assert [(b.text, b.heading) for b in writer.blocks[1:]] == [
        ("first", ("Options",)),
        ("about first", ("Options", "first")),
        ("second", ("Options",)),
        ("about second", ("Options", "second")),
        ("after", ("Options",)),
    ]


@pytest.mark.parametrize("tag", ["ul", "ol", "menu", "dl", "li", "div"])
def test_ends_without_a_beginning_and_items_without_a_list_are_harmless(tag: str) -> None:
    writer = Writer()
    writer.end(tag)
    writer.begin_item()
    writer.end(tag)
    say(writer, "a")
    assert [(b.text, b.kind) for b in writer.blocks] == [("a", Kind.PROSE)]


def test_lines_of_a_block_are_those_of_the_source() -> None:
    writer = Writer()
    writer.fragments.at(7)
    say(writer, "\nOne.\n\nTwo.")
    assert writer.blocks[0].lines == (8, 10)
    writer.emit([("x", 3), ("y", 4)], Kind.TABLE)
    writer.emit([], Kind.TABLE)
    assert [(b.text, b.lines) for b in writer.blocks[1:]] == [("x\ny", (3, 4))]
