"""What a model thinks aloud is no part of its answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.thinking import answered

TEXTS = st.lists(st.sampled_from(["<think>", "</think>", "<THINKING>", "`", "\n", "Hm. ", "It rains", " "])).map(
    "".join
)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>Maybe it rains.</think>It snows.", "It snows."),
        ("<think>\nMaybe.\n\nOr not.\n</think>\n\nIt snows.", "It snows."),
        ("<thinking>Hm.</thinking> It snows.", "It snows."),
        ("It snows.\n<think>Does it?</think>\nIt is cold.", "It snows. It is cold."),
        ("It snows. <think>Does it?", "It snows."),
        ("<think>Maybe it rains.", ""),
        ("<think>a <think> b</think>It snows.", "It snows."),
        ("It snows.</think>", "It snows.</think>"),
        ("The tag `<think>` begins a thought.", "The tag `<think>` begins a thought."),
        ("A <think> tag begins a thought.", "A <think> tag begins a thought."),
    ],
)
def test_thoughts_go(text: str, rest: str) -> None:
    assert " ".join(answered(text).split()) == rest


@given(TEXTS)
def test_what_is_left_stays_in_its_place(text: str) -> None:
    shown = answered(text)
    assert len(shown) == len(text)
    assert all(b in (a, "\n") for a, b in zip(text, shown, strict=True))


@pytest.mark.parametrize("unit", ["<think>", "</think>", " <think>\n", "<think></think>"])
def test_long_texts_end(unit: str) -> None:
    assert len(answered(unit * 20_000)) == len(unit) * 20_000
