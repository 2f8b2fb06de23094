from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.judges.look import SOUGHT, look
from gate.records import Evidence, Item


class FakeReader:
    """Supports what says so, contradicts what says not."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.pairs += pairs
        rows = [
            [0.9, 0.05, 0.05] if "yes" in e else [0.1, 0.8, 0.1] if "not" in e else [0.1, 0.1, 0.8] for _, e in pairs
        ]
        return np.array(rows, dtype=np.float32).reshape(len(pairs), 3)


class FakeEmbedder:
    name, dimension = "fake", 2

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.array([[0.6, 0.8] if "Ducks" in text else [1.0, 0.0] for text in texts], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        return [text]


def test_what_cannot_be_read_is_none(item: Callable[..., Item]) -> None:
    assert look([item("", "Ducks."), item("Ducks."), item("...", "Ducks.")]) == [None, None, None]


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
    look([item("Ducks swim well.", " ".join([*shared, "Geese are white."]))], embedder, FakeReader())
    assert "Geese are white." not in embedder.texts
    assert set(shared) <= set(embedder.texts)


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_the_reader_is_shown_the_best_window_and_its_best_sentence(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    passage = "Ducks swim here very often indeed. The keeper of the harbour said yes to that."
    (seen,) = look([item("Ducks swim.", passage)], reader=reader)
    assert seen is not None
    assert [evidence for _, evidence in reader.pairs] == ["Ducks swim here very often indeed.", passage]
    assert seen.values["reads_supported"] == pytest.approx(odds(0.9), abs=1e-2)  # of the window that speaks of it
    assert seen.values["reads_contradicted"] == pytest.approx(odds(0.1), abs=1e-5)


def test_with_an_embedder_the_reader_is_shown_the_sentence_that_means_the_same(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    near = "Waterfowl are Ducks to all who live beside it. It was said: yes, they float about all day long."
    passages = ("Birds swim in the old harbour all year round, people say.", near)
    (seen,) = look([item("Ducks swim in the harbour.", *passages)], FakeEmbedder(), reader)
    assert seen is not None
    shown = [evidence for _, evidence in reader.pairs]
    assert shown == [passages[0], near, "Waterfowl are Ducks to all who live beside it."]
    assert seen.values["reads_supported"] == pytest.approx(odds(0.9), abs=1e-2)  # of the window that speaks of it


def test_the_sentence_that_means_the_same_is_sought_with_its_heading(
    item: Callable[..., Item], passage: Callable[..., Evidence]
) -> None:
    embedder = FakeEmbedder()
    kept = passage("It is kept for a week.", heading="Store > Trash")
    look([item("The trash of a store is kept.", kept, passage("The trash is emptied."))], embedder, FakeReader())
    assert {"Trash: It is kept for a week.", "The trash is emptied."} <= set(embedder.texts)


def test_without_a_reader_only_the_focus_is_embedded(item: Callable[..., Item]) -> None:
    embedder = FakeEmbedder()
    look([item("Ducks swim.", "Ducks swim well. Geese fly in the evening.")], embedder)
    assert sorted(embedder.texts) == ["Ducks swim well.", "Ducks swim."]


def test_contradiction_is_told_apart(item: Callable[..., Item]) -> None:
    (seen,) = look([item("Ducks swim.", "Ducks do not swim in the old harbour at all.")], reader=FakeReader())
    assert seen is not None
    assert seen.values["reads_contradicted"] == pytest.approx(odds(0.8), abs=1e-5)
    assert seen.values["reads_supported"] == pytest.approx(odds(0.1), abs=1e-5)


def test_what_sentences_alone_settle_is_not_read_on(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    passage = "Ducks, yes, do swim here often. The keeper of the harbour said so."
    (seen,) = look([item("Ducks swim.", passage)], reader=reader)
    assert seen is not None
    assert [evidence for _, evidence in reader.pairs] == ["Ducks, yes, do swim here often."]
    assert [read.window.text for read in seen.reads] == ["Ducks, yes, do swim here often."]


def test_no_window_is_shown_twice(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    look([item("Ducks swim.", "Ducks do not swim in the old harbour at all.")], FakeEmbedder(), reader)
    assert len(reader.pairs) == 1


def test_each_item_gets_its_own_scores(item: Callable[..., Item]) -> None:
    items = [
        item("Ducks swim.", "Ducks do not swim here in any case."),
        item("", "x"),
        item("Ducks swim.", "Ducks, yes, do swim here often."),
    ]
    together = look(items, FakeEmbedder(), FakeReader())
    alone = [look([one], FakeEmbedder(), FakeReader())[0] for one in items]
    assert [one and one.values for one in together] == [one and one.values for one in alone]


def test_without_items_nothing_is_asked() -> None:
    assert look([], FakeEmbedder(), FakeReader()) == []
