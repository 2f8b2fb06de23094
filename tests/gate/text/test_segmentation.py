"""Sentences of prose and Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5.50 a day, e.g. for Dr. Smith vs. Mr. Jones.",
        "See https://a.b/c.html?x=1.2 for version 1.2.3, or `a. B. C`.",
        "J. Doe of the U.S. Army wrote approx. 3.5 pages in zone C.",
        "Version 2 came out on Jan. 5, 2024, and version 3 on Sept. 30.",
        "The shop is open Mon. 9 to 5, and Sat. 10 a.m. to 2 p.m.",
        "The pump (see page 4.) starts at noon.",
        "It is open until 5 p.m. Monday to Friday.",
        "It is open from 9 a.m. to 5 p.m. (Mon to Fri).",
    ],
)
def test_a_full_stop_need_not_end_a_sentence(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You can't. It won’t. Ask.", ["You can't.", "It won’t.", "Ask."]),
        ('"Stop." He left!', ['"Stop."', "He left!"]),
        ("Is it? Yes! fine", ["Is it?", "Yes!", "fine"]),
        ("你好。世界很大！是吗？", ["你好。", "世界很大！", "是吗？"]),
        ("Done. <!-- a note --> It goes on.", ["Done.", "<!-- a note -->", "It goes on."]),
        ("It opens at 9 a.m. Doors close at 10 p.m. Tea is free.",
         ["It opens at 9 a.m.", "Doors close at 10 p.m.", "Tea is free."]),
        ("Oats keep for 30 d. Rye is within 100 m. Bran lasts 5 h.",
         ["Oats keep for 30 d.", "Rye is within 100 m.", "Bran lasts 5 h."]),
        ("Name: x\nPlace: y", ["Name: x", "Place: y"]),
        ("Take red | green | blue. Each is new.", ["Take red | green | blue.", "Each is new."]),
    ],
)  # fmt: skip
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_a_row_and_an_option_of_a_program_are_one() -> None:
    text = "| a | One. Two. |\n\n```\n--add <A B>...\n        Adds it. Twice.\nOne. Two.\n```"
    assert cut(text) == ["| a | One. Two. |", "--add <A B>...\n        Adds it. Twice.", "One.", "Two."]


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n-`*|#>~\"'(]é。"), max_size=120))
def test_spans_are_in_order_and_lose_no_letter(text: str) -> None:
    spans = sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
    inside = "".join(text[start:end] for start, end in spans)
    fences = sum(line.lstrip("> \t").startswith(("```", "~~~")) for line in text.splitlines())
    markers = sum(c in "aB1" for c in text) - sum(c in "aB1" for c in inside)
    assert markers == 0 or fences or any(c in "1aB" for line in text.splitlines() for c in line.strip(" >")[:3])


@pytest.mark.parametrize(
    "hostile", ["`", "a`", "[", "*a ", ".", "- ", "> ", "\n", "```\n~~~\n", "|", "A. ", "<!--", "1)"]
)
def test_hostile_repetition_comes_to_an_end(hostile: str) -> None:
    text = hostile * (40_000 // len(hostile))
    assert all(start < end for start, end in sentences(text))
