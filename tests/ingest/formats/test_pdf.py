"""PDF: pages, bookmarks, running heads, hyphens, and every way in which a file can be broken."""

import io
import re
import warnings

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf.generic import DictionaryObject, NameObject

from gate.errors import SourceError
from ingest.base import Kind
from ingest.formats.page import PageRun, reading_order
from ingest.formats.pdf import read_pdf
from tests.support.steps import growth


def pdf(*pages: list[str], drawn: str = "") -> bytes:
    """A PDF with these lines on its pages, written by hand; or with pages that are `drawn` so."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(count))
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {count}>>"]
    objects.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for at, lines in enumerate(pages):
        stream = "BT /F1 12 Tf 72 720 Td " + " ".join(f"({line}) Tj 0 -14 Td" for line in lines) + " ET"
        stream = drawn or stream
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {5 + 2 * at} 0 R>>"
        )
        objects.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj{body}endobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF"
    return out + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


def placed(*pieces: tuple[float, float, str], turned: str = "") -> bytes:
    """A page with each of these texts at its place, in the order given."""
    drawn = "".join(f"BT /F1 10 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET " for x, y, text in pieces)
    return pdf([], drawn=f"{drawn} BT /F1 10 Tf 0 1 -1 0 30 100 Tm ({turned}) Tj ET")


def encrypted(password: str) -> bytes:
    writer = pypdf.PdfWriter(io.BytesIO(pdf(["Secret words."])))
    writer.encrypt(password, "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_lines_are_page_numbers() -> None:
    blocks = read_pdf(pdf(["First page.", "Second line."], ["Other page."]))
    assert [(block.text, block.lines) for block in blocks] == [
        ("First page.\nSecond line.", (1, 1)),
        ("Other page.", (2,)),
    ]


def test_a_file_with_more_text_than_a_text_may_have_is_refused() -> None:
    data = pdf(["One page of words."], ["Another page of words."])
    assert len(read_pdf(data, most=45)) == 2
    with pytest.raises(SourceError, match="too much text: more than 30 characters"):
        read_pdf(data, most=30)


def test_words_hyphenated_at_the_end_of_a_line_are_put_together() -> None:
    (block,) = read_pdf(pdf(["The infor-", "mation of the com-", "pany", "X-", "ray in 10-", "20 pages"]))
    assert block.text == "The information\nof the company\nX-\nray in 10-\n20 pages"


def test_heads_and_feet_that_run_through_are_dropped() -> None:
    pages = [
        ["The Manual", f"Body text number {at} is here.", f"Line {'abcd'[at]}", "more", f"page {at}"] for at in range(4)
    ]
    blocks = read_pdf(pdf(*pages))
    kept = " ".join(block.text for block in blocks)
    assert "Manual" not in kept
    assert "page" not in kept
    assert all(f"Line {letter}" in kept for letter in "abcd")


def test_sentences_that_differ_in_their_numbers_are_no_running_heads() -> None:
    pages = [[f"Part {number} holds up to {7 * number} units.", f"{number} / 9"] for number in range(9)]
    texts = [block.text for block in read_pdf(pdf(*pages))]
    assert texts == [f"Part {number} holds up to {7 * number} units." for number in range(9)]


def test_an_empty_password_opens_and_another_one_does_not() -> None:
    assert read_pdf(encrypted(""))[0].text == "Secret words."
    with pytest.raises(SourceError, match="is encrypted") as caught:
        read_pdf(encrypted("word"))
    assert "password" in caught.value.hint


def test_a_scan_has_no_text_layer() -> None:
    with pytest.raises(SourceError, match="no text layer") as caught:
        read_pdf(pdf([]))
    assert "OCR" in caught.value.hint


@pytest.mark.parametrize("cut", [9, 30, 200, 400])
def test_a_torn_file_is_named_or_read_and_nothing_is_printed(
    cut: int, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    data = pdf(["Some text."])[:cut]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SourceError, match=r"cannot be read as PDF|no text layer"):
            read_pdf(data)
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def bookmarked() -> pypdf.PdfWriter:
    pages = [["Front"], ["1.2 The Start.", "First text.", "More"], ["Second text."], ["- * -", "DEEPER", "Third text."]]
    writer = pypdf.PdfWriter(io.BytesIO(pdf(*pages)))
    start = writer.add_outline_item(title="The start", page_number=1)
    writer.add_outline_item(title="Deeper", page_number=3, parent=start)
    writer.add_outline_item(title="***", page_number=3, parent=start)
    return writer


def written(writer: pypdf.PdfWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_bookmarks_are_headings() -> None:
    blocks = read_pdf(written(bookmarked()))
    assert [(block.kind, block.text, block.heading) for block in blocks] == [
        (Kind.PROSE, "Front", ()),
        (Kind.HEADING, "1.2 The Start.", ("The start",)),
        (Kind.PROSE, "First text.\nMore", ("The start",)),
        (Kind.PROSE, "Second text.", ("The start",)),
        (Kind.LIST, "- * -", ("The start",)),
        (Kind.HEADING, "DEEPER", ("The start", "Deeper")),
        (Kind.PROSE, "Third text.", ("The start", "Deeper")),
    ]


def test_bookmarks_in_a_circle_cost_nothing_but_themselves() -> None:
    writer = bookmarked()
    items = [found for found in writer._objects if isinstance(found, DictionaryObject) and "/Title" in found]
    items[-1][NameObject("/Next")] = items[0].indirect_reference
    items[0][NameObject("/First")] = items[0].indirect_reference
    assert "Second text." in [block.text for block in read_pdf(written(writer))]


def test_a_loop_of_pages_ends() -> None:
    data = pdf(["x"]).replace(b"/Kids[4 0 R]", b"/Kids[2 0 R]")
    with pytest.raises(SourceError):
        read_pdf(data)


LEFT = [
    "The committee reviewed the report",
    "of the members in May. They pay",
    "40 euros each year. Guests of the",
    "club may attend it, but",
]
RIGHT = [
    "they may not vote there. The chair",
    "is elected for three years. The",
    "office is closed on Fridays, and",
    "on the day before a race.",
]


def columns(top: float, step: float = 12, shift: float = 0) -> list[tuple[float, float, str]]:
    """Two columns, drawn row by row, as some programs write them."""
    rows = [
        ((72, top - n * step, one), (262, top - n * step - shift, two))
        for n, (one, two) in enumerate(zip(LEFT, RIGHT, strict=True))
    ]
    return [piece for row in rows for piece in row]


def text_of(data: bytes) -> str:
    return "\n".join(block.text for block in read_pdf(data))


@pytest.mark.parametrize("shift", [0, 5])
def test_columns_are_read_one_after_the_other(shift: float) -> None:
    title = "The rules of the sailing club, which stand in two columns here, as they are in force now"
    data = placed(
        (72, 740, title), *columns(720, shift=shift), (72, 630, "Club rules 2024"), (400, 630, "Page 1"), turned="Draft"
    )
    assert text_of(data).split("\n") == [title, *LEFT, *RIGHT, "Club rules 2024 Page 1", "Draft"]


def test_a_table_among_columns_and_one_across_keep_their_rows() -> None:
    rows = [("Tariff", "Data", "Price"), ("Small", "2 GB", "7 euros"), ("Large", "", "25 euros")]
    across = [(72 + 90 * at, 650 - 14 * n, text) for n, row in enumerate(rows) for at, text in enumerate(row) if text]
    inner = [(x * 0.6 + 30, y - 130, text) for x, y, text in across]
    lines = text_of(placed(*columns(720), *across, *columns(560), *inner)).split("\n")
    table = [
        "| Tariff | Data | Price |",
        "| --- | --- | --- |",
        "| Small | 2 GB | 7 euros |",
        "| Large | | 25 euros |",
    ]
    assert lines == [*LEFT, *RIGHT, *table, *LEFT, *table, *RIGHT]


def test_rows_whose_first_one_names_no_columns_stay_lines() -> None:
    options = [("-b, --bench", "measure 3 times"), ("-s, --strict", "read 1 strictly"), ("-v", "tell the 2 versions")]
    pieces = [(72 + 150 * at, 700 - 14 * n, text) for n, row in enumerate(options) for at, text in enumerate(row)]
    assert text_of(placed(*pieces)).split("\n") == [" ".join(row) for row in options]


number = st.floats(0, 600, allow_nan=False)


@given(st.lists(st.builds(lambda x, y, w, h: (x, x + w, y, y + h), number, number, number, number), max_size=40))
def test_no_run_is_lost_wherever_it_stands(boxes: list[tuple[float, float, float, float]]) -> None:
    runs = [PageRun(f"w{at}", *box) for at, box in enumerate(boxes)]
    assert sorted(re.findall(r"w\d+", " ".join(reading_order(runs)))) == sorted(run.text for run in runs)


@pytest.mark.parametrize("across", [True, False])
def test_the_order_is_found_in_linear_time(across: bool) -> None:
    def work(size: int) -> None:
        places = ((at * 30, 0) if across else (at % 2 * 300, at * -6.0) for at in range(size))
        reading_order([PageRun("some words of text here", x, x + 20, y, y + 10) for x, y in places])

    assert growth(work, 300) < 3
