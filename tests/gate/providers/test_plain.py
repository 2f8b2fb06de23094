"""Words of strangers in one line of an error message."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.providers.plain import excerpt


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Model not found", "Model not found"),
        ("  two\n\nlines\tand  blanks ", "two lines and blanks"),
        ("\x1b[31mred\x1b[0m alert", "[31mred [0m alert"),
        ("a\x9b2Jb", "a 2Jb"),
        ("abc\u202etxt.exe", "abc txt.exe"),
        ("pass\u200bword", "pass word"),
        ("half \ud83d pair", "half pair"),
        ("::error::x\r\n::set-output name=a::b", "::error::x ::set-output name=a::b"),
        ("Überlast – später", "Überlast – später"),
    ],
)
def test_one_safe_line(text: str, expected: str) -> None:
    assert excerpt(text) == expected


@pytest.mark.parametrize(
    ("limit", "expected"), [(10, "abcdefghij"), (9, "abcdef..."), (4, "a..."), (300, "abcdefghij")]
)
def test_the_limit(limit: int, expected: str) -> None:
    assert excerpt("abcdefghij", limit) == expected


@pytest.mark.parametrize(
    ("text", "secrets", "expected"),
    [
        ("bad key sk-oak-77", ("sk-oak-77",), "bad key ***"),
        ("a:elm b:ash a:elm", ("a:elm", "b:ash"), "*** *** ***"),
        ("nothing to hide", ("", "birch"), "nothing to hide"),
        ("two\nparts", ("two\nparts",), "***"),
    ],
)
def test_secrets_are_blotted_out(text: str, secrets: tuple[str, ...], expected: str) -> None:
    assert excerpt(text, secrets=secrets) == expected


@given(st.integers(0, 60), st.integers(5, 40))
def test_a_secret_at_the_limit_does_not_show_its_beginning(before: int, limit: int) -> None:
    assert "hazel" not in excerpt("x" * before + "hazel-and-maple" + "y" * 50, limit, ("hazel-and-maple",))


@given(st.text(st.characters(), max_size=400), st.integers(3, 100))
def test_any_text_becomes_one_line_within_the_limit(text: str, limit: int) -> None:
    shown = excerpt(text, limit)
    assert len(shown) <= limit
    assert shown == shown.strip()
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not set(shown) & set("\u200b\u200e\u202a\u202e\u2066\u2069\ufeff")
    shown.encode()
