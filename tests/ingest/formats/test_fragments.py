"""Fragments of a page: lines with the number of the source line where their first word stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats.fragments import Fragments
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
