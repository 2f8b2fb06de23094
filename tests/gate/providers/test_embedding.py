"""Remote embeddings: unit rows in the order of the texts, whatever the batches; in a run, bound by its limits."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gate.config import Limits, Price, ServerSettings
from gate.errors import BadReplyError, LimitError, SetupError, StoreError
from gate.providers.base import Embedded
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain, Patience
from gate.providers.connect import connect_embedder
from gate.providers.embedding import (
    CachedEmbedder,
    RemoteEmbedder,
    pack,
    unpack,
)
from tests.support.fake_models import FakeModels

TEXTS = [f"text number {number} " + "x" * number for number in range(23)]


class Vectors:
    name = "fake"
    model = "v"
    timeout = 5.0
    identity = "here"

    def __init__(self, *rows: Any) -> None:
        self.rows = rows
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Any:
        self.asked.append(list(texts))
        if self.rows and isinstance(self.rows[0], Exception):
            raise self.rows[0]
        return Embedded(list(self.rows) or [[len(text), 1.0] for text in texts], 7)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
def test_rows_are_units_in_the_order_of_the_texts(server: FakeModels, remote: Any, provider: str) -> None:
    model = remote(provider, "amazon.titan-embed-text-v2:0")
    rows = RemoteEmbedder(model, batch=4).embed(TEXTS)
    alone = np.concatenate([RemoteEmbedder(model).embed([text]) for text in TEXTS])
    assert rows.dtype == np.float32
    assert rows.shape == (23, 8)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(rows, alone, atol=1e-6)


class Small(Vectors):
    """Takes at most so many texts at once, and none with a word that it does not like."""

    most, bad = 6, "?"

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Any:
        found = super().embed(texts, dimension)
        if len(texts) > self.most or any(self.bad in text for text in texts):
            raise BadReplyError(f"batch size {len(texts)} > maximum allowed batch size", "", "rejected")
        return found


def test_a_server_that_takes_fewer_texts_at_once_is_given_fewer() -> None:
    small = Small()
    embedder = RemoteEmbedder(small, batch=16, concurrency=1)
    np.testing.assert_array_equal(embedder.embed(TEXTS), RemoteEmbedder(Vectors()).embed(TEXTS))
    assert [len(texts) for texts in small.asked] == [16, 8, 4, 4, 8, 4, 4, 7, 4, 3]
    small.asked.clear()
    embedder.embed(TEXTS)
    assert [len(texts) for texts in small.asked] == [4] * 5 + [3]


def test_a_text_that_is_refused_alone_is_the_fault() -> None:
    small = Small()
    small.most, small.bad = 99, "number 7 "
    with pytest.raises(BadReplyError, match="batch size 1 "):
        RemoteEmbedder(small, batch=16, concurrency=1).embed(TEXTS)
    lost = Vectors(BadReplyError("no numbers", "", "malformed"))
    with pytest.raises(BadReplyError, match="no numbers"):
        RemoteEmbedder(lost, patience=Patience(attempts=1)).embed(TEXTS)
    assert len(lost.asked) == 1


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


def bound(
    model: Any, calls: Calls, budget: Budget | None = None, batch: int = 4, wanted: int | None = None, **more: Any
) -> RemoteEmbedder:
    """The embedder of a new run with this record."""
    chain = Chain(budget or Budget(Limits()), calls, patience=Patience(attempts=1), **more)
    return RemoteEmbedder(model, wanted, batch, chain=chain)


def test_a_second_run_pays_nothing_and_has_the_same_rows(calls: Calls) -> None:
    first, second, model = Budget(Limits()), Budget(Limits(max_calls=0)), Vectors()
    rows, again = bound(model, calls, first).embed(TEXTS), bound(Vectors(), calls, second).embed(TEXTS[::-1])
    np.testing.assert_array_equal(rows, again[::-1])
    assert (first.spent().calls, first.spent().cached_calls, len(model.asked)) == (6, 0, 6)
    assert (second.spent().calls, second.spent().cached_calls, second.spent().input_tokens) == (0, 6, 0)


def test_only_what_is_not_recorded_is_asked(calls: Calls) -> None:
    bound(Vectors(), calls).embed(TEXTS)
    model = Vectors()
    assert bound(model, calls).embed([*TEXTS, "new", "new"]).shape == (25, 2)
    assert model.asked == [["new"]]
    bound(model, calls, fresh=True, batch=64).embed(TEXTS)
    assert model.asked[1:] == [TEXTS]


def test_calls_tokens_and_cost_are_those_of_the_run(calls: Calls) -> None:
    budget = Budget(Limits(), {"v": Price(input=2.0, output=0.0)})
    bound(Vectors(), calls, budget).embed(TEXTS)
    assert (budget.spent().calls, budget.spent().input_tokens, budget.spent().estimated) == (6, 42, False)
    assert budget.spent().cost_usd == pytest.approx(84e-6)
    unpriced = Budget(Limits())
    bound(Vectors(), calls, unpriced).embed(["other"])
    assert unpriced.spent().cost_usd is None


def test_a_limit_of_calls_or_seconds_holds_and_what_arrived_is_kept(calls: Calls) -> None:
    with pytest.raises(LimitError, match=r"limits\.max_calls"):
        bound(Vectors(), calls, Budget(Limits(max_calls=2)), concurrency=1).embed(TEXTS)
    late = iter([0.0])
    over, model = Budget(Limits(max_seconds=1), clock=lambda: next(late, 9.0)), Vectors()
    with pytest.raises(LimitError, match=r"limits\.max_seconds"):
        bound(model, calls, over).embed(TEXTS)
    assert model.asked == []
    assert bound(model, calls).embed(TEXTS).shape == (23, 2)
    assert sorted(text for batch in model.asked for text in batch) == sorted(TEXTS[8:])


@given(
    arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(width=32, allow_nan=False))
)
def test_what_is_packed_comes_back(rows: np.ndarray) -> None:
    np.testing.assert_array_equal(unpack(pack(rows), len(rows)), rows)


def test_a_text_is_found_again_by_its_model_server_and_dimension(calls: Calls) -> None:
    bound(Vectors(), calls).embed(["a", ""])
    for change, asked in (({}, []), ({"model": "n"}, [["a"]]), ({"identity": "there"}, [["a"]])):
        server = Vectors()
        vars(server).update(change)
        bound(server, calls).embed(["a"])
        assert server.asked == asked
    wanted = Vectors()
    bound(wanted, calls, wanted=2).embed(["a"])
    assert wanted.asked == [["a"]]


def test_what_cannot_be_written_is_told_once_and_what_cannot_be_read_is_a_fault(calls: Calls) -> None:
    told: list[str] = []
    embedder = bound(Vectors(), calls, fresh=True, on_fault=told.append)
    calls.close()
    assert embedder.embed(TEXTS).shape == (23, 2)
    assert len(told) == 1
    with pytest.raises(StoreError):
        bound(Vectors(), calls).embed(["a"])


def test_each_text_is_embedded_once_in_a_process() -> None:
    model = Vectors()
    embedder = CachedEmbedder(RemoteEmbedder(model))
    assert embedder.embed(["a", "b", "a"]).shape == (3, 2)
    assert embedder.embed(["b"]).shape == (1, 2)
    assert embedder.embed([]).shape == (0, 2)
    assert model.asked == [["dimension"], ["a", "b"]]
    assert (embedder.name, embedder.dimension, embedder.windows("x")) == ("fake:v", 2, ["x"])


@pytest.mark.parametrize(
    ("provider", "model_id", "environ", "url", "name", "window"),
    [
        ("bedrock", "", {}, "", "bedrock:amazon.titan-embed-text-v2:0", 8000),
        ("bedrock", "own", {"TITAN_MODEL_ID": "t"}, "", "bedrock:own", 8000),
        ("openai", "m", {}, "https://mine.openai.azure.com/openai/v1", "openai:m", 8000),
        ("openai", "m", {}, "https://openai.com.example.org/v1", "openai:m", 1500),
    ],
)
def test_what_strangers_serve_may_read_no_more_than_512_tokens(
    aws: object, provider: str, model_id: str, environ: dict[str, str], url: str, name: str, window: int
) -> None:
    embedder = connect_embedder(provider, model_id, environ, ServerSettings(base_url=url or None), 256)
    assert (embedder.name, embedder.wanted, embedder.window) == (name, 256, window)
    embedder.provider.close()


def test_titan_has_vectors_of_no_other_length(aws: object) -> None:
    with pytest.raises(SetupError, match="no vectors of 300 numbers") as caught:
        connect_embedder("bedrock", "", {}, dimension=300)
    assert "256, 512, 1024" in caught.value.hint
    connect_embedder("bedrock", "another-model", {}, dimension=300).provider.close()
