"""Encodings: what is declared is read, everything else gets a clear line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import SourceError
from ingest.formats.decode import decode, decode_html


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_are_honoured(encoding: str) -> None:
    assert decode("Größe: 5 µm\n日本".encode(encoding)) == "Größe: 5 µm\n日本"


def test_big_endian_utf_16_needs_its_mark() -> None:
    assert decode(b"\xfe\xff" + "Größe".encode("utf-16-be")) == "Größe"
    with pytest.raises(SourceError, match="NUL bytes"):
        decode("Größe".encode("utf-16-be"))


def test_latin_1_is_named_with_its_line_and_byte() -> None:
    with pytest.raises(SourceError, match=r"is not UTF-8: byte 0xe9 on line 3") as caught:
        decode("one\ntwo\ncafé".encode("latin-1"))
    assert "iconv" in caught.value.hint


def test_a_utf_16_mark_in_front_of_something_else_is_named() -> None:
    with pytest.raises(SourceError, match="is not UTF-16"):
        decode(b"\xff\xfe\x00\xd8\x00")


def test_binary_is_not_text() -> None:
    with pytest.raises(SourceError, match="NUL bytes"):
        decode(b"\x7fELF\x02\x01\x01\x00\x00")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_all_line_breaks_become_one_kind(ending: str) -> None:
    assert decode(ending.join(["a", "", "b"]).encode()) == "a\n\nb"


def test_endless_blanks_are_one_blank() -> None:
    assert decode(b"a" + b" " * 100_000 + b"b\n" + b" " * 20 + b"c") == "a b\n" + " " * 20 + "c"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('<meta charset="windows-1251">Да', "Да"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=KOI8-R">Да', "Да"),
        ("<?xml version='1.0' encoding = 'Shift_JIS'?>日本", "日本"),
        ("<meta charset=iso-8859-1>café", "café"),
    ],
)
def test_a_page_may_declare_its_encoding(page: str, text: str) -> None:
    codec = {"Да": "cp1251" if "1251" in page else "koi8-r", "日本": "shift_jis", "café": "latin-1"}[text]
    assert decode_html(page.encode(codec)).endswith(text)


@pytest.mark.parametrize(
    "head",
    [
        '<script src="a.js" charset="iso-8859-1"></script>',
        '<link href="/x?encoding=gzip"><meta charset="utf-8">',
        "<!-- charset=koi8-r -->",
        "<p>Send charset=ebcdic in the header.</p>",
    ],
)
def test_what_a_page_says_of_other_things_is_no_declaration(head: str) -> None:
    assert decode_html(f"{head}<p>café".encode()).endswith("café")


def test_a_page_in_another_encoding_than_declared_is_named() -> None:
    with pytest.raises(SourceError, match="is not UTF-8"):
        decode_html(b'<meta charset="utf-8">caf\xe9')


@pytest.mark.parametrize("name", ["punycode", "zip", "rot13", "idna", "unicode_escape", "x-user-defined"])
def test_codecs_that_no_page_needs_are_refused(name: str) -> None:
    with pytest.raises(SourceError, match="declares the encoding"):
        decode_html(f'<meta charset="{name}">text'.encode())


def test_a_mark_wins_over_a_declaration() -> None:
    assert decode_html('<meta charset="latin1">café'.encode("utf-8-sig")).endswith("café")


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_a_source_error(data: bytes) -> None:
    for read in (decode, decode_html):
        try:
            text = read(data)
        except SourceError:
            continue
        assert "\r" not in text
