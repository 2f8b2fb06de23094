"""Vectors as replies: nothing is lost on the way, and what is no vector is told."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gate.providers.vectors import Embedded, Embedding, asking, packed, token_count, unpacked
from gate.records import Usage

NUMBERS = st.floats(width=32, allow_nan=False)


class Two:
    name, model, timeout, identity = "fake", "v", 5.0, "here"

    def __init__(self, tokens: int | None) -> None:
        self.tokens = tokens

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Embedded:
        return Embedded([[3.0, 4.0] for _ in texts], self.tokens)

    def close(self) -> None:
        pass


@given(arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=NUMBERS))
def test_what_is_packed_comes_back(rows: np.ndarray) -> None:
    np.testing.assert_array_equal(unpacked(packed(rows), len(rows)), rows)


@given(st.text(max_size=20), st.integers(1, 5))
def test_any_other_text_holds_no_rows_or_whole_ones(text: str, number: int) -> None:
    rows = unpacked(text, number)
    assert rows is None or (len(rows) == number and rows.shape[1] > 0)


@pytest.mark.parametrize("text", ["", "x", "====", "AAAA", "AAAAAAAA"])
def test_texts_that_are_no_rows(text: str) -> None:
    assert unpacked(text, 3) is None


@pytest.mark.parametrize(("tokens", "usage"), [(9, Usage(9)), (0, Usage(0)), (None, Usage(10, estimated=True))])
def test_tokens_are_those_told_or_else_an_estimate(tokens: int | None, usage: Usage) -> None:
    reply = Embedding(Two(tokens)).complete(asking(["one", "two"]))
    assert reply.usage == usage
    np.testing.assert_allclose(unpacked(reply.text, 2), [[0.6, 0.8]] * 2, rtol=1e-6)


@pytest.mark.parametrize(("told", "count"), [(3, 3), (0, 0), (-1, None), (None, None), ("3", None), (2.5, None)])
def test_a_count_of_tokens_is_a_whole_number(told: object, count: int | None) -> None:
    assert token_count(told) == count
