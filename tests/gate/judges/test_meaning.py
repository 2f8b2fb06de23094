from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gate.judges.look import look
from gate.judges.meaning import SOUGHT, kindred
from gate.records import Evidence, Item


class Neutral:
    """A reader to which nothing speaks of anything."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return np.tile(np.array([0.1, 0.1, 0.8], dtype=np.float32), (len(pairs), 1))


class FakeEmbedder:
    name, dimension = "fake", 2

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.array([[0.6, 0.8] if "Ducks" in text else [1.0, 0.0] for text in texts], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        return [text]


def test_likeness_is_the_cosine_with_the_focus(item: Callable[..., Item]) -> None:
    seen = look([item("Birds swim.", "Ducks swim well."), item("Birds swim.", "Birds swim well.")], FakeEmbedder())
    assert [round(one.values["likeness"], 3) for one in seen if one] == [0.6, 1.0]


def test_equal_texts_are_embedded_once(item: Callable[..., Item]) -> None:
    embedder = FakeEmbedder()
    look([item("Ducks swim.", "Ducks swim well.")] * 5, embedder)
    assert sorted(embedder.texts) == ["Ducks swim well.", "Ducks swim."]


def test_the_likest_sentence_is_sought_among_those_that_share_most_words(item: Callable[..., Item]) -> None:
    embedder = FakeEmbedder()
    shared = [f"Ducks swim well in pond number {n}." for n in range(SOUGHT)]
    look([item("Ducks swim well.", " ".join([*shared, "Geese are white."]))], embedder, Neutral())
    assert "Geese are white." not in embedder.texts
    assert set(shared) <= set(embedder.texts)


def test_the_sentence_that_means_the_same_is_sought_with_its_heading(
    item: Callable[..., Item], passage: Callable[..., Evidence]
) -> None:
    embedder = FakeEmbedder()
    kept = passage("It is kept for a week.", heading="Store > Trash")
    look([item("The trash of a store is kept.", kept, passage("The trash is emptied."))], embedder, Neutral())
    assert {"Trash: It is kept for a week.", "The trash is emptied."} <= set(embedder.texts)


def test_without_a_reader_only_the_focus_is_embedded(item: Callable[..., Item]) -> None:
    embedder = FakeEmbedder()
    look([item("Ducks swim.", "Ducks swim well. Geese fly in the evening.")], embedder)
    assert sorted(embedder.texts) == ["Ducks swim well.", "Ducks swim."]


def test_of_sentences_that_mean_as_much_the_first_is_the_likest(item: Callable[..., Item]) -> None:
    given = item("Ducks swim.", "Geese fly here. Ducks swim here. Ducks swim there.")
    assert kindred([given], look([given]), FakeEmbedder()) == [1]


def test_what_cannot_be_read_has_no_likest_sentence(item: Callable[..., Item]) -> None:
    given = [item(""), item("Ducks swim.", "Ducks swim here.")]
    assert kindred(given, look(given), FakeEmbedder()) == [None, 0]
