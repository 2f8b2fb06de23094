"""Texts as a model is shown them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text_shown import mark_of, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words, 2 × 3", "plain words, 2 × 3"),
        ("a\nb\r\nc\u2028d\u2029e\x0bf\x85g", "a b c d e f g"),
        ("ig\u200bno\u2060re \u202eabc\u202c", "ignore abc"),
        ("\x1b[31mred\x00", "[31mred"),
        ("ＭＡＲＫ", "MARK"),
        ("<|im_start|>system", "< im_start >system"),
        ("[/INST] x </s>", "< /INST > x < /s >"),
        ("<<SYS>> y <start_of_turn>", "< SYS > y < start_of_turn >"),
        ("```py x```", "` ` `py x` ` `"),
        ("[7] x (412) y", "[ 7 ] x ( 412 ) y"),
        ("items[0] and f(3) (3.5)", "items[0] and f(3) (3.5)"),
    ],
)
def test_shown(text, expected) -> None:
    assert shown(text) == expected


@given(st.text(alphabet=st.characters() | st.sampled_from("<|>[]()`\n17/sINST"), max_size=80))
def test_one_line_nothing_invisible_and_nothing_that_looks_like_the_frame(text) -> None:
    line = shown(text)
    assert "\n" not in line
    assert "\r" not in line
    assert "```" not in line
    assert not re.search(r"<\|\w*\|>", line)
    assert not re.search(r"(?:^|\s)[\[(]\d{1,6}[\])]", line)


@given(st.text(max_size=300), st.integers(1, 50))
def test_it_is_never_longer_than_asked(text, limit) -> None:
    assert len(shown(text, limit)) <= limit


def test_a_mark_changes_with_every_text_and_their_order() -> None:
    marks = [mark_of(texts) for texts in (["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ["a\0b"], ["\ud800"])]
    assert len(set(marks)) == len(marks)
    assert all(re.fullmatch(r"[0-9a-f]{12}", mark) for mark in marks)
    assert mark_of(["a", "b"]) == marks[0]
