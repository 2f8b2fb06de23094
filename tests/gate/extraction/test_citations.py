"""What an answer quotes from a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.citations import cited


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in cited(text, 0, len(text))]


@pytest.mark.parametrize(
    "lead",
    [
        "The docs say: ",
        "The handbook states that ",
        "According to the mill's handbook, ",
        "As the lease says, ",
        "Section 4 clearly reads: ",
        "From the policy: ",
        "- In the terms: ",
    ],
)
def test_each_sentence_that_is_quoted(lead: str) -> None:
    assert parts(f'{lead}"The mill rests. It is cold."') == ["The mill rests.", "It is cold."]
    assert parts(f"{lead}“The mill rests. It is cold.”.") == ["The mill rests.", "It is cold."]


@pytest.mark.parametrize(
    "text",
    [
        'The docs say: "The mill rests."',
        'The miller said: "The mill rests. It is cold."',
        'The error reads "The mill rests. It is cold."',
        'The docs say "The mill rests. It is cold." and mean the wheel.',
        'According to the handbook, the mill rests. "It is cold."',
        "The docs say that the mill rests.",
        "",
    ],
)
def test_what_stays_whole(text: str) -> None:
    assert parts(text) == [text]


@given(
    st.lists(st.sampled_from(["the docs say", "According to the page,", '"', "“", "”", "Rye is dry.", "It", ".", ":"]))
)
def test_spans_are_in_order_and_inside(words: list[str]) -> None:
    text = " ".join(words)
    spans = cited(text, 0, len(text))
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
