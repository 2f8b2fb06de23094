"""Remote embeddings: unit rows in the order of the texts, whatever the batches."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import BadReplyError, SetupError, TransientError
from gate.providers.embedding import RemoteEmbedder
from gate.providers.retry import Patience
from tests.support.fake_models import FakeModels

TEXTS = [f"text number {number} " + "x" * number for number in range(23)]


class Vectors:
    name = "fake"
    model = "v"
    timeout = 5.0

    def __init__(self, *rows: Any) -> None:
        self.rows = rows
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Any:
        self.asked.append(list(texts))
        if self.rows and isinstance(self.rows[0], Exception):
            raise self.rows[0]
        return list(self.rows) or [[len(text), 1.0] for text in texts]


@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
def test_rows_are_units_in_the_order_of_the_texts(server: FakeModels, remote: Any, provider: str) -> None:
    model = remote(provider, "amazon.titan-embed-text-v2:0")
    rows = RemoteEmbedder(model, batch=4).embed(TEXTS)
    alone = np.concatenate([RemoteEmbedder(model).embed([text]) for text in TEXTS])
    assert rows.dtype == np.float32
    assert rows.shape == (23, 8)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(rows, alone, atol=1e-6)


def test_name_and_dimension_come_from_the_model(server: FakeModels, remote: Any) -> None:
    embedder = RemoteEmbedder(remote("ollama", "nomic"))
    assert (embedder.name, embedder.dimension, embedder.dimension) == ("ollama:nomic", 8, 8)
    assert len(server.sent) == 1
    assert embedder.embed([]).shape == (0, 8)


def test_a_dimension_that_the_model_does_not_have(server: FakeModels, remote: Any) -> None:
    with pytest.raises(SetupError, match="gives 8 dimensions, not 512"):
        RemoteEmbedder(remote("openai"), wanted=512).embed(["x"])
    assert server.sent[0][2]["dimensions"] == 512


@pytest.mark.parametrize(
    "rows", [["x"], [[]], [[1.0], [2.0, 3.0]], [[1.0, float("nan")]], [[0.0, 0.0]], [[1.0, 2.0]] * 2, [None], [1.0]]
)
def test_vectors_that_are_none(rows: Any) -> None:
    with pytest.raises(BadReplyError):
        RemoteEmbedder(Vectors(*rows), patience=Patience(attempts=1)).embed(["x"])


def test_what_passes_is_repeated_and_what_does_not_is_told() -> None:
    waits: list[float] = []
    model = Vectors(TransientError("busy", kind="throttled"))
    with pytest.raises(TransientError):
        RemoteEmbedder(model, patience=Patience(attempts=3, sleep=waits.append)).embed(["x"])
    assert (len(model.asked), len(waits)) == (3, 2)


def test_a_text_of_nothing_is_sent_as_something() -> None:
    model = Vectors()
    RemoteEmbedder(model).embed(["", " \n", "x"])
    assert model.asked == [[".", ".", "x"]]


@given(st.text(alphabet="ab \n", max_size=300), st.integers(5, 60))
def test_windows_hold_every_word_and_fit(text: str, width: int) -> None:
    pieces = RemoteEmbedder(Vectors(), window=width).windows(text)
    assert pieces
    assert all(len(piece) <= width for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
