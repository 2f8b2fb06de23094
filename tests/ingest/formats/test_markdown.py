"""Markdown: verbatim lines with their numbers, without what is no text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.blocks import Block, Kind
from ingest.formats.markdown import plain, read_markdown


def read(text: str) -> list[Block]:
    return read_markdown(text.encode())


def texts(text: str) -> list[str]:
    return [block.text for block in read(text)]


def test_lines_stay_as_they_stand_and_know_where() -> None:
    blocks = read("# Title\n\nUse `a.b()` or [this](x.md),\nand **that**.\n\n\n* one\n* two\n")
    assert [(block.kind, block.text, block.lines) for block in blocks] == [
        (Kind.HEADING, "# Title", (1,)),
        (Kind.PROSE, "Use `a.b()` or [this](x.md),\nand **that**.", (3, 4)),
        (Kind.LIST, "* one\n* two", (7, 8)),
    ]


def test_headings_of_both_kinds_make_a_path() -> None:
    blocks = read("Top\n===\n\n## The `get` [call](x)\n\ntext\n\nPart\n----\nmore\n### Deep {#id}\nend")
    assert [block.heading for block in blocks if block.kind is Kind.PROSE] == [
        ("Top", "The get call"),
        ("Top", "Part"),
    ] + [("Top", "Part", "Deep")]


def test_code_is_one_block_and_nothing_in_it_is_markup() -> None:
    code = "```python\n# not a heading\n\n<!-- kept -->\n---\n```"
    blocks = read(f"Look:\n\n{code}\n\nafter")
    assert [block.text for block in blocks] == ["Look:", code, "after"]
    assert blocks[1].kind is Kind.CODE
    assert blocks[1].lines == (3, 4, 5, 6, 7, 8)
    assert blocks[2].heading == ()


def test_a_longer_fence_holds_a_shorter_one() -> None:
    code = "````md\n```\nx\n```\n````"
    assert texts(f"{code}\nafter") == [code, "after"]


def test_an_unclosed_fence_loses_nothing() -> None:
    assert texts("~~~\na\n\n\n\nb") == ["~~~\na\n\nb"]


def test_a_fence_in_a_list_item() -> None:
    assert texts("1. do\n\n   ```sh\n   ls\n   ```\n2. done") == ["1. do", "   ```sh\n   ls\n   ```", "2. done"]


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_front_matter_is_dropped(mark: str) -> None:
    sign = ":" if mark == "---" else " ="
    blocks = read(f"{mark}\ntitle{sign} x\ntags{sign} [a]\n{mark}\n\nText.")
    assert [(block.text, block.lines) for block in blocks] == [("Text.", (6,))]


@pytest.mark.parametrize("text", ["---\n\nA rule is not metadata.\n\n---\nText.", "---\ntitle: never closed\n"])
def test_what_only_looks_like_front_matter_is_text(text: str) -> None:
    kept = "\n".join(texts(text))
    assert "A rule is not metadata." in kept or "never closed" in kept


def test_comments_are_dropped_and_what_stands_around_them_is_not() -> None:
    text = "a <!-- x --> b <!-- y -->c\n\n<!-- one\n\n```\ntwo -->rest <!-- z -->\n\nlast"
    assert texts(text) == ["a  b c", "rest", "last"]


def test_a_comment_that_never_ends_and_one_in_code_marks_are_text() -> None:
    assert texts("and `<!-- x -->` too\n\n<!-- open\n\nstill text") == [
        "and `<!-- x -->` too",
        "<!-- open",
        "still text",
    ]


def test_badges_images_targets_rules_and_bare_tags_are_dropped() -> None:
    noise = [
        "[![build](https://x.y/b.svg)](https://x.y) ![ok](a_(1).png)",
        "![screenshot](a.png)",
        '<p align="center">',
        "  <img src=\"a.png\" alt='x'> <br/> <br />",
        "</p>",
        "(install-guide)=",
        "***",
    ]
    assert texts("\n".join(["before", "", *noise, "", "after"])) == ["before", "after"]


def test_an_address_in_angle_brackets_and_a_placeholder_are_text() -> None:
    assert texts("<https://example.org>\n\n<name>\n\n<b>bold</b>") == ["<https://example.org>", "<name>", "<b>bold</b>"]


def test_tables_and_indented_code() -> None:
    blocks = read("a | b\n--|--\n1 | 2\n\n    code\n\n| x |\n\n- item\n\n    still the item")
    assert [block.kind for block in blocks] == [Kind.TABLE, Kind.CODE, Kind.TABLE, Kind.LIST, Kind.LIST]


def test_a_table_in_html_has_its_header_and_lines() -> None:
    text = "a\n<table>\n<tr><th>Plan</th>\n<th>Price</th></tr>\n<tr><td>Pro</td><td>`9`</td></tr>\n</table>\nb"
    blocks = read(text)
    assert [(block.kind, block.text, block.lines) for block in blocks] == [
        (Kind.PROSE, "a", (1,)),
        (Kind.TABLE, "| Plan | Price |\n| --- | --- |\n| Pro | `9` |", (3, 3, 5)),
        (Kind.PROSE, "b", (7,)),
    ]
    images = '<table>\n<tr><td><img src="a.png"></td></tr>\n</table>'
    assert texts(images + "\n\nb")[-1] == "b"


def test_dashes_under_a_list_or_a_quote_are_no_heading() -> None:
    assert [block.kind for block in read("- item\n---\n\n> quote\n---\n")] == [Kind.LIST, Kind.PROSE]


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("`Client(a_b)` ##", "Client(a_b)"),
        ("_One_ and __two__", "One and two"),
        ("![logo](x.png) Name", "logo Name"),
        ("a <br> b", "a  b"),
        ("C#", "C#"),
        ("##", ""),
        ("Use {#use}", "Use"),
    ],
)
def test_the_title_of_a_heading_has_no_markup(markup: str, title: str) -> None:
    assert plain(markup) == title


HOSTILE = [
    "::: a ",
    "!!! a ",
    "{% ",
    "<A ",
    "```{a} ",
    "<!-- ",
    "<!-- a",
    "![",
    "[![",
    "<br />",
    "<p ",
    "```\n",
    "- " * 3,
    "# ",
    "* * ",
    "--> <!--",
    "> ",
    "|",
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("end", ["", "\n"])
def test_repeated_markup_is_read_to_its_end(piece: str, end: str) -> None:
    """A reader that is quadratic or backtracks does not come back from this."""
    assert texts((piece + end) * (50_000 // len(piece)) + "\nlast words")[-1].endswith("last words")


@given(st.text(alphabet=st.sampled_from("ab #-=*`~<>!-[]()|:\n \t"), max_size=200))
def test_every_line_kept_stands_in_the_source(text: str) -> None:
    source = text.split("\n")
    for block in read(text):
        for line, number in zip(block.text.split("\n"), block.lines, strict=True):
            kept = source[number - 1]
            assert line == kept.rstrip() or "<!--" in kept or "-->" in kept or (":::" in kept and line in kept)


@given(st.lists(st.sampled_from(["word", "# head", "- item", "```", "    code", "", "a | b", "> q"]), max_size=30))
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert " ".join(texts(text)).split() == text.split()
