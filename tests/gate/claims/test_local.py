"""What holds for the claims of any answer, and the layout that they come from."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.claims.local import MAX_CLAIMS, WEIGHTS, chance, extract
from tests.support.steps import growth

PIECES = st.sampled_from(
    [
        "\n", "\n\n", "- ", "  - ", "1. ", "```\n", "| a | b |\n", "|---|---|\n", "<li>", "</li>", "<table><tr><td>",
        "~~", "</td></tr></table>", "# ", "> ", "**", "`", '{"a": "', '"}', "<think>", "</think>", "[INST]",
        "<|im_end|>", "; ", "<!--", "-->", "The mill opens at nine, and it closes at five", "Rye rises.", "We sell:",
        "麦は高い。", " ", "\\n",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200)


@given(TEXTS, st.sampled_from(["", "What is it?"]))
@settings(max_examples=300, deadline=None)
def test_claims_are_verbatim_ordered_and_in_their_context(answer: str, question: str) -> None:
    found = extract(answer, question)
    assert all(claim.text == answer[claim.start : claim.end] and claim.text.strip() for claim in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    for claim in found:
        first, *others = claim.context.split("\n")
        assert first == question
        assert len(others) <= 3
        assert all(0 < len(line) <= 200 for line in others)
        assert claim.header in answer


@given(
    st.lists(
        st.sampled_from(["mill", "opens", "nine", "and", "but", ",", ";", "it", "closes", "(", ")", "`"]), min_size=1
    )
)
@settings(max_examples=200, deadline=None)
def test_no_word_of_a_stated_sentence_is_lost(words: list[str]) -> None:
    answer = f"The mill costs 5 euros {' '.join(words)} and it was built in 1921."
    said = {word for claim in extract(answer, "What is known?") for word in re.findall(r"\w+", claim.text)}
    assert said == set(re.findall(r"\w+", answer))


@pytest.mark.parametrize(
    "piece",
    ["<think>", "[INST]", "<li>", "| a | b |\n", "- a\n", "```\n", '{"a":', "~~", "<!--", "a; ", "`",
     "The mill is red. ", "<tr>", "Thought: ", ", and it is", "</think>", "\n\n> ", "<|", "# a\n", "[", "((("],
)  # fmt: skip
def test_the_work_grows_with_the_text(piece: str) -> None:
    assert growth(lambda n: extract(piece * n, "Why?"), 400) < 3


def test_what_is_beyond_the_most_claims_is_joined() -> None:
    answer = "\n".join(f"- Room {n} costs {n} euros a night." for n in range(2 * MAX_CLAIMS))
    found = extract(answer, "What do the rooms cost?")
    assert len(found) < MAX_CLAIMS + 100
    assert all(f"Room {n} " in "".join(claim.text for claim in found) for n in range(2 * MAX_CLAIMS))


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("No.", "Is breakfast included?", [("No.", "Is breakfast included?", "")]),
        ("30 days", "How long is the trial?", [("30 days", "How long is the trial?", "")]),
        ("Sure! Pets are welcome", "Are pets allowed?", [("Pets are welcome", "Are pets allowed?\nSure!", "")]),
        (
            "You need:\n- papers:\n  - a passport\n- two photos",
            "What do I need?",
            [
                ("a passport", "What do I need?\npapers:\nYou need:", ""),
                ("two photos", "What do I need?\nYou need:\npapers:\na passport", ""),
            ],
        ),
        (
            "<p>You need:</p><ul><li>a passport</li></ul>",
            "What do I need?",
            [("a passport", "What do I need?\nYou need:", "")],
        ),
        (
            "| Plan | Price |\n| --- | --- |\n| Team | 8 |",
            "Prices?",
            [("| Team | 8 |", "Prices?", "| Plan | Price |")],
        ),
        ('{"refund_days": 30, "confidence": 0.9}', "How long?", [("30", "How long?\nrefund_days:", "")]),
        ("```\nflux start\n```", "How do I start it?", [("flux start", "How do I start it?", "")]),
        ("~~It costs 9 euros.~~ It costs 12 euros.", "Price?", [("It costs 12 euros.", "Price?", "")]),
        ("<think>Maybe 9 euros.</think>It costs 12 euros.", "Price?", [("It costs 12 euros.", "Price?", "")]),
        ("I couldn't find that in the documents.", "Price?", []),
        ("Hello! How can I help you today?", "Hi", []),
    ],
)
def test_claims_with_their_context_and_header(answer: str, question: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(claim.text, claim.context, claim.header) for claim in extract(answer, question)] == expected


def test_a_long_sentence_comes_in_clauses_and_a_short_one_whole() -> None:
    long = "The small plan costs 10 euros a month and has five seats, but the large plan costs 20 euros; both can "
    long += "be ended every month."
    assert [claim.text for claim in extract(long)] == [
        "The small plan costs 10 euros a month and has five seats",
        "but the large plan costs 20 euros",
        "both can be ended every month.",
    ]
    assert len(extract("It is open, but it is cold.")) == 1


def test_a_code_block_is_a_claim_where_nothing_else_is_or_a_line_waits_for_it() -> None:
    example = "The pump needs Python 3.\n\n```\nimport pump\npump.a()\npump.b()\npump.c()\n```"
    assert [claim.text for claim in extract(example)] == ["The pump needs Python 3."]
    assert "pip install pump" in [
        claim.text for claim in extract("Install it with:\n```\npip install pump\n```\nIt is free.")
    ]


def test_the_weights_are_small_and_tell_a_greeting_from_a_fact() -> None:
    assert WEIGHTS.stat().st_size < 100_000
    assert chance("Hello! How can I help you?", "Hi") > 0.9
    assert chance("Refunds take 5 days.", "How long do refunds take?") < 0.1
