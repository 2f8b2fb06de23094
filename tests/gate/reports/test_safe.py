"""Strangers' text: every hidden character shows, and no place or address leads out of the repository."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.reports.safe import line, link_to, path_of, place, visible, workflow_safe

DRAWN = {*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD}
ALLOWED = {0x09, 0x0A, 0x200C, 0x200D, *DRAWN}


def test_every_control_and_format_character_is_shown():
    hidden = [
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in ALLOWED
    ]
    assert len(hidden) > 2000
    assert [hex(code) for code in hidden if chr(code) in visible(f"a{chr(code)}b")] == []


def test_ordinary_text_stays_as_it_is():
    text = "naïve – “quoted” 👩\u200d🚒 नि\u200dश् مرحبا\n\ttab"
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"), [("\x1b[31m", "␛[31m"), ("a\u202eb", "a⟨U+202E⟩b"), ("a\r\nb\rc", "a\nb␍c"), ("\x7f\x00", "␡␀")]
)
def test_how_hidden_characters_show(text, shown):
    assert visible(text) == shown


@given(st.text(), st.integers(1, 50))
def test_a_line_is_one_line_of_limited_length(text, limit):
    flat = line(text, limit)
    assert len(flat) <= limit
    assert len(flat.splitlines()) <= 1
    assert visible(flat) == flat


def test_places_for_people():
    assert place("docs/api.md", 12) == "docs/api.md:12"
    assert place("manual.PDF", 3) == "manual.PDF, page 3"
    assert place("docs/\x1bapi.md", 0) == "docs/␛api.md"


@pytest.mark.parametrize(
    "source",
    ["/etc/passwd", "../x.md", "a/../../x", "..\\x", "s3://b/k", "javascript:alert(1)", "C:\\x", ""],
)
def test_what_is_not_in_the_repository_has_no_path(source):
    assert path_of(source) is None
    assert link_to("https://host/o/r/blob/s", source, 3) is None


def test_links_to_lines():
    base = "https://host/o/r/blob/abc/"
    assert link_to(base, "./docs/a b.html", 7) == "https://host/o/r/blob/abc/docs/a%20b.html#L7"
    assert link_to(base, "docs\\a.md", 7) == "https://host/o/r/blob/abc/docs/a.md?plain=1#L7"
    assert link_to(base, "a.pdf", 7) == "https://host/o/r/blob/abc/a.pdf"
    assert link_to("", "a.md", 7) is None


@given(st.text())
def test_an_address_holds_nothing_but_what_an_address_may(source):
    address = link_to("https://host/r", source, 1)
    assert address is None or (address.startswith("https://host/r/") and address.isascii())
    assert address is None or not set(address) & set(" <>\"'()[]\\\n|`{}")


@pytest.mark.parametrize(
    "text", ["::error::x", "  ::warning file=a::x", "a\n\t::stop-commands::t", "\x1b[1m::error::x"]
)
def test_no_line_is_a_command_to_the_runner(text):
    assert not any(row.lstrip(" \t\x1b[1m").startswith("::") for row in workflow_safe(text).splitlines())
    assert "##[" not in workflow_safe("a ##[group]x")
