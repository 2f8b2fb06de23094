"""Bookmarks of a PDF: the page that each leads to, its level, and what it shares with the heading on the page."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from ingest.blocks import HEADING_CHARS
from ingest.formats.pdf_outline import key_of, titles_of


def written(writer: PdfWriter) -> PdfReader:
    data = BytesIO()
    writer.write(data)
    return PdfReader(data)


@pytest.fixture
def writer() -> PdfWriter:
    writer = PdfWriter()
    for _ in range(3):
        writer.add_blank_page(72, 72)
    return writer


def test_bookmarks_by_page_and_level(writer: PdfWriter) -> None:
    guide = writer.add_outline_item(title="Guide", page_number=0)
    use = writer.add_outline_item(title="Use", page_number=1, parent=guide)
    writer.add_outline_item(title="Deep", page_number=1, parent=use)
    writer.add_outline_item(title="End", page_number=2)
    assert titles_of(written(writer)) == {1: [(1, "Guide")], 2: [(2, "Use"), (3, "Deep")], 3: [(1, "End")]}


def test_no_bookmarks_no_titles(writer: PdfWriter) -> None:
    assert titles_of(written(writer)) == {}


def test_titles_are_one_short_line(writer: PdfWriter) -> None:
    writer.add_outline_item(title="A\n  title " + "x" * 500, page_number=0)
    (level, title), *rest = titles_of(written(writer))[1]
    assert (level, rest) == (1, [])
    assert title.startswith("A title x")
    assert len(title) == HEADING_CHARS


class Damaged:
    """A reader whose outline cannot be read."""

    @property
    def outline(self) -> list[object]:
        raise ValueError("a loop")


def test_damaged_bookmarks_are_none() -> None:
    assert titles_of(Damaged()) == {}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Installing", "installing"),
        ("1 Installing", "installing"),
        ("1.2.3 Installing", "installing"),
        ("Chapter 4. Installing it", "installingit"),
        ("APPENDIX A. Tables", "tables"),
        ("A.1: Tables", "tables"),
        ("re-try & time-outs!", "retrytimeouts"),
        ("Größe", "größe"),
        ("", ""),
        ("3.1", "31"),  # nothing but a number is its own key
    ],
)
def test_keys_of_headings(line: str, key: str) -> None:
    assert key_of(line) == key


@given(st.text(st.characters(categories=["L"]), min_size=3, max_size=20).map(str.lower), st.integers(1, 99))
def test_numbering_and_case_make_no_difference(word: str, number: int) -> None:
    assert key_of(f"{number}.{number} {word}") == key_of(word)


@given(st.text(max_size=600))
def test_a_key_has_only_letters_and_digits(line: str) -> None:
    assert all(char.isalnum() for char in key_of(line)) or not key_of(line)
