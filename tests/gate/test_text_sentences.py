"""Sentences of prose and Markdown, and the blocks that they stand in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import blocks, code_spans, sentences, structure


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5.50 a day, e.g. for Dr. Smith vs. Mr. Jones.",
        "See https://a.b/c.html?x=1.2 for version 1.2.3.",
        "Use `a. B. C` now.",
        "Wait... then go on.",
        "J. Doe of the U.S. Army wrote approx. 3.5 pages.",
        "Version 2 came out on Jan. 5, 2024, and version 3 on Sept. 30.",
        "The shop is open Mon. 9 to 5, and Sat. 10 a.m. to 2 p.m.",
        "Bus Nr. 5 stops here.",
        "The file `x.y` and tool.py. are one.",
        "Mt. Everest is high.",
        "The pump (see page 4.) starts at noon.",
        "The nickname 'J. Doe' is hers.",
    ],
)
def test_a_full_stop_need_not_end_a_sentence(text: str) -> None:
    assert cut(text) == [text] or cut(text) == [text[: text.index(" are one")], "are one."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It ends. httpx begins.", ["It ends.", "httpx begins."]),
        ("You can't. Ask the crew.", ["You can't.", "Ask the crew."]),
        ("It won’t. Wait.", ["It won’t.", "Wait."]),
        ("We chose Plan B. The rest waits.", ["We chose Plan B.", "The rest waits."]),
        ('"Stop." He left!', ['"Stop."', "He left!"]),
        ("They lay in the sun. 10 came.", ["They lay in the sun.", "10 came."]),
        ("Is it? Yes! fine", ["Is it?", "Yes!", "fine"]),
        ("It closes at 5 p.m. The gate stays open.", ["It closes at 5 p.m.", "The gate stays open."]),
        ("你好。世界很大！是吗？", ["你好。", "世界很大！", "是吗？"]),
        ("Done. <!-- a note --> It goes on.", ["Done.", "<!-- a note -->", "It goes on."]),
    ],
)
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_markdown_by_kind() -> None:
    text = (
        "# Head\n\nOne long line of prose that was wrapped by hand at a margin of\nseventy characters. Two.\n\n"
        "- first\n  goes on\n  1. inner\n- [ ] task\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1\n\ny = 2\n```\n"
        "> said\n"
    )
    assert [
        (block.kind, block.level, " ".join(text[block.start : block.end].split())) for block in structure(text)
    ] == [
        ("heading", 0, "Head"),
        ("text", 0, "One long line of prose that was wrapped by hand at a margin of seventy characters. Two."),
        ("item", 0, "first goes on"),
        ("item", 2, "inner"),
        ("item", 0, "task"),
        ("row", 0, "| a | b |"),
        ("row", 0, "| 1 | 2 |"),
        ("code", 0, "x = 1"),
        ("code", 0, "y = 2"),
        ("text", 0, "said"),
    ]


def test_a_line_break_that_was_meant() -> None:
    assert cut("Name: x\nPlace: y") == ["Name: x", "Place: y"]


def test_a_fence_that_is_never_closed_hides_nothing() -> None:
    assert [block.kind for block in structure("```\nThe limit is 5.\n")] == ["text"]


def test_inline_code_pairs_runs_of_equal_length() -> None:
    text = "a `b` ``c`d`` ` e"
    assert [text[start:end] for start, end in code_spans(text)] == ["`b`", "``c`d``"]


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n-`*|#>~\"'(]é。"), max_size=120))
def test_spans_are_in_order_and_lose_no_letter(text: str) -> None:
    spans = sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
    inside = "".join(text[start:end] for start, end in spans)
    fences = sum(line.lstrip("> \t").startswith(("```", "~~~")) for line in text.splitlines())
    markers = sum(c in "aB1" for c in text) - sum(c in "aB1" for c in inside)
    assert markers == 0 or fences or any(c in "1aB" for line in text.splitlines() for c in line.strip(" >")[:3])
    assert blocks(text) == [(block.start, block.end) for block in structure(text)]


@pytest.mark.parametrize(
    "hostile", ["`", "a`", "[", "*a ", ".", "- ", "> ", "\n", "```\n~~~\n", "|", "A. ", "<!--", "1)"]
)
def test_hostile_repetition_comes_to_an_end(hostile: str) -> None:
    text = hostile * (40_000 // len(hostile))
    assert all(start < end for start, end in sentences(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We ship to the U.S. Delivery takes 3 days.", ["We ship to the U.S.", "Delivery takes 3 days."]),
        ("It ships to the U.S. It takes 3 days.", ["It ships to the U.S.", "It takes 3 days."]),
        ("It opens at 9 a.m. Doors close at 10 p.m. Tea is free.",
         ["It opens at 9 a.m.", "Doors close at 10 p.m.", "Tea is free."]),
        ("Otherwise no. Hamsters are allowed.", ["Otherwise no.", "Hamsters are allowed."]),
        ("Mice need annex F. Moths are in annex G. Rats are out.",
         ["Mice need annex F.", "Moths are in annex G.", "Rats are out."]),
        ("It is in zone B. Doe saw it.", ["It is in zone B.", "Doe saw it."]),
        ("It was seen by J. Doe in a zone.", None),
        ("Oats keep for 30 d. Rye is within 100 m. Bran lasts 5 h.",
         ["Oats keep for 30 d.", "Rye is within 100 m.", "Bran lasts 5 h."]),
        ("It is 3 m. long.", None),
        ("See no. 5 and No. B12.", None),
        ("At 5 p.m. Eastern time it closes.", None),
        ("It is open until 5 p.m. Monday to Friday.", None),
        ("It is open from 9 a.m. to 5 p.m. (Mon to Fri).", None),
        ("It went to the U.S. Senate in May.", None),
        ("The U.S. Army is there.", None),
    ],
)  # fmt: skip
def test_an_abbreviation_may_end_a_sentence(text: str, expected: list[str] | None) -> None:
    assert [text[a:b] for a, b in sentences(text)] == (expected or [text])


def test_bars_in_a_line_of_prose_join_no_sentences() -> None:
    for text in ("Run `a | b | c`. It waits.", "Take red | green | blue. Each is new."):
        assert len(sentences(text)) == 2
    assert len(sentences("a | One. Two. | b\nc | Three. Four. | d")) == 2


def test_a_row_and_an_option_of_a_program_are_one() -> None:
    text = "| a | One. Two. |\n\n```\n--add <A B>...\n        Adds it. Twice.\nOne. Two.\n```"
    assert [text[start:end] for start, end in sentences(text)] == [
        "| a | One. Two. |", "--add <A B>...\n        Adds it. Twice.", "One.", "Two.",
    ]  # fmt: skip
