"""A sentence as tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.tokens import tokenise
from tests.support.sentences import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bake the pots.", [("bake", "word"), ("the", "word"), ("pots", "word"), (".", "mark")]),
        ("run `Kiln -H 9` (twice, slowly)",
         [("run", "word"), ("`kiln -h 9`", "code"), ("(twice, slowly)", "group")]),
        ('"Too hot, sir" [ask]', [('"too hot, sir"', "quote"), ("[ask]", "group")]),
        ("“Too hot”", [("“too hot”", "quote")]),
        ("It’s kiln.door/left", [("it's", "word"), ("kiln.door/left", "word")]),
        ("v1.2. $30", [("v1.2.", "word"), ("$30", "word")]),
        ("--hot -v", [("--hot", "word"), ("-v", "word")]),
        ("No. 4 of AT&T.", [("no.", "word"), ("4", "word"), ("of", "word"), ("at&t", "word"), (".", "mark")]),
        ("**Kiln:** the *potters' `oven`*",
         [("kiln", "word"), (":", "mark"), ("the", "word"), ("potters'", "word"), ("`oven`", "code")]),
        ("wait... 5 * 3", [("wait", "word"), (".", "mark"), ("5", "word"), ("*", "mark"), ("3", "word")]),
        ("( open", [("(", "mark"), ("open", "word")]),
        ("", []),
    ],
)  # fmt: skip
def test_tokens(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(token.text, token.kind) for token in tokenise(text, 0, len(text))] == expected


@given(TEXTS, st.integers(0, 5), st.integers(0, 200))
def test_tokens_stand_where_they_say(text: str, start: int, end: int) -> None:
    end = min(end, len(text))
    at = start
    for token in tokenise(text, start, end):
        assert at <= token.start < token.end <= max(end, start)
        shown = text[token.start : token.end].lower().replace("’", "'")
        assert token.text in shown
        assert not shown.replace(token.text, "").strip("*.:")
        at = token.end


@given(TEXTS)
def test_between_the_tokens_are_only_blanks(text: str) -> None:
    tokens = tokenise(text, 0, len(text))
    left = list(text)
    for token in tokens:
        left[token.start : token.end] = [" "] * (token.end - token.start)
    assert not "".join(left).strip()


@pytest.mark.parametrize("unit", ["(", "[", "`", '"', "“", "a.", "-/", "x ", "'", "((a)"])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (5_000 // len(unit))
    tokens = tokenise(text, 0, len(text))
    assert tokens
    assert tokens[-1].end <= len(text)


@pytest.mark.parametrize("mark", ["-", "/", ".", "$", "-/", "--."])
def test_a_run_of_marks_that_could_begin_a_word_is_read_once(mark: str) -> None:
    """A reader that is quadratic does not come back from this."""
    text = mark * 50_000 + "5"
    assert "".join(token.text for token in tokenise(text, 0, len(text))) == text
