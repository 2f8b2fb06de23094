"""PDF: pages, bookmarks, running heads, hyphens, and every way in which a file can be broken."""

import io
import warnings

import pypdf
import pytest
from pypdf.generic import DictionaryObject, NameObject

from gate.errors import SourceError
from ingest.base import Kind
from ingest.formats.pdf import read_pdf


def pdf(*pages: list[str]) -> bytes:
    """A PDF with these lines on its pages, written by hand."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(count))
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {count}>>"]
    objects.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for at, lines in enumerate(pages):
        stream = "BT /F1 12 Tf 72 720 Td " + " ".join(f"({line}) Tj 0 -14 Td" for line in lines) + " ET"
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
