"""Bytes to text, and plain lines: what is declared is read, and the blocks that lines are grouped into."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import SourceError
from ingest.base import Kind
from ingest.formats.lines import Builder, Fragments, decode, decode_html, kind_of, numbered
from tests.support.steps import growth


def built(text: str, indented: Kind = Kind.CODE) -> Builder:
    builder = Builder(indented=indented)
    for line in numbered(text):
        builder.add(line)
    builder.close()
    return builder


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Words.", Kind.PROSE),
        ("- item", Kind.LIST),
        ("    x = 1", Kind.CODE),
        ("| a | b |", Kind.TABLE),
        ("a | b\n--- | ---", Kind.TABLE),
        ("=== ===\na   b", Kind.TABLE),
        ("a\n-----", Kind.PROSE),  # a heading's underline is no ruler
    ],
)
def test_the_first_lines_tell_what_a_paragraph_is(text: str, kind: Kind) -> None:
    assert kind_of(numbered(text), Kind.CODE) is kind


@given(st.text(st.sampled_from("a-|= \n\t1."), max_size=120))
def test_every_line_with_words_stands_in_one_block_under_its_number(text: str) -> None:
    blocks = built(text).blocks
    placed = [(n, line) for b in blocks for n, line in zip(b.lines, b.text.split("\n"), strict=True)]
    assert placed == [(n, line) for n, line in numbered(text) if line.strip()]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_are_honoured(encoding: str) -> None:
    assert decode("Größe: 5 µm\n日本".encode(encoding)) == "Größe: 5 µm\n日本"


def test_latin_1_is_named_with_its_line_and_byte() -> None:
    with pytest.raises(SourceError, match=r"is not UTF-8: byte 0xe9 on line 3") as caught:
        decode("one\ntwo\ncafé".encode("latin-1"))
    assert "iconv" in caught.value.hint


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


@pytest.mark.parametrize("name", ["punycode", "zip", "rot13", "idna", "unicode_escape", "x-user-defined"])
def test_codecs_that_no_page_needs_are_refused(name: str) -> None:
    with pytest.raises(SourceError, match="declares the encoding"):
        decode_html(f'<meta charset="{name}">text'.encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_a_source_error(data: bytes) -> None:
    for read in (decode, decode_html):
        try:
            text = read(data)
        except SourceError:
            continue
        assert "\r" not in text


def fragments(*parts: str, line: int = 1) -> Fragments:
    made = Fragments(line)
    for part in parts:
        made.text(part, muted=False)
    return made


@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        ((), []),
        ((" \n ",), []),
        (("a  b\t c",), [("a b c", 1)]),
        (
            ("One goes\non. Two", "\nis lo", "ng.\n\n", "Three."),
            [("One goes on.", 1), ("Two is long.", 2), ("Three.", 5)],
        ),
        (("word\n" * 100,), [("word", line) for line in range(1, 101)]),
        (("\u200ba\u00adb\ufeff",), [("ab", 1)]),
    ],
)
def test_lines_of_prose(parts: tuple[str, ...], lines: list[tuple[str, int]]) -> None:
    assert fragments(*parts).take_lines() == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("if a:\n    b\n", [("if a:", 1), ("    b", 2)]),
        ("\n\na\n\n\n\nb  \n\n", [("a", 3), ("", 4), ("b", 7)]),
        ("\n \n", []),
        ("", []),
    ],
)
def test_lines_of_code_keep_their_indent(text: str, lines: list[tuple[str, int]]) -> None:
    taken = fragments(text).take_code()
    assert [word for word, _ in taken] == [word for word, _ in lines]
    assert [(word, n) for word, n in taken if word] == [(word, n) for word, n in lines if word]


@given(st.lists(st.text(st.sampled_from("ab \n\u200b"), max_size=12), max_size=8))
def test_words_are_kept_and_stand_on_their_lines(parts: list[str]) -> None:
    plain = "".join(parts).replace("\u200b", "")
    taken = fragments(*parts).take_lines()
    assert " ".join(text for text, _ in taken) == " ".join(plain.split())
    for text, number in taken:
        assert text.split()[0] in plain.split("\n")[number - 1].split()


def test_a_word_of_many_fragments_takes_no_longer_for_each() -> None:
    assert growth(lambda size: fragments(*["a"] * size, *["b. C\n"] * size).take_lines(), 300) < 3
