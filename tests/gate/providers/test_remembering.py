import numpy as np

from gate.providers.remembering import Remembering


class Counting:
    """An embedder that tells what it was asked."""

    name, dimension = "counting", 2

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts):
        self.texts += texts
        return np.ones((len(texts), 2), dtype=np.float32)

    def windows(self, text):
        return [text]


def test_each_text_is_embedded_once():
    inner = Counting()
    found = Remembering(inner)
    assert found.embed(["a", "b", "a"]).shape == (3, 2)
    assert found.embed(["b"]).shape == (1, 2)
    assert found.embed([]).shape == (0, 2)
    assert inner.texts == ["a", "b"]
    assert (found.name, found.dimension, found.windows("x")) == ("counting", 2, ["x"])
