"""Fragments of a page: lines with the number of the source line where their first word stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats.html_text import Fragments
from tests.support.steps import growth


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
        (("a", "b"), [("ab", 1)]),
        (("\n\n  a\nb",), [("a b", 3)]),
        (("a\n", "\n", "b"), [("a b", 1)]),
        (
            ("One goes\non. Two", "\nis lo", "ng.\n\n", "Three."),
            [("One goes on.", 1), ("Two is long.", 2), ("Three.", 5)],
        ),
        (("word\n" * 100,), [("word", line) for line in range(1, 101)]),
        (("\u200ba\u00adb\ufeff",), [("ab", 1)]),
        (("a\u00a0b",), [("a b", 1)]),
    ],
)
def test_lines_of_prose(parts: tuple[str, ...], lines: list[tuple[str, int]]) -> None:
    assert fragments(*parts).take_lines() == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("if a:\n    b\n", [("if a:", 1), ("    b", 2)]),
        ("\n\na\n\n\n\nb  \n\n", [("a", 3), ("", 4), ("b", 7)]),
        ("a\u00a0=\u00a01", [("a = 1", 1)]),
        ("\n \n", []),
        ("", []),
    ],
)
def test_lines_of_code_keep_their_indent(text: str, lines: list[tuple[str, int]]) -> None:
    taken = fragments(text).take_code()
    assert [word for word, _ in taken] == [word for word, _ in lines]
    assert [(word, n) for word, n in taken if word] == [(word, n) for word, n in lines if word]


def test_one_line_of_all_and_where_it_begins() -> None:
    assert fragments("\n One\n\ntwo ", line=5).take_line() == ("One two", 6)
    assert fragments("\n\n", line=5).take_line() == ("", 7)


def test_what_was_taken_is_gone() -> None:
    made = fragments("a\nb")
    made.mark("\n")
    assert made.take_lines() == [("a b", 1)]
    assert made.take_lines() == made.take_code() == []
    made.text("c", muted=False)
    assert made.take_lines() == [("c", 2)]


def test_muted_text_is_stepped_over_and_none_is_nothing() -> None:
    made = fragments("a")
    made.text("script\n\n", muted=True)
    made.text(None, muted=False)
    made.text(" b", muted=False)
    assert made.take_lines() == [("a b", 1)]
    assert made.line == 3


def test_marks_stand_in_the_text_and_count_no_lines() -> None:
    made = fragments("x")
    made.mark("^")
    made.text("2", muted=False)
    made.mark("\n")
    assert made.line == 1
    made.text("y", muted=False)
    assert [text for text, _ in made.take_lines()] == ["x^2", "y"]


@pytest.mark.parametrize(("given_line", "stands"), [(9, 9), (None, 3), (0, 3), (65_534, 65_534), (65_535, 3)])
def test_the_parser_s_line_counts_while_it_can_count(given_line: int | None, stands: int) -> None:
    made = Fragments(3)
    made.at(given_line)
    assert made.line == stands


@pytest.mark.parametrize(("text", "ends"), [("a", True), ("4", True), ("a ", False), ("a.", False), ("", False)])
def test_whether_a_word_was_taken_last(text: str, ends: bool) -> None:
    assert fragments(text).ends_in_word is ends


@given(st.lists(st.text(st.sampled_from("ab \n\u200b"), max_size=12), max_size=8))
def test_words_are_kept_and_stand_on_their_lines(parts: list[str]) -> None:
    plain = "".join(parts).replace("\u200b", "")
    taken = fragments(*parts).take_lines()
    assert " ".join(text for text, _ in taken) == " ".join(plain.split())
    for text, number in taken:
        assert text.split()[0] in plain.split("\n")[number - 1].split()


def test_a_word_of_many_fragments_takes_no_longer_for_each() -> None:
    assert growth(lambda size: fragments(*["a"] * size, *["b. C\n"] * size).take_lines(), 300) < 3
